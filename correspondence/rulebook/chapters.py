"""What each game shows of its rules: diagrams and examples, real positions as data, played and drawn by the engines.

What a page shows belongs to the game (`Game.presentation`); a game that brings no chapter of its own gets one here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from correspondence.rulebook.examples import chapter_of
from engines import GAMES
from engines.presentation import Chapter, Diagram, Example, Moment

__all__ = ["CHAPTERS", "Chapter", "Diagram", "Example", "Moment"]

CHAPTERS: Mapping[str, Chapter] = MappingProxyType({key: chapter_of(game) for key, game in GAMES.items()})
"""What the page of each game shows, by the game's key."""
