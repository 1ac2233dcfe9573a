"""Options of Proteus with dice: five independent variants, and the pawn's double step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Roulette(Enum):
    """Russian Roulette: a capturing die is thrown, before or after the rotation of that turn."""

    NONE = "none"
    BEFORE = "before"
    AFTER = "after"


class WallStreet(Enum):
    """Wall Street: players buy their starting dice and place them, in turn or in secret."""

    NONE = "none"
    OPEN = "open"
    SECRET = "secret"


class PawnDouble(Enum):
    """When a pawn may step two squares: from its starting squares, or only on its first move."""

    HOME = "home"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game."""

    trade_off: bool = False
    roulette: Roulette = Roulette.NONE
    wall_street: WallStreet = WallStreet.NONE
    polarity: bool = False
    warhorses: bool = False
    pawn_double: PawnDouble = PawnDouble.HOME
