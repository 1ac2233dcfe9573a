"""What a move and the letter about it ask the database, each asked by one statement, because most of it is not there.

What is there is asked for as ever, by the module that it belongs to.
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
    Heartbeat,
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
from correspondence.models.columns import constant
from correspondence.models.loading import note_silence, players_of
from correspondence.outbound import kinds, letters
from correspondence.play import letter_context

_MATCH: BindParameter[int] = bindparam("match")
_SINCE: BindParameter[datetime] = bindparam("since")
_SEATED = select(Player.person_id).where(col(Player.match_id) == _MATCH)
_MERGEABLE = [constant(name) for name in kinds.names(lambda kind: kind.is_mergeable)]
_UNSENT = [constant(LetterState.QUEUED), constant(LetterState.HELD)]

_OF_MOVE: Executable = select_values(
    exists().where(col(Offer.match_id) == _MATCH, col(Offer.state) == constant(OfferState.OPEN)).label("offers"),
    exists().where(col(Plan.match_id) == _MATCH).label("plans"),
    exists().where(col(Move.match_id) == _MATCH, col(Move.comment) != constant("")).label("comments"),
    exists().where(col(ClockStop.match_id) == _MATCH, col(ClockStop.ends_at) > _SINCE).label("stops"),
    exists().where(col(Vacation.person_id).in_(_SEATED), col(Vacation.ends_at) > _SINCE).label("absences"),
    exists().where(col(Outage.ends_at) > _SINCE).label("outages"),
    exists()
    .where(col(Letter.match_id) == _MATCH, col(Letter.kind).in_(_MERGEABLE), col(Letter.state).in_(_UNSENT))
    .label("letters"),
    exists()
    .where(col(Address.person_id).in_(_SEATED), col(Suppression.mail_key) == col(Address.mail_key))
    .where(col(Suppression.scope) == constant(Scope.ALL))
    .label("unreachable"),
    select(Move.hash)
    .where(col(Move.match_id) == _MATCH, col(Move.ply) == bindparam("ply"))
    .scalar_subquery()
    .label("head"),
    *outages.STANDS_SINCE,
)
"""What there is beside a match that a move or its letter would have to tell or to stop."""

_OF_READER: Executable = select_values(
    letters.MAIL_OF_PERSON.label("mail"),
    exists().where(col(Letter.key) == bindparam("key")).label("is_written"),
    letter_context.FINISHED_BY_PERSON.label("finished"),
    letter_stops.TOKENS_OF_PERSON.label("stops"),
).where(col(Person.id) == bindparam("reader"))
"""What a letter asks about its reader."""


def ask_ahead_of_move(session: Session, match: Match, *, has_words: bool, now: datetime) -> None:
    """Let a block of `db.asking_once` that enters moves in a match ask once what these and their letters may have to tell.

    `has_words` says that the first of these moves comes with a comment.
    """
    players = players_of(session, match.id)
    since = min((player.since for player in players if player.since is not None), default=now)
    with session.no_autoflush:  # what else was done to the match is written, or else is nothing that is asked for
        found = db.row(session, _OF_MOVE, match=match.id, ply=match.ply, since=since)
    if found["head"]:
        heads.note_head(session, match, found["head"])
    db.asked(session)[Heartbeat] = found["beat"], found["read_only_since"]
    db.asked(session).update(_nothing_of(found, match, players, now))
    if not found["comments"] and not has_words:
        note_silence(session, match.id)


def _nothing_of(found: RowMapping, match: Match, players: Sequence[Player], now: datetime) -> dict[Any, Any]:
    """What `db.asked` holds where the database has none of it, by what was found."""
    persons = [player.person_id for player in players]
    answers: dict[Any, Any] = {}
    if not found["offers"]:
        answers[Offer, match.id] = []
    if not found["plans"]:
        answers[Plan, match.id] = frozenset()
    if not found["letters"]:
        answers[Letter, match.id] = {}
    if not found["unreachable"]:
        answers[Suppression] = frozenset(persons), frozenset()
    if not found["absences"]:
        answers[Vacation, now] = dict.fromkeys(persons)
    if not (found["stops"] or found["absences"] or found["outages"]):
        answers |= {(ClockStop, player.id): [] for player in players}
    return answers


def ask_ahead_of_turn(session: Session, match: Match, player: Player, key: str) -> None:
    """Let a block of `db.asking_once` ask once what the letter with this key, which tells of a turn, asks of its reader."""
    number, answers = player.person_id, db.asked(session)
    with session.no_autoflush:  # no letter with this key waits to be written
        found = db.row(session, _OF_READER, reader=number, key=key)
        if not player.last_message_id:
            seeds.ask_ahead(session, [match.id])
    answers[Address], answers[Letter] = {number: found["mail"]}, {key: bool(found["is_written"])}
    answers[Purpose.STOP, number] = letter_stops.by_kind(found["stops"])
    letter_context.note_practice(session, number, found["finished"])
