"""Which lines of a body a person wrote, which are quoted, which are a signature.

Signs are weighed in the order of their strength: our own marker line and our own stored
letters, then marks of quotation, then attributions and header blocks, then signatures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto

from .cleaning import readings, skeleton
from .lines import Line, is_marked
from .sent import HIT_LENGTH, Kind, Sent
from .signs import (
    ATTRIBUTION_LENGTH,
    begins_header_block,
    ends_attribution,
    has_address,
    has_date,
    is_attribution,
    is_bare_original,
    is_labelled,
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
    DOUBT = auto()
    """The person's or ours: it may be neither obeyed nor passed on, only shown to the person."""


def never(_line: str) -> bool:
    """What acts where nobody can say what acts."""
    return False


def marks_of(lines: Sequence[Line], sent: Sequence[str] = (), acts: Callable[[str], bool] = never) -> list[Mark]:
    """A mark for each of `lines`; `sent` are the letters that may be quoted in them, `acts` knows a move by its form.

    Where a quotation without marks has nothing above it, the lines below and between that are none of ours are
    the person's. Where something stands above it, only what acts is; whatever else is none of ours, is in doubt.
    """
    page = _Page(lines)
    known = Sent(sent)
    run = known.run(page.texts, acts) if sent else None
    _mend_wraps(page)
    tail = _opening(page, run)
    page.quote(range(tail, page.size))
    _quote_announcements(page)
    _sign(page, range(page.size))
    if run is not None:
        page.quote(i for i in range(run, tail) if page.is_own(i) and known.holds_long(page.texts[i]))
        _mend_rests(page, known, tail)
    if tail < page.size and run is not None:
        _restore(page, tail, run, known, acts)
    else:
        page.doubt(i for i in range(tail, page.size) if acts(page.texts[i]) and not known.holds(page.texts[i]))
    if run is not None:
        _look_inside(page, run, known)
    if sent:
        _doubt_echoes(page, known, acts)
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

    def doubt(self, indices: Iterable[int]) -> None:
        for index in indices:
            self.marks[index] = Mark.DOUBT


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
        if page.is_own(i) and all(map(skeleton, readings(page.texts[i]))):
            return True
    return False


def _restore(page: _Page, tail: int, run: int, known: Sent, acts: Callable[[str], bool]) -> None:
    """Give back what the person wrote below and between the lines of a quotation that has no marks."""
    start, is_below_words = max(run, tail), _has_own_above(page)
    found = _Found(page, start, known, acts)
    clear = [] if _is_nested(page, tail, run, known) else found.clear
    if is_below_words:
        page.marks[start:] = [Mark.QUOTE] * (page.size - start)
        page.doubt(i for i in found.strange if clear or i < found.end)
    else:
        for i in found.strange:
            page.marks[i] = Mark.OWN
        page.doubt(found.partly)
    page.doubt(found.clear)
    for i in clear:
        page.marks[i] = Mark.OWN
    if not clear and not any(page.is_own(i) and acts(page.texts[i]) for i in range(tail)):
        page.doubt(found.unclear)
    _sign(page, range(start, page.size))


