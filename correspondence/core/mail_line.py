"""A written line as a value, which is normalised once however many readers look at it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from correspondence.core.lookalikes import in_latin, with_ascii_digits

LINES_KEPT, LONGEST_KEPT = 1_000, 2_100
"""Maximum number of cached lines, and the length up to which a line is cached, in characters."""


@dataclass(frozen=True, slots=True)
class MailLine:
    """A line as written (`raw`), and normalised: `tokens`, its words, and `text`, these with single spaces.

    Normalising gives ASCII punctuation, digits and letters, and keeps case.
    """

    raw: str
    text: str
    tokens: tuple[str, ...]

    @property
    def word(self) -> str:
        """The first word, casefolded; empty for a blank line."""
        return self.tokens[0].casefold() if self.tokens else ""

    @property
    def rest(self) -> str:
        """The line without its first word."""
        return " ".join(self.tokens[1:])


def mail_line(raw: str) -> MailLine:
    """Return the value of a line; the same line gives the same value."""
    return _kept(raw) if len(raw) <= LONGEST_KEPT else _read(raw)


def _read(raw: str) -> MailLine:
    text = in_latin(with_ascii_digits(" ".join(raw.translate(_TO_ASCII).split())))
    return MailLine(raw, text, tuple(text.split()))


_kept = lru_cache(LINES_KEPT)(_read)
"""Most lines of a mail are read by several modules, and many lines occur in many mails."""

_TO_ASCII = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣"), "-"),
    **dict.fromkeys(map(ord, "→⇒➔➙➜➝➞⟶⟹⇨"), "->"),
    **dict.fromkeys(map(ord, "‘’‚‛′´`"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys((0xAD, 0xFEFF, *range(0x200B, 0x2010)), ""),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2060, 0x206A)), ""),
    ord("…"): "...",
    ord("×"): "x",
    **dict.fromkeys(map(ord, "⁄∕"), "/"),
    ord("〜"): "~",
    ord("∼"): "~",
}
