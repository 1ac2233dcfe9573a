"""How well a robot plays: levels with a name and a budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engines import GAMES
from engines.base import Game
from engines.refusal import Refusal
from engines.wording import N_, _

NAMES = (N_("Newcomer"), N_("Casual player"), N_("Club player"), N_("Expert"), N_("Master"))
"""What the levels are called, weakest first."""

LAPSES = (1.0, 0.7, 0.2, 0.0, 0.0)
"""How often each level moves without thinking; all but the first see a win in one move even then."""

CARELESS = 1
"""The level that also gives things away, so that beginners beat it: of two moves by lot it makes the worse one."""

PLAYED_ON = (1, 30, 150, 600, 2_400)
"""The budgets of a game without a judge, in rounds: games that are played to the end at random.

From the third level on, each of the 121 moves of Hex is tried.
"""

SOLVED = (0,) * len(NAMES)
"""The budgets of a game for one that has a solver."""


@dataclass(frozen=True, slots=True)
class Level:
    """One strength of a robot.

    `name` is English, marked for translation; `budget` is how many positions it may look at for a move: rounds in a
    game without a judge, 0 where the solver of a game for one finds it; `lapse` is the probability with which it moves
    without thinking.
    """

    name: str
    budget: int
    lapse: float = 0.0


class UnknownLevel(Refusal):
    """A level that a game does not have; str() says which there are."""


def levels_of(game: Game) -> tuple[Level, ...]:
    """The levels at which a game is played, weakest first."""
    solved = len(game.seats) == 1 and game.hint is not None
    budgets = game.judge.budgets if game.judge else SOLVED if solved else PLAYED_ON
    return tuple(Level(*level) for level in zip(NAMES, budgets, LAPSES, strict=True))


def level_of(game: Game, number: int) -> Level:
    """The level of a game by its number, 1 for the weakest; raises UnknownLevel."""
    levels = levels_of(game)
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(levels):
        sentence = _("There is no level {number} of {game}: levels are numbered from 1 to {last}.")
        raise UnknownLevel(sentence.format(number=number, game=_(game.name), last=len(levels)))
    return levels[number - 1]


LEVELS: Mapping[str, tuple[Level, ...]] = MappingProxyType({key: levels_of(game) for key, game in GAMES.items()})
"""The levels of each game by its key, weakest first."""
