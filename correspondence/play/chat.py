"""Remarks in a game, filtered for each viewer, and private notes.

Each row says who may read the remark; only `_readable` decides. Outside this module a remark is identified by its
public number, because row ids also count other people's notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, or_, select

from correspondence.core import db
from correspondence.core.public_numbers import public_numbers
from correspondence.models import Audience, Match, Person, Player, Remark
from correspondence.play.matches import MatchError, clean_talk, said_just_now
from engines.wording import _

NOTES_KEPT = 500
"""Maximum number of notes one player can keep in one game."""

REPEATED = 20
"""Length in characters from which a repeated mailed remark is dropped within a day."""


def keep_note(session: Session, player: Player, text: str, *, ply: int | None, now: datetime) -> Remark:
    """Store a private note about the position after `ply` moves, or about the current one.

    No letter is written. Raises MatchError if the note is empty, names no position, or exceeds the limit.
    """
    match, words = session.get_one(Match, player.match_id), clean_talk(text)
    if not words:
        raise MatchError(_("This note is empty."))
    if ply is not None and not 0 <= ply <= match.ply:
        raise MatchError(_("The game has only {count} moves so far.").format(count=match.ply))
    about = match.ply if ply is None else ply
    repeated = said_just_now(session, player, words, Audience.ME, now=now)
    if repeated is not None and repeated.ply == about:
        return repeated
    if len(_notes(session, player)) >= NOTES_KEPT:
        raise MatchError(
            _("You have {count} notes in this game, which is the maximum; please delete one first.").format(
                count=NOTES_KEPT
            )
        )
    note = Remark(match_id=match.id, person_id=player.person_id, ply=about, text=words, at=now, audience=Audience.ME)
    session.add(note)
    session.flush()
    return note


def drop_note(session: Session, player: Player, number: int | None, *, now: datetime) -> None:
    """Delete a player's own note by its public number; raise MatchError if there is none."""
    notes = _notes(session, player)
    note = next((note for note, public in zip(notes, _remark_numbers(notes), strict=True) if public == number), None)
    if note is None:
        raise MatchError(_("You have no such note."))
    session.delete(note)


def is_repeated(session: Session, player: Player, text: str, now: datetime) -> bool:
    """Whether a player made the same remark within a day, and it is too long for a greeting.

    Automatic repliers that do not mark their mail do this.
    """
    words = clean_talk(text)
    if len(words) < REPEATED:
        return False
    query = select(Remark.id).where(
        col(Remark.match_id) == player.match_id,
        col(Remark.person_id) == player.person_id,
        col(Remark.audience) != Audience.ME,
        col(Remark.text) == words,
        col(Remark.at) > now - timedelta(days=1),
    )
    return session.exec(query.limit(1)).first() is not None


def _readable(*, is_player: bool) -> Any:
    """Build the SQL condition for the remarks that a viewer may read.

    Binds `match` and `now`, and for a player also `person`, their id.
    """
    open_to = [Audience.EVERYONE, *([Audience.PLAYERS] if is_player else [])]
    is_open = or_(col(Remark.opens_at).is_(None), col(Remark.opens_at) <= bindparam("now"))
    may_read = and_(col(Remark.audience).in_(open_to), is_open)
    if is_player:
        may_read = or_(may_read, col(Remark.person_id) == bindparam("person"))
    return and_(col(Remark.match_id) == bindparam("match"), may_read)


_VISIBLE = [
    select(Remark, Person.handle)
    .join(Person, col(Person.id) == col(Remark.person_id))
    .where(_readable(is_player=is_player))
    for is_player in (False, True)
]


def visible_remarks(
    session: Session,
    match_id: int,
    person_id: int | None,
    muted: frozenset[int],
    *,
    is_player: bool,
    now: datetime | None,
) -> list[tuple[str, Remark, int]]:
    """Return the remarks this viewer may read as (handle, remark, public number).

    Remarks by `muted` persons are left out. Without `now`, so are other people's delayed remarks.
    """
    if db.is_absent(session, Remark, match_id):
        return []
    params = {"match": match_id, "person": person_id, "now": now}
    rows_read = session.exec(_VISIBLE[is_player], params=params)
    rows = [(name, remark) for name, remark in _in_order(rows_read) if remark.person_id not in muted]
    numbers = _remark_numbers([remark for _name, remark in rows])
    return [(name, remark, number) for (name, remark), number in zip(rows, numbers, strict=True)]


def remark_id_of(session: Session, player: Player, number: int, *, now: datetime) -> int:
    """Return the row id of a remark by the public number that a player sees; 0 if there is none."""
    params = {"match": player.match_id, "person": player.person_id, "now": now}
    rows = session.exec(_VISIBLE[True], params=params)
    remarks = [remark for _name, remark in _in_order(rows)]
    return next((r.id for r, public in zip(remarks, _remark_numbers(remarks), strict=True) if public == number), 0)


def _in_order(rows: Iterable[tuple[Remark, str]]) -> list[tuple[str, Remark]]:
    return [(name, remark) for remark, name in sorted(rows, key=lambda row: row[0].id)]


def _remark_numbers(remarks: Sequence[Remark]) -> tuple[int, ...]:
    """Return the public numbers of these remarks, in order."""
    return public_numbers([f"{r.person_id} {r.audience} {r.ply} {r.at.isoformat()} {r.text}" for r in remarks])


def _notes(session: Session, player: Player) -> list[Remark]:
    query = select(Remark).where(col(Remark.match_id) == player.match_id, col(Remark.person_id) == player.person_id)
    return list(session.exec(query.where(col(Remark.audience) == Audience.ME).order_by(col(Remark.id))))
