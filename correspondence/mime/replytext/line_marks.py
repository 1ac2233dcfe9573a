"""Mark each line of a body as the person's, quoted, signature or doubtful.

Evidence is applied in order of strength: our marker line and our stored letters, then quotation marks, then
attributions and header blocks, then signatures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from correspondence.mime.cleaning import alnum, decoded_forms

from .announcements import (
    OurNames,
    announcement_end,
    announcement_start,
    is_part_of_announcement,
    with_date_above,
    with_name_above,
)
from .line_forms import (
    ATTRIBUTION_LENGTH,
    attribution_runs_on,
    begins_dated,
    begins_header_block,
    ends_attribution,
    has_address,
    has_date,
    is_attribution,
    is_device_signature,
    is_footer,
    is_labelled,
    is_original_heading,
    is_our_marker,
    is_separator,
    is_signature_rule,
    is_undated_attribution,
    is_unframed_heading,
    names_writer,
)
from .lines import Line, is_marked
from .page import LineMark, Page
from .sent_index import HIT_LENGTH, Origin, SentIndex
from .signatures import banner_end, signature_of

ATTRIBUTION_LINES = 6
"""Maximum lines of an “On … wrote:” that is broken over several lines."""

_WRAP_LENGTH = 60
_BROKEN_ADDRESS = re.compile(r">+ ?(?:\S{1,100} ?)?[:：]")


def never(_line: str) -> bool:
    """Return False: the default for `acts`, by which no line is a command or move."""
    return False


def marks_of(
    lines: Sequence[Line], names: OurNames, sent: Sequence[str], acts: Callable[[str], bool], author: str = ""
) -> list[LineMark]:
    """Return a mark for each of `lines`.

    `sent` are the letters that may be quoted, `names` are our names in them. `acts` returns whether a line is a command
    or move. `author` is the name in From.

    A quotation may have no marks. If there is no text above it, the lines below and inside it that are not from our
    letters are the person's. If there is text above it, only commands and moves among those lines are the person's; the
    others are doubtful.
    """
    if _is_action_above_marks(by_form := _without_banner(lines, names, acts), acts):
        return by_form.marks
    page = _without_banner(lines, names, acts)
    sent_index = SentIndex(sent)
    run = sent_index.first_run(page.texts, acts) if sent else None
    _fix_wrapped_lines(page)
    tail = _unmarked_quote_start(page, run)
    page.quote(range(tail, page.size))
    run = _first_of_ours(page, sent_index, tail, run, acts)
    _quote_announcements(page)
    _mark_signatures(page, range(page.size))
    if run is not None:
        page.quote(i for i in range(run, tail) if page.is_own(i) and sent_index.contains_long(page.texts[i]))
        _mark_remainders(page, sent_index, tail)
    if tail < page.size and run is not None:
        _restore_own_lines(page, tail, run, sent_index, acts)
    else:
        page.doubt(i for i in range(tail, page.size) if acts(page.texts[i]) and not sent_index.contains(page.texts[i]))
    if run is not None:
        _doubt_typed_inside(page, run, sent_index, acts)
    _mark_names(page, author, acts)
    if sent:
        _doubt_echoes(page, sent_index, acts)
    return page.marks


def _without_banner(lines: Sequence[Line], names: OurNames, acts: Callable[[str], bool]) -> Page:
    page = Page(lines, names)
    page.sign(range(banner_end(page.texts, acts)))
    return page


def _is_action_above_marks(page: Page, acts: Callable[[str], bool]) -> bool:
    """Whether one command or move is above quoted lines; mark their announcement as quoted.

    Most replies look like this, and then it does not matter which letter they quote.
    """
    first = next(filter(page.is_quote, range(page.size)), page.size)
    below = range(first, page.size)
    if not all((page.is_quote(i) and is_marked(page.texts[i])) or page.is_blank(i) for i in below):
        return False
    if first < page.size:
        page.quote(range(_with_announcement(page, first), first))
    own = list(filter(page.is_own, range(first)))
    return len(own) == 1 and acts(page.texts[own[0]])


def _fix_wrapped_lines(page: Page) -> None:
    """Correct marks where a mail program broke a quoted line, or an address before `>:`."""
    for i in range(1, page.size):
        if page.is_quote(i) and page.is_own(i - 1) and _BROKEN_ADDRESS.fullmatch(page.texts[i].strip()):
            if "@" in page.texts[i - 1].rpartition("<")[2]:
                page.marks[i] = LineMark.OWN
        elif page.is_own(i) and i + 1 < page.size and page.texts[i + 1].startswith(">"):
            before = page.texts[i - 1]
            if before.startswith(">") and len(before) >= _WRAP_LENGTH:
                page.quote([i])


def _first_of_ours(
    page: Page, sent_index: SentIndex, tail: int, run: int | None, acts: Callable[[str], bool]
) -> int | None:
    """Return the first whole line of our letter in the quotation above `run`; else `run`."""
    for i in range(tail, run or tail):
        text = page.texts[i]
        if _is_long(page, i) and sent_index.is_whole_line(text) and not has_address(text) and not acts(text):
            return i
    return run


def _unmarked_quote_start(page: Page, run: int | None) -> int:
    """Return the start of a quotation without marks that reaches to the end; else the size."""
    for i in range(page.size):
        if not page.is_own(i):
            continue
        if (
            i == run
            or page.lines[i].starts_quotation
            or is_our_marker(page.texts[i])
            or is_original_heading(page.texts[i])
        ):
            return _with_announcement(page, i)
        if begins_header_block(page.texts[i : i + 14]):
            return _with_announcement(page, i)
        if attribution_runs_on(page.texts[i]) and not _announces_marked(page, i):
            return i
        start = _attribution(page, i)
        if start is not None and _is_complete(page, start, i) and not _announces_marked(page, i):
            return _with_announcement(page, start)
        if is_undated_attribution(page.texts[i]) and not _announces_marked(page, i):
            return _with_announcement(page, i)
    return page.size


def _announces_marked(page: Page, index: int) -> bool:
    below = page.below(index)
    return below == page.size or page.is_quote(below)


def _is_complete(page: Page, start: int, end: int) -> bool:
    chunk = " ".join(page.texts[start : end + 1])
    return is_attribution(chunk, page.texts[start])


def _attribution(page: Page, end: int) -> int | None:
    """Return the start of the attribution with last line `end`; None if it is not one."""
    if not ends_attribution(page.texts[end]):
        return None
    candidate = None
    chunk = ""
    for start in range(end, max(-1, end - ATTRIBUTION_LINES), -1):
        if not page.is_own(start) or len(chunk) + len(page.texts[start]) > ATTRIBUTION_LENGTH:
            break
        chunk = f"{page.texts[start]} {chunk}"
        if is_attribution(chunk.strip(), page.texts[start]):
            first = _widened(page, start, end)
            return with_date_above(page.texts, first, page.is_own) if page.names.are_in(chunk) else first
        if candidate is None and names_writer(chunk):
            candidate = start
    return candidate


def _widened(page: Page, start: int, end: int) -> int:
    """Return `start`, or the line above if it contains the date or the writer's address."""
    above = start - 1
    if above < 0 or end - above >= ATTRIBUTION_LINES or not page.is_own(above):
        return start
    text = page.texts[above]
    if has_address(text) and not has_address(" ".join(page.texts[start : end + 1])):
        return above
    broken = text.rstrip().endswith(",")  # both “On 3 March,” and “at 10:18, …” look like a beginning
    return above if begins_dated(text) and (broken or not begins_dated(page.texts[start])) else start


