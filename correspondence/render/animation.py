"""A whole game as one animated SVG, using only CSS animation. Pure.

Shapes that stay the same are drawn once, so a game of a hundred moves is little larger than a dozen boards. A viewer
who prefers reduced motion sees the final position.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

from correspondence.render.viewer_game import ViewerGame
from engines import svg
from engines.base import Viewer
from engines.scene import Scene
from engines.svg.paint import fit

SECONDS = 1.2
"""Seconds per position; the last one is shown four times as long."""

MOST_MOMENTS = 160
"""Maximum number of positions; of longer games, every second, third, … is shown."""

MOST_CHARACTERS = 1_000_000
"""Maximum size of the SVG in characters; if it is larger, fewer positions are shown."""

_NAMESPACE = "http://www.w3.org/2000/svg"


def moments(ply: int, most: int = MOST_MOMENTS) -> tuple[int, ...]:
    """Return the positions to show of a game with `ply` entries: all, or evenly spaced ones.

    The last one is always included.
    """
    stride = -(-(ply + 1) // most)
    return tuple(sorted({*range(0, ply + 1, stride), ply}))


def animated_svg(game: ViewerGame, viewer: Viewer, *, opened: bool, lasts: float = 0) -> str:
    """Return a game, as this viewer may see it, as a looping animated SVG.

    `lasts` is the duration in seconds; by default it depends on the number of positions.
    """
    most = MOST_MOMENTS
    while len(drawing := _animated_svg(game, viewer, opened, most, lasts)) > MOST_CHARACTERS and most > 2:
        most //= 2
    return drawing


def film_frames(game: ViewerGame, viewer: Viewer, *, opened: bool, most: int) -> tuple[str, ...]:
    """Return the animation as at most `most` drawings.

    The last one should be shown four times as long as the others.
    """
    scenes = (game.scene(at, viewer, opened=opened) for at in moments(len(game.entries), most - 1))
    return tuple(svg.render(replace(scene, notes=(), trays=()), bottom=viewer or 0) for scene in scenes)


def _animated_svg(game: ViewerGame, viewer: Viewer, opened: bool, most: int, lasts: float) -> str:
    ElementTree.register_namespace("", _NAMESPACE)
    scenes = [game.scene(at, viewer, opened=opened) for at in moments(len(game.entries), most)]
    frames = [_frame(replace(scene, notes=(), trays=()), viewer) for scene in scenes]
    spans = _spans(frames)
    seconds = lasts or (len(frames) + 3) * SECONDS
    style = _style(sorted({times for _place, times, _shape in spans}), len(frames), seconds)
    labels = f"<title>{fit(scenes[-1].title)}</title><desc>{fit(scenes[-1].summary)}</desc>"
    shapes = "".join(f'<g class="m m{_name(times)}">{shape}</g>' for _place, times, shape in spans)
    box = frames[0].attrib["viewBox"]
    return f'<svg xmlns="{_NAMESPACE}" viewBox="{box}" role="img">{labels}<style>{style}</style>{shapes}</svg>'


def _frame(scene: Scene, viewer: Viewer) -> ElementTree.Element:
    frame = ElementTree.fromstring(svg.render(scene, bottom=viewer or 0))
    for parent in [*frame.iter()]:
        for title in parent.findall(f"{{{_NAMESPACE}}}title"):
            parent.remove(title)
    return frame


Times = tuple[int, int]
"""The first position in which a shape is shown, and the first in which it no longer is."""


def _spans(frames: Sequence[ElementTree.Element]) -> list[tuple[int, Times, str]]:
    """Return every shape with its drawing order and the spans in which it is shown."""
    shown_since: dict[tuple[int, str], int] = {}
    spans: list[tuple[int, Times, str]] = []
    for at, frame in enumerate(frames):
        shapes = {(place, _source(child)) for place, child in enumerate(frame) if not child.tag.endswith("desc")}
        spans += [(key[0], (shown_since.pop(key), at), key[1]) for key in [*shown_since] if key not in shapes]
        shown_since.update((key, at) for key in shapes if key not in shown_since)
    spans += [(key[0], (since, len(frames)), key[1]) for key, since in shown_since.items()]
    return sorted(spans)


def _source(element: ElementTree.Element) -> str:
    return re.sub(r' xmlns="[^"]*"', "", ElementTree.tostring(element, encoding="unicode"))


def _name(times: Times) -> str:
    return f"{times[0]}-{times[1]}"


def _style(all_times: Sequence[Times], count: int, seconds: float) -> str:
    duration = count + 3
    rules = [f".m{{animation-duration:{seconds:g}s;animation-timing-function:step-end;"
             "animation-iteration-count:infinite}"]  # fmt: skip
    for begin, end in all_times:
        if (begin, end) == (0, count):
            continue
        name = _name((begin, end))
        start, stop = (f"{100 * at / duration:.4g}%" for at in (begin, end))
        steps = f"0%{{visibility:{'visible' if begin == 0 else 'hidden'}}}"
        steps += f"{start}{{visibility:visible}}" if begin else ""
        steps += f"{stop}{{visibility:hidden}}" if end < count else ""
        rules.append(f"@keyframes k{name}{{{steps}}}.m{name}{{animation-name:k{name}"
                     f"{'' if end == count else ';visibility:hidden'}}}")  # fmt: skip
    rules.append("@media(prefers-reduced-motion:reduce){.m{animation:none}}")
    return "".join(rules)
