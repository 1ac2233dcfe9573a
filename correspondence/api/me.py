"""The member for whom a program acts."""

from __future__ import annotations

from correspondence.api.access import member
from correspondence.api.calls import ResponseBody, call
from correspondence.core.i18n import zone_of


class Me(ResponseBody):
    """A member's own data; `waiting` counts the games in which it is their turn."""

    handle: str
    language: str
    zone: str
    waiting: int


@call("GET", "/me", topic="members", answers=Me)
def show() -> Me:
    """Return the member for whom the token acts."""
    mine = member()
    return Me(handle=mine.handle, language=mine.language, zone=zone_of(mine.zone).key, waiting=mine.waiting)
