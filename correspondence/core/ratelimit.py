"""Doors that many knock at: how often one visitor may, remembered by this process alone."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

MOST_REMEMBERED = 20_000
"""How many pairs of door and visitor are remembered; the longest unseen are forgotten first."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A place to knock: `burst` times at once, and once more every `seconds`."""

    name: str
    burst: int
    seconds: float


@dataclass
class RateLimiter:
    """Remembers how many knocks each visitor has left."""

    left: OrderedDict[tuple[str, str], tuple[float, datetime]] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def allows(self, door: RateLimit, visitor: str, now: datetime) -> bool:
        """Whether this visitor may knock now; counts the knock if so."""
        with self.lock:
            tokens, before = self.left.pop((door.name, visitor), (float(door.burst), now))
            tokens = min(door.burst, tokens + max(0.0, (now - before).total_seconds()) / door.seconds)
            self.left[door.name, visitor] = (max(tokens - 1, 0.0) if tokens >= 1 else tokens, now)
            while len(self.left) > MOST_REMEMBERED:
                self.left.popitem(last=False)
        return tokens >= 1
