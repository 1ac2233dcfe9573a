"""Handle skeletons: handles with the same skeleton look alike (an idea of UTS 39).

Handles are ASCII and shown as their owners typed them, so few pairs matter: capital I, l and 1; o and 0; rn and m; vv
and w; punctuation in a row or at the end. A small i differs from l: `nell` and `neil` are distinct. But 1 and I also
stand for i, because people read `al1ce` and `ALICE` as “alice”.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

_ROLES = (
    "abuse admin administrator amministratore amministrazione assistenza daemon helpdesk hostmaster mailer mod moderator"
    " moderatore noreply official operator operatore postmaster security service sicurezza staff support sysadmin"
    " sysop system webmaster"
).split()  # fmt: skip
"""Names of staff roles; refused even as a part of a handle, such as `staff-ann`."""

_WORDS = (
    "anonymous arbiter billing black chance contact correspondence everybody everyone feedback help helper host info judge"
    " legal mail me news nobody owner play privacy referee robot root server team tournament white www you"
).split()  # fmt: skip
"""Names that suggest the service, a side or no person; refused as a whole handle."""

_LIKE_OTHERS = str.maketrans({"0": "o", "1": "l", "I": "l"})
_PAIRS = (("rn", "m"), ("vv", "w"))
_MARKS = re.compile(r"[-_]+")
_STROKES, _UNCLEAR_STROKES = re.compile(r"[1IiLl]"), re.compile(r"[1I]|(?<=[A-Z])l(?=[A-Z])")
_MOST_STROKES = 8
"""Maximum number of strokes that are read both as i and as l; a handle with more looks like none."""


def skeleton(handle: str) -> str:
    """Return the skeleton of a handle, the same for all handles that look like it."""
    text = handle.translate(_LIKE_OTHERS).casefold()
    for pair, like in _PAIRS:
        text = text.replace(pair, like)
    return _MARKS.sub("-", text).strip("-")


def similar_skeletons(handle: str) -> frozenset[str]:
    """Return the skeletons of all handles that might be taken for this one; `readings` decides."""
    return _variants(handle, _STROKES)


def readings(handle: str) -> frozenset[str]:
    """Return the skeletons of the readings of a handle, with i or l for each 1 and I, and each l among capitals.

    Handles that look alike share one.
    """
    return _variants(handle, _UNCLEAR_STROKES)


def _variants(handle: str, strokes: re.Pattern[str]) -> frozenset[str]:
    *words, last = strokes.split(handle, maxsplit=_MOST_STROKES)
    ways = product("il", repeat=len(words))
    return frozenset(skeleton("".join(map("".join, zip(words, way, strict=True))) + last) for way in ways)


def is_reserved(handle: str) -> bool:
    """Whether a handle suggests staff, the service, or no person at all."""
    parts = {handle, _MARKS.sub("", handle), *_MARKS.split(handle)}
    looks = {_rough(form) for part in parts for form in (part, part.rstrip("0123456789"))}
    return bool(looks & _looks_of_roles()) or _rough(handle) in {_rough(word) for word in _WORDS}


def _rough(handle: str) -> str:
    """Return the skeleton with i written as l, so that “adm1n” does not pass for “admin”."""
    return skeleton(handle).replace("i", "l")


@cache
def _looks_of_roles() -> frozenset[str]:
    """Return the rough skeletons of all staff roles, singular and plural."""
    return frozenset(_rough(form) for role in _ROLES for form in (role, f"{role}s"))
