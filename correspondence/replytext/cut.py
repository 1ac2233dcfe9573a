"""Which lines of a body a person wrote, which are quoted, which are a signature.

Signs are weighed in the order of their strength: our own marker line and our own stored
letters, then marks of quotation, then attributions and header blocks, then signatures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto

from .lines import Line
from .sent import Sent
from .signs import (
    ATTRIBUTION_LENGTH,
    begins_header_block,
    ends_attribution,
    has_address,
    is_attribution,
    is_bare_original,
    is_original,
    is_our_marker,
    is_phone_line,
    is_separator,
    is_signature_rule,
    names_writer,
    names_writer_alone,
    opens_dated,
    runs_on,
)

ATTRIBUTION_LINES = 4
"""Lines over which “On … wrote:” may be broken."""

_WRAP_LENGTH = 60
_BROKEN_ADDRESS = re.compile(r">+ ?(?:\S{1,100} ?)?[:：]")


class Mark(Enum):
    """Whose line it is: the person's, quoted from somebody, or a signature."""

    OWN = auto()
    QUOTE = auto()
    SIGN = auto()


def marks_of(lines: Sequence[Line], sent: Sequence[str] = ()) -> list[Mark]:
    """A mark for each of `lines`; `sent` are the letters that may be quoted in them.

    Where a quotation without marks has nothing above it, the lines below that are none of
    ours are the person's; above it they are not looked for, as nobody answers twice.
    """
    page = _Page(lines)
    known = Sent(sent)
    run = known.run(page.texts) if sent else None
    _mend_wraps(page)
    tail = _opening(page, run)
    page.quote(range(tail, page.size))
    _quote_announcements(page)
    _sign(page, range(page.size))
    if run is not None:
        page.quote(i for i in range(run, tail) if page.is_own(i) and known.holds_long(page.texts[i]))
        if tail < page.size and not _has_own_above(page):
            _restore(page, max(run, tail), known)
    return page.marks


class _Page:
    """The lines of a body, and the mark that each has so far."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.texts = [line.text for line in lines]
        self.marks = [Mark.QUOTE if line.quoted else Mark.OWN for line in lines]
        self.size = len(lines)

    def is_blank(self, index: int) -> bool:
        return not self.texts[index].strip()

    def is_own(self, index: int) -> bool:
        """Whether something stands on this line that nobody but the person wrote, so far."""
        return self.marks[index] is Mark.OWN and not self.is_blank(index)

    def is_quote(self, index: int) -> bool:
        return self.marks[index] is Mark.QUOTE

    def below(self, index: int) -> int:
        """The next line that is not blank; the end where there is none."""
        return next((i for i in range(index + 1, self.size) if not self.is_blank(i)), self.size)

    def above(self, index: int) -> int:
        """The last line before `index` that is not blank; -1 where there is none."""
        return next((i for i in range(index - 1, -1, -1) if not self.is_blank(i)), -1)

    def quote(self, indices: Iterable[int]) -> None:
        for index in indices:
            self.marks[index] = Mark.QUOTE


def _mend_wraps(page: _Page) -> None:
    """Put the marks right where a mail program broke a quoted line, or an address before `>:`."""
    for i in range(1, page.size):
        if page.is_quote(i) and page.is_own(i - 1) and _BROKEN_ADDRESS.fullmatch(page.texts[i].strip()):
            if "@" in page.texts[i - 1].rpartition("<")[2]:
                page.marks[i] = Mark.OWN
        elif page.is_own(i) and i + 1 < page.size and page.texts[i + 1].startswith(">"):
            before = page.texts[i - 1]
            if before.startswith(">") and len(before) >= _WRAP_LENGTH:
                page.quote([i])


def _opening(page: _Page, run: int | None) -> int:
    """Where a quotation begins that has no marks and reaches to the end; the size if there is none."""
    for i in range(page.size):
        if not page.is_own(i):
            continue
        if i == run or page.lines[i].opens or is_our_marker(page.texts[i]) or is_original(page.texts[i]):
            return _with_lead(page, i)
        if begins_header_block(page.texts[i : i + 14]):
            return _with_lead(page, i)
        if runs_on(page.texts[i]) and not _announces_marked(page, i):
            return i
        start = _attribution(page, i)
        if start is not None and _is_complete(page, start, i) and not _announces_marked(page, i):
            return _with_lead(page, start)
        if names_writer_alone(page.texts[i]) and not _announces_marked(page, i):
            return _with_lead(page, i)
    return page.size


def _announces_marked(page: _Page, index: int) -> bool:
    below = page.below(index)
    return below == page.size or page.is_quote(below)


def _is_complete(page: _Page, start: int, end: int) -> bool:
    chunk = " ".join(page.texts[start : end + 1])
    return is_attribution(chunk, page.texts[start])


def _attribution(page: _Page, end: int) -> int | None:
    """Where the attribution begins whose last line is `end`; None if it is none."""
    if not ends_attribution(page.texts[end]):
        return None
    named = None
    chunk = ""
    for start in range(end, max(-1, end - ATTRIBUTION_LINES), -1):
        if not page.is_own(start) or len(chunk) + len(page.texts[start]) > ATTRIBUTION_LENGTH:
            break
        chunk = f"{page.texts[start]} {chunk}"
        if is_attribution(chunk.strip(), page.texts[start]):
            return _widened(page, start, end)
        if named is None and names_writer(chunk):
            named = start
    return named


def _widened(page: _Page, start: int, end: int) -> int:
    """`start`, or the line above it where the date or the writer's address stands there."""
    above = start - 1
    if above < 0 or end - above >= ATTRIBUTION_LINES or not page.is_own(above):
        return start
    text = page.texts[above]
    if has_address(text) and not has_address(" ".join(page.texts[start : end + 1])):
        return above
    broken = text.rstrip().endswith(",")  # “On 3 March,” and “at 10:18, …” both begin well
    return above if opens_dated(text) and (broken or not opens_dated(page.texts[start])) else start


