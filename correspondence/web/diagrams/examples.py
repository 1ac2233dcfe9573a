"""Rules-page content as data: positions, moves, marks, and what each diagram claims, which tests verify."""

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
    """A position of a game: a start position as text, "" for the initial one, and the moves played from there.

    `options` are `name=value` words. The player to move plays the next text; of several players, the first.
    """

    position: str = ""
    played: tuple[str, ...] = ()
    options: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """One picture of a rule.

    `reach` is the first touches of a move: every square where the engine lets it go on is marked; with `sign`, only
    for moves whose text contains it. `eyes` is the viewer; "all" sees everything. `crop` is two corner squares of the
    part that is shown. `beside` adds trays and notes beside the board. The caption's claims are tested by `allows`
    and `refuses` (texts that can and cannot be played now), `squares` (what is marked), `becomes` (the position text
    afterwards) and `wins` (the winners; () for a draw, None while the game goes on).
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
    """A move as people write it, its meaning, the position in which it is legal, and other spellings."""

    text: str
    says: str
    moment: Moment
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """The content of one game's page: diagrams, notation, the position of its sample letter and the reply to it,
    and its section titles by their anchors."""

    diagrams: tuple[Diagram, ...]
    examples: tuple[Example, ...]
    letter: Moment
    reply: str
    sections: Mapping[str, str]

    def diagram(self, name: str) -> Diagram | None:
        """The diagram of this name."""
        return next((one for one in self.diagrams if one.name == name), None)


@cache
def position_at(key: str, moment: Moment) -> Position[Any]:
    """The position after all moves of a moment."""
    position = start_of(key, moment)
    for text in moment.played:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, text))
    return position


def start_of(key: str, moment: Moment) -> Position[Any]:
    """The position before the first move of a moment."""
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
