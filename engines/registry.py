"""The registry of games: built-in ones, and those of installed packages by entry point.

A package declares a game in the entry point group `correspondence.games`: the game's key, and the location of its
`Game`. A faulty game is rejected with a sentence and does not affect the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import NamedTuple

from engines.base import Game
from engines.missing import UnknownGame, stand_in

GROUP = "correspondence.games"
"""The entry point group in which packages declare their games."""


class InstalledGames(NamedTuple):
    """The installed games by key, and a sentence about each rejected one."""

    games: Mapping[str, Game]
    left_out: tuple[str, ...]


class _Games(dict[str, Game]):
    """Games by key; a missing key yields a placeholder that has a name and cannot be played."""

    def __missing__(self, key: str) -> Game:
        return stand_in(key)


def find(ours: Iterable[Game], points: Iterable[EntryPoint] | None = None) -> InstalledGames:
    """Find the built-in games, then those of other packages, by key. Never raises.

    If two packages declare the same key, both are rejected: stored games could belong to either.
    """
    games = _Games({game.key: game for game in ours})
    listed = tuple(entry_points(group=GROUP) if points is None else points)
    left_out: tuple[str, ...] = ()
    if listed:
        from engines.packages import load_games  # needed only if a package declares a game

        brought, left_out = load_games(listed, dict(games))
        games.update(brought)
    return InstalledGames(MappingProxyType(games), left_out)


def known(games: Mapping[str, Game], key: str) -> Game:
    """Return the game with this key; raise UnknownGame if it is not installed."""
    if key not in games:
        raise UnknownGame(key)
    return games[key]
