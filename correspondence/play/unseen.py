"""What is new in a game: how far a player has looked, and the version by which an open page notices changes."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, union_all
from sqlmodel import Session, col, func, select

from correspondence.accounts.relations import muted_ids
from correspondence.core import db
from correspondence.models import ClockStop, Letter, Match, Player, Remark, Vacation
from correspondence.models.loading import players_of
from correspondence.outbound.kinds import kind_of
from correspondence.play.chat import count_visible, remark_id_of
from correspondence.play.record_moves import open_offers


def mark_seen(
    session: Session, player: Player, ply: int, *, takebacks: int | None = None, remark: int = 0, now: datetime
) -> None:
    """Note that a page showed the player the game after `ply` moves, and the chat up to a remark.

    `remark` is that remark's public number, 0 for none. `takebacks` is how often moves had been taken back when the page
    was drawn: an older page has shown none of the moves that stand now. Only a take-back moves the marks back.
    """
    match = session.get_one(Match, player.match_id)
    remark_id = remark_id_of(session, player, remark, now=now) if remark else 0
    query = select(func.min(Remark.id)).where(
        col(Remark.match_id) == match.id, col(Remark.person_id) != player.person_id, col(Remark.opens_at) > now
    )
    first_waiting = session.exec(query).one() if remark_id else None
    remark_id = (
        remark_id if first_waiting is None else min(remark_id, first_waiting - 1)
    )  # no page has shown what waits
    if takebacks in (None, match.takebacks):
        player.shown_ply = max(player.shown_ply, min(ply, match.ply))
        player.seen_ply = max(player.seen_ply, player.shown_ply)
    player.shown_remark = max(player.shown_remark, remark_id)
    session.add(player)


def was_shown(player: Player, letter: Letter) -> bool:
    """Whether a page already showed everything that a letter tells its reader.

    Always False for reminders and results, which are sent anyway. Only what this game's page showed counts: the player
    may have looked at another game.
    """
    if kind_of(letter).is_on_page:
        return letter.ply is not None and letter.ply <= player.shown_ply
    remark_ids = [int(number) for number in letter.remarks.split()]
    return kind_of(letter).is_talk and bool(remark_ids) and max(remark_ids) <= player.shown_remark


def page_version(
    session: Session, match: Match, person_id: int | None, *, is_player: bool, now: datetime | None
) -> str:
    """A short hash of everything that may change on this viewer's page of a game.

    Nothing that the viewer may not read goes into it.
    """
    muted = muted_ids(session, players_of(session, match.id), person_id)
    chat_state = count_visible(session, match.id, person_id, muted, is_player=is_player, now=now)
    offers = [(offer.id, offer.seat) for offer in open_offers(session, match.id)] if is_player else []
    stops = _stops(session, match, is_player=is_player, now=now)
    state = (match.ply, match.takebacks, match.ended_at, match.deadline, *chat_state, offers, stops)
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


_STOPS = union_all(
    select(ClockStop.begins_at, ClockStop.ends_at).where(col(ClockStop.match_id) == bindparam("match")),
    select(Vacation.begins_at, Vacation.ends_at).where(
        col(Vacation.person_id).in_(bindparam("persons", expanding=True)), col(Vacation.ends_at) > bindparam("since")
    ),
)
"""What stops the clocks of a match: pauses and extensions, and absences of these persons."""


def _stops(session: Session, match: Match, *, is_player: bool, now: datetime | None) -> list[tuple[object, ...]]:
    """What the page of a match tells of clocks that stand: absences, and whose time has run out, to its players alone."""
    players = players_of(session, match.id) if is_player else []
    late: list[tuple[object, ...]] = [(player.flagged_at,) for player in players]
    if all(db.is_absent(session, table, match.id) for table in (ClockStop, Vacation)):
        return late
    persons = [player.person_id for player in players]
    found = db.rows(session, _STOPS, match=match.id, persons=persons, since=match.started_at)
    stops = sorted((begins, ends) for begins, ends in found)
    return late + [(*span, *(now is not None and at <= now for at in span)) for span in stops]


class PageState(NamedTuple):
    """What an open page of a game polls: its version, how many moves there are, how often any were taken back."""

    version: str
    ply: int
    takebacks: int
    is_over: bool


def page_state(session: Session, number: int, person_id: int | None, *, now: datetime) -> PageState | None:
    """The state of a game's page for this viewer; None if there is no such game."""
    match = session.get(Match, number)
    if match is None:
        return None
    is_player = any(player.person_id == person_id for player in players_of(session, number))
    version = page_version(session, match, person_id, is_player=is_player, now=now)
    return PageState(version, match.ply, match.takebacks, match.ended_at is not None)
