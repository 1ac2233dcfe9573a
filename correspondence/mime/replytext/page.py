"""The lines of a body, each marked as the person's, quoted, signature or doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto

from .announcements import OurNames
from .lines import Line


class LineMark(Enum):
    """The mark of a line: the person's, quoted, signature or doubtful."""

    OWN = auto()
    QUOTE = auto()
    SIGNATURE = auto()
    DOUBT = auto()
    """Possibly the person's: neither executed nor passed on, only shown to the person."""


class Page:
    """The lines of a body with their current marks."""

    def __init__(self, lines: Sequence[Line], names: OurNames) -> None:
        self.lines = lines
        self.names = names
        self.texts = [line.text for line in lines]
        self.marks = [LineMark.QUOTE if line.quoted else LineMark.OWN for line in lines]
        self.size = len(lines)

    def is_blank(self, index: int) -> bool:
        """Whether this line is blank."""
        return not self.texts[index].strip()

    def is_own(self, index: int) -> bool:
        """Whether this line is not blank and currently marked as the person's."""
        return self.marks[index] is LineMark.OWN and not self.is_blank(index)

    def is_quote(self, index: int) -> bool:
        """Whether this line is currently marked as quoted."""
        return self.marks[index] is LineMark.QUOTE

    def below(self, index: int) -> int:
        """Return the index of the next non-blank line; the size if there is none."""
        return next((i for i in range(index + 1, self.size) if not self.is_blank(i)), self.size)

    def above(self, index: int) -> int:
        """Return the index of the last non-blank line before `index`; -1 if there is none."""
        return next((i for i in range(index - 1, -1, -1) if not self.is_blank(i)), -1)

    def quote(self, indices: Iterable[int]) -> None:
        """Mark these lines as quoted."""
        for index in indices:
            self.marks[index] = LineMark.QUOTE

    def sign(self, indices: Iterable[int]) -> None:
        """Mark these lines as a signature."""
        for index in indices:
            self.marks[index] = LineMark.SIGNATURE

    def own(self, indices: Iterable[int]) -> None:
        """Mark these lines as the person's."""
        for index in indices:
            self.marks[index] = LineMark.OWN

    def doubt(self, indices: Iterable[int]) -> None:
        """Mark these lines as doubtful."""
        for index in indices:
            self.marks[index] = LineMark.DOUBT