def _with_announcement(page: Page, start: int) -> int:
    """Return `start`, or the start of the attribution, header block or separator above it."""
    if page.names.are_in(page.texts[start]):
        start = with_date_above(page.texts, start, page.is_own)
    while True:
        start = with_name_above(page.texts, start, page.names, page.is_own)
        lead = _announcement(page, start)
        if lead is None:
            return start
        start = lead


def _announcement(page: Page, start: int) -> int | None:
    starts = (_announcement_by_form(page, start), announcement_start(page.texts, start, page.names, page.is_own))
    return min((at for at in starts if at is not None), default=None)


def _announcement_by_form(page: Page, start: int) -> int | None:
    above = page.above(start)
    if above < 0 or not page.is_own(above):
        return None
    text = page.texts[above]
    if is_separator(text) or is_original_heading(text) or is_unframed_heading(text):
        return above
    block_start = next((i for i in range(max(0, above - 9), above) if _begins_block(page, i, above)), None)
    return block_start if block_start is not None else _attribution(page, above)


def _begins_block(page: Page, first: int, last: int) -> bool:
    return page.is_own(first) and begins_header_block(page.texts[first : last + 1])


def _quote_announcements(page: Page) -> None:
    """Mark the lines that announce a quotation as quoted."""
    for i in range(1, page.size):
        if page.is_quote(i) and not page.is_quote(i - 1):
            page.quote(range(_with_announcement(page, i), i))


