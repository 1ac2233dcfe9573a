"""The rules of the games as pure values: no input or output, only the standard library."""

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
"""The built-in games."""

GAMES: Mapping[str, Game]
"""Every game by key: built-in games, then those of installed packages.

Iteration yields playable games only. Indexing with another key returns a stand-in that has a name, for lists.
"""

LEFT_OUT: tuple[str, ...]
"""One sentence for each plug-in game that was rejected, with the reason."""

GAMES, LEFT_OUT = find(OURS)

BROUGHT = frozenset(GAMES) - {game.key for game in OURS}
"""Keys of the plug-in games, which other installed packages provide."""


def game_known(key: str) -> Game:
    """Return the game with this key; raise UnknownGame if it is not installed."""
    return known(GAMES, key)
