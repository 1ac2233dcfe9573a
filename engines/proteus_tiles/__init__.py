"""Proteus with tiles: nine tiles are the board and hold its rules.

The face-up tiles decide how pieces move, which tiles may be exchanged and what wins. By Michael Waitsman; made by Kadon
Enterprises.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engines.base import Game
from engines.proteus_tiles.judge import TilesJudge
from engines.proteus_tiles.moves import Move
from engines.proteus_tiles.position import Tiles
from engines.proteus_tiles.presentation import PRESENTATION
from engines.proteus_tiles.tiles import RULES
from engines.proteus_tiles.words import SPELLED
from engines.vocabulary import Vocabulary
from engines.wording import N_

__all__ = ["GAME", "Move", "Options", "Repetition", "Tiles"]


class Repetition(Enum):
    """The rules on repeated positions in the movement phase (rulings K-s, K-t)."""

    FORBID = "forbid"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of Proteus with tiles.

    `repetition` decides whether moves may not recreate an earlier position, or the third occurrence is a draw.
    """

    repetition: Repetition = Repetition.FORBID


def start(options: Options) -> Tiles:
    """Return the first position: the empty board, Black to act."""
    return Tiles(draws=options.repetition is Repetition.DRAW)


GAME = Game(
    key="proteus-tiles",
    name=N_("Proteus with tiles"),
    seats=Tiles.SEATS,
    Options=Options,
    start=start,
    has_chance=lambda _options: False,
    notation=N_(
        "Tiles are named by colour and shape: M Move, T Trade, G Goal; o circle, s square, t triangle. "
        "Pieces are o, s and t.\n"
        "Mo@b2 places the tile Mo on b2; s@a1 places your square piece onto the tile of a1.\n"
        "oc3 moves your circle to c3 (oa1-c3 in full); a1=c3 exchanges the tiles of a1 and c3.\n"
        "+Ms says that the tile Ms is activated, # that somebody has won; you may leave these marks out."
    ),
    vocabulary=Vocabulary(signs=RULES, everyday=tuple(SPELLED)),
    from_text=lambda text, options: Tiles.from_text(text, draws=options.repetition is Repetition.DRAW),
    presentation=PRESENTATION,
    judge=TilesJudge(),
)
"""The game Proteus with tiles."""
