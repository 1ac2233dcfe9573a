"""Duel, by Adam Obren: numbered buttons walk over bridges; four in a row or column win."""

from __future__ import annotations

from dataclasses import dataclass

from engines.base import Game
from engines.buttons import Layout
from engines.duel.judge import DuelJudge
from engines.duel.moves import Action, Place
from engines.duel.position import Duel
from engines.duel.presentation import PRESENTATION
from engines.walks import Walk
from engines.wording import N_

__all__ = ["GAME", "Action", "Duel", "Options", "Place", "Walk"]


@dataclass(frozen=True, slots=True)
class Options:
    """The choice of board."""

    board: Layout = Layout.RING


def start(options: Options) -> Duel:
    """Return the first position: an empty board, Black to act."""
    return Duel.start(options.board.value)


GAME = Game(
    key="duel",
    name=N_("Duel"),
    seats=Duel.SEATS,
    Options=Options,
    start=start,
    has_chance=lambda _options: False,
    notation=N_(
        "5@b3 places your 5 on b3.\n"
        "5c4 moves your 5 to c4; 5b3-c4 also says from where.\n"
        "5c4=W3 changes places with White's 3 there, and # at the end says that somebody wins: "
        "both may be left out, but must be right if written.\n"
        "5c4:EENWN shows the path, a letter for each bridge, and has it checked."
    ),
    from_text=lambda text, options: Duel.from_text(text, options.board.value),
    presentation=PRESENTATION,
    judge=DuelJudge(),
)
"""The game Duel."""
