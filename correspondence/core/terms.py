"""Terms of a game: game, options, time control, and whether it is rated. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from correspondence.core.time_control import TimeControl, checked
from engines.base import Game
from engines.options import OptionError, options_text, read_options
from engines.wording import _

_YES, _NO = frozenset({"on", "yes", "true"}), frozenset({"off", "no", "false"})


class Occasion(NamedTuple):
    """The event, round and section of a game, for its record; empty for a casual game."""

    event: str = ""
    round: str = ""
    section: str = ""


CASUAL = Occasion()


@dataclass(frozen=True, slots=True)
class Terms:
    """What players agree on before a game; `game` is its key, `options` are `name=value` words.

    `analysis` allows players to try moves on an analysis board during the game.
    """

    game: str
    options: str
    time_control: TimeControl
    rated: bool = True
    analysis: bool = True

    @property
    def option_words(self) -> str:
        """The options as `name=value` words, with `analysis=off` if analysis is not allowed."""
        return self.options if self.analysis else f"{self.options} analysis=off".strip()


def read_terms(game: Game, options: Mapping[str, str], time_control: TimeControl, *, rated: bool) -> Terms:
    """Parse and check terms; `options` may include `analysis`.

    Raises OptionError or TimeControlError.
    """
    game_words, analysis = split_analysis(options)
    typed_options: Any = read_options(game.Options, game_words)
    return Terms(game.key, options_text(typed_options), checked(time_control), rated, analysis)


def split_analysis(options: Mapping[str, str]) -> tuple[dict[str, str], bool]:
    """Separate the option `analysis` from a game's own options. Raises OptionError."""
    rest = dict(options)
    value = rest.pop("analysis", "on").casefold()
    if value not in _YES | _NO:
        raise OptionError(_("The term “analysis” is on or off, not “{value}”.").format(value=value[:40]))
    return rest, value in _YES
