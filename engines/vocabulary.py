"""The words of a game's notation, by which a line that names a move or a piece is told from talk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SQUARES = "[a-h][0-9]"
"""The places of a board of eight files at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """What people write when they write about the pieces of a game.

    `signs` are the short forms of the notation with the English name, marked for translation, of the piece each
    stands for (`xr` and `RM` for the Red Mask, `Q` for the queen). `faces` are the letters of faces; where `row` is
    not 0, that many of them in a row are a whole choice (`PPPQPPPP`), and `values` are figures in place of them.
    `openers` are words with which texts begin. `aliases` are further words, of any language, for a name. `everyday`
    are words for faces that are as common in talk as in the game: they name a piece only beside other such words.
    `squares` and `moves` are regular expressions, read in any letter case: what a place on the board is called, and
    the ways of writing a move that are the game's own; moves as in chess, and pieces placed by @, are known anyway.
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
"""Of a game that says nothing about its words."""
