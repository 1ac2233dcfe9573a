"""Our own letters, found again in an answer however a mail program re-wrapped or re-told them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .cleaning import clean, folded, skeleton
from .limits import SENT_LIMIT

HIT_LENGTH = 12
"""Characters from which on a piece of a sent line counts as one, wherever it was broken."""

RUN_LENGTH = 3
"""Lines of ours in a row that make a quotation; blank lines are not counted."""

_CELL_GAP = 24
_PART_GAP = "\0" * 100


def _rows(texts: Sequence[str]) -> Iterator[str]:
    room = SENT_LIMIT
    for text in texts:
        yield from clean(text[:room]).split("\n")
        yield _PART_GAP
        room -= len(text)
        if room <= 0:
            return


class Sent:
    """The texts that were sent for one token, the likeliest first, indexed for comparing."""

    def __init__(self, texts: Sequence[str]) -> None:
        rows = list(_rows(texts))
        self._lines = frozenset(filter(None, map(folded, rows)))
        self._joined = " ".join(folded(row) for row in rows if row is not _PART_GAP)
        self._skeleton = "".join(row if row is _PART_GAP else skeleton(row) for row in rows)
        self._words = frozenset(self._joined.split())

    def holds(self, line: str) -> bool:
        """Whether `line` is a line of ours, or long enough and part of one."""
        return folded(line) in self._lines or self.holds_long(line)

    def holds_long(self, line: str) -> bool:
        """Whether `line` is part of our text, and too long to be so by chance."""
        form = folded(line)
        if len(form) >= HIT_LENGTH and form in self._joined:
            return True
        bones = skeleton(line)
        return len(bones) >= HIT_LENGTH and bones in self._skeleton

    def run(self, texts: Sequence[str]) -> int | None:
        """Where the first run of our lines begins in `texts`; None if there is none."""
        found: list[int] = []
        for index, text in enumerate(texts):
            if not skeleton(text):
                continue
            found = [*found, index] if self.holds(text) else []
            if len(found) == RUN_LENGTH:
                return self._first_safe(texts, found)
        return None

    def _first_safe(self, texts: Sequence[str], found: list[int]) -> int:
        # a single short word may be a table cell of ours, or the move that stands above the quotation
        return next((i for i in found if len(folded(texts[i]).split()) > 1), found[-1])

    def strange(self, texts: Sequence[str], start: int) -> set[int]:
        """The lines from `start` on that are not ours, not even a table cell of ours."""
        strangers: set[int] = set()
        cursor = 0
        for index in range(start, len(texts)):
            place = self._place(texts[index], cursor)
            follows = index - 1 in strangers and not skeleton(texts[index])  # a rule, a smile, a blank line
            if place is None or follows:
                strangers.add(index)
            else:
                cursor = place
        return strangers

    def _place(self, text: str, cursor: int) -> int | None:
        """Where our text goes on behind `text`; None where `text` is not ours."""
        bones = skeleton(text)
        if not bones:
            return cursor
        if len(bones) < HIT_LENGTH:
            end = cursor + _CELL_GAP + len(bones)
            near = self._skeleton.find(bones, cursor, end)
            if near >= 0:
                return near + len(bones)
            return cursor if folded(text) in self._lines or self._is_garbled(text) else None
        place = self._skeleton.find(bones, cursor)
        place = place if place >= 0 else self._skeleton.find(bones)
        if place >= 0:
            return place + len(bones)
        return cursor if self.holds(text) or self._is_garbled(text) else None

    def _is_garbled(self, text: str) -> bool:
        told = folded(text).split()
        return len(told) > 2 and 10 * sum(word in self._words for word in told) >= 7 * len(told)
