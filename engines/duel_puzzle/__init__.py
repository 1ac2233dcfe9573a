"""The Puzzle of Duel, by Adam Obren: bring a random deal of all sixteen buttons to a goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from engines.base import Game
from engines.buttons import Layout
from engines.duel_puzzle.goals import GOALS, PAR
from engines.duel_puzzle.moves import Deal, Turn
from engines.duel_puzzle.position import Puzzle
from engines.duel_puzzle.presentation import PRESENTATION
from engines.duel_solver import hint
from engines.options import Between
from engines.walks import Walk
from engines.wording import N_

__all__ = ["GAME", "GOALS", "PAR", "Deal", "Options", "Puzzle", "Turn", "Walk"]


@dataclass(frozen=True, slots=True)
class Options:
    """The choice of board and goal."""

    board: Layout = Layout.RING
    goal: Annotated[int, Between(1, 4)] = 1


def start(options: Options) -> Puzzle:
    """Return the first position, before the deal."""
    return Puzzle.start(options.board.value, options.goal)


GAME = Game(
    key="duel-puzzle",
    name=N_("Duel Puzzle"),
    seats=Puzzle.SEATS,
    Options=Options,
    start=start,
    notation=N_(
        "W1b4 moves White's 1 to b4, where it changes places with the button it finds; "
        "W1a4-b4 also says from where.\n"
        "W1b4=W2 names that button, and # at the end says that the goal is met: "
        "both may be left out, but must be right if written.\n"
        "W5c4:EENWN shows the path, a letter for each bridge, and has it checked."
    ),
    from_text=lambda text, options: Puzzle.from_text(text, options.board.value, options.goal),
    presentation=PRESENTATION,
    hint=hint,
)
"""The game Puzzle of Duel."""
