"""How soon a member wants robots to answer them."""

from __future__ import annotations

from enum import StrEnum


class RobotPace(StrEnum):
    """When robots answer somebody: as the server's setting says, at once, or as late as people often do."""

    USUAL = "usual"
    AT_ONCE = "at-once"
    LATER = "later"
