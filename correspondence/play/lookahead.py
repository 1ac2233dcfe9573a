"""Trying moves ahead in a game, as far as the viewer can see. Pure.

If something is hidden, moves are played on the viewer's own view, without guessing. A move whose result depends on
hidden facts is refused, so trying reveals nothing.
"""

from __future__ import annotations

from typing import Any

from correspondence.models.loading import MatchError
from engines.base import CHANCE, MoveError, Position, Seat
from engines.wording import _

LONGEST_TEXT = 4
"""Maximum number of words in one move."""


def try_step(position: Position[Any], text: str) -> tuple[Seat, str, Position[Any]]:
    """Return the seat to move, its move in canonical notation, and the position after it.

    The position shows only what `position` shows. For a chance move, the text is its result. Raises MatchError if the
    game would be over, and MoveError, which is Hidden if the answer depends on hidden facts.
    """
    if position.outcome is not None or not position.to_act:
        raise MatchError(_("The game would be over at that point; the rest of the line was not tried."))
    seat = position.to_act[0]
    move = position.read(seat, text)
    return seat, position.write(seat, move), position.after(seat, move)


def parse_first_move(position: Position[Any], words: list[str]) -> tuple[str, list[str], Position[Any]]:
    """Parse the longest beginning of `words` that is a move.

    Returns the move in canonical notation, the remaining words, and the position after it. Raises MatchError.
    """
    if position.to_act == (CHANCE,):
        raise MatchError(_("Chance decides what comes next, so the line cannot be tried any further."))
    refusal: Exception | None = None
    for count in range(min(LONGEST_TEXT, len(words)), 0, -1):
        try:
            _seat, text, after = try_step(position, " ".join(words[:count]))
        except (MoveError, MatchError) as error:
            refusal = error
        else:
            return text, words[count:], after
    raise MatchError(str(refusal)) from refusal
