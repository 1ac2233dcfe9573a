"""What a game brings besides its rules: who made it, its page of rules, its words for options, its translations.

Everything here may be left out; whoever shows the game then makes do with its notation and its pictures.
Nothing is drawn or rendered here: these are values and the names of files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from engines.scene import Piece
from engines.teaching import Lessons
from engines.wording import N_

Seen = int | Literal["all"] | None
"""Whose eyes a diagram shows: a seat, an onlooker (None), or everything."""


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
    eyes: Seen = "all"
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


@dataclass(frozen=True, slots=True)
class Sign:
    """What is drawn on a piece, for a legend: the piece, what it is called, and a sentence of what it means."""

    piece: Piece
    name: str
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class Presentation:
    """How a game is introduced and taught; all words are English, marked for translation.

    `pitch` says in a sentence what it is, `credit` who made it. `options` and `values` are words for the
    names and values of its options. `chance` is what lists of moves call its random events, where a player's seat
    stands otherwise. `alone` and `won_alone` are sentences for a game with one player: what letters say that this player
    does, and how a won game ended. `chapter` is what its page of rules shows. `signs` are explained in a legend beside
    the board, which `signs_of` names. `lessons` are what a robot teaches by its moves in somebody's first game. `package`
    is the name of the package in which its files lie: `rules.html`, the words of that page; `sample.record`, a whole game;
    and `locale/<language>/LC_MESSAGES/messages.po`, translations of its own sentences.
    """

    pitch: str = ""
    credit: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    chance: str = N_("Chance")
    alone: str = N_("You play alone.")
    won_alone: str = N_("Won.")
    chapter: Chapter | None = None
    signs: tuple[Sign, ...] = ()
    signs_of: str = ""
    lessons: Lessons | None = None
    package: str = ""

    def page(self) -> str:
        """The words of the rules page, a template; empty where the game brings none."""
        return _text(self.package, "rules.html")

    def sample(self) -> str:
        """The record of a whole game; empty where the game brings none."""
        return _text(self.package, "sample.record")

    def catalogue(self, language: str) -> str:
        """The game's own translations into a language, as a .po file; empty where there are none."""
        return _text(self.package, f"locale/{language}/LC_MESSAGES/messages.po")


NOTHING = Presentation()
"""Of a game that brings nothing but its rules."""


@cache
def _text(package: str, name: str) -> str:
    """A file of a package; empty where there is none."""
    if not package:
        return ""
    place: Traversable = files(package)
    for part in name.split("/"):
        place = place.joinpath(part)
    return place.read_text(encoding="utf-8") if place.is_file() else ""
