"""Doors that are open to strangers: how often one visitor may knock, remembered by this process alone.

A visitor is a member where somebody is signed in, whatever address they come from; else an address. In front of us
may stand as many proxies as TRUSTED_PROXIES says: of the addresses in X-Forwarded-For that many are believed, counted
from the end, because whatever stands before them was written by the visitor.
"""

from __future__ import annotations

import ipaddress
import logging
import re

from flask import Flask, current_app, request
from werkzeug.exceptions import TooManyRequests
from werkzeug.middleware.proxy_fix import ProxyFix

from correspondence.core.ratelimit import RateLimit, RateLimiter
from correspondence.web.current import current_runtime, runtime_of
from correspondence.web.session import visitor_id

log = logging.getLogger(__name__)

JOIN = RateLimit("join", 10, 60)
"""Asking to join."""

SIGN_IN = RateLimit("sign-in", 10, 60)
"""Asking for a sign-in link, and using one."""

ACT = RateLimit("act", 60, 1)
"""Everything that is done in a game or about a challenge."""

READ = RateLimit("read", 120, 0.25)
"""Having a typed move read, and pictures drawn."""

WATCH = RateLimit("watch", 120, 1)
"""Asking whether a game has gone on."""

FILM = RateLimit("film", 12, 5)
"""Having a whole game drawn as a moving picture."""

RECORDS = RateLimit("records", 6, 30)
"""Fetching the records of many games, or everything that is kept of oneself."""


_PORT = re.compile(r"^(?:\[(.+)\]|([^:]+)):\d+$")
_OF_ONE_SITE = 64
_WARNED = "correspondence_warned_of_proxies"


def attach(app: Flask) -> None:
    """Give the application its own doorkeeper, and let it believe the proxies that it stands behind.

    Scheme and host of a request are asked of nobody: letters, links and cookies go by BASE_URL.
    """
    app.extensions["correspondence_rate_limiter"] = RateLimiter()
    proxies = runtime_of(app).settings.trusted_proxies
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=0, x_host=0)  # type: ignore[method-assign]
    else:
        app.before_request(_warn_once)


def _warn_once() -> None:
    """Tell the operator of a proxy that no setting tells of; whoever forges the header can cause one line."""
    if "X-Forwarded-For" in request.headers and not current_app.extensions.get(_WARNED):
        current_app.extensions[_WARNED] = True
        log.warning("X-Forwarded-For arrives, but TRUSTED_PROXIES is 0: all visitors of a proxy share one limit")


def hit(door: RateLimit) -> None:
    """Count a knock at `door`; a visitor who knocks too often is asked to wait."""
    keeper: RateLimiter = current_app.extensions["correspondence_rate_limiter"]
    if not keeper.allows(door, visitor(), current_runtime().now()):
        raise TooManyRequests


def visitor() -> str:
    """Who is knocking: a member, or else everybody at one address."""
    number = visitor_id()
    return f"member {number}" if number is not None else site_of(request.remote_addr or "")


def site_of(address: str) -> str:
    """What counts as one visitor's address: of IPv6 the network of 64 bits, in which one has addresses without end.

    What is no address, with or without a port, counts as one visitor.
    """
    within = _PORT.match(address)
    try:
        found = ipaddress.ip_address((within[1] or within[2]) if within else address.strip("[]"))
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _OF_ONE_SITE), strict=False))
