"""The options of Proteus with dice: five variants that mix freely, and when a pawn steps two squares."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Roulette(Enum):
    """Russian Roulette: a capturing die is thrown, before or after the rotation of that turn."""

    NONE = "none"
    BEFORE = "before"
    AFTER = "after"


class WallStreet(Enum):
    """Wall Street: the players buy their starting dice and place them in turn, or all at once in secret."""

    NONE = "none"
    OPEN = "open"
    SECRET = "secret"


class PawnDouble(Enum):
    """When a pawn may step two squares: from its side's starting squares, or only before its first move."""

    HOME = "home"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Options:
    """The rules in force."""

    trade_off: bool = False
    roulette: Roulette = Roulette.NONE
    wall_street: WallStreet = WallStreet.NONE
    polarity: bool = False
    warhorses: bool = False
    pawn_double: PawnDouble = PawnDouble.HOME
