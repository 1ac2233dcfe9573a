"""A game's presentation: its author, rules page, words for options, and translations.

Everything here is optional; without it a game is shown by its notation and pictures.
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
"""The viewer of a diagram: a seat, an onlooker (None), or everything."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position in a game: a position text, or "" for the start, and moves played from it.

    `options` are `name=value` words. The seat to act plays the next text; of several seats, the first.
    """

    position: str = ""
    played: tuple[str, ...] = ()
    options: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """One picture of a rule.

    `reach` are the first touches of a move: its legal continuations are marked, as the engine
    gives them; with `sign` only moves whose text contains it. `eyes` is the viewer, who sees everything for
    "all". `crop` gives the corners of the part shown. `beside` shows what lies beside the board.
    Tests hold the caption to `allows` and `refuses` (texts that can and cannot be played now),
    `squares` (the marks), `becomes` (the position text afterwards) and `wins` (the winners, () for
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
    """A move text, its meaning, the position in which it is legal, and other spellings."""

    text: str
    says: str
    moment: Moment
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """Content of a game's rules page.

    Diagrams, notation, the position of its sample letter and the reply, and the titles of its sections by their
    anchors.
    """

    diagrams: tuple[Diagram, ...]
    examples: tuple[Example, ...]
    letter: Moment
    reply: str
    sections: Mapping[str, str]

    def diagram(self, name: str) -> Diagram | None:
        """Return the diagram with this name."""
        return next((one for one in self.diagrams if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Sign:
    """A legend entry: a piece, the name of its sign, and a sentence on its meaning."""

    piece: Piece
    name: str
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class Presentation:
    """A game's introduction and teaching material, in English marked for translation.

    `pitch` describes it in a sentence, `credit` names its author. `options` and `values` are words for the
    names and values of its options. `chance` is the name of its random events in lists of moves, where a player's seat
    stands otherwise. `alone` and `won_alone` are sentences for a game with one player: what letters say this player
    does, and how a won game ended. `chapter` is what its page of rules shows. `signs` are explained in a legend beside
    the board, which `signs_of` names. `lessons` are what a robot teaches by its moves in somebody's first game. `package`
    is the name of the package with its files: `rules.html`, the text of that page; `sample.record`, a whole game;
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
        """The template of the rules page; empty if the game has none."""
        return _text(self.package, "rules.html")

    def sample(self) -> str:
        """The record of a sample game; empty if there is none."""
        return _text(self.package, "sample.record")

    def catalogue(self, language: str) -> str:
        """The game's own translations into a language, as a .po file; empty if there are none."""
        return _text(self.package, f"locale/{language}/LC_MESSAGES/messages.po")


NOTHING = Presentation()
"""The presentation of a game that has only rules."""


@cache
def _text(package: str, name: str) -> str:
    """Read a file of a package; empty if missing."""
    if not package:
        return ""
    place: Traversable = files(package)
    for part in name.split("/"):
        place = place.joinpath(part)
    return place.read_text(encoding="utf-8") if place.is_file() else ""
