"""The disks of Plateau: types, faces, values, and their signs in a position.

A stack is a string with one sign for each piece, from the bottom up. A sign says whose the
piece is, how it lies and how much of it is public: nothing, its up face, or both faces. A
view replaces what its reader cannot know by signs with `?` for a face (rule sheet: “Hidden
information”). Types are digits in order of value, so that sorted digits are “cheapest first”.
"""

from __future__ import annotations

from functools import lru_cache

from engines.base import Hidden

SEATS = ("Black", "White")
"""Black moves first."""

OWNERS = "BW"
"""The letters of the seats in the position text."""

TYPES = ("M", "B", "R", "BM", "RM", "TW", "A")
"""The types by their digit: Mute, Blue, Red, Blue Mask, Red Mask, Twister, Ace."""

VALUES = (1, 4, 5, 8, 10, 15, 21)
"""What each type is worth in an exchange."""

TWELVE = "000011223456"
"""The digits of a full hand."""

LAYS = (("xx",), ("bb",), ("rr",), ("bx", "xb"), ("rx", "xr"), ("ox", "xo"), ("rb", "br"))
"""For each type how it can lie: up face, then down face."""

ORIENTED = tuple(faces for lays in LAYS for faces in lays)
"""The eleven oriented pieces."""

TYPE_OF = {faces: str(digit) for digit, lays in enumerate(LAYS) for faces in lays}
"""The digit of the type that an oriented piece belongs to."""

PARTLY_KNOWN = ("??", "x?", "b?", "r?", "o?")
"""The faces of pieces that are not fully known."""

SECRET, UP_KNOWN, KNOWN = 0, 1, 2
"""How much of a piece is public: nothing, the up face, both faces."""

_KINDS = [(faces, level) for faces in ORIENTED for level in (SECRET, UP_KNOWN, KNOWN)] + [
    (faces, SECRET if faces == "??" else UP_KNOWN) for faces in PARTLY_KNOWN
]
_PRINTABLE = [chr(code) for code in range(ord("!"), ord("~") + 1) if chr(code) not in '"\\']
_BEYOND = [chr(0x100 + number) for number in range(2 * len(ORIENTED))]

SIGN: dict[tuple[int, str, int], str] = {
    (seat, faces, level): _PRINTABLE[seat * len(_KINDS) + number]
    for seat in (0, 1)
    for number, (faces, level) in enumerate(_KINDS)
}
"""The sign of a piece by owner, faces and level of publicity."""

STORED = frozenset(SIGN.values())
"""All signs that a position may hold."""


class BySign(dict[str, str]):
    """A lookup table by sign that raises Hidden for a piece that is not fully known."""

    def __missing__(self, sign: str) -> str:
        if "?" in FACES[sign]:
            raise Hidden()
        raise KeyError(sign)


_UNCOVERED = {
    SIGN[seat, faces, SECRET]: _BEYOND[seat * len(ORIENTED) + number]
    for seat in (0, 1)
    for number, faces in enumerate(ORIENTED)
}

_PLAIN = [sign for (_seat, faces, _level), sign in SIGN.items() if faces != "??"]
FRESH = BySign({sign: sign for sign in [*_PLAIN, *_BEYOND]} | _UNCOVERED)
"""Temporary signs for secret pieces whose up face is just shown; never stored."""

_FACES_BY_SIGN = {sign: (seat, faces, level) for (seat, faces, level), sign in SIGN.items()}
_ALL = _FACES_BY_SIGN | {fresh: (*_FACES_BY_SIGN[sign][:2], UP_KNOWN) for sign, fresh in _UNCOVERED.items()}

OWNER: dict[str, int] = {sign: seat for sign, (seat, _faces, _level) in _ALL.items()}
"""The owner of a piece."""

FACES: dict[str, str] = {sign: faces for sign, (_seat, faces, _level) in _ALL.items()}
"""The orientation of a piece: up face, then down face."""

LEVEL: dict[str, int] = {sign: level for sign, (_seat, _faces, level) in _ALL.items()}
"""How much of a piece is public."""

TYPE = BySign({sign: TYPE_OF[faces] for sign, faces in FACES.items() if faces in TYPE_OF})
"""The type digit of a fully known piece."""

SHOWN: dict[str, str] = {
    sign: SIGN[seat, faces, max(level, UP_KNOWN)] if faces in TYPE_OF else sign
    for sign, (seat, faces, level) in _ALL.items()
}
"""The same piece once its up face is public."""

TURNED = BySign(
    {
        sign: SIGN[seat, faces[::-1], KNOWN]
        for sign, (seat, faces, _level) in _ALL.items()
        if faces in TYPE_OF and faces[0] != faces[1]
    }
)
"""The same piece turned over, with both faces public; pieces with equal faces are left out."""

TEAM: tuple[str, str] = (
    "".join(sign for sign, seat in OWNER.items() if seat == 0),
    "".join(sign for sign, seat in OWNER.items() if seat == 1),
)
"""All signs of each seat."""

MARKERS = frozenset(sign for sign, faces in FACES.items() if faces[0] in "bro")
"""The signs of pieces with a marker up."""


def _hidden(sign: str) -> str:
    seat, faces, level = _ALL[sign]
    seen = {SECRET: "??", UP_KNOWN: f"{faces[0]}?", KNOWN: faces}[level]
    return SIGN[seat, seen, level]


_HIDING = [{ord(sign): _hidden(sign) for sign in team} for team in TEAM]
_OPEN = {ord(sign): sign for sign in [" ", *_ALL]}

HIDING: dict[int | None, dict[int, str]] = {
    viewer: _OPEN | table for viewer, table in ((0, _HIDING[1]), (1, _HIDING[0]), (None, _HIDING[0] | _HIDING[1]))
}
"""For each viewer, the `str.translate` table that blanks what the viewer cannot know."""


@lru_cache(maxsize=4096)
def top_unit(stack: str, seat: int) -> int:
    """The size of the top unit if it is the seat's, else 0."""
    return len(stack) - len(stack.rstrip(TEAM[seat]))


def longest_unit(stack: str, seat: int) -> int:
    """The size of the seat's longest unit anywhere in the stack, pinned or not."""
    longest = run = 0
    for sign in stack:
        run = run + 1 if OWNER[sign] == seat else 0
        longest = max(longest, run)
    return longest


def enemies(stack: str, seat: int) -> int:
    """How many pieces of the seat's opponent lie in the stack."""
    return sum(OWNER[sign] != seat for sign in stack)


def types_text(digits: str) -> str:
    """Types as they are written, cheapest first: `M,BM`."""
    return ",".join(TYPES[int(digit)] for digit in digits)


def value(digits: str) -> int:
    """What a selection is worth in an exchange."""
    return sum(VALUES[int(digit)] for digit in digits)


def minus(digits: str, some: str) -> str:
    """Remove some digits, each once."""
    for digit in some:
        digits = digits.replace(digit, "", 1)
    return digits


def is_part_of(some: str, digits: str) -> bool:
    """Whether the digits include all of `some`, counting repeats."""
    return some in digits or all(digits.count(digit) >= some.count(digit) for digit in set(some))
