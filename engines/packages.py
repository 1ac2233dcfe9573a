"""Load and check games of other installed packages; reject faulty ones with a sentence."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

from engines.base import Game
from engines.trial import KEY, Unfit, try_game

log = logging.getLogger(__name__)


def load_games(points: Sequence[EntryPoint], ours: Mapping[str, Game]) -> tuple[dict[str, Game], tuple[str, ...]]:
    """Load the games of these entry points by key, with a sentence about each rejected one.

    Never raises. A package cannot use a key or a name of a game in `ours`.
    """
    games: dict[str, Game] = {}
    left_out: list[str] = []
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        try:
            _must_be_alone(point, points, ours)
            game = _loaded(point)
            _must_have_own_name(game, (*ours.values(), *games.values()))
            games[point.name] = game
        except Unfit as unfit:
            left_out.append(f"The game “{point.name}” of {_package(point)} is left out: {unfit}")
            log.warning("%s", left_out[-1])
    return games, tuple(left_out)


def _must_be_alone(point: EntryPoint, listed: Sequence[EntryPoint], ours: Mapping[str, Game]) -> None:
    if not KEY.fullmatch(point.name):
        raise Unfit("a key has 3 to 30 small letters, digits and single hyphens, and begins with a letter.")
    if point.name in ours:
        raise Unfit("a game of that key belongs to the service itself; please choose another key.")
    rivals = {_package(other) for other in listed if other.name == point.name and other.value != point.value}
    if rivals:
        raise Unfit(f"{' and '.join(sorted(rivals))} brings a game of that key, too, so neither is taken.")


def _must_have_own_name(game: Game, others: Iterable[Game]) -> None:
    """Reject a game whose name could be confused with another's."""
    for other in others:
        if not {_squeezed(game.name), _squeezed(game.key)}.isdisjoint({_squeezed(other.name), _squeezed(other.key)}):
            raise Unfit(f"its name or key means the game “{other.key}”, too; please choose another one.")


def _squeezed(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _loaded(point: EntryPoint) -> Game:
    """Load and check the game of an entry point; raise Unfit if anything fails."""
    try:
        game = point.load()
        if not isinstance(game, Game):
            raise Unfit(f"{point.value} is no Game.")
        if game.key != point.name:
            raise Unfit(f"the game calls itself “{game.key}”.")
        try_game(game)
    except Unfit:
        raise
    except (Exception, SystemExit) as error:
        raise Unfit(f"it failed with {type(error).__name__}: {' '.join(str(error).split())}{_where(error)}") from error
    return game


def _where(error: BaseException) -> str:
    """Return the location of an error in the package, such as “ (position.py, line 12)”."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = Path(__file__).parent
    found = [one for one in frames if Path(one.filename).suffix == ".py" and ours not in Path(one.filename).parents]
    found = [one for one in found if "importlib" not in Path(one.filename).parts]
    return f" ({Path(found[-1].filename).name}, line {found[-1].lineno})" if found else ""


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name}" if point.dist is not None else point.value
