"""Draw marks on squares, distinguished by shape: corners, a whole frame, badges, a ring."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

from engines.scene import MarkKind
from engines.svg.glyphs import glyphs
from engines.svg.lattice import Point
from engines.svg.paint import number, placed, shape

_BAND: tuple[tuple[str, float, dict[str, str]], ...] = (
    ("glow", 14, {"stroke_opacity": "0.35"}),
    ("mark-case", 7, {}),
    ("glow", 4, {}),
)
"""The lines of a glowing band, from the bottom up: class, width and further attributes."""

_TURN = "M30 58A24 24 0 1 1 56 73M18 48L30 60L43 49"
_CROSS = "M32 32L68 68M68 32L32 68"


@lru_cache(maxsize=1024)
def mark(kind: MarkKind, x: float, y: float, size: float, *, ring: bool = False) -> str:
    """Draw the mark of a square; with `ring` its lines run around a round space."""
    if kind in ("taken", "turned"):
        return _badge(kind, x - size / 2 + 1, y - size / 2 + 1, size)
    if kind == "hint":
        return _dashes(x, y, size * (0.37 if ring else 0.46), size)
    whole, broken = (_circle, _arcs) if ring else (_frame, _corners)
    return _lines(f"mark-{kind}", (whole if kind == "to" else broken)(x, y, size), size)


def steps(way: list[Point]) -> list[str]:
    """Draw the step numbers of a path on small plates on the bridges crossed."""
    return [
        _step(str(count), (x + u) / 2, (y + v) / 2) for count, ((x, y), (u, v)) in enumerate(pairwise(way), start=1)
    ]


@lru_cache(maxsize=256)
def _step(count: str, x: float, y: float) -> str:
    plate = shape("circle", "badge", cx=x, cy=y, r=11.5, stroke_width=2.5)
    return plate + glyphs(count, x, y, 11, "mark-to", 14)


def glow(places: list[Point], wide: float) -> str:
    """Draw a glowing band around places in one line, or around each place otherwise."""
    if not places:
        return ""
    (x, y), (u, v) = places[0], places[-1]
    if all(abs((u - x) * (q - y) - (v - y) * (p - x)) < 1 for p, q in places):
        return _band(x, y, u, v, wide)
    return "".join(_band(p, q, p, q, wide) for p, q in places)


def _band(x: float, y: float, u: float, v: float, wide: float) -> str:
    long = math.hypot(u - x, v - y) + wide
    turn = number(math.degrees(math.atan2(v - y, u - x)))
    drawn = "".join(
        shape("rect", paint, x=-long / 2, y=-wide / 2, width=long, height=wide, rx=wide / 2, stroke_width=line, **more)
        for paint, line, more in _BAND
    )
    return f'<g transform="translate({number((x + u) / 2)} {number((y + v) / 2)}) rotate({turn})">{drawn}</g>'


def _badge(kind: MarkKind, left: float, top: float, size: float) -> str:
    """Draw a sign on a small plate: captures in the upper corner, turns in the lower one."""
    across = max(17.0, size * 0.2)
    sign = shape(
        "path",
        f"mark-{kind}",
        d=_CROSS if kind == "taken" else _TURN,
        stroke_width=13,
        stroke_linecap="round",
        stroke_linejoin="round",
    )
    plate = shape("circle", "badge", cx=50, cy=50, r=47, stroke_width=8)
    return placed(plate + sign, left, top if kind == "taken" else top + size - across - 2, across / 100)


def _dashes(x: float, y: float, radius: float, size: float) -> str:
    line = size * 0.05
    casing = shape("circle", "mark-case", cx=x, cy=y, r=radius, stroke_width=line * 1.5)
    dashes = f"{radius * 0.22:.1f} {radius * 0.16:.1f}"
    return casing + shape("circle", "mark-hint", cx=x, cy=y, r=radius, stroke_width=line, stroke_dasharray=dashes)


def _lines(paint: str, path: str, size: float) -> str:
    line = max(3.0, size * 0.04)
    casing = shape("path", "mark-case", d=path, stroke_width=line + 2.5, stroke_linecap="square")
    return casing + shape("path", paint, d=path, stroke_width=line, stroke_linecap="butt")


def _frame(x: float, y: float, size: float) -> str:
    reach = size / 2 - 3
    return f"M{x - reach:.1f} {y - reach:.1f}h{2 * reach:.1f}v{2 * reach:.1f}h{-2 * reach:.1f}Z"


def _corners(x: float, y: float, size: float) -> str:
    reach, arm = size / 2 - 3, size * 0.2
    ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return "".join(f"M{x + h * reach:.1f} {y + v * (reach - arm):.1f}v{v * arm:.1f}h{-h * arm:.1f}" for h, v in ends)


def _circle(x: float, y: float, size: float) -> str:
    r = size * 0.34
    return f"M{x:.1f} {y - r:.1f}a{r:.1f} {r:.1f} 0 1 1 -.1 0Z"


def _arcs(x: float, y: float, size: float) -> str:
    """Draw four arcs around a round space, leaving out the starts of bridges."""
    far, near, r = size * 0.34 * 0.94, size * 0.34 * 0.34, size * 0.34
    quarters = ((-1, -1, 1), (1, -1, 0), (1, 1, 1), (-1, 1, 0))
    drawn = []
    for h, v, turn in quarters:
        begin, end = (x + h * far, y + v * near), (x + h * near, y + v * far)
        drawn.append(f"M{begin[0]:.1f} {begin[1]:.1f}A{r:.1f} {r:.1f} 0 0 {turn} {end[0]:.1f} {end[1]:.1f}")
    return "".join(drawn)
