"""The entries of a transcript letter, which answers a mail."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

_VIEW_BOX = re.compile(r'\bviewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')


_LINK = '<a style="color:#7a4a21" href='

BEGUN = "begun:"
"""What marks, among the choices of a letter, half a move that an answer completes; it has no number."""


@dataclass(frozen=True, slots=True)
class PageBlock:
    """One piece of a page inside a letter: a heading, a paragraph, a diagram.

    `kind` is how it is shown (section, option, heading, paragraph, item, row, example, code, diagram). `text` are its words
    or the caption of a diagram, `markup` the same words as safe HTML, or "". `picture` is an SVG, `alt` what it shows,
    `width` how wide in CSS pixels, `board` the same for the text part.
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
        """The words for the HTML part; links have the colour of all others in letters."""
        return Markup(self.markup.replace("<a href=", _LINK)) if self.markup else escape(self.text)

    @property
    def picture_name(self) -> str:
        """The name by which the HTML part and the message call the picture: the same for the same drawing."""
        return picture_name(self.picture)

    @property
    def height(self) -> int:
        """How high the picture is at its width, in CSS pixels."""
        return height_at(self.picture, self.width)


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One answer in a transcript: the line it answers (if any), the answer, suggestions and a block of text.

    `choices` are the texts that the numbers of the suggestions stand for, if the suggestions only describe them. The
    numbers begin with `first`. `begun` is half a move that the answer asks to go on with. `page` is what the HTML part
    shows in place of the block. `exercise` is the number of an exercise and the moves made there so far, where a reply to
    the answer makes the next one.
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
    """The pictures that entries show, each once, in order."""
    return list(dict.fromkeys(block.picture for entry in entries for block in entry.page if block.picture))


def height_at(svg: str, width: int) -> int:
    """How high an SVG is when it is so wide, by its viewBox; as high as wide where it has none."""
    box = _VIEW_BOX.search(svg)
    return height_in((float(box[1]), float(box[2])) if box and float(box[1]) else (1.0, 1.0), width)


def height_in(extent: tuple[float, float], width: int) -> int:
    """How high a picture of these proportions, width and height, is when it is so wide."""
    return max(1, round(width * (extent[1] / extent[0])))


def picture_name(svg: str) -> str:
    """What a picture is called inside a letter, whatever else the letter holds."""
    return hashlib.sha256(svg.encode()).hexdigest()[:12]


def numbered(entries: Sequence[TranscriptEntry]) -> tuple[list[TranscriptEntry], tuple[str, ...]]:
    """Number the suggestions of all entries of a letter in a row; returns the entries and what the numbers stand for.

    Behind these stands the half of a move that the letter asks to complete, if it asks for one, marked by BEGUN.
    """
    result: list[TranscriptEntry] = []
    choices: tuple[str, ...] = ()
    for entry in entries:
        result.append(replace(entry, first=len(choices) + 1))
        choices += entry.choices or entry.suggestions
    begun = [entry.begun for entry in result if entry.begun]
    return result, (*choices, f"{BEGUN}{begun[0]}") if len(begun) == 1 else choices
