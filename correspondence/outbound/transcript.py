"""The entries of a transcript letter, which answers a mail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One answer in a transcript: the line it answers (if any), the answer, suggestions and a block of text.

    `choices` are the texts that the numbers of the suggestions stand for, if the suggestions only describe them. The
    numbers begin with `first`.
    """

    line: str
    text: str
    suggestions: tuple[str, ...] = ()
    block: str = ""
    choices: tuple[str, ...] = ()
    first: int = 1


def numbered(entries: Sequence[TranscriptEntry]) -> tuple[list[TranscriptEntry], tuple[str, ...]]:
    """Number the suggestions of all entries of a letter in a row; returns the entries and what the numbers stand for."""
    result: list[TranscriptEntry] = []
    choices: tuple[str, ...] = ()
    for entry in entries:
        result.append(replace(entry, first=len(choices) + 1))
        choices += entry.choices or entry.suggestions
    return result, choices
