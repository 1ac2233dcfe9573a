"""A game's notation words, which distinguish moves and pieces from talk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SQUARES = "[a-h][0-9]"
"""A pattern for squares of a board of at most eight files."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words that people use for the pieces of a game.

    `signs` are the short forms of the notation with the English name, marked for translation, of the piece each
    stands for (`xr` and `RM` for the Red Mask, `Q` for the queen). `faces` are the letters of faces; where `row` is
    not 0, that many of them in a row are a whole choice (`PPPQPPPP`), and `values` are figures in place of them.
    `openers` are words with which texts begin. `aliases` are further words, of any language, for a name. `everyday`
    are words for faces that are as common in talk as in the game: they name a piece only beside other such words.
    `squares` and `moves` are regular expressions, ignoring case: the names of squares, and
    the game's own forms of moves; moves as in chess, and pieces placed by @, are always known.
    """

    signs: Mapping[str, str] = field(default_factory=dict)
    faces: str = ""
    row: int = 0
    values: str = ""
    openers: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    everyday: tuple[str, ...] = ()
    squares: str = SQUARES
    moves: tuple[str, ...] = ()


NONE = Vocabulary()
"""The vocabulary of a game without words of its own."""
