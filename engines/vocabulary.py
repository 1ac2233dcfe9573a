"""A game's words for its notation, which distinguish moves and pieces from talk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SQUARES = "[a-h][0-9]"
"""A pattern for squares of a board of at most eight files."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words that people use for the pieces of a game.

    `signs` map short forms of the notation to the English name of the piece, marked for translation (`Q` for the
    queen). `faces` are the letters of faces. If `row` is not 0, that many letters in a row are a complete choice
    (`PPPQPPPP`), and `values` are digits that may replace them. `openers` are words with which texts begin. `aliases`
    are further words, in any language, for a name. `everyday` are words for faces that are also common in talk: they
    name a piece only together with other such words. `squares` and `moves` are regular expressions, ignoring case, for
    names of squares and for this game's forms of moves. Chess moves, and placements with @, are always recognised.
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
"""The vocabulary of a game that defines none."""
