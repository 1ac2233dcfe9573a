"""The entries of a transcript letter, which answers a mail."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One answer in a transcript: the line it answers (if any), the answer, suggestions and a block of text.

    `choices` are the texts that the numbers of the suggestions stand for, if the suggestions only describe them.
    """

    line: str
    text: str
    suggestions: tuple[str, ...] = ()
    block: str = ""
    choices: tuple[str, ...] = ()
