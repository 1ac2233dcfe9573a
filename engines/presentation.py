"""A game's presentation: author, rules page, words for options, and translations.

Everything here is optional; a game without it is shown by its notation and pictures. Nothing is drawn or rendered here:
these are values and the names of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from engines.scene import Piece
from engines.teaching import Lessons
from engines.wording import N_

Seen = int | Literal["all"] | None
"""The viewer of a diagram: a seat, an onlooker (None), or "all" to see everything."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The position of a diagram: a position text, or "" for the start, and moves played from it.

    `options` are `name=value` words. Each move is played by the seat to act; of several seats, by the first.
    """

    position: str = ""
    played: tuple[str, ...] = ()
    options: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """One diagram on a rules page.

    `reach` are the first touches of a move: the squares where it can go on legally are marked; with `sign` only for
    moves whose text contains it. `eyes` is the viewer; "all" sees everything. `crop` gives the corners of the part
    shown. `beside` also shows the area beside the board. Tests check the caption by `allows` and `refuses` (legal and
    illegal texts), `squares` (the marks), `becomes` (the position text afterwards) and `wins` (the winners, () for a
    draw, None if the game goes on).
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
    """A move in notation, its meaning, a position in which it is legal, and other spellings."""

    text: str
    says: str
    moment: Moment
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """Content of a game's rules page.

    It has diagrams, notation examples, the position of a sample letter and the reply, and section titles by anchor.
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


@dataclass(frozen=True, slots=True)
class Prompt:
    """The next step of a move that is being chosen on the board, as a sentence.

    It is said when the touches so far, with spaces between them, match `after`, and every possible next touch matches
    `then`: regular expressions for whole texts, which Python and JavaScript read alike.
    """

    after: str
    then: str
    sentence: str


@dataclass(frozen=True, slots=True, eq=False)
class Presentation:
    """A game's introduction and teaching material, in English marked for translation.

    `pitch` describes the game in a sentence, `credit` names its author. `options` and `values` are words for the names
    and values of options. `chance` names the random events in lists of moves, in place of a player's seat. `alone` and
    `won_alone` are sentences for solitaire games: what the player does, and how a won game ended. `chapter` is the
    content of the rules page. `signs` are explained in a legend beside the board; `signs_of` is its title. `lessons`
    are taught by a robot's moves in a person's first game. `prompts` say what to touch next; the first that fits is
    said. `package` is the package with the files: `rules.html`, the
    text of the rules page; `sample.record`, a complete game; and `locale/<language>/LC_MESSAGES/messages.po`,
    translations of the package's own sentences.
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
    prompts: tuple[Prompt, ...] = ()
    package: str = ""

    def next_step(self, path: Sequence[str], tokens: Iterable[str]) -> str:
        """What to touch next after these touches, if `tokens` are possible; empty if no prompt fits."""
        so_far, following = " ".join(path), tuple(tokens)
        fitting = (
            prompt.sentence
            for prompt in self.prompts
            if re.fullmatch(prompt.after, so_far) and all(re.fullmatch(prompt.then, token) for token in following)
        )
        return next(fitting, "")

    def page(self) -> str:
        """Read the template of the rules page; empty if the game has none."""
        return _text(self.package, "rules.html")

    def sample(self) -> str:
        """Read the record of a sample game; empty if there is none."""
        return _text(self.package, "sample.record")

    def catalogue(self, language: str) -> str:
        """Read the game's own translations into a language, as a .po file; empty if there are none."""
        return _text(self.package, f"locale/{language}/LC_MESSAGES/messages.po")


NOTHING = Presentation()
"""The presentation of a game that defines none."""


@cache
def _text(package: str, name: str) -> str:
    """Read a file of a package; empty if it is missing."""
    if not package:
        return ""
    place: Traversable = files(package)
    for part in name.split("/"):
        place = place.joinpath(part)
    return place.read_text(encoding="utf-8") if place.is_file() else ""
