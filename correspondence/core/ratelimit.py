"""In-process rate limiter: a token bucket for each limit and visitor."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

MOST_BUCKETS = 20_000
"""Maximum number of buckets; the least recently used are dropped first."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A limit: `burst` requests at once, and one more every `seconds`."""

    name: str
    burst: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """The remaining allowance of a visitor after a request.

    `next_in` is the number of seconds until one more request is allowed, 0 if one is left. `full_in` is the number
    until the full burst is allowed.
    """

    is_allowed: bool
    left: int
    next_in: float
    full_in: float


@dataclass
class RateLimiter:
    """Token buckets: tokens left and time of the last request, by limit and visitor."""

    buckets: OrderedDict[tuple[str, str], tuple[float, datetime]] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def allows(self, limit: RateLimit, visitor: str, now: datetime) -> bool:
        """Whether this visitor may make a request now; if so, count it."""
        return self.take(limit, visitor, now).is_allowed

    def take(self, limit: RateLimit, visitor: str, now: datetime) -> Allowance:
        """Count a request if the visitor is within the limit; return the remaining allowance."""
        with self.lock:
            tokens, before = self.buckets.pop((limit.name, visitor), (float(limit.burst), now))
            tokens = min(limit.burst, tokens + max(0.0, (now - before).total_seconds()) / limit.seconds)
            self.buckets[limit.name, visitor] = (max(tokens - 1, 0.0) if tokens >= 1 else tokens, now)
            while len(self.buckets) > MOST_BUCKETS:
                self.buckets.popitem(last=False)
        is_allowed = tokens >= 1
        rest = tokens - is_allowed
        return Allowance(is_allowed, int(rest), max(1 - rest, 0) * limit.seconds, (limit.burst - rest) * limit.seconds)
