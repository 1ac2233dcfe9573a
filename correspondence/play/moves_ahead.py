"""Prefetch the data of a move and its letter: one query shows what is absent.

Most of it is absent. What is present is loaded by its own module as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Executable, RowMapping, bindparam
from sqlalchemy import select as select_values
from sqlmodel import Session, col, exists, select

from correspondence.accounts import letter_stops
from correspondence.clocks import outages
from correspondence.core import db
from correspondence.fairness import heads, seeds
from correspondence.models import (
    Address,
    ClockStop,
    Letter,
    LetterState,
    Match,
    Move,
    Offer,
    OfferState,
    Outage,
    Person,
    Plan,
    Player,
    Purpose,
    Scope,
    Suppression,
    Vacation,
)
from correspondence.models.loading import note_silence, players_of
from correspondence.outbound import kinds, letters
from correspondence.outbound.automatic_answers import ANSWERS_GIVEN, Answered
from correspondence.play import letter_context
from correspondence.play.told_positions import IS_TOLD, note_told

_MATCH: BindParameter[int] = bindparam("match")
_SINCE: BindParameter[datetime] = bindparam("since")
_SEATED = select(Player.person_id).where(col(Player.match_id) == _MATCH)
_MERGEABLE = kinds.kinds_that(lambda kind: kind.is_mergeable)
_UNSENT = [LetterState.QUEUED, LetterState.HELD]

_BESIDE_MATCH: tuple[Any, ...] = (
    exists().where(col(Offer.match_id) == _MATCH, col(Offer.state) == OfferState.OPEN).label("offers"),
    exists().where(col(ClockStop.match_id) == _MATCH, col(ClockStop.ends_at) > _SINCE).label("stops"),
    exists().where(col(Vacation.person_id).in_(_SEATED), col(Vacation.ends_at) > _SINCE).label("absences"),
    exists().where(col(Outage.ends_at) > _SINCE).label("outages"),
    exists()
    .where(col(Address.person_id).in_(_SEATED), col(Suppression.mail_key) == col(Address.mail_key))
    .where(col(Suppression.scope) == Scope.ALL)
    .label("unreachable"),
    *(column.label(name) for name, column in outages.SIGNS.items()),
)
"""Columns for what any letter about a match may need, besides the match itself."""

_OF_MOVE: Executable = select_values(
    *_BESIDE_MATCH,
    exists().where(col(Plan.match_id) == _MATCH).label("plans"),
    exists().where(col(Move.match_id) == _MATCH, col(Move.comment) != "").label("comments"),
    exists()
    .where(col(Letter.match_id) == _MATCH, col(Letter.kind).in_(_MERGEABLE), col(Letter.state).in_(_UNSENT))
    .label("letters"),
    select(Move.hash)
    .where(col(Move.match_id) == _MATCH, col(Move.ply) == bindparam("ply"))
    .scalar_subquery()
    .label("head"),
    seeds.SECRET.label("seed"),
)
"""Query for what a move or its letter may need or change, besides the match."""

_READER: tuple[Any, ...] = (
    letters.MAIL_OF_PERSON.label("mail"),
    exists().where(col(Letter.key) == bindparam("key")).label("is_written"),
    letter_context.FINISHED_BY_PERSON.label("finished"),
    letter_stops.TOKENS_OF_PERSON.label("stop_tokens"),
)
"""Columns for what a letter needs to know about its reader."""

_IS_READER = col(Person.id) == bindparam("person")

_OF_READER: Executable = select_values(*_READER).where(_IS_READER)

_OF_RECEIPT: Executable = select_values(
    *_BESIDE_MATCH, *_READER, ANSWERS_GIVEN.label("answers"), IS_TOLD.label("is_told")
).where(_IS_READER)
"""Query for what a receipt needs to know, and whether it should be sent."""


def ask_ahead_of_move(session: Session, match: Match, *, has_words: bool, now: datetime) -> None:
    """Prefetch the data of moves in a match and their letters, for a block of `db.asking_once`.

    `has_words` says that the first of these moves has a comment.
    """
    since = _first_since(session, match, now)
    with session.no_autoflush:  # other changes of the match are flushed already or do not affect this query
        found = db.row(session, _OF_MOVE, match=match.id, ply=match.ply, since=since)
    if found["head"]:
        heads.note_head(session, match, found["head"])
    seeds.note_secret(session, match.id, found["seed"])
    _note_beside_match(session, found, match, now)
    if not found["plans"]:
        db.asked(session)[Plan, match.id] = frozenset()
    if not found["letters"]:
        db.asked(session)[Letter, match.id] = {}
    if not found["comments"] and not has_words:
        note_silence(session, match.id)


def _note_beside_match(session: Session, found: RowMapping, match: Match, now: datetime) -> None:
    """Cache the results of _BESIDE_MATCH."""
    db.asked(session)[outages.Signs] = outages.Signs(*(found[name] for name in outages.Signs._fields))
    db.asked(session).update(_nothing_of(found, match, players_of(session, match.id), now))


def _nothing_of(found: RowMapping, match: Match, players: Sequence[Player], now: datetime) -> dict[Any, Any]:
    """Return the entries of `db.asked` for everything that `found` shows to be absent."""
    persons = [player.person_id for player in players]
    answers: dict[Any, Any] = {}
    if not found["offers"]:
        answers[Offer, match.id] = []
    if not found["unreachable"]:
        answers[Suppression] = frozenset(persons), frozenset()
    if not found["absences"]:
        answers[Vacation, now] = dict.fromkeys(persons)
    if not (found["stops"] or found["absences"] or found["outages"]):
        answers |= {(ClockStop, player.id): [] for player in players}
    return answers


def _first_since(session: Session, match: Match, now: datetime) -> datetime:
    """Return when the earliest running clock of a match started."""
    begins = [player.since for player in players_of(session, match.id) if player.since is not None]
    return min(begins, default=now)


def ask_ahead_of_turn(session: Session, player: Player, key: str) -> None:
    """Prefetch a turn letter's reader, for a block of `db.asking_once`; `key` is the letter's."""
    with session.no_autoflush:  # no letter with this key is pending in the session
        found = db.row(session, _OF_READER, person=player.person_id, key=key)
    _note_reader(session, found, player.person_id, key)


def ask_ahead_of_receipt(
    session: Session, match: Match, player: Player, key: str, counted: Answered, *, now: datetime
) -> None:
    """Prefetch the data of a move's receipt, for a block of `db.asking_once`.

    `key` is the letter's key. `counted` says which answers to the player are counted before it.
    """
    place = {"match": match.id, "ply": match.ply, "since": _first_since(session, match, now), "now": now}
    with session.no_autoflush:  # the move has no pending writes that affect this query
        found = db.row(session, _OF_RECEIPT, key=key, **place, **counted._asdict())
    _note_beside_match(session, found, match, now)
    _note_reader(session, found, player.person_id, key)
    note_told(session, player, bool(found["is_told"]))
    db.asked(session)[counted] = found["answers"]


def _note_reader(session: Session, found: RowMapping, person: int, key: str) -> None:
    """Cache the results of _READER, for a letter with this key to this person."""
    answers = db.asked(session)
    answers[Address], answers[Letter] = {person: found["mail"]}, {key: bool(found["is_written"])}
    answers[Purpose.STOP, person] = letter_stops.by_kind(found["stop_tokens"])
    letter_context.note_practice(session, person, found["finished"])
