"""The palette, and helpers that write SVG elements.

Every coloured shape has one class, and `PAINT` gives that class its look as presentation attributes. Style sheets
override presentation attributes, so a page can restyle any class, for example for dark mode. Classes that end in
`-dark` and `-light` belong to the two sides, which differ in lightness, never only in hue.
"""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from engines.scene import Piece


class Look(NamedTuple):
    """The look of a class of shapes: its colours and default stroke width."""

    fill: str = "none"
    stroke: str = ""
    width: float = 0

    def attributes(self) -> dict[str, float | str]:
        """Return the look as presentation attributes."""
        if not self.stroke:
            return {"fill": self.fill}
        return {"fill": self.fill, "stroke": self.stroke, "stroke_width": self.width}


PAINT: dict[str, Look] = {
    # the background, the board and its text
    "paper": Look("#fbf6ec"),
    "frame": Look(stroke="#7d6147", width=3),
    "sq-light": Look("#f1e3c8"),
    "sq-dark": Look("#cfae84"),
    "sq-plain": Look("#ecdcbe", "#b8976d", 2),
    "sq-open": Look("#ecdcbe"),
    "space": Look("#dfc9a3", "#a88559", 2.5),
    "label": Look("#5d4936"),
    "words": Look("#3a2e24"),
    "count": Look(stroke="#3a2e24"),
    "tally": Look("#fbf6ec", "#3a2e24", 1.2),
    # the sides
    "body-dark": Look("#37312d", "#17130f", 2),
    "body-light": Look("#fffaf0", "#4a3c30", 2),
    "body-any": Look("#cfc6b8", "#4a3c30", 2),
    "edge-dark": Look("#17130f"),
    "edge-light": Look("#b9a68c"),
    "edge-any": Look("#8d8272"),
    "wall-dark": Look("#37312d", "#8a7d70", 1.2),
    "wall-light": Look("#fffaf0", "#4a3c30", 1.2),
    "wall-any": Look("#cfc6b8", "#4a3c30", 1.2),
    "rim-dark": Look(stroke="#8a7d70", width=2),
    "rim-light": Look(stroke="#b9a68c", width=2),
    "rim-any": Look(stroke="#8d8272", width=2),
    "figure-dark": Look("#fbf0da"),
    "figure-light": Look("#2b2420"),
    "figure-any": Look("#2b2420"),
    "ink-dark": Look(stroke="#fbf0da"),
    "ink-light": Look(stroke="#2b2420"),
    "ink-any": Look(stroke="#2b2420"),
    # borders that belong to a side
    "border": Look(stroke="#7d6147", width=9),
    "border-dark": Look(stroke="#37312d", width=6),
    "border-light": Look(stroke="#fffaf0", width=6),
    # bridges
    "bridge-red": Look("#bf3f34", "#5e1711", 2),
    "bridge-black": Look("#2b2622", "#120f0d", 2),
    "bridge-white": Look("#fffaf0", "#4a3c30", 2),
    "bridge-red-hatch": Look(stroke="#ffe3d6", width=2.5),
    # faces of disks
    "face-r": Look("#c23a2f", "#fff3e6", 1.5),
    "face-b": Look("#2b62a8", "#eef4ff", 1.5),
    "face-o": Look("#f0a02c", "#3a2410", 1.5),
    "face-r-ink": Look(stroke="#fff6ec"),
    "face-b-ink": Look(stroke="#f2f7ff"),
    "face-o-ink": Look(stroke="#2b1b0c"),
    "pin": Look(stroke="#8c2f6b", width=3),
    # tiles: solid in force, otherwise outlined
    "tile-m": Look("#7c2338", "#47101d", 2.5),
    "tile-t": Look("#0f8086", "#064a4e", 2.5),
    "tile-g": Look("#e0aa2a", "#7a5606", 2.5),
    "tile-any": Look("#8d8272", "#4a3c30", 2.5),
    "tile-m-ink": Look(stroke="#fff1f0"),
    "tile-t-ink": Look(stroke="#effdfd"),
    "tile-g-ink": Look(stroke="#33240a"),
    "tile-any-ink": Look(stroke="#fffaf0"),
    "tile-m-off": Look("#f3dfdc", "#8a3147", 2.5),
    "tile-t-off": Look("#d8ebe8", "#127a80", 2.5),
    "tile-g-off": Look("#f8ebc4", "#9a7010", 2.5),
    "tile-any-off": Look("#e9e2d6", "#6d6254", 2.5),
    "tile-m-off-ink": Look(stroke="#8a3147"),
    "tile-t-off-ink": Look(stroke="#0e6a70"),
    "tile-g-off-ink": Look(stroke="#7d5a08"),
    "tile-any-off-ink": Look(stroke="#6d6254"),
    # marks
    "mark-case": Look(stroke="#fffdf8"),
    "mark-from": Look(stroke="#0b6e76"),
    "mark-to": Look(stroke="#0b6e76"),
    "mark-hint": Look(stroke="#0b6e76"),
    "badge": Look("#fffdf8", "#0b6e76", 1.5),
    "glow": Look(stroke="#e39a12", width=5),
    "mark-taken": Look(stroke="#a3241b"),
    "mark-turned": Look(stroke="#0b6e76"),
}
"""The look of every class."""

FONT = "DejaVu Sans, Verdana, sans-serif"
"""The font families of labels and notes; chess figures and numbers are drawn as paths."""

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


_BY_SEAT = {"die": ("light", "dark")}
_ELSE = ("dark", "light")


def shade(piece: Piece) -> str:
    """Return the shade of a piece by its owner: `dark`, `light`, or `any` without an owner.

    Seat 0 is White with dice, and Black in the other games. The text of a piece without an owner may still begin with
    the letter of its colour, as for the buttons of a puzzle.
    """
    if piece.side in (0, 1):
        return _BY_SEAT.get(piece.shape, _ELSE)[piece.side]
    return {"B": "dark", "W": "light"}.get(piece.text[:1] if piece.shape != "die" else "", "any")


def fit(text: str) -> str:
    """Make the text valid in XML: replace illegal characters, escape `<` and `&`."""
    return escape(_UNFIT.sub("\ufffd", text), quote=False).replace('"', "&quot;")


def number(value: float) -> str:
    """Write a coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def shape(element: str, paint: str, inside: str = "", **attributes: float | str) -> str:
    """Write one SVG element of the class `paint`, with the look that `PAINT` gives it."""
    looks = "".join(
        [
            f' {name.replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
            for name, value in (PAINT[paint].attributes() | attributes).items()
        ]
    )
    opening = f'<{element} class="{paint}"{looks}'
    return f"{opening}>{inside}</{element}>" if inside else f"{opening}/>"


def words(text: str, x: float, y: float, size: float, *, paint: str = "words", **attributes: float | str) -> str:
    """Write a line of text starting at a point, or centred on it with `text_anchor="middle"`."""
    return shape("text", paint, fit(text), x=x, y=y, font_family=FONT, font_size=size, **attributes)


def group(inside: str, name: str, touch: str = "", title: str = "") -> str:
    """Write a group of the class `name`; `touch` is its token, `title` its description."""
    token = f' data-touch="{fit(touch)}"' if touch else ""
    caption = f"<title>{fit(title)}</title>" if title else ""
    return f'<g class="{name}"{token}>{caption}{inside}</g>'


def placed(inside: str, x: float, y: float, scale: float) -> str:
    """Write a group that moves a drawing to a point and scales it."""
    return f'<g transform="translate({number(x)} {number(y)}) scale({number(scale)})">{inside}</g>'