def _mark_signatures(page: Page, indices: range) -> None:
    """Mark signatures, up to the next quotation or the end (a phone's: the next blank line)."""
    in_signature = is_of_phone = False
    for i in indices:
        ends = page.is_quote(i) or (is_of_phone and page.is_blank(i))
        if ends or not in_signature:
            in_signature = not page.is_quote(i) and _begins_signature(page, i)
            is_of_phone = in_signature and is_device_signature(page.texts[i])
        if in_signature:
            page.marks[i] = LineMark.SIGNATURE


def _mark_names(page: Page, author: str, acts: Callable[[str], bool]) -> None:
    """Mark the writer's name and address at the end of each block of their lines."""
    for is_quote, block in groupby(range(page.size), page.is_quote):
        indices = [] if is_quote else [i for i in block if page.marks[i] is LineMark.OWN]
        signed = signature_of([page.texts[i] for i in indices], author, acts)
        page.sign(indices[signed.start : signed.stop])


def _begins_signature(page: Page, index: int) -> bool:
    text = page.texts[index]
    if is_signature_rule(text) or is_footer(text):
        return True
    alone = index == 0 or page.is_blank(index - 1) or page.marks[index - 1] is not LineMark.OWN
    last = index + 1 >= page.size or page.is_blank(index + 1) or page.is_quote(index + 1)
    return (alone or last) and is_device_signature(text)


def _has_own_above(page: Page) -> bool:
    for i in range(page.size):
        if page.is_quote(i):
            return False
        if page.is_own(i) and all(map(alnum, decoded_forms(page.texts[i]))):
            return True
    return False


def _restore_own_lines(page: Page, tail: int, run: int, sent_index: SentIndex, acts: Callable[[str], bool]) -> None:
    """Mark the lines that the person wrote below and inside a quotation without marks."""
    start = announcement_end(page.texts, max(run, tail), page.names)
    has_text_above = _has_own_above(page)
    groups = _LineGroups(page, start, sent_index, acts)
    is_nested = _is_nested(page, tail, run, sent_index, acts)
    typed_actions = [] if is_nested else groups.typed_actions
    if has_text_above:
        page.marks[start:] = [LineMark.QUOTE] * (page.size - start)
        page.doubt(i for i in groups.not_ours if typed_actions or i < groups.end)
        if not is_nested:
            page.own(i for i in groups.not_ours if i > groups.end)
            page.doubt(i for i in groups.partly_ours if i > groups.end)
    else:
        page.own(groups.not_ours)
        page.doubt(groups.partly_ours)
    page.doubt(groups.typed_actions)
    page.own(typed_actions)
    if not typed_actions and not any(page.is_own(i) and acts(page.texts[i]) for i in range(tail)):
        page.doubt(groups.possible_actions)
    page.own(i for i in range(start, page.size) if page.texts[i].strip() == "--" and not page.lines[i].quoted)
    _mark_signatures(page, range(start, page.size))


class _LineGroups:
    """The lines of a quotation without marks, sorted by origin.

    All fields but `end` are lists of indices. `end` is the last line that is certainly from our letter. Commands and
    moves are `typed_actions` if the person must have written them, `possible_actions` if our letter has the same text
    in that place. Of the other lines, `not_ours` contain nothing from our letter, `partly_ours` some of its text.
    """

    def __init__(self, page: Page, start: int, known: SentIndex, acts: Callable[[str], bool]) -> None:
        self._page = page
        origins = dict(enumerate(known.origins(page.texts, start, acts), start))
        self._origins = {
            i: origin for i, origin in origins.items() if not page.lines[i].quoted and origin is not Origin.BLANK
        }
        acting = [i for i in self._origins if acts(page.texts[i])]
        ours = [i for i in self._origins if self._is_ours(i) and i not in acting]
        self.end = max((i for i in ours if _is_long(page, i)), default=start)
        self.typed_actions = [i for i in acting if self._is_typed(i)]
        self.possible_actions = [
            i for i in acting if self._is_ours(i) and i not in self.typed_actions and not self._is_whole_line(known, i)
        ]
        rest = [i for i in self._origins if i not in acting]
        self.not_ours = [i for i in rest if self._is_not_ours(i)]
        self.partly_ours = [i for i in rest if self._is_partly_ours(i)]

    def _is_whole_line(self, sent_index: SentIndex, index: int) -> bool:
        text = self._page.texts[index]
        return sent_index.is_whole_line(text) or sent_index.is_continuation(self._page.texts[index - 1], text)

    def _is_ours(self, index: int) -> bool:
        return self._origins[index] in (Origin.OURS, Origin.ELSEWHERE)

    def _is_typed(self, index: int) -> bool:
        # the number of a choice, or a coordinate at the edge of a board
        if self._page.texts[index].strip().isdecimal():
            return index > self.end
        return not self._is_ours(index) or (self._origins[index] is Origin.ELSEWHERE and index > self.end)

    def _is_not_ours(self, index: int) -> bool:
        origin = self._origins[index]
        return origin is Origin.NOT_OURS or (origin is Origin.UNDECIDED and index > self.end)

    def _is_partly_ours(self, index: int) -> bool:
        origin = self._origins[index]
        if origin is Origin.UNDECIDED:
            return index < self.end and " " in self._page.texts[index].strip()
        is_repeated = origin is Origin.ELSEWHERE and index > self.end and not _is_long(self._page, index)
        return origin is Origin.PARTLY_OURS or is_repeated


