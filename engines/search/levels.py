"""Robot levels: a name and a search budget each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engines import GAMES
from engines.base import Game
from engines.refusal import Refusal
from engines.wording import N_, _

NAMES = (N_("Newcomer"), N_("Casual player"), N_("Club player"), N_("Expert"), N_("Master"))
"""Names of the levels, weakest first."""

LAPSES = (1.0, 0.7, 0.2, 0.0, 0.0)
"""Probability that each level moves without search.

All but the first level still take a win in one move.
"""

CARELESS = 1
"""Number of the beginners' level, which plays the worse of two random moves."""

PLAYED_ON = (1, 30, 150, 600, 2_400)
"""Budgets of games without a judge, in rounds of one random playout each.

From the third level on, they suffice to try each of the 121 moves of Hex.
"""

SOLVED = (0,) * len(NAMES)
"""Budgets of solitaire games with a solver."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a robot.

    `name` is English, marked for translation. `budget` is the number of positions searched per move: rounds in a game
    without a judge, 0 if a solver finds the move. `lapse` is the probability that it moves without search.
    """

    name: str
    budget: int
    lapse: float = 0.0


class UnknownLevel(Refusal):
    """Raised for a level that a game does not have; str() lists the existing ones."""


def levels_of(game: Game) -> tuple[Level, ...]:
    """Return a game's levels, weakest first."""
    solved = len(game.seats) == 1 and game.hint is not None
    budgets = game.judge.budgets if game.judge else SOLVED if solved else PLAYED_ON
    return tuple(Level(*level) for level in zip(NAMES, budgets, LAPSES, strict=True))


def level_of(game: Game, number: int) -> Level:
    """Return a game's level by number, 1 being the weakest; raise UnknownLevel."""
    levels = levels_of(game)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(levels):
        sentence = _("There is no level {number} of {game}: levels are numbered from 1 to {last}.")
        raise UnknownLevel(sentence.format(number=number, game=_(game.name), last=len(levels)))
    return levels[number - 1]


LEVELS: Mapping[str, tuple[Level, ...]] = MappingProxyType({key: levels_of(game) for key, game in GAMES.items()})
"""The levels of each game by its key, weakest first."""
