"""Trying moves ahead of a game: what follows from a position as far as its viewer sees it. Pure.

Where something is hidden, moves are played on the viewer's own view and nothing is guessed. A move whose result depends
on what the viewer does not know is refused, so nothing can be learned by asking.
"""

from __future__ import annotations

from typing import Any

from correspondence.models.loading import MatchError
from engines.base import CHANCE, MoveError, Position, Seat
from engines.wording import _

LONGEST_TEXT = 4
"""How many words one move may have."""


def try_step(position: Position[Any], text: str) -> tuple[Seat, str, Position[Any]]:
    """The seat to move, its move in canonical notation, and the position after it as far as `position` shows.

    Where chance acts, the text says what it shows. Raises MatchError where the game would be over, and MoveError; the
    MoveError is Hidden where the answer depends on what `position` does not show.
    """
    if position.outcome is not None or not position.to_act:
        raise MatchError(_("The game would be over there; the rest of the line was not tried."))
    seat = position.to_act[0]
    move = position.read(seat, text)
    return seat, position.write(seat, move), position.after(seat, move)


def parse_first_move(position: Position[Any], words: list[str]) -> tuple[str, list[str], Position[Any]]:
    """Read the longest beginning of `words` that is a move.

    Returns the move in canonical notation, the remaining words, and the position after it. Raises MatchError.
    """
    if position.to_act == (CHANCE,):
        raise MatchError(_("Chance decides what comes next there, so the line cannot be tried further."))
    refusal: Exception | None = None
    for count in range(min(LONGEST_TEXT, len(words)), 0, -1):
        try:
            _seat, text, after = try_step(position, " ".join(words[:count]))
        except (MoveError, MatchError) as error:
            refusal = error
        else:
            return text, words[count:], after
    raise MatchError(str(refusal)) from refusal