def _is_long(page: Page, index: int) -> bool:
    return len(alnum(page.texts[index])) >= HIT_LENGTH


def _is_nested(page: Page, tail: int, run: int, sent_index: SentIndex, acts: Callable[[str], bool]) -> bool:
    """Whether another mail is quoted above our letter, so that the lines below may be old."""
    start = announcement_end(page.texts[:run], tail, page.names)
    origins = sent_index.origins(page.texts[:run], start, acts)
    return any(
        origin is Origin.NOT_OURS and not page.is_blank(i) and not _is_heading(page.texts[i])
        for i, origin in enumerate(origins, start)
    )


def _is_heading(text: str) -> bool:
    """Whether a line is part of the announcement of a quotation, in any language."""
    return (
        is_separator(text) or is_original_heading(text) or is_unframed_heading(text) or is_labelled(text) or is_our_marker(text)
        or is_part_of_announcement(text) or has_date(text) or begins_dated(text) or ends_attribution(text) or names_writer(text)
    )  # fmt: skip


def _mark_remainders(page: Page, sent_index: SentIndex, tail: int) -> None:
    """Mark the rest of quoted lines that a mail program broke without marking it."""
    for i in range(1, tail):
        is_rest = page.is_own(i) and page.is_quote(i - 1) and not _is_long(page, i)
        if is_rest and sent_index.is_continuation(page.texts[i - 1], page.texts[i]):
            page.quote([i])


def _doubt_typed_inside(page: Page, run: int, sent_index: SentIndex, acts: Callable[[str], bool]) -> None:
    """Mark lines typed between quoted lines as doubtful, if only HTML structure quotes them.

    Some mail programs put text that is typed there into the quotation.
    """
    inside = [i for i in range(run, page.size) if _is_quoted_by_structure(page, i)]
    if not inside:
        return
    origins = dict(enumerate(sent_index.origins(page.texts, run, acts), run))
    end = max(
        (i for i, origin in origins.items() if origin in (Origin.OURS, Origin.ELSEWHERE) and _is_long(page, i)),
        default=run,
    )
    page.doubt(i for i in inside if i < end and origins[i] is Origin.NOT_OURS)


def _is_quoted_by_structure(page: Page, index: int) -> bool:
    """Whether a line with text is marked as quoted by HTML structure only."""
    is_quoted = page.lines[index].quoted and page.is_quote(index)
    return is_quoted and not is_marked(page.texts[index]) and not page.is_blank(index)


def _doubt_echoes(page: Page, sent_index: SentIndex, acts: Callable[[str], bool]) -> None:
    """Mark repetitions of our lines outside a quotation as doubtful; as quoted if next to one."""
    for i in range(page.size):
        if page.is_own(i) and sent_index.repeats(page.texts[i]) and not acts(page.texts[i]):
            neighbours = [neighbour for neighbour in (page.above(i), page.below(i)) if 0 <= neighbour < page.size]
            is_next_to_quote = any(page.is_quote(neighbour) for neighbour in neighbours)
            page.marks[i] = (
                LineMark.QUOTE if is_next_to_quote and sent_index.contains_long(page.texts[i]) else LineMark.DOUBT
            )
