"""Moves of Proteus with dice as plain values."""

from __future__ import annotations

from dataclasses import dataclass

NOWHERE = -1
"""Placeholder for a missing square of a turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn or half turn: a die moves from `origin` to `target`, the die on `turned` rotates.

    `face` is what that die then shows, a capital letter. A move that ends the game, or is followed by a throw, rotates
    nothing. A double rotation, or a rotation after a throw, moves nothing. Unused squares are NOWHERE, an unused face
    is "".
    """

    origin: int = NOWHERE
    target: int = NOWHERE
    turned: int = NOWHERE
    face: str = ""


@dataclass(frozen=True, slots=True)
class Throw:
    """A chance entry: the capturing die is thrown and shows `face`."""

    face: str


@dataclass(frozen=True, slots=True)
class Roll:
    """A chance entry: the throws of each side that decide who moves first; never equal."""

    white: int
    black: int


@dataclass(frozen=True, slots=True)
class Army:
    """A sealed choice of eight dice, most valuable first (Wall Street, open)."""

    faces: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A sealed set-up: faces on the starting squares, from file a to h (Wall Street, secret)."""

    faces: str


@dataclass(frozen=True, slots=True)
class Placing:
    """The placement of one die of an army on a vacant starting square (Wall Street, open)."""

    face: str
    square: int


Move = Turn | Throw | Roll | Army | Setup | Placing
