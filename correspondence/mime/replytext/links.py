"""Find links that a mail program broke over several lines, as it does with long links."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile
from urllib.parse import unquote

MOST_LINES = 40
"""Maximum number of lines of a broken link."""

LEAST_WIDTH = 20
"""Minimum width, in characters, at which mail programs break lines."""

_OPEN = re.compile(r"[<\[(]?(?:https?:\S*|(?<!\w)(?:h|ht|htt|https?))\Z", re.IGNORECASE)
_WHOLE = re.compile(r"[<\[(]?https?://", re.IGNORECASE)
_LINK_CHARACTER = re.compile(r"[0-9%=&?;_$]")
_CLOSED = re.compile(r"[>\])]\W*\Z")


def broken_links(
    texts: Sequence[str], hosts: Collection[str], acts: Callable[[str], bool] = lambda _line: False
) -> frozenset[int]:
    """Return the indices of lines that contain only part of a broken link to one of `hosts`.

    A line that is a command or move is excluded: it may stand below a link. Mail gateways replace a link by their own,
    which contains the original in its query, percent-encoded or unchanged.
    """
    found: set[int] = set()
    if hosts:
        for index in range(len(texts)):
            if index not in found:
                found.update(_parts(texts, index, hosts, acts))
    return frozenset(found)


def _parts(texts: Sequence[str], first: int, hosts: Collection[str], acts: Callable[[str], bool]) -> Iterator[int]:
    text = texts[first].rstrip()
    link = _OPEN.search(text)
    if link is None or len(text) < LEAST_WIDTH or _CLOSED.search(text):
        return
    parts = _continuation(texts, first, is_bracketed=link[0][0] in "<[(")
    rest = list(takewhile(lambda index: not acts(texts[index]), parts))
    whole = link[0] + "".join(texts[index].strip() for index in rest)
    if rest and _WHOLE.match(whole) and any(host in unquote(whole).casefold() for host in hosts):
        yield from rest
        if link.start() == len(text) - len(text.lstrip("> \t")):
            yield first


def _continuation(texts: Sequence[str], first: int, *, is_bracketed: bool) -> Iterator[int]:
    for index in range(first + 1, min(first + MOST_LINES, len(texts))):
        part = texts[index].strip()
        is_bracketed = is_bracketed or "<http" in texts[index - 1].casefold()
        if not part or " " in part or not (is_bracketed or _is_like_a_link(part) or _is_full(texts, first, index - 1)):
            return
        yield index
        if _CLOSED.search(part) or (not is_bracketed and len(part) < LEAST_WIDTH):
            return


def _is_like_a_link(part: str) -> bool:
    return len(part) >= LEAST_WIDTH or bool(_LINK_CHARACTER.search(part))


def _is_full(texts: Sequence[str], first: int, index: int) -> bool:
    """Whether a line below `first` is equally wide, so a program broke both at that width."""
    return index > first and len(texts[index].rstrip()) == len(texts[first].rstrip())
