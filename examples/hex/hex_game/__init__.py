"""Hex on 11 by 11: two players, one stone a turn; whoever joins the own two sides wins.

`board` holds the places and the chains, `position` the rules and the notation, `picture` what people see,
`presentation` the page of rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.base import Game
from engines.vocabulary import Vocabulary
from engines.wording import N_
from hex_game.board import FORM
from hex_game.position import SEATS, Hex
from hex_game.presentation import PRESENTATION

__all__ = ["GAME", "Hex", "Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """`swap`: White may take over Black's first stone instead of placing one."""

    swap: bool = True


GAME = Game(
    key="hex",
    name=N_("Hex"),
    seats=SEATS,
    Options=Options,
    start=lambda options: Hex(swap=options.swap),
    notation=N_(
        "f6 places a stone of yours on f6.\n"
        "swap takes over Black's first stone; White may write it instead of the first move.\n"
        "Black joins top and bottom, White left and right."
    ),
    vocabulary=Vocabulary(squares=FORM, moves=("swap",), openers=("swap",)),
    from_text=lambda text, options: Hex.from_text(text, swap=options.swap),
    presentation=PRESENTATION,
)
"""Hex, as the service knows it."""
