"""A whole game as one moving picture: an SVG that shows every moment in turn, by style sheet alone.

What stays the same from one moment to the next is drawn once, so a game of a hundred moves weighs little
more than a dozen boards. Whoever asks for less motion sees the end, standing still. Pure.
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
"""How long a moment is shown; the last stands four times as long."""

MOST_MOMENTS = 160
"""Longer games are shown by every second, third … moment."""

MOST_CHARACTERS = 1_000_000
"""A picture that would be longer shows fewer moments."""

_NAMESPACE = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", _NAMESPACE)


def moments(ply: int, most: int = MOST_MOMENTS) -> tuple[int, ...]:
    """Which moments of a game of so many entries are shown: all, or evenly chosen ones and the last."""
    stride = -(-(ply + 1) // most)
    return tuple(sorted({*range(0, ply + 1, stride), ply}))


def film(course: ViewerGame, viewer: Viewer, *, opened: bool) -> str:
    """The course of a game as this viewer may see it, as one SVG document that plays by itself, again and again."""
    most = MOST_MOMENTS
    while len(made := _film(course, viewer, opened, most)) > MOST_CHARACTERS and most > 2:
        most //= 2
    return made


def _film(course: ViewerGame, viewer: Viewer, opened: bool, most: int) -> str:
    scenes = [course.scene(at, viewer, opened=opened) for at in moments(len(course.entries), most)]
    frames = [_frame(replace(scene, notes=(), trays=()), viewer) for scene in scenes]
    spans = _spans(frames)
    style = _style(sorted({times for _place, times, _shape in spans}), len(frames))
    words = f"<title>{fit(scenes[-1].title)}</title><desc>{fit(scenes[-1].summary)}</desc>"
    shapes = "".join(f'<g class="m m{_name(times)}">{shape}</g>' for _place, times, shape in spans)
    box = frames[0].attrib["viewBox"]
    return f'<svg xmlns="{_NAMESPACE}" viewBox="{box}" role="img">{words}<style>{style}</style>{shapes}</svg>'


def _frame(scene: Scene, viewer: Viewer) -> ElementTree.Element:
    frame = ElementTree.fromstring(svg.render(scene, bottom=viewer or 0))
    for parent in [*frame.iter()]:
        for title in parent.findall(f"{{{_NAMESPACE}}}title"):
            parent.remove(title)
    return frame


Times = tuple[int, int]
"""From which moment on something is shown, and from which on no longer."""


def _spans(frames: Sequence[ElementTree.Element]) -> list[tuple[int, Times, str]]:
    """Every thing that is drawn, with its place in the order of drawing and when it is shown."""
    running: dict[tuple[int, str], int] = {}
    spans: list[tuple[int, Times, str]] = []
    for at, frame in enumerate(frames):
        drawn = {(place, _source(child)) for place, child in enumerate(frame) if not child.tag.endswith("desc")}
        spans += [(key[0], (running.pop(key), at), key[1]) for key in [*running] if key not in drawn]
        running.update((key, at) for key in drawn if key not in running)
    spans += [(key[0], (since, len(frames)), key[1]) for key, since in running.items()]
    return sorted(spans)


def _source(element: ElementTree.Element) -> str:
    return re.sub(r' xmlns="[^"]*"', "", ElementTree.tostring(element, encoding="unicode"))


def _name(times: Times) -> str:
    return f"{times[0]}-{times[1]}"


def _style(all_times: Sequence[Times], count: int) -> str:
    lasts = count + 3
    rules = [f".m{{animation-duration:{lasts * SECONDS:g}s;animation-timing-function:step-end;"
             "animation-iteration-count:infinite}"]  # fmt: skip
    for begin, end in all_times:
        if (begin, end) == (0, count):
            continue
        name = _name((begin, end))
        start, stop = (f"{100 * at / lasts:.4g}%" for at in (begin, end))
        steps = f"0%{{visibility:{'visible' if begin == 0 else 'hidden'}}}"
        steps += f"{start}{{visibility:visible}}" if begin else ""
        steps += f"{stop}{{visibility:hidden}}" if end < count else ""
        rules.append(f"@keyframes k{name}{{{steps}}}.m{name}{{animation-name:k{name}"
                     f"{'' if end == count else ';visibility:hidden'}}}")  # fmt: skip
    rules.append("@media(prefers-reduced-motion:reduce){.m{animation:none}}")
    return "".join(rules)
