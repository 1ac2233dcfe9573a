"""A game told in words: what each entry changed on the board, as the viewer saw it.

The text is made from two scenes, before and after, each already redacted for the viewer, so it can say nothing that the
scenes do not show. Pure.
"""

from __future__ import annotations

from functools import lru_cache

from correspondence.render.scene_diff import describe_changes
from correspondence.render.viewer_game import ViewerGame, scene_for
from engines.base import Viewer


@lru_cache(maxsize=128)
def narrate(game: ViewerGame, viewer: Viewer, language: str, *, opened: bool) -> tuple[str, ...]:
    """Each entry in words, in the current language; the notation where nothing on the board changed.

    `language` names the current language and is part of the cache key.
    """
    texts = game.texts(viewer, opened=opened)
    scenes = [scene_for(game.at(ply), viewer, opened=opened) for ply in range(len(texts) + 1)]
    return tuple(
        describe_changes(before, after) or text for before, after, text in zip(scenes, scenes[1:], texts, strict=False)
    )
