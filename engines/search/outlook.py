"""Evaluate a robot's game quickly, in a few imagined positions."""

from __future__ import annotations

import math
import random
from typing import Any

from engines import game_known
from engines.base import CHANCE, Position, Seat

WORLDS = 4
"""Number of imagined positions for games with hidden information."""


def outlook(game_key: str, position: Position[Any], seat: Seat, rng: random.Random) -> float | None:
    """Evaluate the game for `seat`, from -1 (lost) to 1 (won); 0 is even.

    Uses only what the seat can see. None if the game has no judge, is over, or is at a stage that its judge does not
    search.
    """
    judge = game_known(game_key).judge
    seen = position.view(seat)
    if judge is None or len(seen.to_act) != 1 or seen.to_act[0] == CHANCE:
        return None
    mover, found = seen.to_act[0], []
    for _world in range(WORLDS):
        imagined = seen.imagine(seat, rng)
        if judge.unsearched(imagined.view(mover), mover, rng) is not None:
            return None
        worths = [worth for worth, _move in judge.all_choices(judge.board(imagined))]
        found.append(math.tanh(max(worths, default=0.0) / judge.scale))
        if imagined == seen:
            break
    mean = sum(found) / len(found)
    return mean if mover == seat else -mean
