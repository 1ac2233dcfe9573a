"""The forms in which a member can have boards: a diagram, the position in words, or a board for a braille display."""

from __future__ import annotations

from enum import StrEnum


class BoardForm(StrEnum):
    """How letters and pages show a position to somebody."""

    PICTURE = "picture"
    WORDS = "words"
    BRAILLE = "braille"
