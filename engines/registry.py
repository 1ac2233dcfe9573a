"""Which games there are: our own, and those that other installed packages bring by an entry point.

A package that brings a game names it in the group `correspondence.games`: the key of the game, and where its
`Game` is. Whatever is wrong with such a package is told in a sentence and the game is left out; it never keeps
the others from being played.
"""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import NamedTuple

from engines.base import Game
from engines.missing import UnknownGame, stand_in
from engines.options import choices_of
from engines.record import playout

GROUP = "correspondence.games"
"""The group of entry points in which packages name the games that they bring."""

_KEY = re.compile(r"[a-z][a-z0-9-]{2,29}")
_TRIED_PLIES = 12

log = logging.getLogger(__name__)


class InstalledGames(NamedTuple):
    """The games that there are, by key, and a sentence about each that was left out."""

    games: Mapping[str, Game]
    left_out: tuple[str, ...]


class Unfit(ValueError):
    """Why a package's game is left out; str() goes on after “The game “…” of … is left out: ”."""


class _Games(dict[str, Game]):
    """Games by key; asked for one that is not here, it gives a stand-in that has a name and cannot be played."""

    def __missing__(self, key: str) -> Game:
        return stand_in(key)


def find(ours: Iterable[Game], points: Iterable[EntryPoint] | None = None) -> InstalledGames:
    """Our games, then those of other packages in the order of their keys. Never raises.

    Of two packages that bring games by the same key neither is taken: stored games could be of either.
    """
    games = _Games({game.key: game for game in ours})
    taken, left_out = frozenset(games), []
    listed = sorted(
        entry_points(group=GROUP) if points is None else points, key=lambda point: (point.name, point.value)
    )
    for point in listed:
        try:
            _must_be_alone(point, listed, taken)
            games[point.name] = _loaded(point)
        except Unfit as unfit:
            left_out.append(f"The game “{point.name}” of {_package(point)} is left out: {unfit}")
            log.warning("%s", left_out[-1])
    return InstalledGames(MappingProxyType(games), tuple(left_out))


def known(games: Mapping[str, Game], key: str) -> Game:
    """The game of this key; raises UnknownGame."""
    if key not in games:
        raise UnknownGame(key)
    return games[key]


def _must_be_alone(point: EntryPoint, listed: list[EntryPoint], ours: frozenset[str]) -> None:
    if not _KEY.fullmatch(point.name):
        raise Unfit("a key has 3 to 30 small letters, digits and hyphens, and begins with a letter.")
    if point.name in ours:
        raise Unfit("a game of that key belongs to the service itself; please choose another key.")
    rivals = {_package(other) for other in listed if other.name == point.name and other.value != point.value}
    if rivals:
        raise Unfit(f"{' and '.join(sorted(rivals))} brings a game of that key, too, so neither is taken.")


def _loaded(point: EntryPoint) -> Game:
    """The game of an entry point, after a few moves were played and drawn; raises Unfit, whatever went wrong."""
    try:
        game = point.load()
        if not isinstance(game, Game):
            raise Unfit(f"{point.value} is no Game.")
        if game.key != point.name:
            raise Unfit(f"the game calls itself “{game.key}”.")
        _try(game)
    except Unfit:
        raise
    except (Exception, SystemExit) as error:
        raise Unfit(f"it failed with {type(error).__name__}: {error}") from error
    return game


def _try(game: Game) -> None:
    """Begin the game, play some moves by lot, and draw it."""
    if len(game.seats) not in (1, 2):
        raise Unfit("games here are for one or two.")
    choices_of(game.Options)
    position = playout(game.start(game.Options()), random.Random(1), _TRIED_PLIES).position
    position.scene(None)


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name}" if point.dist is not None else point.value
