"""What each game shows of its rules: diagrams and examples, real positions as data, played and drawn by the engines.

What a page shows belongs to the game (`Game.presentation`); a game that brings no chapter of its own gets one here.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import MappingProxyType

from correspondence.rulebook.examples import chapter_of
from engines import BROUGHT, GAMES
from engines.base import Game
from engines.presentation import Chapter, Diagram, Example, Moment

__all__ = ["CHAPTERS", "Chapter", "Diagram", "Example", "Moment"]

log = logging.getLogger(__name__)

EMPTY = Chapter((), (), Moment(), "", {})
"""What the page shows of a game of a package that cannot even be played at random."""


def _chapter(game: Game) -> Chapter:
    try:
        return chapter_of(game)
    except Exception:
        if game.key not in BROUGHT:
            raise
        log.warning("the rules page of %s shows no board", game.key, exc_info=True)
        return EMPTY


CHAPTERS: Mapping[str, Chapter] = MappingProxyType({key: _chapter(game) for key, game in GAMES.items()})
"""What the page of each game shows, by the game's key."""
