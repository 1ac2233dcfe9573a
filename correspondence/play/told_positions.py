"""Whether a letter written just now tells a player the position of a match, so that no other has to."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, exists
from sqlmodel import Session, col

from correspondence.core import db
from correspondence.models import Letter, LetterState, Match, Player
from correspondence.models.columns import constant

IS_TOLD = exists().where(
    col(Letter.match_id) == bindparam("match"),
    col(Letter.person_id) == bindparam("person"),
    col(Letter.ply) == bindparam("ply"),
    col(Letter.created_at) == bindparam("now"),
    col(Letter.due_at) <= bindparam("now"),
    col(Letter.state) == constant(LetterState.QUEUED),
)
"""Whether such a letter is stored, as a column of a statement."""


def note_told(session: Session, match: Match, player: Player, *, is_stored: bool, now: datetime) -> None:
    """Let `is_told` know, until a block of `db.asking_once` ends, whether a letter tells a player the position at once.

    `is_stored` is what IS_TOLD has just found; letters that are not stored yet are looked at here.
    """
    unstored = [row for row in session.new if isinstance(row, Letter)]
    is_told_soon = any(_tells(letter, match, player, now) for letter in unstored)
    db.asked(session)[_TOLD, player.id] = is_stored or is_told_soon


def is_told(session: Session, player: Player) -> bool:
    """Whether a letter written just now tells a player the position without delay. Call `note_told` first."""
    has_letter: bool = db.asked(session)[_TOLD, player.id]
    return has_letter


_TOLD = "told"


def _tells(letter: Letter, match: Match, player: Player, now: datetime) -> bool:
    what = (letter.match_id, letter.person_id, letter.ply, letter.created_at)
    is_at_once = letter.due_at <= now and letter.state == LetterState.QUEUED
    return what == (match.id, player.person_id, match.ply, now) and is_at_once
