"""The coordinates of a rating chart, which a template draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from correspondence.ratings.leaderboards import RatingCurve

WIDTH, HEIGHT = 640.0, 240.0
"""Size of the chart, in SVG user units."""

LEFT, RIGHT, TOP, BOTTOM = 62.0, 14.0, 16.0, 40.0
"""Margins around the plot, in SVG user units."""

_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_ROOM_ABOVE = 22.0  # for the words above a bar
_MOST_LINES = 6
_BEFORE = 26.0  # width from the initial rating to the first game, not to scale
_MOST_DATES = 5
_UNITS = ((timedelta(days=730), "y"), (timedelta(days=60), "MMM y"), (timedelta(0), "d MMM"))


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal grid line and its rating."""

    y: float
    rating: int


@dataclass(frozen=True, slots=True)
class Day:
    """A date below the chart; `form` is its CLDR date pattern."""

    x: float
    at: datetime
    form: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A chart: rating line, band of one deviation, dots, grid lines, and dates."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    line: str
    band: str
    dots: tuple[tuple[float, float], ...]
    levels: tuple[GridLine, ...]
    days: tuple[Day, ...]


def graph(points: Sequence[tuple[float, float]], times: Sequence[datetime]) -> Graph:
    """Chart (rating, deviation) pairs over time, oldest first.

    The first pair is the rating before the first game and has no time. Each other pair has the time of its game.
    """
    low = min(rating - min(deviation, 150) for rating, deviation in points)
    high = max(rating + min(deviation, 150) for rating, deviation in points)
    step = next((step for step in _STEPS if (high - low) / step <= _MOST_LINES), _STEPS[-1])
    floor, ceiling = step * int(low // step), step * int(-(-high // step))
    places = [LEFT, *(_x(at, times) for at in times)]

    def y(rating: float) -> float:
        share = (min(max(rating, floor), ceiling) - floor) / max(ceiling - floor, 1)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)

    dots = tuple((x, y(rating)) for x, (rating, _deviation) in zip(places, points, strict=True))
    above = [(x, y(rating + deviation)) for x, (rating, deviation) in zip(places, points, strict=True)]
    below = [(x, y(rating - deviation)) for x, (rating, deviation) in zip(places, points, strict=True)]
    levels = tuple(GridLine(y(rating), rating) for rating in range(floor, ceiling + 1, step))
    band = _path([*above, *reversed(below)])
    return Graph(WIDTH, HEIGHT, LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, _path(dots), band, dots, levels, _days(times))


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart of counts: its place and size, its first rating, and whether the reader is in it."""

    x: float
    y: float
    width: float
    height: float
    rating: int
    count: int
    is_mine: bool


def bars(counts: Sequence[int], low: int, step: int, mine: int | None) -> tuple[Bar, ...]:
    """Chart these counts of ranges of `step` rating points, from the rating `low` on."""
    width, highest = (WIDTH - 2 * RIGHT) / len(counts), max(counts)
    room = HEIGHT - BOTTOM - TOP - _ROOM_ABOVE
    own = None if mine is None else min((mine - low) // step, len(counts) - 1)
    heights = [round(room * count / highest, 1) for count in counts]
    return tuple(
        Bar(
            round(RIGHT + nth * width, 1),
            round(HEIGHT - BOTTOM - heights[nth], 1),
            round(max(width - 2, 1), 1),
            heights[nth],
            low + nth * step,
            count,
            nth == own,
        )
        for nth, count in enumerate(counts)
    )


def graph_of(curve: RatingCurve) -> Graph:
    """Chart a person's rating over time."""
    before = (curve.first.rating, curve.first.deviation)
    points = [before, *((point.rating, point.deviation) for point in curve.points)]
    return graph(points, [point.at for point in curve.points])


def _x(at: datetime, times: Sequence[datetime]) -> float:
    whole = times[-1] - times[0]
    share = (at - times[0]) / whole if whole else 1.0
    return round(LEFT + _BEFORE + (WIDTH - LEFT - _BEFORE - RIGHT) * share, 1)


def _days(times: Sequence[datetime]) -> tuple[Day, ...]:
    """Choose some dates for the axis: starts of years, months or days, or else the last game."""
    if not times:
        return ()
    form = next(form for least, form in _UNITS if times[-1] - times[0] >= least)
    beginnings = list(_beginnings(times[0], times[-1], form))
    step = -(-len(beginnings) // _MOST_DATES) or 1
    return tuple(Day(_x(at, times), at, form) for at in beginnings[::step] or times[-1:])


def _beginnings(first: datetime, last: datetime, form: str) -> Iterator[datetime]:
    at = first.replace(hour=0, minute=0, second=0, microsecond=0)
    while at <= last:
        is_one = {"y": (at.month, at.day) == (1, 1), "MMM y": at.day == 1, "d MMM": True}[form]
        if is_one and at >= first:
            yield at
        at += timedelta(days=1)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
