"""Draw the board: squares and contents, bridges, marks and labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engines.scene import Bridge, Cell, Edge, Scene
from engines.svg.disks import stack
from engines.svg.lattice import Lattice, lattice
from engines.svg.marks import glow, mark, steps
from engines.svg.paint import group, number, shape, words
from engines.svg.pieces import draw
from engines.svg.titles import CellWords, cell_title

SIDE = 480.0
"""The longer side of a board, in user units."""


@dataclass(frozen=True, slots=True)
class BoardGeometry:
    """The geometry of a drawn board: its top left corner and the size of a square."""

    scene: Scene
    left: float
    top: float

    @property
    def size(self) -> float:
        """The side of one square, or the width of one hexagon."""
        return self._lattice.size

    @property
    def bottom(self) -> float:
        """The lower edge of the board."""
        return self.top + self._lattice.height

    @property
    def _lattice(self) -> Lattice:
        return lattice(self.scene.grid, len(self.scene.files), len(self.scene.ranks), SIDE)

    def middles(self) -> dict[str, tuple[float, float]]:
        """The centre of every square by name."""
        places = _places(self._lattice, self.left, self.top, tuple(map(len, self.scene.rows)))
        return {
            cell.name: place
            for cells, line in zip(self.scene.rows, places, strict=True)
            for cell, place in zip(cells, line, strict=True)
        }

    def drawn(self) -> str:
        """Draw the whole board."""
        return self.unlabelled() + self._labels()

    def unlabelled(self) -> str:
        """Draw the board without the letters and numbers around it."""
        at = self.middles()
        cells = self._cells(at)
        bridges = "".join(self._bridge(bridge, at) for bridge in self.scene.bridges)
        return self._ground() + cells + self._frame() + group(bridges, "bridges") + self._marks(at)

    def _cells(self, at: dict[str, tuple[float, float]]) -> str:
        marked, words = {one.cell for one in self.scene.marks}, CellWords.now()
        lattice, is_bridged = self._lattice, bool(self.scene.bridges)
        return "".join(
            [
                self._marked(cell, *at[cell.name])
                if cell.name in marked
                else _cell(cell, *at[cell.name], lattice, is_bridged, words)
                for row in self.scene.rows
                for cell in row
            ]
        )

    def _marked(self, cell: Cell, x: float, y: float) -> str:
        drawn = _contents(cell, x, y, self._lattice, bool(self.scene.bridges))
        return group(drawn, "cell", cell.name, cell_title(cell, self.scene.marks))

    def _bridge(self, bridge: Bridge, at: dict[str, tuple[float, float]]) -> str:
        if bridge.one not in at or bridge.other not in at:
            return ""
        (x, y), (u, v) = at[bridge.one], at[bridge.other]
        turn = f"translate({(x + u) / 2:.1f} {(y + v) / 2:.1f})" + (" rotate(90)" if x == u else "")
        return f'<g transform="{turn}">{_plank(bridge.colour, self.size)}</g>'

    def _ground(self) -> str:
        """Draw the background between the squares."""
        return "" if self._is_slanting else self._whole("sq-open")

    def _frame(self) -> str:
        """Draw the line around the board, and the borders that belong to a seat."""
        edges = "".join(map(self._edge, self.scene.edges))
        return ("" if self._is_slanting else self._whole("frame")) + (group(edges, "edges") if edges else "")

    @property
    def _is_slanting(self) -> bool:
        return self.scene.grid == "hexagonal"

    def _edge(self, edge: Edge) -> str:
        line = " ".join(f"{number(x)},{number(y)}" for x, y in self._lattice.border(self.left, self.top, edge.where))
        paint = "border-light" if edge.side else "border-dark"
        return shape("polyline", "border", points=line) + shape("polyline", paint, points=line)

    def _whole(self, paint: str) -> str:
        wide, high = self.size * len(self.scene.files), self.size * len(self.scene.ranks)
        return _box(paint, self.left, self.top, wide, high)

    def _marks(self, at: dict[str, tuple[float, float]]) -> str:
        ring = bool(self.scene.bridges) or self._is_slanting
        drawn = [mark(one.kind, *at[one.cell], self.size, ring=ring) for one in self.scene.marks if one.cell in at]
        wide = self.size * (0.74 if self.scene.bridges else 0.58)
        drawn += steps([at[name] for name in self.scene.way if name in at])
        drawn += [glow([at[name] for name in line if name in at], wide) for line in self.scene.lines]
        return group("".join(drawn), "marks") if drawn else ""

    def _labels(self) -> str:
        return _labels(self._lattice, self.left, self.top, tuple(self.scene.files), tuple(self.scene.ranks))


@lru_cache(maxsize=64)
def _labels(lattice: Lattice, left: float, top: float, files: tuple[str, ...], ranks: tuple[str, ...]) -> str:
    """Draw the letters and numbers around a board; they are the same for all boards of a game."""
    last, low = len(ranks) - 1, top + lattice.height + 20
    below = (_label(label, lattice.middle(left, top, last, at)[0], low) for at, label in enumerate(files))
    beside = (
        _label(label, left + lattice.indent(at) - 15, lattice.middle(left, top, at, 0)[1] + 6)
        for at, label in enumerate(ranks)
    )
    return group("".join(below), "labels") + group("".join(beside), f"labels ranks of-{last + 1}")


@lru_cache(maxsize=64)
def _places(
    lattice: Lattice, left: float, top: float, widths: tuple[int, ...]
) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return the centres of all squares, by row; `widths` gives the number in each row."""
    return tuple(
        tuple(lattice.middle(left, top, row, column) for column in range(width)) for row, width in enumerate(widths)
    )


