"""Trying moves without playing them: the position after a line of moves, for the player's eyes alone."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from correspondence.course import position_of
from correspondence.matches import MatchError
from correspondence.models import Match, Player
from engines.base import CHANCE, MoveError, Position
from engines.wording import _

LONGEST_TEXT = 4
"""How many words one move may have."""


def after_line(session: Session, player: Player, line: str) -> tuple[tuple[str, ...], Position[Any]]:
    """The moves of `line`, both sides' in turn, in canonical notation, and the position after them.

    Nothing changes. Raises MatchError where anything is hidden from the player, since trying could tell
    it, or where lots would be drawn, and at the first move that is not possible.
    """
    position = position_of(session.get_one(Match, player.match_id))
    words, tried = line.replace(";", " ").split(), []
    while words:
        _must_be_open(position, player.seat)
        seat = position.to_act[0]
        move, words = _first_move(position, seat, words)
        tried.append(position.write(seat, move))
        position = position.play(seat, move)
    return tuple(tried), position


def _must_be_open(position: Position[Any], seat: int) -> None:
    if position.view(seat) != position:
        raise MatchError(_("Moves cannot be tried here, because something is hidden from you."))
    if position.outcome is not None:
        raise MatchError(_("The game would be over there; the rest of the line was not tried."))
    if position.to_act == (CHANCE,):
        raise MatchError(_("Lots would be drawn there, so the line cannot be tried further."))


def _first_move(position: Position[Any], seat: int, words: list[str]) -> tuple[Any, list[str]]:
    """The move that the longest beginning of `words` makes, and the words after it."""
    refusal: Exception | None = None
    for count in range(min(LONGEST_TEXT, len(words)), 0, -1):
        try:
            return position.read(seat, " ".join(words[:count])), words[count:]
        except MoveError as error:
            refusal = error
    raise MatchError(str(refusal)) from refusal
