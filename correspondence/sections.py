"""What a transcript letter is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """One answer in a transcript: the line it answers (if any), the answer, what to try instead, a block of text."""

    line: str
    text: str
    suggestions: tuple[str, ...] = ()
    block: str = ""
