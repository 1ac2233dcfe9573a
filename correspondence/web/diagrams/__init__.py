"""The diagrams and examples of the rules pages: real positions as data, played and drawn by the engines."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from correspondence.web.diagrams import duel, duel_puzzle, plateau, proteus_dice, proteus_tiles
from correspondence.web.diagrams.moments import Chapter, Diagram, Example, Moment

__all__ = ["CHAPTERS", "Chapter", "Diagram", "Example", "Moment"]

CHAPTERS: Mapping[str, Chapter] = MappingProxyType(
    {
        "proteus-dice": proteus_dice.CHAPTER,
        "proteus-tiles": proteus_tiles.CHAPTER,
        "duel": duel.CHAPTER,
        "duel-puzzle": duel_puzzle.CHAPTER,
        "plateau": plateau.CHAPTER,
    }
)
"""What the page of each game shows, by the game's key."""
