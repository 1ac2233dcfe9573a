"""Whether a letter written just now shows a player the position, so that no other has to."""

from __future__ import annotations

from sqlalchemy import bindparam, exists
from sqlmodel import Session, col

from correspondence.core import db
from correspondence.models import Letter, LetterState, Player

IS_TOLD = exists().where(
    col(Letter.match_id) == bindparam("match"),
    col(Letter.person_id) == bindparam("person"),
    col(Letter.ply) == bindparam("ply"),
    col(Letter.created_at) == bindparam("now"),
    col(Letter.due_at) <= bindparam("now"),
    col(Letter.state) == LetterState.QUEUED,
)
"""SQL column: whether such a letter is stored."""


def note_told(session: Session, player: Player, is_told: bool) -> None:
    """Cache the value of IS_TOLD for a player until a block of `db.asking_once` ends."""
    db.asked(session)[_TOLD, player.id] = is_told


def is_told(session: Session, player: Player) -> bool:
    """Whether a letter created now shows the player the position. Requires `note_told` first."""
    has_letter: bool = db.asked(session)[_TOLD, player.id]
    return has_letter


_TOLD = "told"
