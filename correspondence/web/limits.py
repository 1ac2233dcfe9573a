"""Doors that are open to strangers: how often one address may knock, remembered by this process alone."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from flask import Flask, current_app, request
from werkzeug.exceptions import TooManyRequests

from correspondence.house import this_house

MOST_REMEMBERED = 20_000
"""How many pairs of door and address are remembered; the longest unseen are forgotten first."""


@dataclass(frozen=True, slots=True)
class Door:
    """A place to knock: `burst` times at once, and once more every `seconds`."""

    name: str
    burst: int
    seconds: float


JOIN = Door("join", 10, 60)
"""Asking to join."""

SIGN_IN = Door("sign-in", 10, 60)
"""Asking for a sign-in link, and using one."""

ACT = Door("act", 60, 1)
"""Everything that is done in a game or about a challenge."""

READ = Door("read", 120, 0.25)
"""Having a typed move read, and pictures drawn."""

FILM = Door("film", 12, 5)
"""Having a whole game drawn as a moving picture."""

RECORDS = Door("records", 6, 30)
"""Fetching the records of many games, or everything that is kept of oneself."""


@dataclass
class Doorkeeper:
    """Remembers how many knocks each address has left."""

    left: OrderedDict[tuple[str, str], tuple[float, datetime]] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def lets_in(self, door: Door, address: str, now: datetime) -> bool:
        """Whether this address may knock now; counts the knock if so."""
        with self.lock:
            tokens, before = self.left.pop((door.name, address), (float(door.burst), now))
            tokens = min(door.burst, tokens + max(0.0, (now - before).total_seconds()) / door.seconds)
            self.left[door.name, address] = (max(tokens - 1, 0.0) if tokens >= 1 else tokens, now)
            while len(self.left) > MOST_REMEMBERED:
                self.left.popitem(last=False)
        return tokens >= 1


def attach(app: Flask) -> None:
    """Give the application its own doorkeeper."""
    app.extensions["correspondence_doorkeeper"] = Doorkeeper()


def knock(door: Door) -> None:
    """Count a knock at `door`; a visitor who knocks too often is asked to wait."""
    keeper: Doorkeeper = current_app.extensions["correspondence_doorkeeper"]
    if not keeper.lets_in(door, request.remote_addr or "", this_house().now()):
        raise TooManyRequests
