"""Board lattices: squares in rows, or hexagons in slanting rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from engines.scene import Where
from engines.svg.paint import number, shape

Point = tuple[float, float]
_OUTER: dict[Where, tuple[int, ...]] = {"top": (5, 0, 1), "right": (1, 2), "bottom": (4, 3, 2), "left": (5, 4)}
"""The corners of a hexagon on each side of the board, counted clockwise from the top."""
_ROOT_3 = 3**0.5


@dataclass(frozen=True, slots=True, eq=False)  # created once and used as a lookup key for every square
class Squares:
    """A lattice of squares; `side` is the longer side of the whole board."""

    columns: int
    rows: int
    side: float

    @property
    def size(self) -> float:
        """The side of one square."""
        return self.side / max(self.columns, self.rows, 1)

    @property
    def height(self) -> float:
        """The height of the whole board."""
        return self.size * self.rows

    def middle(self, left: float, top: float, row: int, column: int) -> Point:
        """Return the centre of one place of a board whose top left corner is given."""
        return left + self.size * (column + 0.5), top + self.size * (row + 0.5)

    def indent(self, _row: int) -> float:
        """Return the offset of a row from the left side of the board."""
        return 0.0

    def place(self, paint: str, x: float, y: float) -> str:
        """Draw one place around its centre."""
        half = self.size / 2
        return shape("rect", paint, x=x - half, y=y - half, width=self.size, height=self.size)

    def border(self, left: float, top: float, where: Where) -> tuple[Point, ...]:
        """Draw the line along one side of the board."""
        right, bottom = left + self.size * self.columns, top + self.height
        across, down = {"left": (left,) * 2, "right": (right,) * 2}, {"top": (top,) * 2, "bottom": (bottom,) * 2}
        ends = across.get(where, (left, right)), down.get(where, (top, bottom))
        return (ends[0][0], ends[1][0]), (ends[0][1], ends[1][1])


@dataclass(frozen=True, slots=True, eq=False)
class Hexagons:
    """A lattice of pointy-top hexagons, each row half a hexagon further to the right."""

    columns: int
    rows: int
    side: float

    @property
    def size(self) -> float:
        """The width of one hexagon."""
        return self.side / max(self.columns + (self.rows - 1) / 2, 1)

    @property
    def height(self) -> float:
        """The height of the whole board."""
        return self.size / _ROOT_3 * (1.5 * self.rows + 0.5)

    def middle(self, left: float, top: float, row: int, column: int) -> Point:
        """Return the centre of one place of a board whose top left corner is given."""
        across = left + self.indent(row) + self.size * (column + 0.5)
        return across, top + self.size / _ROOT_3 * (1 + 1.5 * row)

    def indent(self, row: int) -> float:
        """Return the offset of a row from the left side of the board."""
        return self.size / 2 * row

    def place(self, paint: str, x: float, y: float) -> str:
        """Draw one place around its centre."""
        points = " ".join(f"{number(u)},{number(v)}" for u, v in self._corners(x, y))
        return shape("polygon", paint, points=points)

    def border(self, left: float, top: float, where: Where) -> tuple[Point, ...]:
        """Draw the line along one side of the board, from corner to corner of its hexagons."""
        if where in ("top", "bottom"):
            places = [(0 if where == "top" else self.rows - 1, at) for at in range(self.columns)]
        else:
            places = [(at, 0 if where == "left" else self.columns - 1) for at in range(self.rows)]
        corners = _OUTER[where]
        around = [self._corners(*self.middle(left, top, *place)) for place in places]
        return tuple(corner[at] for corner in around for at in corners)

    def _corners(self, x: float, y: float) -> tuple[Point, ...]:
        """Return the six corners of a hexagon, clockwise from the top."""
        half, radius = self.size / 2, self.size / _ROOT_3
        ends = ((0, -1.0), (half, -0.5), (half, 0.5), (0, 1.0), (-half, 0.5), (-half, -0.5))
        return tuple((x + across, y + down * radius) for across, down in ends)


Lattice = Squares | Hexagons


@lru_cache(maxsize=32)
def lattice(grid: Literal["square", "hexagonal"], columns: int, rows: int, side: float) -> Lattice:
    """Return the lattice of a board of this kind and size."""
    return (Hexagons if grid == "hexagonal" else Squares)(columns, rows, side)
