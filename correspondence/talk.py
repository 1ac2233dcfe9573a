"""Words about a match beside its moves: what each viewer may read of them, and notes for the writer alone.

Who may read a remark is part of its row; `heard` is the one place that asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, func, or_, select

from correspondence.matches import MatchError, clean_talk
from correspondence.models import Audience, Match, Person, Player, Remark
from correspondence.shown import Card, Line, Said
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
    note = Remark(
        match_id=match.id, person_id=player.person_id, ply=about, text=kept, at=now, audience=Audience.ME
    )
    session.add(note)
    session.flush()
    return note


def drop_note(session: Session, player: Player, number: int | None, *, now: datetime) -> None:
    """Forget one of this player's own notes; raises MatchError where there is none of this number."""
    note = next((note for note in _notes(session, player) if note.id == number), None)
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
    """The condition on the remarks of a `match` that a viewer may read, for a player by the number of the `person`."""
    open_to = [Audience.EVERYONE, *([Audience.PLAYERS] if is_player else [])]
    own = and_(col(Remark.audience) == Audience.ME, col(Remark.person_id) == bindparam("person"))
    may_read = or_(col(Remark.audience).in_(open_to), own) if is_player else col(Remark.audience).in_(open_to)
    return and_(col(Remark.match_id) == bindparam("match"), may_read)


_HEARD = [
    select(Remark, Person.handle)
    .join(Person, col(Person.id) == col(Remark.person_id))
    .where(_readable(is_player=is_player))
    for is_player in (False, True)
]

_COUNTED = [
    select(func.count(col(Remark.id)), func.max(col(Remark.id))).where(_readable(is_player=is_player))
    for is_player in (False, True)
]


def counted(
    session: Session, match_id: int, person_id: int | None, *, is_player: bool
) -> tuple[int, int | None]:
    """How many remarks this viewer may read, and the number of the last."""
    return session.exec(_COUNTED[is_player], params={"match": match_id, "person": person_id}).one()


def heard(
    session: Session, card: Card, lines: Sequence[Line], person_id: int | None, silent: frozenset[int]
) -> tuple[Said, ...]:
    """All that this viewer may read, oldest first, but for what the `silent` say; `lines` as he may read them."""
    said = [
        Said(card.sitters[line.seat].handle, line.comment, line.at, line.ply, Audience.PLAYERS, with_move=True)
        for line in lines
        if line.comment
    ]
    found = session.exec(_HEARD[card.viewer is not None], params={"match": card.number, "person": person_id})
    said += [
        Said(name, r.text, r.at, r.ply, r.audience, number=r.id) for r, name in found if r.person_id not in silent
    ]
    return tuple(sorted(said, key=lambda one: (one.at, one.ply, one.number)))


def _notes(session: Session, player: Player) -> list[Remark]:
    found = select(Remark).where(col(Remark.match_id) == player.match_id, col(Remark.person_id) == player.person_id)
    return list(session.exec(found.where(col(Remark.audience) == Audience.ME)))
