"""Draw and cache diagrams from scenes, with marks computed by the engines."""

from __future__ import annotations

import gzip
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from correspondence.core.i18n import in_language
from correspondence.render.viewer_game import marks_between, scene_for
from correspondence.rulebook.examples import position_at
from engines import BROUGHT, svg
from engines.base import Position
from engines.presentation import Diagram, Moment
from engines.scene import Mark, Scene
from engines.wording import _

log = logging.getLogger(__name__)

_DARK_STYLE = (
    "<style>.paper{fill:none}@media(prefers-color-scheme:dark){.label{fill:#b3a594}.words{fill:#ece4d7}"
    ".count{stroke:#ece4d7}"
    ".tally{fill:#231f1b;stroke:#75685a}.sq-light{fill:#b7a27e}.sq-dark{fill:#84694b}"
    ".sq-plain,.sq-open{fill:#8b755a;stroke:#5c4a37}.space{fill:#a08a6a;stroke:#5c4a37}"
    ".frame{stroke:#4a3b2d}.body-light,.wall-light{fill:#f4ecdc}.body-dark,.wall-dark{fill:#26211d}}</style>"
)
"""The board's colours on dark pages, as in the pages' style sheet."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn diagram: SVG document, the same gzipped, alternative text, and size in user units."""

    document: str
    gzipped: bytes
    alt: str
    width: int
    height: int

    def sized(self, width: int) -> str:
        """Return the document with a fixed width in CSS pixels and proportional height."""
        size = f'width="{width}" height="{round(width * self.height / self.width)}"'
        return self.document.replace("<svg ", f"<svg {size} ", 1)


@lru_cache(maxsize=512)
def drawn(key: str, diagram: Diagram, language: str) -> Picture | None:
    """Draw a diagram with texts in `language`; log a failure of its game and return None."""
    try:
        return _drawn(key, diagram, language)
    except Exception:
        if key not in BROUGHT:
            raise
        log.warning("the diagram %s of %s is left out", diagram.name, key, exc_info=True)
        return None


def _drawn(key: str, diagram: Diagram, language: str) -> Picture:
    with in_language(language):
        scene = scene_of(key, diagram)
        document = _with_dark_style(svg.render(scene))
        alt = _(diagram.alt) if diagram.alt else _words(scene)
    width, height = map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', document)[0])
    return Picture(document, gzip.compress(document.encode(), mtime=0), alt, round(width), round(height))


def scene_of(key: str, diagram: Diagram) -> Scene:
    """Return a diagram's scene as its viewer sees it, with the last move or the targets marked."""
    position = position_at(key, diagram.moment)
    scene = replace(_seen(position, diagram), marks=())
    scene = scene.marked(*_marks(key, position, diagram))
    if not diagram.beside:
        scene = replace(scene, trays=(), notes=())
    return _cropped(scene, *diagram.crop) if diagram.crop else scene


def targets(position: Position[Any], diagram: Diagram) -> tuple[str, ...]:
    """Return the squares where a legal move can go after the diagram's touches."""
    start = diagram.reach or ()
    names = {cell.name for row in position.draw().rows for cell in row}
    tokens = (path[len(start)] for path in _paths(position, diagram.sign) if _begins(path, start))
    return tuple(dict.fromkeys(token for token in tokens if token in names))


def _paths(position: Position[Any], sign: str) -> Iterator[tuple[str, ...]]:
    for seat in position.to_act[:1]:
        for move in position.legal_moves(seat):
            if not sign or sign in position.write(seat, move):
                yield position.touches(seat, move)


def _begins(path: tuple[str, ...], start: tuple[str, ...]) -> bool:
    return len(path) > len(start) and path[: len(start)] == start


def _marks(key: str, position: Position[Any], diagram: Diagram) -> tuple[Mark, ...]:
    if diagram.reach is not None:
        start = (Mark(token, "from") for token in diagram.reach)
        return (*start, *(Mark(name, "hint") for name in targets(position, diagram)))
    return _last_move_marks(key, diagram) if diagram.moment.played else ()


def _last_move_marks(key: str, diagram: Diagram) -> tuple[Mark, ...]:
    """Return marks for the last move played."""
    moment = diagram.moment
    *earlier, last = moment.played
    before = position_at(key, Moment(moment.position, tuple(earlier), moment.options))
    seat = before.to_act[0]
    touched = before.touches(seat, before.read(seat, last))
    return marks_between(_seen(before, diagram), _seen(position_at(key, moment), diagram), touched)


def _seen(position: Position[Any], diagram: Diagram) -> Scene:
    if diagram.eyes == "all":
        return position.draw()
    return scene_for(position, diagram.eyes, opened=False)


def _cropped(scene: Scene, one: str, other: str) -> Scene:
    """Return the part of a scene between two of its squares, the top left one first."""
    files = slice(scene.files.index(one[0]), scene.files.index(other[0]) + 1)
    ranks = slice(scene.ranks.index(one[1:]), scene.ranks.index(other[1:]) + 1)
    rows = tuple(row[files] for row in scene.rows[ranks])
    return replace(scene, files=scene.files[files], ranks=scene.ranks[ranks], rows=rows)


def _words(scene: Scene) -> str:
    """Describe the position and the marked squares."""
    hinted = [one.cell for one in scene.marks if one.kind == "hint"]
    if not hinted:
        return scene.summary
    return _("{summary} Marked: {squares}.").format(summary=scene.summary, squares=", ".join(hinted))


def _with_dark_style(document: str) -> str:
    """Add the colours for dark pages to the document."""
    head, tail = document.split("</desc>", 1)
    return f"{head}</desc>{_DARK_STYLE}{tail}"
