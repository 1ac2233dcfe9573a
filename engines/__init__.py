"""The rules of the games: pure values, no input or output, nothing but the standard library."""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import Game
from engines.duel import GAME as DUEL
from engines.duel_puzzle import GAME as DUEL_PUZZLE
from engines.missing import UnknownGame
from engines.plateau import GAME as PLATEAU
from engines.proteus_dice import GAME as PROTEUS_DICE
from engines.proteus_tiles import GAME as PROTEUS_TILES
from engines.registry import find, known

__all__ = ["BROUGHT", "GAMES", "LEFT_OUT", "OURS", "UnknownGame", "game_known"]

OURS: tuple[Game, ...] = (
    PROTEUS_DICE,
    PROTEUS_TILES,
    DUEL,
    DUEL_PUZZLE,
    PLATEAU,
)
"""The games that come with the engines."""

GAMES: Mapping[str, Game]
"""Every game by its key: ours, then those that installed packages bring.

It iterates over playable games only. Indexing with another key returns a stand-in that has a name, for lists.
"""

LEFT_OUT: tuple[str, ...]
"""A sentence about each game of a package that was left out, and why."""

GAMES, LEFT_OUT = find(OURS)

BROUGHT = frozenset(GAMES) - {game.key for game in OURS}
"""Keys of the plug-in games, which other installed packages provide."""


def game_known(key: str) -> Game:
    """Return the game with this key; raise UnknownGame if it is not installed."""
    return known(GAMES, key)
