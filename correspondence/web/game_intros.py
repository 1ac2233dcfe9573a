"""The introduction of each game on pages: a sentence, its credits, and a picture."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from engines import GAMES, svg
from engines.base import CHANCE, Position
from engines.presentation import Presentation
from engines.record import draw_lots, playout

_EXAMPLE_PLIES, _EXAMPLE_SEED = 14, 7


INTROS: Mapping[str, Presentation] = MappingProxyType({key: game.presentation for key, game in GAMES.items()})
"""The introduction of each game, by its key."""


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