class _Found:
    """The lines of a quotation without marks by whose they are.

    `end` is the last that is ours for certain. What acts is `clear` where the person must have written it, `unclear`
    where our letter says the same in that place. Of the rest, `strange` are none of ours, `partly` hold some of it.
    """

    def __init__(self, page: _Page, start: int, known: Sent, acts: Callable[[str], bool]) -> None:
        self._page = page
        kinds = dict(enumerate(known.kinds(page.texts, start), start))
        self._kinds = {i: kind for i, kind in kinds.items() if not page.lines[i].quoted and kind is not Kind.EMPTY}
        acting = [i for i in self._kinds if acts(page.texts[i])]
        ours = [i for i in self._kinds if self._is_ours(i) and i not in acting]
        self.end = max((i for i in ours if _is_long(page, i)), default=start)
        self.clear = [i for i in acting if self._is_typed(i)]
        self.unclear = [i for i in acting if self._is_ours(i) and i not in self.clear and not self._is_told(known, i)]
        rest = [i for i in self._kinds if i not in acting]
        self.strange = [i for i in rest if self._is_strange(i)]
        self.partly = [i for i in rest if self._is_partly(i)]

    def _is_told(self, known: Sent, index: int) -> bool:
        text = self._page.texts[index]
        return known.is_line(text) or known.goes_on(self._page.texts[index - 1], text)

    def _is_ours(self, index: int) -> bool:
        return self._kinds[index] in (Kind.OURS, Kind.AGAIN)

    def _is_typed(self, index: int) -> bool:
        if self._page.texts[index].strip().isdecimal():  # the number of a choice, or a cell at the edge of a board
            return index > self.end
        return not self._is_ours(index) or (self._kinds[index] is Kind.AGAIN and index > self.end)

    def _is_strange(self, index: int) -> bool:
        kind = self._kinds[index]
        return kind is Kind.STRANGE or (kind is Kind.WORD and index > self.end)

    def _is_partly(self, index: int) -> bool:
        kind = self._kinds[index]
        if kind is Kind.WORD:
            return index < self.end and " " in self._page.texts[index].strip()
        said_again = kind is Kind.AGAIN and index > self.end and not _is_long(self._page, index)
        return kind is Kind.DOUBT or said_again


def _is_long(page: _Page, index: int) -> bool:
    return len(skeleton(page.texts[index])) >= HIT_LENGTH


def _is_nested(page: _Page, tail: int, run: int, known: Sent) -> bool:
    """Whether words of another mail stand between where a quotation begins and our letter: what follows may be old."""
    kinds = known.kinds(page.texts[:run], tail)
    return any(
        kind is Kind.STRANGE and not page.is_blank(i) and not _is_heading(page.texts[i])
        for i, kind in enumerate(kinds, tail)
    )


def _is_heading(text: str) -> bool:
    """Whether a line belongs to what announces a quotation, whatever the language."""
    return (
        is_separator(text) or is_original(text) or is_bare_original(text) or is_labelled(text) or is_our_marker(text)
        or has_address(text) or has_date(text) or opens_dated(text) or ends_attribution(text) or names_writer(text)
    )  # fmt: skip


def _mend_rests(page: _Page, known: Sent, tail: int) -> None:
    """Mark the rests of quoted lines that a program has broken and forgotten to mark."""
    for i in range(1, tail):
        is_rest = page.is_own(i) and page.is_quote(i - 1) and not _is_long(page, i)
        if is_rest and known.goes_on(page.texts[i - 1], page.texts[i]):
            page.quote([i])


def _look_inside(page: _Page, run: int, known: Sent) -> None:
    """Doubt what stands between our lines, is none of them, and is marked as quoted by the structure of HTML alone.

    Some programs put what is typed there into the quotation.
    """
    kinds = dict(enumerate(known.kinds(page.texts, run), run))
    end = max((i for i, kind in kinds.items() if kind in (Kind.OURS, Kind.AGAIN) and _is_long(page, i)), default=run)
    for i in range(run, end):
        is_inside = page.lines[i].quoted and page.is_quote(i) and not is_marked(page.texts[i])
        if is_inside and kinds[i] is Kind.STRANGE and not page.is_blank(i):
            page.doubt([i])


def _doubt_echoes(page: _Page, known: Sent, acts: Callable[[str], bool]) -> None:
    """Doubt lines outside any quotation that are ours; beside one they belong to it."""
    for i in range(page.size):
        if page.is_own(i) and known.repeats(page.texts[i]) and not acts(page.texts[i]):
            beside = [near for near in (page.above(i), page.below(i)) if 0 <= near < page.size]
            is_beside = any(page.is_quote(near) for near in beside)
            page.marks[i] = Mark.QUOTE if is_beside and known.holds_long(page.texts[i]) else Mark.DOUBT
