"""Moves ahead of a match: what follows from a position as far as its viewer sees it; pure.

Where something is hidden, the viewer's own view is played on and nothing is imagined: a move that turns on what he
does not know is refused, so nothing can be learned by asking.
"""

from __future__ import annotations

from typing import Any

from correspondence.models.loading import MatchError
from engines.base import CHANCE, MoveError, Position, Seat
from engines.wording import _

LONGEST_TEXT = 4
"""How many words one move may have."""


def try_step(position: Position[Any], text: str) -> tuple[Seat, str, Position[Any]]:
    """Who moves, his move in canonical notation, and the position after it, as far as `position` tells.

    Where lots are drawn, the text says what they show. Raises MatchError where the game would be over, and
    MoveError, which is Hidden where the answer turns on what `position` does not show.
    """
    if position.outcome is not None or not position.to_act:
        raise MatchError(_("The game would be over there; the rest of the line was not tried."))
    seat = position.to_act[0]
    move = position.read(seat, text)
    return seat, position.write(seat, move), position.after(seat, move)


def first_move(position: Position[Any], words: list[str]) -> tuple[str, list[str], Position[Any]]:
    """The longest beginning of `words` that makes a move, the words after it, and the position then."""
    if position.to_act == (CHANCE,):
        raise MatchError(_("Lots would be drawn there, so the line cannot be tried further."))
    refusal: Exception | None = None
    for count in range(min(LONGEST_TEXT, len(words)), 0, -1):
        try:
            _seat, text, after = try_step(position, " ".join(words[:count]))
        except (MoveError, MatchError) as error:
            refusal = error
        else:
            return text, words[count:], after
    raise MatchError(str(refusal)) from refusal
