"""Doors that are open to strangers: how often one address may knock, remembered by this process alone."""

from __future__ import annotations

from flask import Flask, current_app, request
from werkzeug.exceptions import TooManyRequests

from correspondence.doors import Door, Doorkeeper
from correspondence.house import this_house

JOIN = Door("join", 10, 60)
"""Asking to join."""

SIGN_IN = Door("sign-in", 10, 60)
"""Asking for a sign-in link, and using one."""

ACT = Door("act", 60, 1)
"""Everything that is done in a game or about a challenge."""

READ = Door("read", 120, 0.25)
"""Having a typed move read, and pictures drawn."""

WATCH = Door("watch", 120, 1)
"""Asking whether a game has gone on."""

FILM = Door("film", 12, 5)
"""Having a whole game drawn as a moving picture."""

RECORDS = Door("records", 6, 30)
"""Fetching the records of many games, or everything that is kept of oneself."""


def attach(app: Flask) -> None:
    """Give the application its own doorkeeper."""
    app.extensions["correspondence_doorkeeper"] = Doorkeeper()


def knock(door: Door) -> None:
    """Count a knock at `door`; a visitor who knocks too often is asked to wait."""
    keeper: Doorkeeper = current_app.extensions["correspondence_doorkeeper"]
    if not keeper.lets_in(door, request.remote_addr or "", this_house().now()):
        raise TooManyRequests
