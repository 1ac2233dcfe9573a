"""The rules of the games: pure values, no input or output, nothing but the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engines.base import Game

GAMES: Mapping[str, Game] = MappingProxyType({})
"""Every game by its key."""
