"""Moments of games as data: where a diagram begins, what is played, what is marked, what it promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from correspondence.core.game_options import options_from
from engines import GAMES
from engines.base import Position, Viewer
from engines.duel import Duel
from engines.duel_puzzle import Puzzle
from engines.options import read_options
from engines.plateau import Plateau
from engines.proteus_dice import ProteusDice
from engines.proteus_tiles import Repetition, Tiles


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game: a position text, or "" for the beginning, and the texts played from there.

    `options` are `name=value` words. Whoever is to act plays the next text; of several, the first.
    """

    position: str = ""
    played: tuple[str, ...] = ()
    options: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """One picture of a rule.

    `reach` are the first touches of a move: wherever it may go on from there is marked, as the engine
    says; with `sign` only moves whose text contains it. `eyes` is who looks, everything lies open for
    "all". `crop` are the corners of the part that is shown. `beside` shows what lies beside the board.
    What the caption says is held by `allows` and `refuses` (texts that can and cannot be played now),
    `squares` (what is marked), `becomes` (the position text afterwards) and `wins` (who has won, () for
    a draw, None while the game goes on).
    """

    name: str
    caption: str
    moment: Moment
    reach: tuple[str, ...] | None = None
    sign: str = ""
    eyes: Viewer | Literal["all"] = "all"
    crop: tuple[str, str] | None = None
    beside: bool = False
    alt: str = ""
    squares: str = ""
    allows: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    becomes: str = ""
    wins: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A text as people write it, what it says, the moment in which it can be written, and other spellings."""

    text: str
    says: str
    moment: Moment
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the page of one game shows: diagrams, notation, the moment of its sample letter and the reply to it,
    and the titles of its sections by their anchors."""

    diagrams: tuple[Diagram, ...]
    examples: tuple[Example, ...]
    letter: Moment
    reply: str
    sections: Mapping[str, str]

    def diagram(self, name: str) -> Diagram | None:
        """The diagram of this name."""
        return next((one for one in self.diagrams if one.name == name), None)


@cache
def reached(key: str, moment: Moment) -> Position[Any]:
    """The position of a moment."""
    position = begun(key, moment)
    for text in moment.played:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, text))
    return position


def begun(key: str, moment: Moment) -> Position[Any]:
    """The position from which a moment is played."""
    options: Any = read_options(GAMES[key].Options, options_from(moment.options))
    if not moment.position:
        return GAMES[key].start(options)
    return _described(key, moment.position, options)


def _described(key: str, text: str, options: Any) -> Position[Any]:
    match key:
        case "proteus-dice":
            return ProteusDice.from_text(text, options)
        case "proteus-tiles":
            return Tiles.from_text(text, draws=options.repetition is Repetition.DRAW)
        case "duel":
            return Duel.from_text(text, options.board.value)
        case "duel-puzzle":
            return Puzzle.from_text(text, options.board.value, options.goal)
    return Plateau.from_text(text)
