"""Recognise the text of our own letters in a reply, even if a mail program changed it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache
from itertools import groupby, pairwise

from correspondence.mime.cleaning import alnum, alnum_with_links, clean, decoded_forms, folded, is_link, words_of
from correspondence.mime.limits import SENT_LIMIT

from .links import broken_links

HIT_LENGTH = 12
"""Minimum length, in characters, of a fragment of a line that is recognised as ours."""

RUN_LENGTH = 3
"""Minimum number of consecutive non-blank lines from our letter that make a quotation."""

ECHO_WORDS = 6
"""Minimum number of consecutive words from our letter that nobody types by chance."""

REMARK_MARKS = ("|", ">", "·")
"""Prefixes in our letters of other people's remarks and of the reader's quoted text."""

_ECHO_LENGTH = 20
_LINE_WORDS = 4
_CELL_GAP = 24
_PART_GAP = "\0" * 100
_HOST = re.compile(r"https?://([^\s/<>\"']+)")
_FOOTNOTES = frozenset({"references", "links", "visiblelinks", "hiddenlinks"})
"""Headings of the list of links that some mail programs add below a letter."""

_ADDRESS = re.compile(r"\W*(?:\d+\W+)?(?:https?://|mailto:)\S+\W*")
_SECRET = re.compile(r"[a-z0-9]{20}")


class Origin(Enum):
    """The origin of a line in a quotation of our letter."""

    OURS = auto()
    """From our letter, in its expected position."""
    ELSEWHERE = auto()
    """From our letter, but in another position: the person may have retyped it."""
    PARTLY_OURS = auto()
    """Partly from our letter."""
    UNDECIDED = auto()
    """Too short to decide, in words that occur in our letter."""
    NOT_OURS = auto()
    """Not from our letter."""
    BLANK = auto()
    """No letters or digits."""


def _sent_rows(texts: Sequence[str]) -> Iterator[str]:
    room = SENT_LIMIT
    for text in texts:
        yield from filter(str.strip, clean(text[:room]).split("\n"))
        yield _PART_GAP
        room -= len(text)
        if room <= 0:
            return


def _runs(rows: Iterable[_SentLine]) -> frozenset[tuple[str, ...]]:
    """Return all pairs and triples of consecutive words of `rows`, but not across gaps."""
    runs: set[tuple[str, ...]] = set()
    for is_gap, part in groupby(rows, key=lambda row: row.is_gap):
        words = [] if is_gap else [word for row in part for word in row.words]
        runs.update(pairwise(words))
        runs.update(zip(words, words[1:], words[2:], strict=False))
    return frozenset(runs)


@dataclass(frozen=True, slots=True)
class _SentLine:
    """One line of our letters, in the forms in which it is compared."""

    folded: str
    alnum: str
    words: tuple[str, ...]
    is_gap: bool = False
    is_remark: bool = False


@lru_cache(maxsize=2048)
def _sent_line(row: str) -> _SentLine:
    """Compute the forms of a line; cached, because our letters share most lines."""
    return _SentLine(folded(row), alnum(row), tuple(words_of(row)), is_remark=_is_marked_remark(row))


def _is_marked_remark(row: str) -> bool:
    return row.lstrip().startswith(REMARK_MARKS)


_GAP = _SentLine("", _PART_GAP, (), is_gap=True)


class SentIndex:
    """An index of the texts sent to the person, likeliest first, to compare with a reply.

    Lines that begin with one of `REMARK_MARKS` are a person's text. They count as our text inside a quotation but not
    outside, so that a person who was asked to resend lines can do so.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        sent = list(_sent_rows(texts))
        lines = {row: _sent_line(row) for row in dict.fromkeys(sent)} | {_PART_GAP: _GAP}
        rows = [lines[row] for row in sent]
        text_rows = [row for row in rows if not row.is_gap]
        self._lines = frozenset(row.folded for row in text_rows if row.folded)
        self._alnum_lines = frozenset(row.alnum for row in text_rows if row.alnum)
        self._joined = " ".join(row.folded for row in text_rows)
        self._alnum = "".join(row.alnum for row in rows)
        self._ascii = "" if self._alnum.isascii() else _ascii(self._alnum)
        self._hosts = frozenset(_HOST.findall(self._joined))
        self._remarks = frozenset(row.alnum for row in text_rows if row.is_remark)
        self._rows = rows

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self._joined.split())

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset().union(*(row.words for row in self._rows))

    @cached_property
    def _runs(self) -> frozenset[tuple[str, ...]]:
        return _runs(self._rows)

    @cached_property
    def _own(self) -> Sequence[_SentLine]:
        """Our lines, with gaps in place of a person's text."""
        return [_GAP if row.alnum in self._remarks else row for row in self._rows]

    @cached_property
    def _own_runs(self) -> frozenset[tuple[str, ...]]:
        return _runs(self._own) if self._remarks else self._runs

    @cached_property
    def _own_lines(self) -> frozenset[str]:
        return frozenset(
            row.alnum for row in self._own if len(row.alnum) >= HIT_LENGTH and len(row.words) >= _LINE_WORDS
        )

    def contains(self, line: str) -> bool:
        """Whether `line` is one of our lines, or a long enough part of one."""
        is_whole_line = any(folded(form) in self._lines or self.is_whole_line(form) for form in decoded_forms(line))
        return is_whole_line or self.contains_long(line)

    def contains_long(self, line: str) -> bool:
        """Whether `line` is part of our text and too long for a coincidence."""
        return any(map(self._contains_long, decoded_forms(line))) or self._is_link_of_ours(line)

    def _contains_long(self, line: str) -> bool:
        form = folded(line)
        if len(form) >= HIT_LENGTH and form in self._joined:
            return True
        key = alnum(line)
        return (len(key) >= HIT_LENGTH and self._position_of(key, 0) >= 0) or self._is_reworded(line)

    def repeats(self, line: str) -> bool:
        """Whether a line outside quotations contains more of our line than a person would type."""
        if _ADDRESS.fullmatch(line):
            return self._is_link_of_ours(line) and bool(_SECRET.search(line))
        for form in decoded_forms(line):
            words = words_of(form)
            longest = self._overlap(words, self._own_runs)[1] if len(words) >= _LINE_WORDS else 0
            key = alnum(form) if longest else ""
            if longest >= ECHO_WORDS and len(key) >= _ECHO_LENGTH:
                return True
            if longest >= _LINE_WORDS and any(row in key for row in self._own_lines):
                return True
        return False

    def is_whole_line(self, line: str) -> bool:
        """Whether `line` is one of our whole lines, of any length."""
        return bool(alnum(line)) and alnum(line) in self._alnum_lines

    def is_continuation(self, before: str, line: str) -> bool:
        """Whether `line` directly follows `before` in our text: a mail program broke one line."""
        ends = [key for key in map(alnum_with_links, decoded_forms(before)) if len(key) >= HIT_LENGTH]
        begins = list(filter(None, map(alnum_with_links, decoded_forms(line))))
        return any(end[-HIT_LENGTH:] + begin in self._alnum for end in ends for begin in begins)

    def first_run(self, texts: Sequence[str], acts: Callable[[str], bool]) -> int | None:
        """Return the start of our quoted text, below any command or move; None if absent."""
        indexes: list[int] = []
        for index, text in enumerate(texts):
            if not alnum(text) or self._is_remark_repeated(text):
                continue
            if self.contains(text):
                indexes.append(index)
            elif not (indexes and self.is_continuation(texts[index - 1], text)):  # the short end of a broken line
                indexes = []
            if len(indexes) == RUN_LENGTH:
                return self._extended_upwards(texts, self._first_safe(texts, indexes), acts)
        return None

    def _is_remark_repeated(self, text: str) -> bool:
        return alnum(text) in self._remarks and not _is_marked_remark(text)

    def _first_safe(self, texts: Sequence[str], indexes: list[int]) -> int:
        # a single short word may be a table cell of ours, or the person's move above the quotation
        return next((i for i in indexes if len(folded(texts[i]).split()) > 1), indexes[-1])

    def _extended_upwards(self, texts: Sequence[str], first: int, acts: Callable[[str], bool]) -> int:
        """Return the topmost line from which our text continues down to `first`, except table cells."""
        below = alnum_with_links(list(decoded_forms(texts[first]))[-1])[:HIT_LENGTH]
        for index in range(first - 1, -1, -1):
            if "cid:" in texts[index].casefold() and is_link(texts[index]):  # nobody types the name of a picture
                first = index
                continue
            forms = [alnum_with_links(form) for form in decoded_forms(texts[index])]
            if not all(forms):
                continue
            key = next((form for form in forms if form + below in self._alnum), "")
            if not key and not self.contains(texts[index]):
                break
            below = ((key or forms[-1]) + below)[:HIT_LENGTH]
            is_word = len(forms[0]) > 2 and forms[0].isalpha()
            if (is_word or len(folded(texts[index]).split()) > 1) and not acts(texts[index]):
                first = index
        return first

    def origins(self, texts: Sequence[str], start: int, acts: Callable[[str], bool]) -> list[Origin]:
        """Return the origin of each line from `start`, where our letter begins."""
        origins: list[Origin] = []
        links = broken_links(texts, self._hosts, acts)
        cursor = self._start_position(texts[start : start + RUN_LENGTH * 2])
        for index, text in enumerate(texts[start:], start):
            if index in links:
                origin = Origin.OURS
            elif all(map(alnum, decoded_forms(text))):
                origin, cursor = self._origin_near(text, cursor)
                if (
                    origin not in (Origin.OURS, Origin.ELSEWHERE)
                    and index
                    and self.is_continuation(texts[index - 1], text)
                ):
                    origin = Origin.OURS
            elif is_link(text):
                origin = Origin.OURS
            else:  # a rule, an emoticon or a blank line belongs to the line above it
                origin = Origin.NOT_OURS if origins and origins[-1] is Origin.NOT_OURS else Origin.BLANK
            origins.append(origin)
        return origins

    def _start_position(self, texts: Sequence[str]) -> int:
        """Return the position in our text of the first quoted lines; 0 if unknown."""
        joined = "".join(alnum_with_links(list(decoded_forms(text))[-1]) for text in texts)
        return max(0, self._alnum.find(joined[: HIT_LENGTH * 2]))

    def _origin_near(self, text: str, cursor: int) -> tuple[Origin, int]:
        """Return the origin of `text`, and the position in our text after it."""
        for form in decoded_forms(text):
            key = alnum(form)
            near = self._alnum.find(key, cursor, cursor + _CELL_GAP + len(key)) if key else -1
            if near >= 0:
                return Origin.OURS, near + len(key)
            far = self._position_of(key, cursor) if len(key) >= HIT_LENGTH else -1
            if far >= 0:
                return Origin.ELSEWHERE, far + len(key)
        return self._origin_elsewhere(text), cursor

    def _origin_elsewhere(self, text: str) -> Origin:
        if alnum(text) in _FOOTNOTES:
            return Origin.OURS
        if alnum(text) in self._alnum_lines or self.contains(text) or self._is_garbled(text):
            return Origin.ELSEWHERE
        words = words_of(list(decoded_forms(text))[-1])
        covered, longest = self._overlap(words, self._runs)
        if longest >= _LINE_WORDS or (covered and 5 * covered >= 2 * len(words)):
            return Origin.PARTLY_OURS
        if words and (tuple(words) in self._runs if len(words) > 1 else words[0] in self._vocabulary):
            return Origin.UNDECIDED
        return Origin.NOT_OURS

    def _position_of(self, key: str, cursor: int) -> int:
        """Return the position of `key` in our text, searching from `cursor` first; -1 if not found."""
        position = self._alnum.find(key, cursor)
        position = position if position >= 0 else self._alnum.find(key)
        if position < 0 and self._ascii and len(ascii_key := _ascii(key)) >= HIT_LENGTH and ascii_key in self._ascii:
            return min(cursor, len(self._alnum))  # characters were lost in transit, so the position is unknown
        return position

    def _is_garbled(self, text: str) -> bool:
        words = folded(text).split()
        if len(words) > 2 and 10 * sum(word in self._words for word in words) >= 7 * len(words):
            return True
        return any(map(self._is_reworded, decoded_forms(text))) or self._is_link_of_ours(text)

    def _is_reworded(self, line: str) -> bool:
        words = words_of(line)
        known = sum(word in self._vocabulary for word in words) if len(words) >= _LINE_WORDS else 0
        if not known or 10 * known < 7 * len(words):  # runs cannot contain more words than that
            return False
        covered, longest = self._overlap(words, self._runs)
        return longest >= _LINE_WORDS and 10 * covered >= 7 * len(words)

    def _is_link_of_ours(self, line: str) -> bool:
        """Whether a line is only a URL of this site, possibly wrapped by a mail gateway."""
        return bool(_ADDRESS.fullmatch(line)) and any(host in line.casefold() for host in self._hosts)

    def _overlap(self, words: Sequence[str], runs: Collection[tuple[str, ...]]) -> tuple[int, int]:
        """Return how many of `words` are in our word triples, and the length of the longest run."""
        covered = longest = run_length = 0
        for index in range(len(words) - 2):
            is_ours = tuple(words[index : index + 3]) in runs
            covered += (1 if run_length else 3) if is_ours else 0
            run_length = (run_length + 1 if run_length else 3) if is_ours else 0
            longest = max(longest, run_length)
        return min(covered, len(words)), longest


def _ascii(key: str) -> str:
    return "".join(filter(str.isascii, key))
