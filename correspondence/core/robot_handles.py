"""Handles of robots: how they are made, read, and kept from everybody else."""

from __future__ import annotations

import re

USUAL_LEVEL = 2
"""The level of the robot that plays where none is named, and with those who have no rating."""

_PATTERN = re.compile(r"([a-z][a-z0-9-]{1,29})-robot-[0-9]{1,2}", re.IGNORECASE)

_AS_LETTERS = str.maketrans({"0": "o", "8": "b", "6": "b", "7": "t", "1": "t", "-": None, "_": None})
"""Digits that look like letters of “robot”, and marks that may stand between its letters."""


def handle_of(game_key: str, level: int) -> str:
    """The handle of the robot that plays a game at a level, which nobody else can take."""
    return f"{game_key}-robot-{level}"


def game_of(handle: str) -> str:
    """The key of the game that a robot of this handle would play; empty for a handle of another form."""
    named = _PATTERN.fullmatch(handle)
    return named[1].casefold() if named else ""


def looks_like_robot(handle: str) -> bool:
    """Whether a handle could be taken for that of a robot, digits for letters and marks between them included."""
    return "robot" in handle.casefold().translate(_AS_LETTERS)
