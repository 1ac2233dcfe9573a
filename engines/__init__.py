"""The rules of the games: pure values, no input or output, nothing but the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engines.base import Game
from engines.duel import GAME as DUEL
from engines.duel_puzzle import GAME as DUEL_PUZZLE
from engines.plateau import GAME as PLATEAU
from engines.proteus_dice import GAME as PROTEUS_DICE
from engines.proteus_tiles import GAME as PROTEUS_TILES

GAMES: Mapping[str, Game] = MappingProxyType(
    {
        game.key: game
        for game in (
            PROTEUS_DICE,
            PROTEUS_TILES,
            DUEL,
            DUEL_PUZZLE,
            PLATEAU,
        )
    }
)
"""Every game by its key."""
