"""Board formats that a member can choose: diagram, words or braille."""

from __future__ import annotations

from enum import StrEnum


class BoardForm(StrEnum):
    """The form in which letters and pages show a position to a member."""

    PICTURE = "picture"
    WORDS = "words"
    BRAILLE = "braille"