def _with_lead(page: _Page, start: int) -> int:
    """`start`, or the attribution, header block or separator above it that belongs to it."""
    while True:
        lead = _lead(page, start)
        if lead is None:
            return start
        start = lead


def _lead(page: _Page, start: int) -> int | None:
    above = page.above(start)
    if above < 0 or not page.is_own(above):
        return None
    text = page.texts[above]
    if is_separator(text) or is_original(text) or is_bare_original(text):
        return above
    first = next((i for i in range(max(0, above - 9), above) if _begins_block(page, i, above)), None)
    return first if first is not None else _attribution(page, above)


def _begins_block(page: _Page, first: int, last: int) -> bool:
    return page.is_own(first) and begins_header_block(page.texts[first : last + 1])


def _quote_announcements(page: _Page) -> None:
    """Mark what stands above each quotation and only announces it."""
    for i in range(1, page.size):
        if page.is_quote(i) and not page.is_quote(i - 1):
            page.quote(range(_with_lead(page, i), i))


def _sign(page: _Page, indices: range) -> None:
    """Mark signatures: each reaches to the next quotation, or to the end."""
    signed = False
    for i in indices:
        signed = page.marks[i] is not Mark.QUOTE and (signed or _begins_signature(page, i))
        if signed:
            page.marks[i] = Mark.SIGN


def _begins_signature(page: _Page, index: int) -> bool:
    text = page.texts[index]
    if is_signature_rule(text):
        return True
    alone = index == 0 or page.is_blank(index - 1) or page.marks[index - 1] is not Mark.OWN
    last = index + 1 >= page.size or page.is_blank(index + 1) or page.is_quote(index + 1)
    return (alone or last) and is_phone_line(text)


def _has_own_above(page: _Page) -> bool:
    for i in range(page.size):
        if page.is_quote(i):
            return False
        if page.is_own(i):
            return True
    return False


def _restore(page: _Page, start: int, known: Sent) -> None:
    for i in known.strange(page.texts, start):
        if not page.lines[i].quoted:
            page.marks[i] = Mark.OWN
    _sign(page, range(start, page.size))
