"""A game told in words: what each entry changed on the board, as its viewer saw it.

The words come from two pictures, before and after, each already redacted for the viewer; so they can
say nothing that the pictures do not show. Pure.
"""

from __future__ import annotations

from functools import lru_cache

from correspondence.render.scene_diff import changes
from correspondence.render.viewer_game import ViewerGame, seen
from engines.base import Viewer


@lru_cache(maxsize=128)
def narrated(course: ViewerGame, viewer: Viewer, language: str, *, opened: bool) -> tuple[str, ...]:
    """Each entry in words, in the language spoken now, which `language` names; the notation where nothing moved."""
    told = course.told(viewer, opened=opened)
    pictures = [seen(course.at(ply), viewer, opened=opened) for ply in range(len(told) + 1)]
    return tuple(
        changes(before, after) or text for before, after, text in zip(pictures, pictures[1:], told, strict=False)
    )
