"""How fast robots answer a member."""

from __future__ import annotations

from enum import StrEnum


class RobotPace(StrEnum):
    """When robots answer a member: at the server's pace, at once, or as slowly as people do."""

    USUAL = "usual"
    AT_ONCE = "at-once"
    LATER = "later"
