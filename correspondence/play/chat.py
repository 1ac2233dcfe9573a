"""Words about a match beside its moves: what each viewer may read of them, and notes for the writer alone.

Who may read a remark is part of its row; `heard` is the one place that asks. Outside of it a remark is called by its
public number, because the numbers of rows count the notes of others as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, func, or_, select

from correspondence.models import Audience, Match, Person, Player, Remark
from correspondence.play.matches import MatchError, clean_talk
from correspondence.play.public_numbers import public_numbers
from engines.wording import _

NOTES_KEPT = 500
"""How many notes one player may keep in one match."""

REPEATED = 20
"""From how many characters on the same words by mail within a day are passed on once."""


def keep_note(session: Session, player: Player, text: str, *, ply: int | None, now: datetime) -> Remark:
    """Keep a note that nobody but this player will ever read, about the position after `ply` entries, or the present.

    Nobody is written to. Raises MatchError when it is empty, about no position, or one too many.
    """
    match, kept = session.get_one(Match, player.match_id), clean_talk(text)
    if not kept:
        raise MatchError(_("There is nothing in this note."))
    if ply is not None and not 0 <= ply <= match.ply:
        raise MatchError(_("The game has only {count} moves so far.").format(count=match.ply))
    if len(_notes(session, player)) >= NOTES_KEPT:
        raise MatchError(_("You keep {count} notes in this game; please drop one first.").format(count=NOTES_KEPT))
    about = match.ply if ply is None else ply
    note = Remark(match_id=match.id, person_id=player.person_id, ply=about, text=kept, at=now, audience=Audience.ME)
    session.add(note)
    session.flush()
    return note


def drop_note(session: Session, player: Player, number: int | None, *, now: datetime) -> None:
    """Forget one of this player's own notes; raises MatchError where there is none of this public number."""
    notes = _notes(session, player)
    note = next((note for note, called in zip(notes, _called(notes), strict=True) if called == number), None)
    if note is None:
        raise MatchError(_("There is no such note of yours."))
    session.delete(note)


def was_said(session: Session, player: Player, text: str, now: datetime) -> bool:
    """Whether a player said this very sentence, too long to be a greeting, within a day: an unmarked robot does so."""
    kept = clean_talk(text)
    if len(kept) < REPEATED:
        return False
    said = select(Remark.id).where(
        col(Remark.match_id) == player.match_id,
        col(Remark.person_id) == player.person_id,
        col(Remark.audience) != Audience.ME,
        col(Remark.text) == kept,
        col(Remark.at) > now - timedelta(days=1),
    )
    return session.exec(said.limit(1)).first() is not None


def _readable(*, is_player: bool) -> Any:
    """The condition on the remarks of a `match` that a viewer may read `now`, for a player by the number `person`."""
    open_to = [Audience.EVERYONE, *([Audience.PLAYERS] if is_player else [])]
    is_open = or_(col(Remark.opens_at).is_(None), col(Remark.opens_at) <= bindparam("now"))
    may_read = and_(col(Remark.audience).in_(open_to), is_open)
    if is_player:
        may_read = or_(may_read, col(Remark.person_id) == bindparam("person"))
    return and_(col(Remark.match_id) == bindparam("match"), may_read)


_HEARD = [
    select(Remark, Person.handle)
    .join(Person, col(Person.id) == col(Remark.person_id))
    .where(_readable(is_player=is_player))
    for is_player in (False, True)
]

_COUNTED = [
    select(func.count(col(Remark.id)), func.max(col(Remark.at))).where(
        _readable(is_player=is_player), col(Remark.person_id).not_in(bindparam("silent", expanding=True))
    )
    for is_player in (False, True)
]


def counted(
    session: Session,
    match_id: int,
    person_id: int | None,
    silent: frozenset[int],
    *,
    is_player: bool,
    now: datetime | None,
) -> tuple[int, datetime | None]:
    """How many remarks this viewer may read that the `silent` did not make, and when the last was made.

    Without `now` none that waits is counted.
    """
    named = {"match": match_id, "person": person_id, "silent": list(silent), "now": now}
    return session.exec(_COUNTED[is_player], params=named).one()


def heard(
    session: Session,
    match_id: int,
    person_id: int | None,
    silent: frozenset[int],
    *,
    is_player: bool,
    now: datetime | None,
) -> list[tuple[str, Remark, int]]:
    """The remarks this viewer may read and the `silent` did not make, each with its author and public number.

    Without `now` nothing is told that others said and that still waits.
    """
    named = {"match": match_id, "person": person_id, "now": now}
    found = session.exec(_HEARD[is_player], params=named)
    rows = [(name, remark) for name, remark in _in_order(found) if remark.person_id not in silent]
    called = _called([remark for _name, remark in rows])
    return [(name, remark, number) for (name, remark), number in zip(rows, called, strict=True)]


def row_called(session: Session, player: Player, number: int, *, now: datetime) -> int:
    """The number of the row of what a player may read under this public number; 0 where there is none."""
    named = {"match": player.match_id, "person": player.person_id, "now": now}
    found = session.exec(_HEARD[True], params=named)
    remarks = [remark for _name, remark in _in_order(found)]
    return next((r.id for r, called in zip(remarks, _called(remarks), strict=True) if called == number), 0)


def _in_order(found: Iterable[tuple[Remark, str]]) -> list[tuple[str, Remark]]:
    return [(name, remark) for remark, name in sorted(found, key=lambda one: one[0].id)]


def _called(remarks: Sequence[Remark]) -> tuple[int, ...]:
    """The public numbers of these remarks, in order."""
    return public_numbers([f"{r.person_id} {r.audience} {r.ply} {r.at.isoformat()} {r.text}" for r in remarks])


def _notes(session: Session, player: Player) -> list[Remark]:
    found = select(Remark).where(col(Remark.match_id) == player.match_id, col(Remark.person_id) == player.person_id)
    return list(session.exec(found.where(col(Remark.audience) == Audience.ME).order_by(col(Remark.id))))
