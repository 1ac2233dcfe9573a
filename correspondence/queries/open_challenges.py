"""Open challenges to a person and from them, for the pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, or_, select

from correspondence.accounts.accounts import program_mark
from correspondence.core import db
from correspondence.fairness import seeds
from correspondence.matchmaking.challenges import away_notices
from correspondence.models import Person, Seek, SeekState
from correspondence.models.matchmaking import OLDEST_FIRST
from correspondence.queries.game_lists import shown_handle
from correspondence.queries.view_models import Challenge
from engines import GAMES
from engines.wording import _

_HANDLES = select(Person.id, Person.handle).where(col(Person.id).in_(bindparam("persons", expanding=True)))


def challenges_of(
    session: Session, person_id: int, *, now: datetime
) -> tuple[tuple[Challenge, ...], tuple[Challenge, ...]]:
    """Return the open challenges to a person, and those from them, oldest first."""
    own = and_(col(Seek.person_id) == person_id, col(Seek.opponent_id).is_not(None))
    either = or_(col(Seek.opponent_id) == person_id, own)
    query = select(Seek).where(either, col(Seek.state) == SeekState.OPEN).order_by(*OLDEST_FIRST)
    seeks = list(session.exec(query))
    names = _handles(session, [n for s in seeks for n in (s.person_id, s.opponent_id) if n is not None])
    known = seeds.commitments_of_offers(session, [seek.id for seek in seeks])
    marks = _program_marks(session, [seek.person_id for seek in seeks if seek.opponent_id == person_id])
    to_me = tuple(
        replace(_challenge(seek, names, known), program_mark=marks.get(seek.person_id, ""))
        for seek in seeks
        if seek.opponent_id == person_id
    )
    sent = [seek for seek in seeks if seek.opponent_id != person_id]
    away = away_notices(session, sent, session.get_one(Person, person_id), now=now) if sent else {}
    from_me = tuple(
        replace(_challenge(seek, names, known), away_notice=away[seek.id], words=seek.words) for seek in sent
    )
    return to_me, from_me


def _program_marks(session: Session, person_ids: Collection[int]) -> dict[int, str]:
    """Return the notices about those of these persons for whom a program plays."""
    of_programs = select(Person).where(col(Person.id).in_(person_ids), col(Person.is_program))
    return {person.id: program_mark(person) for person in session.exec(of_programs)} if person_ids else {}


def _handles(session: Session, person_ids: Iterable[int]) -> dict[int, str]:
    numbers = sorted(set(person_ids))
    rows = db.rows(session, _HANDLES, persons=numbers) if numbers else ()
    return {person_id: shown_handle(handle) for person_id, handle in rows}


def _challenge(seek: Seek, names: dict[int, str], commitments: dict[int, str]) -> Challenge:
    game = GAMES[seek.game]
    return Challenge(
        seek.id,
        names[seek.person_id],
        names.get(seek.opponent_id or 0, ""),
        _(game.name),
        seek.terms,
        "" if seek.seat is None else _(game.seats[seek.seat]),
        seek.created_at,
        commitments.get(seek.id, ""),
    )
