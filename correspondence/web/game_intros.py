"""How the pages introduce each game: a sentence, its credits, and a picture."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from engines import GAMES, svg
from engines.base import CHANCE, Position
from engines.record import draw_lots, playout
from engines.wording import N_

_EXAMPLE_PLIES, _EXAMPLE_SEED = 14, 7


@dataclass(frozen=True, slots=True)
class GameIntro:
    """A game in one sentence, and its credits; in English, marked for translation."""

    pitch: str
    credit: str


BLURBS = {
    "proteus-dice": GameIntro(
        N_("Chess without kings, played by sixteen dice: move one, then turn another up or down."),
        N_(
            "By Francis Lalumière, developed by Steve Jackson; published in 2001 by Steve Jackson Games, "
            "whose registered trademark Proteus is for this game."
        ),
    ),
    "proteus-tiles": GameIntro(
        N_("Nine tiles make the board and hold the rules: turn one, and pieces, tiles and goal change."),
        N_(
            "By Michael Waitsman; made by Kadon Enterprises, Inc., whose registered trademark Proteus is for this game."
        ),
    ),
    "duel": GameIntro(
        N_("Numbered buttons cross exactly as many bridges as they say; four in a row or column win."),
        N_("By Adam Obren. The printed board is not known to us; the boards are our own."),
    ),
    "duel-puzzle": GameIntro(
        N_("All sixteen buttons dealt at random: bring them to the goal in as few moves as you can."),
        N_("By Adam Obren. The printed board is not known to us; the boards are our own."),
    ),
    "plateau": GameIntro(
        N_("Stacks of two-sided disks whose undersides are secret: build six high, or take six prisoners."),
        N_("By Jim Albea, 1986, with the illustrated rules of 2009."),
    ),
}
"""The introduction of each game, by its key."""


def blurb(key: str) -> GameIntro:
    """The introduction of a game."""
    return BLURBS[key]


def example_picture(key: str) -> str:
    """The board of a game after some moves as SVG, without trays and notes."""
    scene = _example(key).scene(None)
    return svg.render(replace(scene, trays=(), notes=()))


@cache
def _started(key: str) -> Position[Any]:
    game = GAMES[key]
    return draw_lots(game.start(game.Options()), random.Random(_EXAMPLE_SEED))[0]


@cache
def _example(key: str) -> Position[Any]:
    """A position of an example game in which a player is to move; as late as possible."""
    rng, start = random.Random(_EXAMPLE_SEED), _started(key)
    for plies in range(_EXAMPLE_PLIES, 0, -1):
        position = playout(start, rng, plies).position
        if position.to_act and position.to_act != (CHANCE,):
            return position
    return start
