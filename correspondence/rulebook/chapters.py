"""Chapters of the rules: diagrams and examples, checked and drawn by the engines.

A chapter belongs to its game (`Game.presentation`); a game without one gets a default here.
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
"""The chapter of a plug-in game that fails in random play."""


def _chapter(game: Game) -> Chapter:
    try:
        return chapter_of(game)
    except Exception:
        if game.key not in BROUGHT:
            raise
        log.warning("the rules page of %s shows no board", game.key, exc_info=True)
        return EMPTY


CHAPTERS: Mapping[str, Chapter] = MappingProxyType({key: _chapter(game) for key, game in GAMES.items()})
"""The chapter of each game, by key."""
