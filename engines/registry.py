"""Which games there are: our own, and those that other installed packages bring by an entry point.

A package that brings a game names it in the group `correspondence.games`: the key of the game, and where its
`Game` is. Whatever is wrong with such a package is told in a sentence and the game is left out; it never keeps
the others from being played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import NamedTuple

from engines.base import Game
from engines.missing import UnknownGame, stand_in

GROUP = "correspondence.games"
"""The group of entry points in which packages name the games that they bring."""


class InstalledGames(NamedTuple):
    """The games that there are, by key, and a sentence about each that was left out."""

    games: Mapping[str, Game]
    left_out: tuple[str, ...]


class _Games(dict[str, Game]):
    """Games by key; asked for one that is not here, it gives a stand-in that has a name and cannot be played."""

    def __missing__(self, key: str) -> Game:
        return stand_in(key)


def find(ours: Iterable[Game], points: Iterable[EntryPoint] | None = None) -> InstalledGames:
    """Our games, then those of other packages in the order of their keys. Never raises.

    Of two packages that bring games by the same key neither is taken: stored games could be of either.
    """
    games = _Games({game.key: game for game in ours})
    listed = tuple(entry_points(group=GROUP) if points is None else points)
    left_out: tuple[str, ...] = ()
    if listed:
        from engines.packages import load_games  # what tries a game is needed only where a package brings one

        brought, left_out = load_games(listed, dict(games))
        games.update(brought)
    return InstalledGames(MappingProxyType(games), left_out)


def known(games: Mapping[str, Game], key: str) -> Game:
    """The game of this key; raises UnknownGame."""
    if key not in games:
        raise UnknownGame(key)
    return games[key]
