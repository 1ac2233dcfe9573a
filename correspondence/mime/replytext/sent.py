"""Recognises the text of our own letters in a reply, even if a mail program re-wrapped or changed it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from .cleaning import bare, clean, folded, is_link, readings, skeleton, words_of
from .limits import SENT_LIMIT
from .links import broken_links

HIT_LENGTH = 12
"""Least characters with which a piece of one of our lines counts as ours, wherever it was broken."""

RUN_LENGTH = 3
"""This many of our lines in a row make a quotation; blank lines are not counted."""

ECHO_WORDS = 6
"""This many of our words in a row are not typed by chance, even outside a quotation."""

SAID_MARKS = ("|", ">", "·")
"""What our letters put before remarks of others, and before quoted text of the reader."""

_ECHO_LENGTH = 20
_LINE_WORDS = 4
_CELL_GAP = 24
_PART_GAP = "\0" * 100
_HOST = re.compile(r"https?://([^\s/<>\"']+)")
_FOOTNOTES = frozenset({"references", "links", "visiblelinks", "hiddenlinks"})
"""The heading of the list of links that some mail programs add below a letter."""

_ADDRESS = re.compile(r"\W*(?:\d+\W+)?(?:https?://|mailto:)\S+\W*")
_SECRET = re.compile(r"[a-z0-9]{20}")


class Kind(Enum):
    """The origin of a line in a quotation of our letter."""

    OURS = auto()
    """Ours, and in its expected place."""
    AGAIN = auto()
    """Ours, but in another place: the person may have typed it again."""
    DOUBT = auto()
    """Partly ours."""
    WORD = auto()
    """Too short to decide, and in words that occur in our letter."""
    STRANGE = auto()
    """Not ours."""
    EMPTY = auto()
    """No letters or digits."""


def _rows(texts: Sequence[str]) -> Iterator[str]:
    room = SENT_LIMIT
    for text in texts:
        yield from filter(str.strip, clean(text[:room]).split("\n"))
        yield _PART_GAP
        room -= len(text)
        if room <= 0:
            return


def _runs(rows: Iterable[_Row]) -> Iterator[tuple[str, ...]]:
    """Yield all pairs and triples of consecutive words of `rows`, not across gaps."""
    last: tuple[str, ...] = ()
    for row in rows:
        last = () if row.is_gap else last
        for word in row.words:
            last = (*last[-2:], word)
            yield last
            yield last[-2:]


@dataclass(frozen=True, slots=True)
class _Row:
    """One of our lines, in the forms in which it is compared."""

    folded: str
    bones: str
    words: tuple[str, ...]
    is_gap: bool = False
    is_said: bool = False

    @classmethod
    def of(cls, row: str) -> _Row:
        return cls(folded(row), skeleton(row), tuple(words_of(row)), is_said=_is_marked_as_said(row))


def _is_marked_as_said(row: str) -> bool:
    return row.lstrip().startswith(SAID_MARKS)


_GAP = _Row("", _PART_GAP, (), is_gap=True)


class Sent:
    """An index of the texts sent to the person, likeliest first, for comparison with a reply.

    Lines that begin with one of `SAID_MARKS` are text of a person: they count as ours inside a quotation but not
    outside, so that somebody who was asked to send lines again can do so.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        rows = [_GAP if row is _PART_GAP else _Row.of(row) for row in _rows(texts)]
        text_rows = [row for row in rows if not row.is_gap]
        self._lines = frozenset(row.folded for row in text_rows if row.folded)
        self._bones = frozenset(row.bones for row in text_rows if row.bones)
        self._joined = " ".join(row.folded for row in text_rows)
        self._skeleton = "".join(row.bones for row in rows)
        self._latin = "" if self._skeleton.isascii() else _latin(self._skeleton)
        self._words = frozenset(self._joined.split())
        self._vocabulary = frozenset(word for row in text_rows for word in row.words)
        self._hosts = frozenset(_HOST.findall(self._joined))
        self._said = frozenset(row.bones for row in text_rows if row.is_said)
        own = [_GAP if row.bones in self._said else row for row in rows]
        self._runs = frozenset(_runs(rows))
        self._own_runs = frozenset(_runs(own))
        self._own_lines = frozenset(
            row.bones for row in own if len(row.bones) >= HIT_LENGTH and len(row.words) >= _LINE_WORDS
        )

    def holds(self, line: str) -> bool:
        """Whether `line` is one of our lines, or a long enough part of one."""
        is_line = any(folded(form) in self._lines or self.is_line(form) for form in readings(line))
        return is_line or self.holds_long(line)

    def holds_long(self, line: str) -> bool:
        """Whether `line` is part of our text and too long for a coincidence."""
        return any(map(self._holds_long, readings(line))) or self._is_link_of_ours(line)

    def _holds_long(self, line: str) -> bool:
        form = folded(line)
        if len(form) >= HIT_LENGTH and form in self._joined:
            return True
        bones = skeleton(line)
        return (len(bones) >= HIT_LENGTH and self._find(bones, 0) >= 0) or self._is_retold(line)

    def repeats(self, line: str) -> bool:
        """Whether a line outside any quotation contains a whole line of ours, or more of one than a person would type."""
        if _ADDRESS.fullmatch(line):
            return self._is_link_of_ours(line) and bool(_SECRET.search(line))
        for form in readings(line):
            longest = self._echo(words_of(form), self._own_runs)[1]
            bones = skeleton(form) if longest else ""
            if longest >= ECHO_WORDS and len(bones) >= _ECHO_LENGTH:
                return True
            if longest >= _LINE_WORDS and any(row in bones for row in self._own_lines):
                return True
        return False

    def is_line(self, line: str) -> bool:
        """Whether `line` is a whole line of ours, of any length."""
        return bool(skeleton(line)) and skeleton(line) in self._bones

    def goes_on(self, before: str, line: str) -> bool:
        """Whether `line` directly follows `before` in our text, so that a mail program broke one line."""
        ends = [bones for bones in map(bare, readings(before)) if len(bones) >= HIT_LENGTH]
        begins = list(filter(None, map(bare, readings(line))))
        return any(end[-HIT_LENGTH:] + begin in self._skeleton for end in ends for begin in begins)

    def run(self, texts: Sequence[str], acts: Callable[[str], bool]) -> int | None:
        """Return where the first run of our lines begins in `texts`; None if there is none. A line that acts begins none."""
        indexes: list[int] = []
        for index, text in enumerate(texts):
            if not skeleton(text) or self._is_said_again(text):
                continue
            if self.holds(text):
                indexes.append(index)
            elif not (indexes and self.goes_on(texts[index - 1], text)):  # the short end of a broken line
                indexes = []
            if len(indexes) == RUN_LENGTH:
                return self._upwards(texts, self._first_safe(texts, indexes), acts)
        return None

    def _is_said_again(self, text: str) -> bool:
        return skeleton(text) in self._said and not _is_marked_as_said(text)

    def _first_safe(self, texts: Sequence[str], indexes: list[int]) -> int:
        # a single short word may be a table cell of ours, or the person's move above the quotation
        return next((i for i in indexes if len(folded(texts[i]).split()) > 1), indexes[-1])

    def _upwards(self, texts: Sequence[str], first: int, acts: Callable[[str], bool]) -> int:
        """Return the topmost line, but no table cell, from which our text continues without interruption to `first`."""
        below = bare(list(readings(texts[first]))[-1])[:HIT_LENGTH]
        for index in range(first - 1, -1, -1):
            forms = [bare(form) for form in readings(texts[index])]
            if not all(forms):
                continue
            bones = next((form for form in forms if form + below in self._skeleton), "")
            if not bones and not self.holds(texts[index]):
                break
            below = ((bones or forms[-1]) + below)[:HIT_LENGTH]
            is_word = len(forms[0]) > 2 and forms[0].isalpha()
            if (is_word or len(folded(texts[index]).split()) > 1) and not acts(texts[index]):
                first = index
        return first

    def kinds(self, texts: Sequence[str], start: int, acts: Callable[[str], bool]) -> list[Kind]:
        """Return the kind of each line from `start`, where our letter begins; table cells are recognised by their place."""
        kinds: list[Kind] = []
        links = broken_links(texts, self._hosts, acts)
        cursor = self._beginning(texts[start : start + RUN_LENGTH * 2])
        for index, text in enumerate(texts[start:], start):
            if index in links:
                kind = Kind.OURS
            elif all(map(skeleton, readings(text))):
                kind, cursor = self._placed(text, cursor)
                if kind not in (Kind.OURS, Kind.AGAIN) and index and self.goes_on(texts[index - 1], text):
                    kind = Kind.OURS
            elif is_link(text):
                kind = Kind.OURS
            else:  # a rule, an emoticon or a blank line belongs to the line above it
                kind = Kind.STRANGE if kinds and kinds[-1] is Kind.STRANGE else Kind.EMPTY
            kinds.append(kind)
        return kinds

    def _beginning(self, texts: Sequence[str]) -> int:
        """Return the position in our text of these first quoted lines; 0 if unknown."""
        joint = "".join(bare(list(readings(text))[-1]) for text in texts)
        return max(0, self._skeleton.find(joint[: HIT_LENGTH * 2]))

    def _placed(self, text: str, cursor: int) -> tuple[Kind, int]:
        """Return the kind of `text`, and the position in our text after it."""
        for form in readings(text):
            bones = skeleton(form)
            near = self._skeleton.find(bones, cursor, cursor + _CELL_GAP + len(bones)) if bones else -1
            if near >= 0:
                return Kind.OURS, near + len(bones)
            far = self._find(bones, cursor) if len(bones) >= HIT_LENGTH else -1
            if far >= 0:
                return Kind.AGAIN, far + len(bones)
        return self._unplaced(text), cursor

    def _unplaced(self, text: str) -> Kind:
        if skeleton(text) in _FOOTNOTES:
            return Kind.OURS
        if skeleton(text) in self._bones or self.holds(text) or self._is_garbled(text):
            return Kind.AGAIN
        words = words_of(list(readings(text))[-1])
        covered, longest = self._echo(words, self._runs)
        if longest >= _LINE_WORDS or (covered and 5 * covered >= 2 * len(words)):
            return Kind.DOUBT
        if words and (tuple(words) in self._runs if len(words) > 1 else words[0] in self._vocabulary):
            return Kind.WORD
        return Kind.STRANGE

    def _find(self, bones: str, cursor: int) -> int:
        """Return the position of `bones` in our text, searching from `cursor` first; -1 if not found."""
        place = self._skeleton.find(bones, cursor)
        place = place if place >= 0 else self._skeleton.find(bones)
        if place < 0 and self._latin and len(latin := _latin(bones)) >= HIT_LENGTH and latin in self._latin:
            return min(cursor, len(self._skeleton))  # characters were lost in transit, so the position is unknown
        return place

    def _is_garbled(self, text: str) -> bool:
        words = folded(text).split()
        if len(words) > 2 and 10 * sum(word in self._words for word in words) >= 7 * len(words):
            return True
        return any(map(self._is_retold, readings(text))) or self._is_link_of_ours(text)

    def _is_retold(self, line: str) -> bool:
        words = words_of(line)
        covered, longest = self._echo(words, self._runs)
        return longest >= _LINE_WORDS and 10 * covered >= 7 * len(words)

    def _is_link_of_ours(self, line: str) -> bool:
        """Whether a line is only an address of this site, possibly wrapped by a mail gateway into its own."""
        return bool(_ADDRESS.fullmatch(line)) and any(host in line.casefold() for host in self._hosts)

    def _echo(self, words: Sequence[str], runs: Collection[tuple[str, ...]]) -> tuple[int, int]:
        """Return how many of `words` are in triples of ours, and the length of the longest such run."""
        covered = longest = run_length = 0
        for index in range(len(words) - 2):
            is_ours = tuple(words[index : index + 3]) in runs
            covered += (1 if run_length else 3) if is_ours else 0
            run_length = (run_length + 1 if run_length else 3) if is_ours else 0
            longest = max(longest, run_length)
        return min(covered, len(words)), longest


def _latin(bones: str) -> str:
    return "".join(filter(str.isascii, bones))