@lru_cache(maxsize=64)
def _box(paint: str, left: float, top: float, wide: float, high: float) -> str:
    return shape("rect", paint, x=left, y=top, width=wide, height=high)


def _label(text: str, x: float, y: float) -> str:
    return words(text, x, y, 17, paint="label", text_anchor="middle")


@lru_cache(maxsize=64)
def _plank(colour: str, size: float) -> str:
    """Draw a bridge between two adjacent squares of this size."""
    length, width = size * 0.36, size * 0.15
    plank = shape("rect", f"bridge-{colour}", x=-length / 2, y=-width / 2, width=length, height=width, rx=2.5)
    if colour == "red":
        plank += shape("path", "bridge-red-hatch", d=_hatch(length, width), stroke_width=2.5)
    return plank


def _hatch(length: float, width: float) -> str:
    """Draw slanted lines across a bridge."""
    step, slant = length / 4, width * 0.42
    starts = (-step, 0.0, step)
    return "".join(
        f"M{at - slant / 2:.1f} {width / 2 - 2:.1f}L{at + slant / 2:.1f} {2 - width / 2:.1f}" for at in starts
    )


@lru_cache(maxsize=2048)
def _cell(cell: Cell, x: float, y: float, lattice: Lattice, is_bridged: bool, words: CellWords) -> str:
    """Draw an unmarked square with its title in the language of `words`; cached."""
    return group(_contents(cell, x, y, lattice, is_bridged), "cell", cell.name, words.title(cell))


@lru_cache(maxsize=1024)
def _contents(cell: Cell, x: float, y: float, lattice: Lattice, is_bridged: bool) -> str:
    """Draw a square and its contents without title; cached, since a move changes few squares."""
    ground = "open" if is_bridged and cell.tint == "plain" else cell.tint
    drawn = lattice.place(f"sq-{ground}", x, y)
    if is_bridged:
        drawn += shape("circle", "space", cx=x, cy=y, r=lattice.size * 0.33)
    if cell.ground:
        drawn += draw(cell.ground, x, y, lattice.size * 0.97)
    return drawn + _pieces(cell, x, y, lattice.size, is_bridged)


def _pieces(cell: Cell, x: float, y: float, size: float, is_bridged: bool) -> str:
    if not cell.pieces:
        return ""
    if all(piece.shape == "disk" for piece in cell.pieces):
        return group(stack(cell.pieces, x, y, size * 0.94), "pieces")
    across = size * _share(cell, is_bridged) / len(cell.pieces)
    left = x - across * (len(cell.pieces) - 1) / 2
    drawn = (draw(piece, left + across * at, y, across) for at, piece in enumerate(cell.pieces))
    return group("".join(drawn), "pieces")


def _share(cell: Cell, is_bridged: bool) -> float:
    """Return the fraction of its square that a piece fills.

    It is less on a tile, whose shape stays visible around the piece.
    """
    if cell.ground:
        return 0.38
    return 0.58 if is_bridged else 0.85
