"""Rate limits of the pages, for each visitor and in each process.

A signed-in member is one visitor, whatever address they come from; anybody else counts by IP address. TRUSTED_PROXIES
is the number of proxies in front: that many addresses at the end of X-Forwarded-For are believed, because the visitor
can forge everything before them.
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
"""Every change to a game, a challenge or a setting."""

WEBHOOK_TEST = RateLimit("webhook test", 6, 30)
"""Posting a test to a webhook."""

READ = RateLimit("read", 120, 0.25)
"""Previewing a typed move, and drawing pictures."""

WATCH = RateLimit("watch", 120, 1)
"""Polling whether a game has changed."""

FILM = RateLimit("film", 12, 5)
"""Drawing a whole game as an animation."""

SCENES = RateLimit("scenes", 30, 2)
"""Fetching all scenes of a game for its replay."""

CARDS = RateLimit("cards", 12, 10)
"""Drawing postal cards as PDF."""

API_READ = RateLimit("api-read", 120, 0.5)
"""A program that looks."""

API_PLAY = RateLimit("api-play", 60, 1)
"""A program that changes something."""

RECORDS = RateLimit("records", 6, 30)
"""Downloading the records of many games, or all of one's own data."""

_PORT = re.compile(r"^(?:\[(.+)\]|([^:]+)):\d+$")
_SITE_PREFIX_BITS = 64
_WARNED = "correspondence_warned_of_proxies"


def attach(app: Flask) -> None:
    """Give the application its rate limiter, and make it trust the configured proxies.

    Forwarded scheme and host are ignored: letters, links and cookies use BASE_URL.
    """
    app.extensions["correspondence_rate_limiter"] = RateLimiter()
    proxies = runtime_of(app).settings.trusted_proxies
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=0, x_host=0)  # type: ignore[method-assign]
    else:
        app.before_request(_warn_once)


def _warn_once() -> None:
    """Warn the operator about a proxy missing from the settings; a forged header can cause only one log line."""
    if "X-Forwarded-For" in request.headers and not current_app.extensions.get(_WARNED):
        current_app.extensions[_WARNED] = True
        log.warning("X-Forwarded-For arrives, but TRUSTED_PROXIES is 0: all visitors of a proxy share one limit")


def hit(limit: RateLimit) -> None:
    """Count a request against `limit`; raises TooManyRequests (429) if the visitor exceeds it."""
    limiter: RateLimiter = current_app.extensions["correspondence_rate_limiter"]
    if not limiter.allows(limit, visitor(), current_runtime().now()):
        raise TooManyRequests


def visitor() -> str:
    """The rate limiter's key for this visitor: the member, or else the address."""
    person_id = visitor_id()
    return f"member {person_id}" if person_id is not None else site_of(request.remote_addr or "")


def site_of(address: str) -> str:
    """What counts as one visitor: an IPv4 address, or an IPv6 /64 network, because one site may use all its addresses.

    Text that is no address, with or without a port, counts as “unknown”.
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
