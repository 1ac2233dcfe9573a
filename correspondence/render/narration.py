"""Describe a game in words: the changes by each entry, as the viewer saw them. Pure.

The text is made from the scenes before and after an entry, each already redacted for the viewer, so it cannot reveal
anything that the scenes do not show.
"""

from __future__ import annotations

from correspondence.core.caching import cached
from correspondence.render.scene_diff import describe_changes
from correspondence.render.viewer_game import ViewerGame, scene_for
from engines import GAMES
from engines.base import CHANCE, Viewer
from engines.wording import _


@cached(16)
def narrate(game: ViewerGame, viewer: Viewer, language: str, *, opened: bool) -> tuple[str, ...]:
    """Describe each entry in the current language, by notation if the board did not change.

    `language` is the current language, as part of the cache key.
    """
    texts = game.texts(viewer, opened=opened)
    scenes = [scene_for(game.at(ply), viewer, opened=opened) for ply in range(len(texts) + 1)]
    return tuple(
        describe_changes(before, after) or text for before, after, text in zip(scenes, scenes[1:], texts, strict=False)
    )


def sentence(game: ViewerGame, ply: int, viewer: Viewer, *, opened: bool) -> str:
    """Describe entry number `ply`, with the player's name first; empty for the start."""
    if ply == 0:
        return ""
    before, after = (game.unmarked(at, viewer, opened=opened) for at in (ply - 1, ply))
    words = describe_changes(before, after) or game.texts(viewer, opened=opened)[ply - 1]
    return with_mover(game, ply, words)


def with_mover(game: ViewerGame, ply: int, words: str) -> str:
    """Prefix a description with the player's name, unless it already begins with it."""
    seat, rules = game.entries[ply - 1].seat, GAMES[game.key]
    names = {CHANCE: rules.presentation.chance, **dict(enumerate(rules.seats))}
    mover = _(names[seat]) if seat in names else str(seat)  # a seat that was altered in the database is shown unchanged
    return words if words.startswith(mover) else _("{mover}: {words}").format(mover=mover, words=words)
