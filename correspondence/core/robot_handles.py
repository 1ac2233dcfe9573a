"""Robot handles: build, parse and reserve them."""

from __future__ import annotations

import re

USUAL_LEVEL = 2
"""Default robot level, also against players without a rating."""

_PATTERN = re.compile(r"([a-z][a-z0-9-]{1,29})-robot-[0-9]{1,2}", re.IGNORECASE)

_AS_LETTERS = str.maketrans({"0": "o", "8": "b", "6": "b", "7": "t", "1": "t", "-": None, "_": None})
"""Digits that look like letters of “robot”, and punctuation to ignore between its letters."""


def handle_of(game_key: str, level: int) -> str:
    """Return the reserved handle of the robot that plays a game at a level."""
    return f"{game_key}-robot-{level}"


def game_of(handle: str) -> str:
    """Return the game key in a robot's handle; empty if it is not a robot's handle."""
    named = _PATTERN.fullmatch(handle)
    return named[1].casefold() if named else ""


def looks_like_robot(handle: str) -> bool:
    """Whether a handle looks like a robot's: digits count as letters, punctuation is ignored."""
    return "robot" in handle.casefold().translate(_AS_LETTERS)
