"""Small SVG charts: time per move, results of an opening, course of a game. Pure.

Colours come from the page's style sheet by class. Every chart has a title and a description, and is accompanied by a
table with the same content.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from html import escape
from math import log1p

WIDTH, HALF = 600, 60
"""The width of the time plot, and the height of each of its halves."""

_LINES = (timedelta(hours=1), timedelta(days=1), timedelta(days=7))


def time_plot(spent: Sequence[tuple[int, timedelta]], title: str, summary: str, labels: Sequence[str]) -> str:
    """Plot the time of each move, left to right, logarithmic: seat 0 upwards, seat 1 downwards.

    `spent` holds seat and time in the order of play. `labels` name an hour, a day, a week, and the longest time, which
    labels the top if no move took an hour. The drawing stretches to its container, the text does not.
    """
    most = max((time for _seat, time in spent), default=timedelta(0))
    step = WIDTH / max(len(spent), 1)
    width = max(step * 0.8, 0.6)
    bars = {0: "", 1: ""}
    for at, (seat, time) in enumerate(spent):
        height = _height(time, most)
        top = HALF - height if seat == 0 else HALF
        bars[min(seat, 1)] += f"M{at * step:.1f} {top:.1f}h{width:.1f}v{height:.1f}h-{width:.1f}z"
    view_height = (2 if any(seat == 1 for seat, _time in spent) else 1) * HALF + 4
    reached = [(length, label) for length, label in zip(_LINES, labels, strict=False) if length <= most]
    marks = [(_height(length, most), label) for length, label in reached or [(most, labels[-1])]]
    return (
        f'<svg class="plot time-plot" role="img"><title>{escape(title)}</title><desc>{escape(summary)}</desc>'
        f'<svg viewBox="0 -2 {WIDTH} {view_height}" width="84%" height="100%" preserveAspectRatio="none">'
        f"{''.join(_line(height) for height, _label in marks)}"
        f'<path class="seat-0" d="{bars[0]}"/><path class="seat-1" d="{bars[1]}"/>'
        f'<path class="axis" d="M0 {HALF}h{WIDTH}"/></svg>{"".join(_words(*mark, view_height) for mark in marks)}</svg>'
    )


def _height(time: timedelta, most: timedelta) -> float:
    minutes, all_minutes = (max(length.total_seconds(), 0) / 60 for length in (time, most))
    return HALF * log1p(minutes) / log1p(all_minutes) if all_minutes else 0.0


def _line(height: float) -> str:
    up, down = HALF - height, HALF + height
    return f'<path class="grid" d="M0 {up:.1f}h{WIDTH}M0 {down:.1f}h{WIDTH}"/>'


def _words(height: float, label: str, view_height: int) -> str:
    at = 100 * (HALF - height + 2) / view_height
    return f'<text x="99.5%" y="{at:.1f}%" dy="0.9em" text-anchor="end">{escape(label)}</text>'


def results_bar(won: int, drawn: int, lost: int, title: str, sides: tuple[str, str]) -> str:
    """Draw a bar in three parts: first seat won, drawn, second seat won.

    `sides` are their CSS classes.
    """
    total = max(won + drawn + lost, 1)
    first, middle = 200 * won / total, 200 * drawn / total
    parts = ((0.0, first, sides[0]), (first, middle, "drawn"), (first + middle, 200 * lost / total, sides[1]))
    shapes = "".join(
        f'<rect class="{name}" x="{left:.1f}" width="{width:.1f}" y="0" height="12"/>' for left, width, name in parts
    )
    return (
        '<svg class="plot results-bar" viewBox="0 0 200 12" role="img" preserveAspectRatio="none">'
        f"<title>{escape(title)}</title>{shapes}</svg>"
    )


def result_plot(course: Sequence[float | None], turning: Sequence[int], title: str, summary: str) -> str:
    """Plot the first seat's expected result after each entry, from 0 (bottom) to 1 (top).

    None is an unrated entry, which the line skips. `turning` are the entries that get a dot,
    counted from 1. The drawing stretches to its container, the text does not.
    """
    step = WIDTH / max(len(course), 1)
    points = {ply: (ply * step, 2 * HALF * (1 - share)) for ply, share in _known(course)}
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points.values())
    first, last = (next(iter(order))[0] for order in (points.values(), reversed(points.values())))
    area = f"M{first:.1f},{2 * HALF} L{line} L{last:.1f},{2 * HALF}z"
    dots = "".join(f"M{points[ply][0]:.1f} {points[ply][1]:.1f}h0" for ply in turning if ply in points)
    grid = "".join(f'<path class="grid" d="M0 {height}h{WIDTH}"/>' for height in (0, HALF, 2 * HALF))
    marks = ((2, "100\u00a0%", "0.9em"), (50, "50\u00a0%", "0.35em"), (98, "0\u00a0%", "-0.2em"))
    words = "".join(
        f'<text x="99.5%" y="{at}%" dy="{down}" text-anchor="end">{label}</text>' for at, label, down in marks
    )
    return (
        f'<svg class="plot time-plot result-plot" role="img"><title>{escape(title)}</title><desc>{escape(summary)}</desc>'
        f'<svg viewBox="0 -6 {WIDTH} {2 * HALF + 12}" width="84%" height="100%" preserveAspectRatio="none">'
        f'<path class="seat-0" d="{area}"/>{grid}<polyline class="course" points="{line}"/>'
        f'<path class="dots-around" d="{dots}"/><path class="dots" d="{dots}"/></svg>{words}</svg>'
    )


PICTURE_WIDTH, PICTURE_HEIGHT = 420, 120
"""The size of the standalone picture, which needs no style sheet."""

LINE_LENGTH = 60
"""Maximum bars of the plot as a line of text."""

_BARS = "▁▂▃▄▅▆▇█"


def result_picture(course: Sequence[float | None], turning: Sequence[int], title: str) -> str:
    """Draw `result_plot` as a picture for letters, with inline colours and only a title as text."""
    across, up = PICTURE_WIDTH / max(len(course), 1), PICTURE_HEIGHT - 12
    points = {ply: (ply * across - across / 2, 6 + up * (1 - share)) for ply, share in _known(course)}
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points.values())
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#2a2420" stroke="#fdfaf4" stroke-width="2"/>'
        for ply, (x, y) in points.items()
        if ply in turning
    )
    grid = "".join(f'<path d="M0 {6 + up * share}h{PICTURE_WIDTH}" stroke="#ddd2c2"/>' for share in (0, 0.5, 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PICTURE_WIDTH} {PICTURE_HEIGHT}" width="{PICTURE_WIDTH}" '
        f'height="{PICTURE_HEIGHT}" role="img"><title>{escape(title)}</title>{grid}'
        f'<polyline points="{line}" fill="none" stroke="#7a4a21" stroke-width="2.5"/>{dots}</svg>'
    )


def result_line(course: Sequence[float | None]) -> str:
    """Write `result_plot` as a line of bars, one per rated entry, or per several in long games."""
    known = [share for _ply, share in _known(course)]
    count = min(len(known), LINE_LENGTH)
    return "".join(_BARS[min(int(known[(at + 1) * len(known) // count - 1] * 8), 7)] for at in range(count))


def _known(course: Sequence[float | None]) -> list[tuple[int, float]]:
    """Return the rated entries, counted from 1, with the first seat's expected result."""
    return [(ply, share) for ply, share in enumerate(course, 1) if share is not None]
