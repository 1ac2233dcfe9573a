"""Scenes: descriptions of boards that both text and SVG can draw.

A scene says everything a reader of a position sees, and nothing else: it is made from
a position already redacted for its viewer. Ranks run from the top down as they are drawn
for seat 0. `touch` tokens are the ones that `Position.touches` uses.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

Shape = Literal["die", "button", "disk", "circle", "square", "triangle", "tile"]
"""How a piece is drawn."""

Where = Literal["top", "right", "bottom", "left"]
"""A border of the board, as drawn for seat 0."""

Tint = Literal["light", "dark", "plain"]
"""The ground of a square."""

Grid = Literal["square", "hexagonal"]
"""The geometry of a board."""

MarkKind = Literal["from", "to", "taken", "turned", "hint"]
"""Why a place is marked: the last move left, reached, captured or turned there; or a hint."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece on the board or in a tray.

    `text` is its short printable ASCII form (one to three characters), `name` says it in words in the
    reader's language (“White bishop”). `face` tells what its drawing shows: a chess letter on a die
    (Y P B N R Q), a number on a button, `x b r o` or `?` on a disk, colour and shape on a tile (`Mo`).
    `side` is the owner's seat, None for common things. `value` is drawn as pips where a game counts
    them. `under` is the down face of a disk as far as known. `lit` is False for a tile not in force.
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
    """One square. `pieces` lie on it from the bottom up, `ground` is a tile beneath them.

    `text` is how the whole cell prints on a text board: printable ASCII, at most 14 characters;
    empty squares print as “.”.
    """

    name: str
    text: str = "."
    pieces: tuple[Piece, ...] = field(default=(), hash=False)  # `text` distinguishes them for lookups
    ground: Piece | None = None
    tint: Tint = "plain"


@dataclass(frozen=True, slots=True)
class Bridge:
    """A coloured bridge between two neighbouring squares; `colour` is red, black or white."""

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
    """A place beside the board: a hand, a pool, prisoners.

    `label` names it in the reader's language; `side` is its owner's seat; `note` says what the items do not (a score,
    “5 pieces, unseen”).
    """

    label: str
    items: tuple[TrayItem, ...] = ()
    side: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A labelled choice without a place on the picture: `touch` is its token, `label` its words;
    `piece` may show it."""

    touch: str
    label: str
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on one square, by its name."""

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

    `title` names the position in a few words (“Proteus with dice: White to move, 6–0”); `summary` describes the
    whole position in sentences, for screen readers and alt texts. `files` are the column labels from left
    to right, `ranks` the row labels from the top; `rows` the cells in the same order. `notes` are lines for
    below the board: scores, rules in force, what was thrown. Where rules change in the course of a game,
    `in_force` explains those in force, which the first of `notes` only names.
    On a `hexagonal` grid places have six neighbours: each row stands half a place further to the right
    than the one above it. `edges` are the borders that belong to a seat. `spoken_notes` are the notes
    for pages and for those who hear the position in sentences, where some of `notes` only say the board once more, or
    what the page of the rules says. `lines` are places that fulfil a goal together; `way` is how a move went, place by
    place over `bridges`, from where it began.
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
        """The notes without what the board and `in_force` already say."""
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
