"""What a line that is no command looks like: a move in one of our notations, or talk."""

from __future__ import annotations

import re

MOVE_LENGTH = 60
"""Characters of a line that can be a move."""

_SQUARE = "[a-h][0-9]"
_STEP = (
    rf"(?:[ypbnrqkost]|[wb]?[1-9])?(?:{_SQUARE}|[a-h]|[1-9])?[x-]?{_SQUARE}\^?"  # Rad4, 5b3-c4, oa1-c3, dxe6^
    rf"(?:=[wb]?[1-9]|={_SQUARE})?"  # 5c4=W3, a1=c3
)
_TURNED = rf"{_SQUARE}(?:==?[a-z]|[+-])"  # f2=B, f2==N, f2+
_PLACED = rf"(?:[mgt]?[ost]|[ypbnrqk]|[wb]?[1-9])@{_SQUARE}"  # Mo@b2, s@a1, Q@b2, 5@b3
_ATOM = rf"(?:{_STEP}|{_TURNED}|{_PLACED})(?:\+[mgt][ost]){{0,2}}(?::[nesw]{{1,9}})?(?:\{{[a-z]\}})?[#!?+]*"
_FACES = "[xrbo?]{2}"
_TYPE = rf"(?:bm|rm|tw|m|b|r|a|{_FACES})"
_HOP = rf"{_SQUARE} ?~? ?(?:\([0-9]{{1,2}}\))? ?"
_MOVE = re.compile(
    rf"{_ATOM}(?:[ /,;]+{_ATOM}){{0,3}}"
    rf"|{_HOP}(?:- ?{_HOP}){{0,9}}(?:x ?[0-9]{{0,2}})?"  # a2~(2)-a3x2, b2~x1
    rf"|\+ ?{_SQUARE}(?: ?/ ?[0-9]{{1,2}})? ?{_FACES}(?:[ ,]+{_FACES})?"  # +b1 xx,rb
    rf"|(?:tender|pay) {_TYPE}(?:[ ,]+{_TYPE}){{0,11}}"
    r"|(?:army|setup) [pbnrqyk](?:[ ,]*[pbnrqyk]){6,8}"
    r"|refuse|pass|[o0]-[o0](?:-[o0])?|roll [1-6]-[1-6]|\{[a-z]\}",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"(?:(?:move|mossa|zug|coup|jugada) ?#? ?([0-9]{1,4})(?: ?[:.)]+ ?| )"
    r"|# ?([0-9]{1,4})(?: ?[:.)]+ ?| )"
    r"|([0-9]{1,4}) ?(?:\.[. ]*|[:)] ?))(.+)",
    re.IGNORECASE,
)


def looks_like_move(line: str) -> bool:
    """Whether `line` is short and resembles a move in one of our notations, legal or not; never prose."""
    return _is_move(stated_number(line)[1])


def stated_number(line: str) -> tuple[int | None, str]:
    """The move number that stands before a move, and the move: “12. c3/f2=B” is 12 and “c3/f2=B”.

    None, and the line itself, where no number is stated: the 5 of “5c4” is part of the move.
    """
    found = _STATED.fullmatch(normalise(line[: MOVE_LENGTH * 2]))
    if not found or not _is_move(found[4]):
        return None, line.strip()
    return int(found[1] or found[2] or found[3]), found[4].strip()


def _is_move(text: str) -> bool:
    said = normalise(text[: MOVE_LENGTH * 2]).rstrip(".! ")
    return len(said) <= MOVE_LENGTH and _MOVE.fullmatch(said) is not None


def normalise(line: str) -> str:
    """`line` as it is compared: ASCII dashes, quotes, dots and digits, single blanks; letter case stays."""
    return " ".join(line.translate(_PLAIN).split())


_PLAIN = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣→"), "-"),
    **dict.fromkeys(map(ord, "‘’‚‛′´`"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»"), '"'),
    **dict.fromkeys((0xAD, 0xFEFF, *range(0x200B, 0x2010)), ""),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2060, 0x206A)), ""),
    ord("…"): "...",
    ord("×"): "x",
    ord("〜"): "~",
    ord("∼"): "~",
}
