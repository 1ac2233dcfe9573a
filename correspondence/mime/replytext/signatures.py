"""Finds what stands around a reply: the warning of a mail server above it, and the writer's name and address below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from .phrases import BANNERS, SIGN_OFFS, THANKS, fold

MOST_LINES = 12
"""Most lines of a warning, or of a name and address, blank ones apart."""

_WORD = re.compile(r"[^\W\d_]+")
_WORDS_OF_A_NAME = 4
_LENGTH = 80
_LINES_BELOW_SIGN_OFF = 5
_TELEPHONE = re.compile(
    r"(?:^|[|·•/] ?)(?:tel|telefon|telefono|teléfono|téléphone|phone|fon|mobile|mobil|cell|handy|fax|direct|office|[tmpf])\b"
    r"[^\w+(]{0,5}[+(]?\d|(?:^|\s)\+\d[\d ()./-]{6,}\d",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://|\bwww\.|[^\s@]@[^\s@.]+\.[^\s@]", re.IGNORECASE)
_SENTENCE_END = (".", "!", "?", "。", "！", "？", ":", ")", "]", ">")


def banner_end(lines: Sequence[str], acts: Callable[[str], bool]) -> int:
    """Return how many of the first lines are a warning that a mail server wrote above the reply."""
    start = sum(1 for _line in takewhile(lambda line: not line.strip(), lines))
    paragraph = list(takewhile(str.strip, lines[start : start + MOST_LINES]))
    last = max((i for i, line in enumerate(paragraph) if _is_banner(line)), default=None)
    if last is None or any(map(acts, paragraph[: last + 1])):
        return 0
    while last + 1 < len(paragraph) and not paragraph[last].rstrip(" *_").endswith(_SENTENCE_END):
        if acts(paragraph[last + 1]):
            break
        last += 1
    return start + last + 1


def _is_banner(line: str) -> bool:
    bare = fold(line)
    return any(phrase in bare for phrase in BANNERS)


def signature_start(lines: Sequence[str], author: str, acts: Callable[[str], bool]) -> int | None:
    """Return where the writer's name and address begin below a reply; None if they do not stand there.

    `author` is the name in From. A name counts below words such as “Best regards”, as the last line, and above an
    address; an address, by its telephone number or links, as the last paragraph.
    """
    names = frozenset(map(fold, _WORD.findall(author)))
    written = [i for i, line in enumerate(lines) if line.strip()][-MOST_LINES:]
    last_act = max((i for i in written if acts(lines[i])), default=-1)
    for count, start in enumerate(written):
        rest = [lines[i] for i in written[count:]]
        if start > last_act and _begins_signature(lines, start, rest, names):
            return start
    return None


def _begins_signature(lines: Sequence[str], start: int, rest: Sequence[str], names: frozenset[str]) -> bool:
    if _bare(rest[0]) in SIGN_OFFS | THANKS:
        return len(rest) > 1 and _is_name_below(rest, names)
    is_paragraph = start > 0 and not lines[start - 1].strip()
    if _is_author(rest[0], names):
        return start > 0 and (len(rest) == 1 or (is_paragraph and _is_address(rest[1:])))
    paragraph = list(takewhile(str.strip, lines[start:]))
    is_short = len(paragraph) > 1 and all(len(line) <= _LENGTH for line in paragraph)
    return is_paragraph and is_short and _is_address(paragraph)


def _is_name_below(rest: Sequence[str], names: frozenset[str]) -> bool:
    if _is_author(rest[1], names):
        return True
    is_short = len(rest) <= _LINES_BELOW_SIGN_OFF and all(len(line) <= _LENGTH for line in rest)
    return _bare(rest[0]) in SIGN_OFFS and (is_short or _is_address(rest[2:])) and _looks_like_name(rest[1])


def _is_author(line: str, names: frozenset[str]) -> bool:
    words = [fold(word) for word in _WORD.findall(line)]
    return (
        0 < len(words) <= _WORDS_OF_A_NAME
        and all(word in names or len(word) == 1 for word in words)
        and (not names.isdisjoint(words))
    )


def _looks_like_name(line: str) -> bool:
    words = _WORD.findall(line)
    is_short = 0 < len(words) <= _WORDS_OF_A_NAME and len(line.strip()) <= 40
    return is_short and not line.rstrip().endswith(("!", "?")) and all(word[0] == word[0].upper() for word in words)


def _is_address(lines: Sequence[str]) -> bool:
    return any(_TELEPHONE.search(line.strip()) or (_LINK.search(line) and len(line.split()) <= 4) for line in lines)


def _bare(line: str) -> str:
    return fold(line.strip(" \t,;.!:-–—*_…~。，！"))
