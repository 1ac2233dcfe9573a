"""What a handle looks like: two handles with one skeleton can be taken for each other (the idea of UTS 39).

Handles are ASCII and ignore case, so few pairs matter: i, l and 1; o and 0; rn and m; vv and w; marks in a row or at the
end.
"""

from __future__ import annotations

import re
from functools import cache

_ROLES = (
    "abuse admin administrator amministratore amministrazione assistenza daemon helpdesk hostmaster mailer mod moderator"
    " moderatore noreply official operator operatore postmaster security service sicurezza staff support sysadmin"
    " sysop system webmaster"
).split()  # fmt: skip
"""Names of those who look after a service; they are refused as a part of a handle too, such as `staff-ann`."""

_WORDS = (
    "anonymous arbiter billing black chance contact correspondence everybody everyone feedback help helper host info judge"
    " legal mail me news nobody owner play privacy referee robot root server team tournament white www you"
).split()  # fmt: skip
"""Further names that would be taken for the service, a side or no person; they are refused alone."""

_LIKE_OTHERS = str.maketrans({"0": "o", "1": "l", "i": "l"})
_PAIRS = (("rn", "m"), ("vv", "w"))
_MARKS = re.compile(r"[-_]+")


def skeleton(handle: str) -> str:
    """Return what a handle has in common with all that look like it."""
    text = handle.casefold().translate(_LIKE_OTHERS)
    for pair, like in _PAIRS:
        text = text.replace(pair, like)
    return _MARKS.sub("-", text).strip("-")


def is_reserved(handle: str) -> bool:
    """Whether a handle would be taken for somebody who looks after the service, or for no person at all."""
    parts = {handle, _MARKS.sub("", handle), *_MARKS.split(handle)}
    looks = {skeleton(form) for part in parts for form in (part, part.rstrip("0123456789"))}
    return bool(looks & _skeletons_of_roles()) or skeleton(handle) in {skeleton(word) for word in _WORDS}


@cache
def _skeletons_of_roles() -> frozenset[str]:
    """The skeletons of all roles, in singular and plural."""
    return frozenset(skeleton(form) for role in _ROLES for form in (role, f"{role}s"))
