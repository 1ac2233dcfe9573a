"""Scenes: descriptions of boards that can be rendered as text and as SVG.

A scene holds exactly what its viewer may see, because it is made from a redacted position. Ranks are listed from the
top as drawn for seat 0. `touch` tokens are those of `Position.touches`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

Shape = Literal["die", "button", "disk", "circle", "square", "triangle", "tile"]
"""The shape of a piece."""

Where = Literal["top", "right", "bottom", "left"]
"""A border of the board, as drawn for seat 0."""

Tint = Literal["light", "dark", "plain"]
"""The background of a square."""

Grid = Literal["square", "hexagonal"]
"""The geometry of a board."""

MarkKind = Literal["from", "to", "taken", "turned", "hint"]
"""The reason for a mark: where the last move left, arrived, captured or turned, or a hint."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece on the board or in a tray.

    `text` is its short form in printable ASCII (one to three characters), `name` its name in the reader's language
    (“White bishop”). `face` selects the drawing: a chess letter on a die (Y P B N R Q), a number on a button, `x b r o`
    or `?` on a disk, colour and shape of a tile (`Mo`). `side` is the owner's seat, None if nobody owns it. `value` is
    drawn as pips, in games that count values. `under` is the down face of a disk, if known. `lit` is False for a tile
    not in force.
    """

    text: str
    name: str
    shape: Shape
    face: str = ""
    side: int | None = None
    value: int = 0
    under: str = ""
    lit: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """One square. `pieces` are its pieces from the bottom up, `ground` is a tile beneath them.

    `text` is the whole cell on a text board: printable ASCII, at most 14 characters; “.” if empty.
    """

    name: str
    text: str = "."
    pieces: tuple[Piece, ...] = field(default=(), hash=False)  # cells are lookup keys; `text` alone distinguishes them
    ground: Piece | None = None
    tint: Tint = "plain"


@dataclass(frozen=True, slots=True)
class Bridge:
    """A coloured bridge between two adjacent squares; `colour` is red, black or white."""

    one: str
    other: str
    colour: Literal["red", "black", "white"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A border of the board that belongs to a seat."""

    where: Where
    side: int


@dataclass(frozen=True, slots=True)
class TrayItem:
    """A piece beside the board; `count` is the number of equal pieces.

    `touch` is its token, empty if it cannot be touched.
    """

    piece: Piece
    count: int = 1
    touch: str = ""


@dataclass(frozen=True, slots=True)
class Tray:
    """A group of pieces beside the board: a hand, a pool, prisoners.

    `label` is its name in the reader's language, `side` its owner's seat, `note` additional text (a score, “5
    pieces, unseen”).
    """

    label: str
    items: tuple[TrayItem, ...] = ()
    side: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A labelled choice that has no place on the board.

    `touch` is its token, `label` its words; `piece` may illustrate it.
    """

    touch: str
    label: str
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a square, given by the square's name."""

    cell: str
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in force at this position: its name and a sentence that explains it."""

    name: str
    meaning: str


_ACROSS: dict[Where, Where] = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class Scene:
    """The picture of a position.

    `title` describes the position in a few words (“Proteus with dice: White to move, 6–0”); `summary` describes it
    completely in sentences, for screen readers and alt texts. `files` are the column labels from left to right, `ranks`
    the row labels from the top, `rows` the cells in the same order. `notes` are lines below the board: scores, rules in
    force, throws. `in_force` explains the rules in force, which the first of `notes` only names, in games whose rules
    change. On a `hexagonal` grid each place has six neighbours, and each row is half a place further to the right than
    the one above it. `edges` are the borders that belong to a seat. `spoken_notes` replace `notes` on pages and in
    descriptions if some notes repeat the board or the rules page. `lines` are places that fulfil a goal together. `way`
    is the path of a move over `bridges`, place by place from its start.
    """

    title: str
    summary: str
    files: tuple[str, ...]
    ranks: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    bridges: tuple[Bridge, ...] = ()
    trays: tuple[Tray, ...] = ()
    notes: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    marks: tuple[Mark, ...] = ()
    in_force: tuple[Rule, ...] = ()
    grid: Grid = "square"
    edges: tuple[Edge, ...] = ()
    spoken_notes: tuple[str, ...] | None = None
    lines: tuple[tuple[str, ...], ...] = ()
    way: tuple[str, ...] = ()

    @property
    def brief_notes(self) -> tuple[str, ...]:
        """The notes without repetition of the board and of `in_force`."""
        notes = self.notes if self.spoken_notes is None else self.spoken_notes
        return notes[1:] if self.in_force else notes

    def marked(self, *marks: Mark) -> Scene:
        """Return the scene with additional marks."""
        return replace(self, marks=(*self.marks, *marks))

    def turned(self) -> Scene:
        """Return the scene seen from the other side of the board."""
        rows = tuple(tuple(reversed(row)) for row in reversed(self.rows))
        edges = tuple(Edge(_ACROSS[edge.where], edge.side) for edge in self.edges)
        return replace(self, files=self.files[::-1], ranks=self.ranks[::-1], rows=rows, edges=edges)
