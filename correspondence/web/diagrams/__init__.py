"""The diagrams and examples of the rules pages: positions as data, played and drawn by the engines."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from correspondence.web.diagrams.duel import CHAPTER as DUEL
from correspondence.web.diagrams.duel_puzzle import CHAPTER as DUEL_PUZZLE
from correspondence.web.diagrams.examples import Chapter, Diagram, Example, Moment
from correspondence.web.diagrams.plateau import CHAPTER as PLATEAU
from correspondence.web.diagrams.proteus_dice import CHAPTER as PROTEUS_DICE
from correspondence.web.diagrams.proteus_tiles import CHAPTER as PROTEUS_TILES

__all__ = ["CHAPTERS", "Chapter", "Diagram", "Example", "Moment"]

CHAPTERS: Mapping[str, Chapter] = MappingProxyType(
    {
        "proteus-dice": PROTEUS_DICE,
        "proteus-tiles": PROTEUS_TILES,
        "duel": DUEL,
        "duel-puzzle": DUEL_PUZZLE,
        "plateau": PLATEAU,
    }
)
"""The content of each game's rules page, by the game's key."""
