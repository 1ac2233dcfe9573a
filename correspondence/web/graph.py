"""The coordinates of a rating chart, which a template draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640.0, 240.0
"""The size of the chart in user units of the SVG."""

LEFT, RIGHT, TOP, BOTTOM = 62.0, 12.0, 16.0, 16.0
"""The margins around the plot."""

_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal grid line and its rating."""

    y: float
    rating: int


@dataclass(frozen=True, slots=True)
class Graph:
    """A chart: the line through all ratings, the band of one deviation around it, dots, and grid lines."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    line: str
    band: str
    dots: tuple[tuple[float, float], ...]
    levels: tuple[Level, ...]


def graph(points: Sequence[tuple[float, float]]) -> Graph:
    """The chart of (rating, deviation) pairs, oldest first and at least one; evenly spaced."""
    low = min(rating - min(deviation, 150) for rating, deviation in points)
    high = max(rating + min(deviation, 150) for rating, deviation in points)
    step = next((step for step in _STEPS if (high - low) / step <= _MOST_LINES), _STEPS[-1])
    floor, ceiling = step * int(low // step), step * int(-(-high // step))
    places = [_x(index, len(points)) for index in range(len(points))]

    def y(rating: float) -> float:
        share = (min(max(rating, floor), ceiling) - floor) / max(ceiling - floor, 1)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)

    dots = tuple((x, y(rating)) for x, (rating, _deviation) in zip(places, points, strict=True))
    above = [(x, y(rating + deviation)) for x, (rating, deviation) in zip(places, points, strict=True)]
    below = [(x, y(rating - deviation)) for x, (rating, deviation) in zip(places, points, strict=True)]
    levels = tuple(Level(y(rating), rating) for rating in range(floor, ceiling + 1, step))
    band = _path([*above, *reversed(below)])
    return Graph(WIDTH, HEIGHT, LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, _path(dots), band, dots, levels)


def _x(index: int, count: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (index / (count - 1) if count > 1 else 0.5), 1)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
