"""The content of a transcript letter, which answers the commands in a mail."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

_VIEW_BOX = re.compile(r'\bviewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')


_LINK = '<a style="color:#7a4a21" href='

BEGUN = "begun:"
"""Prefix that marks the unfinished move among a letter's choices; it has no number."""


@dataclass(frozen=True, slots=True)
class PageBlock:
    """One block of a page in a letter, such as a heading, paragraph or diagram.

    `kind` is its style (section, option, heading, paragraph, item, row, example, code, diagram). `text` is its text or
    the caption of a diagram, `markup` the same as safe HTML, or "". `picture` is an SVG, `alt` its description, `width`
    its width in CSS pixels, `board` its form in the text part.
    """

    kind: str
    text: str
    markup: str = ""
    picture: str = ""
    alt: str = ""
    width: int = 0
    board: str = ""

    @property
    def words(self) -> Markup:
        """The content for the HTML part, with links in the colour used in letters."""
        return Markup(self.markup.replace("<a href=", _LINK)) if self.markup else escape(self.text)

    @property
    def picture_name(self) -> str:
        """The picture's name in the HTML part and the message; equal for equal drawings."""
        return picture_name(self.picture)

    @property
    def height(self) -> int:
        """The height of the picture at its width, in CSS pixels."""
        return height_at(self.picture, self.width)


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One answer in a transcript: the line it answers (if any), text, suggestions and a block.

    `choices` are the texts that the numbers of the suggestions select, if the suggestions only describe them. The
    numbers begin with `first`. `begun` is an unfinished move that the answer asks to complete. `page` replaces the
    block in the HTML part. `exercise` is the number of an exercise and the moves made there so far, if a reply to the
    answer makes the next one.
    """

    line: str
    text: str
    suggestions: tuple[str, ...] = ()
    block: str = ""
    choices: tuple[str, ...] = ()
    first: int = 1
    begun: str = ""
    page: tuple[PageBlock, ...] = ()
    exercise: tuple[int, tuple[str, ...]] | None = None


def pictures_of(entries: Iterable[TranscriptEntry]) -> list[str]:
    """Return the distinct pictures of the entries, in order."""
    return list(dict.fromkeys(block.picture for entry in entries for block in entry.page if block.picture))


def height_at(svg: str, width: int) -> int:
    """Return an SVG's height at a width, by its viewBox; square if it has none."""
    box = _VIEW_BOX.search(svg)
    return height_in((float(box[1]), float(box[2])) if box and float(box[1]) else (1.0, 1.0), width)


def height_in(extent: tuple[float, float], width: int) -> int:
    """Return the height of a picture with this (width, height) ratio at a width."""
    return max(1, round(width * (extent[1] / extent[0])))


def picture_name(svg: str) -> str:
    """Return the name of a picture inside any letter: a hash of its SVG."""
    return hashlib.sha256(svg.encode()).hexdigest()[:12]


def numbered(entries: Sequence[TranscriptEntry]) -> tuple[list[TranscriptEntry], tuple[str, ...]]:
    """Number a letter's suggestions consecutively; return the entries and the choices.

    The choices end with the unfinished move that the letter asks to complete, if there is exactly one, marked by BEGUN.
    """
    result: list[TranscriptEntry] = []
    choices: tuple[str, ...] = ()
    for entry in entries:
        result.append(replace(entry, first=len(choices) + 1))
        choices += entry.choices or entry.suggestions
    begun = [entry.begun for entry in result if entry.begun]
    return result, (*choices, f"{BEGUN}{begun[0]}") if len(begun) == 1 else choices
