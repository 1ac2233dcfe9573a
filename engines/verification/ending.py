"""The signed text of a game's end, which the hash chain does not cover.

Source: docs/fairness.md, “The end is signed”.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

FORMAT = "end-1"
"""The first line of the signed text."""

BETWEEN = " | "
"""The separator between `Amended` values."""

_LEFT_OUT = re.compile(r"\{comment ([0-9a-f]{64})\}")
_BEFORE_NAMES, _BEHIND_NAMES = 7, 9
"""The number of lines before and after the names in the signed text."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game, each value as in its tag; `names` are by seat.

    `words`, `times` and `comments` are the lines W, T and C of the signed text. `amended` joins the values of all
    `Amended` tags.
    """

    site: str
    entries: int
    head: str
    result: str
    reason: str
    ended: str
    names: tuple[str, ...]
    date: str
    event: str
    round: str
    section: str
    terms: str
    words: str
    times: str
    comments: str
    amended: str = ""

    @property
    def text(self) -> str:
        """The signed text."""
        return "\n".join([
            FORMAT, self.site, str(self.entries), self.head, self.result, self.reason, self.ended, *self.names, self.date,
            self.event, self.round, self.section, self.terms, self.words, self.times, self.comments, self.amended,
        ])  # fmt: skip

    def amended_by(self, what: str) -> GameEnd:
        """Return the end with one more `Amended` value."""
        return replace(self, amended=f"{self.amended}{BETWEEN}{what}" if self.amended else what)

    @property
    def amendments(self) -> tuple[str, ...]:
        """The values of the `Amended` tags."""
        return tuple(self.amended.split(BETWEEN)) if self.amended else ()


def read_end(text: str) -> GameEnd | None:
    """Parse a signed text; None if it is not one."""
    lines = text.split("\n")
    last_name = len(lines) - _BEHIND_NAMES
    if lines[0] != FORMAT or last_name <= _BEFORE_NAMES or not re.fullmatch(r"0|[1-9][0-9]{0,8}", lines[2]):
        return None
    site, entries, head, result, reason, ended = lines[1:_BEFORE_NAMES]
    date, event, round_, section, terms, words, times, comments, amended = lines[last_name:]
    names = tuple(lines[_BEFORE_NAMES:last_name])
    return GameEnd(
        site, int(entries), head, result, reason, ended, names, date, event, round_, section, terms, words, times, comments,
        amended,
    )  # fmt: skip


def words_line(words: Iterable[str]) -> str:
    """Return line W: the hashes of both players' words; a missing player's words count as empty."""
    first, second = [*words, "", ""][:2]
    return f"{_sha256(first)} {_sha256(second)}"


def times_hash(times: Iterable[str]) -> str:
    """Return the hash for line T, from each entry's `%emt` (time taken) in order.

    The time is empty for an entry without one.
    """
    return _sha256("".join(f"{number}\n{time}\n" for number, time in enumerate(times, start=1)))


def comments_hash(comments: Iterable[str]) -> str:
    """Return line C, from the comment of each entry in order; empty for an entry without one."""
    rows = enumerate(comments, start=1)
    return _sha256("".join(f"{number} {comment_hash(comment)}\n" for number, comment in rows if comment))


def comment_hash(comment: str) -> str:
    """Return the hash of a comment, or the hash in the placeholder of an omitted one."""
    left_out = _LEFT_OUT.fullmatch(comment)
    return left_out[1] if left_out else _sha256(comment)


def left_out(comment: str) -> str:
    """Return the placeholder for a comment that a record omits."""
    return by_hash(comment_hash(comment))


def by_hash(hash_of_comment: str) -> str:
    """Return the placeholder for an omitted comment with this hash."""
    return f"{{comment {hash_of_comment}}}"


def is_left_out(comment: str) -> bool:
    """Whether a comment is the placeholder of an omitted one."""
    return _LEFT_OUT.fullmatch(comment) is not None


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
