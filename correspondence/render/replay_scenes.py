"""All scenes of a game for one viewer as compact JSON, for offline replay on a page. Pure.

Every picture is the SVG of its position's page, cut into its top-level shapes. Shapes and tags that recur are stored
once, so a long game is little larger than a few boards. The JSON contains only what its viewer may see.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from correspondence.core.caching import cached
from correspondence.render.board_text import board_text
from correspondence.render.narration import narrate, with_mover
from correspondence.render.scene_diff import moved_pieces
from correspondence.render.viewer_game import ViewerGame, scene_svg
from engines.base import Seat, Viewer
from engines.scene import Scene
from engines.spoken import sentences

Words = list[int]
"""A list of texts without duplicates, numbered in the order of first use."""

_TAGS = re.compile(r"<[^>]*>|[^<]+")


Kept = TypeVar("Kept")


def _number(numbers: dict[Kept, int], value: Kept) -> int:
    """Return the number of a value, and add it at its first use."""
    return numbers.setdefault(value, len(numbers))


@cached(8)
def replay_json(
    game: ViewerGame, viewer: Viewer, language: str, *, opened: bool, bottom: Seat, board: str = "picture"
) -> str:
    """Return the replay for this viewer as JSON, with the side of `bottom` below.

    `pictures[0]` lists the shapes of the first picture. Each later one lists all its shapes, or pairs of an index and
    the shape that differs there. A shape is a list of `tags`. `told`, `notes`, `rules` and `sentences` are indices into
    `texts`. `glides` are the pieces that each entry moved. `language` is the current language. `boards` holds the text
    board of each position, if `board` is words or braille.
    """
    scenes = [game.scene(ply, viewer, opened=opened) for ply in range(len(game.entries) + 1)]
    texts: dict[str, int] = {}
    words = narrate(game, viewer, language, opened=opened)
    moves = (with_mover(game, ply, sentence) for ply, sentence in enumerate(words, start=1))
    data = {
        **_pictures([scene_svg(scene, bottom) for scene in scenes]),
        "told": _words(texts, moves),
        "notes": [_words(texts, scene.brief_notes) for scene in scenes],
        "rules": [[_words(texts, (rule.name, rule.meaning)) for rule in scene.in_force] for scene in scenes],
        "sentences": [_words(texts, sentences(scene)) for scene in scenes],
        "glides": [moved_pieces(before, after) for before, after in pairwise(scenes)],
        "boards": _boards(texts, scenes, board, bottom),
        "texts": list(texts),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _words(texts: dict[str, int], shown: Iterable[str]) -> Words:
    return [_number(texts, text) for text in shown]


def _boards(texts: dict[str, int], scenes: Sequence[Scene], board: str, bottom: Seat) -> Words:
    if board in ("picture", "words"):
        return []
    return _words(texts, (board_text(scene, board, bottom) for scene in scenes))


def _pictures(drawings: Sequence[str]) -> dict[str, Any]:
    shapes: dict[tuple[str, ...], int] = {}
    tags: dict[str, int] = {}
    listed = [[_number(shapes, shape) for shape in _shapes(drawing)] for drawing in drawings]
    changes = [_changes(before, after) for before, after in pairwise(listed)]
    return {
        "pictures": [*listed[:1], *changes],
        "shapes": [[_number(tags, tag) for tag in shape] for shape in shapes],
        "tags": list(tags),
    }


def _changes(before: list[int], after: list[int]) -> list[Any]:
    """Return the shapes that differ from the previous picture's, or all if their number differs."""
    if len(before) != len(after):
        return after
    return [[at, shape] for at, (old, shape) in enumerate(zip(before, after, strict=True)) if old != shape]


def _shapes(drawing: str) -> Iterator[tuple[str, ...]]:
    """Return the opening tag of the drawing, then every top-level shape as its tags and texts."""
    opening, *tags = _TAGS.findall(drawing.removesuffix("</svg>"))
    yield (opening,)
    depth, shape = 0, []
    for tag in tags:
        shape.append(tag)
        depth += -1 if tag.startswith("</") else 0 if tag[0] != "<" or tag.endswith("/>") else 1
        if depth == 0:
            yield tuple(shape)
            shape = []
