"""What a transcript letter is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One answer in a transcript: the line it answers (if any), the answer, what to try instead, a block of text.

    `choices` are what the numbers of the suggestions stand for, where those only describe it.
    """

    line: str
    text: str
    suggestions: tuple[str, ...] = ()
    block: str = ""
    choices: tuple[str, ...] = ()
