"""Wrap a letter's text so that no line is too long or can be parsed as a command."""

from __future__ import annotations

import re
from textwrap import wrap

from correspondence.core.move_text import looks_like_move

LONGEST = 78
"""Maximum length of a line, in characters (RFC 5322 2.1.1); a longer word is not split."""

_WIDTH = 74
_NARROWEST = 46
_FEWEST_WORDS = 3
_MARKS = re.compile(r"[>| ]*(?:· )?")
_RECORD = re.compile(r"\[\w+ \"|\d+\. \S+: ")
_FILLED = {"%%base%%": 30, "%%link%%": 62, "%%reply%%": 48, "%%play%%": 28, "%%postmaster%%": 34}
"""Placeholders, and the approximate length of each when filled."""

_STAND_INS = {
    mark: chr(0xE000 + index) + "\ue0ff" * (length - 1) for index, (mark, length) in enumerate(_FILLED.items())
}


def narrowed(text: str) -> str:
    """Return `text` wrapped at LONGEST characters between words; record lines stay whole.

    A continued line starts with the same quotation marks. No part of it is a move or short enough to be a command,
    because mail programs quote line by line.
    """
    for mark, stand_in in _STAND_INS.items():
        text = text.replace(mark, stand_in)
    rows = [row for line in text.split("\n") for row in _rows(line)]
    text = "\n".join(rows)
    for mark, stand_in in _STAND_INS.items():
        text = text.replace(stand_in, mark)
    return text


def _rows(line: str) -> list[str]:
    if len(line) <= LONGEST or _RECORD.match(line):
        return [line]
    marks = _MARKS.match(line)
    first = marks[0][: _WIDTH - _NARROWEST - 1] if marks else ""  # further quotation marks are wrapped like words
    more = first.replace("·", " ")
    is_quoted = ">" in first or "|" in first
    rows = [""]  # a line of only quotation marks and blanks
    for width in range(_WIDTH - len(first), _NARROWEST, -1):
        rows = wrap(line[len(first) :], width, break_long_words=False, break_on_hyphens=False) or rows
        if is_quoted or all(map(_is_harmless, rows)):
            break
    return [f"{more if index else first}{row}" for index, row in enumerate(rows)]


def _is_harmless(row: str) -> bool:
    words = row.split()
    return not looks_like_move(row) and (len(words) >= _FEWEST_WORDS or len(row) > LONGEST // 2)
