"""Rate limits of the pages, for each visitor and in each process.

A signed-in member counts as one visitor from any IP address; other visitors count by IP address. TRUSTED_PROXIES is
the number of proxies in front: only that many addresses at the end of X-Forwarded-For are trusted. A visitor can forge
the others.
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
"""Limit for asking to join."""

SIGN_IN = RateLimit("sign-in", 10, 60)
"""Limit for asking for a sign-in link, and for using one."""

ACT = RateLimit("act", 60, 1)
"""Limit for changes to games, challenges and settings."""

READ = RateLimit("read", 120, 0.25)
"""Limit for previewing typed moves and for drawing pictures."""

WATCH = RateLimit("watch", 120, 1)
"""Limit for polling whether a game has changed."""

FILM = RateLimit("film", 12, 5)
"""Limit for drawing a whole game as an animation."""

SCENES = RateLimit("scenes", 30, 2)
"""Limit for fetching all scenes of a game for its replay."""

CARDS = RateLimit("cards", 12, 10)
"""Limit for drawing postal cards as PDF."""

API_READ = RateLimit("api-read", 120, 0.5)
"""Limit for API calls that only read."""

API_PLAY = RateLimit("api-play", 60, 1)
"""Limit for API calls that change something."""

RECORDS = RateLimit("records", 6, 30)
"""Limit for downloading the records of many games, or all data about a member."""

_PORT = re.compile(r"^(?:\[(.+)\]|([^:]+)):\d+$")
_SITE_PREFIX_BITS = 64
_WARNED = "correspondence_warned_of_proxies"


def attach(app: Flask) -> None:
    """Create the application's rate limiter and trust the configured proxies.

    Forwarded scheme and host are ignored: letters, links and cookies use BASE_URL.
    """
    app.extensions["correspondence_rate_limiter"] = RateLimiter()
    proxies = runtime_of(app).settings.trusted_proxies
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=0, x_host=0)  # type: ignore[method-assign]
    else:
        app.before_request(_warn_once)


def _warn_once() -> None:
    """Warn the operator, at most once, that TRUSTED_PROXIES may be missing.

    A visitor who forges the header can cause only one log line.
    """
    if "X-Forwarded-For" in request.headers and not current_app.extensions.get(_WARNED):
        current_app.extensions[_WARNED] = True
        log.warning("X-Forwarded-For arrives, but TRUSTED_PROXIES is 0: all visitors of a proxy share one limit")


def hit(limit: RateLimit) -> None:
    """Count a request against `limit`; raises TooManyRequests (429) if the visitor exceeds it."""
    limiter: RateLimiter = current_app.extensions["correspondence_rate_limiter"]
    if not limiter.allows(limit, visitor(), current_runtime().now()):
        raise TooManyRequests


def visitor() -> str:
    """The rate limiter's key for this visitor: the member, or else the network address."""
    person_id = visitor_id()
    return f"member {person_id}" if person_id is not None else site_of(request.remote_addr or "")


def site_of(address: str) -> str:
    """The network that counts as one visitor: an IPv4 address or an IPv6 /64 network.

    One IPv6 site may use all addresses of its network. Text that is not an address, with or without a port, counts as
    “unknown”.
    """
    host_and_port = _PORT.match(address)
    try:
        ip = ipaddress.ip_address((host_and_port[1] or host_and_port[2]) if host_and_port else address.strip("[]"))
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((int(ip), _SITE_PREFIX_BITS), strict=False))
