"""Moves of Proteus with dice as plain values."""

from __future__ import annotations

from dataclasses import dataclass

NOWHERE = -1
"""Placeholder for a square that a turn does not have."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn or half turn: a die goes from `origin` to `target`, and the die on
    `turned` then shows `face`, a capital letter.

    A move that ends the game, or that a throw follows before the rotation, turns nothing; a double
    rotation, or the rotation after such a throw, moves nothing (NOWHERE, and "" for the face).
    """

    origin: int = NOWHERE
    target: int = NOWHERE
    turned: int = NOWHERE
    face: str = ""


@dataclass(frozen=True, slots=True)
class Throw:
    """Chance: the captor's die is thrown and shows `face`."""

    face: str


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance: what each side threw for the first move; never equal."""

    white: int
    black: int


@dataclass(frozen=True, slots=True)
class Army:
    """A sealed choice of eight dice, dearest first (Wall Street, open)."""

    faces: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A sealed set-up: faces on the starting squares, from file a to h (Wall Street, secret)."""

    faces: str


@dataclass(frozen=True, slots=True)
class Placing:
    """One die of an army is placed on a vacant starting square (Wall Street, open)."""

    face: str
    square: int


Move = Turn | Throw | Roll | Army | Setup | Placing
