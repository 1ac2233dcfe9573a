"""The disks of Plateau: types, faces, values, and their one-character signs in a position.

A stack is a string with one sign per piece, from the bottom up. A sign encodes the owner, the orientation, and how much
is public: nothing, the up face, or both faces. Redaction replaces a sign by one with `?` for the unseen faces (rule
sheet: “Hidden information”). Types are digits in order of value, so sorted digits are cheapest first.
"""

from __future__ import annotations

from functools import lru_cache

from engines.base import Hidden

SEATS = ("Black", "White")
"""The names of the seats; Black moves first."""

OWNERS = "BW"
"""The letters of the seats in the position text."""

TYPES = ("M", "B", "R", "BM", "RM", "TW", "A")
"""The notation of each type, by digit: Mute, Blue, Red, Blue Mask, Red Mask, Twister, Ace."""

VALUES = (1, 4, 5, 8, 10, 15, 21)
"""The value of each type in an exchange."""

TWELVE = "000011223456"
"""The type digits of a full hand."""

LAYS = (("xx",), ("bb",), ("rr",), ("bx", "xb"), ("rx", "xr"), ("ox", "xo"), ("rb", "br"))
"""The possible orientations of each type: up face, then down face."""

ORIENTED = tuple(faces for lays in LAYS for faces in lays)
"""The eleven different orientations: up face, then down face."""

TYPE_OF = {faces: str(digit) for digit, lays in enumerate(LAYS) for faces in lays}
"""The type digit by orientation."""

PARTLY_KNOWN = ("??", "x?", "b?", "r?", "o?")
"""The orientations of pieces that are not fully known."""

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
"""All signs that a stored position may contain."""


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
"""Temporary signs for secret pieces whose up face has just been shown; never stored."""

_FACES_BY_SIGN = {sign: (seat, faces, level) for (seat, faces, level), sign in SIGN.items()}
_ALL = _FACES_BY_SIGN | {fresh: (*_FACES_BY_SIGN[sign][:2], UP_KNOWN) for sign, fresh in _UNCOVERED.items()}

OWNER: dict[str, int] = {sign: seat for sign, (seat, _faces, _level) in _ALL.items()}
"""The owner of a piece, by sign."""

FACES: dict[str, str] = {sign: faces for sign, (_seat, faces, _level) in _ALL.items()}
"""The orientation of a piece, by sign: up face, then down face."""

LEVEL: dict[str, int] = {sign: level for sign, (_seat, _faces, level) in _ALL.items()}
"""How much of a piece is public, by sign."""

TYPE = BySign({sign: TYPE_OF[faces] for sign, faces in FACES.items() if faces in TYPE_OF})
"""The type digit of a fully known piece, by sign."""

SHOWN: dict[str, str] = {
    sign: SIGN[seat, faces, max(level, UP_KNOWN)] if faces in TYPE_OF else sign
    for sign, (seat, faces, level) in _ALL.items()
}
"""The sign of a piece after its up face became public."""

TURNED = BySign(
    {
        sign: SIGN[seat, faces[::-1], KNOWN]
        for sign, (seat, faces, _level) in _ALL.items()
        if faces in TYPE_OF and faces[0] != faces[1]
    }
)
"""The sign of a piece after it was turned over, with both faces public.

Pieces with equal faces are left out.
"""

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
"""The `str.translate` table that redacts signs for each viewer."""


@lru_cache(maxsize=4096)
def top_unit(stack: str, seat: int) -> int:
    """Return the size of the top unit if it belongs to the seat, else 0."""
    return len(stack) - len(stack.rstrip(TEAM[seat]))


def longest_unit(stack: str, seat: int) -> int:
    """Return the size of the seat's longest unit anywhere in the stack, pinned or not."""
    longest = run = 0
    for sign in stack:
        run = run + 1 if OWNER[sign] == seat else 0
        longest = max(longest, run)
    return longest


def enemies(stack: str, seat: int) -> int:
    """Count the pieces of the seat's opponent in the stack."""
    return sum(OWNER[sign] != seat for sign in stack)


def types_text(digits: str) -> str:
    """Write types in notation, cheapest first: `M,BM`."""
    return ",".join(TYPES[int(digit)] for digit in digits)


def value(digits: str) -> int:
    """Return the value of a selection in an exchange."""
    return sum(VALUES[int(digit)] for digit in digits)


def minus(digits: str, some: str) -> str:
    """Remove some digits, each of them once."""
    for digit in some:
        digits = digits.replace(digit, "", 1)
    return digits


def is_part_of(some: str, digits: str) -> bool:
    """Whether the digits contain all of `some`, counting repeats."""
    return some in digits or all(digits.count(digit) >= some.count(digit) for digit in set(some))
