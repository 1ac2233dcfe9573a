"""Files for crawlers and browsers: robots.txt, the sitemap, security.txt and favicon.ico."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from html import escape
from pathlib import Path
from urllib.parse import quote

from flask import Blueprint, Response, abort, current_app, url_for

from correspondence.archive import search as archive
from correspondence.core.i18n import LANGUAGES
from correspondence.ratings.leaderboards import rated_games
from correspondence.rulebook.chapters import CHAPTERS
from correspondence.web import throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.pictures import with_etag
from correspondence.web.previews import absolute

bp = Blueprint("crawlers", __name__)

HIDDEN = (
    "/partners", "/settings", "/mail", "/i/", "/t/", "/u/", "/yes/", "/seeks/new", "/challenge", "/invite", "/calendar/",
    "/games/*/try", "/games/*/card", "/games/*/mail", "/players/*/report", "/players/*/write", "/archive?", "/archive/opening",
    "/recover", "/forget", "/health",
)  # fmt: skip
"""Paths that robots.txt disallows (RFC 9309).

They are links with secrets, members' own pages, forms, and endless lists.
"""

LISTED = (
    "home.front", "home.help_page", "fairness.explained", "rules.every", "puzzles.show", "exercises.listed", "exercises.course",
    "robots.listed", "watch.running", "history.finished", "archive_files.listed", "ratings.overview", "seeks.listed",
    "account.join",
)  # fmt: skip
"""Sitemap pages without parameters."""

MOST_GAMES = 1_000
"""Maximum number of games in the sitemap, newest finished first.

A sitemap may hold 50,000 addresses (sitemaps.org).
"""

VALID = timedelta(days=180)
"""Validity of security.txt; less than a year is recommended (RFC 9116 2.5.5)."""

_KEPT = "public, max-age=86400"


@bp.get("/robots.txt")
def robots() -> Response:
    """Return robots.txt (RFC 9309) with the address of the sitemap."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in HIDDEN), "", f"Sitemap: {absolute('/sitemap.xml')}", ""]
    return _text("\n".join(lines))


@bp.get("/sitemap.xml")
def sitemap() -> Response:
    """Return the sitemap: public pages, rules and ratings of each game, newest finished games."""
    throttle.hit(throttle.READ)
    with reading() as db:
        games = archive.match_ids(db, archive.Criteria(), before=None, most=MOST_GAMES)
    entries = "\n".join(f"<url><loc>{escape(absolute(path), quote=False)}</loc></url>" for path in _paths(games))
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SITEMAPS}">\n{entries}\n</urlset>\n'
    return with_etag(Response(body, mimetype="application/xml"))


_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def _paths(games: list[int]) -> Iterator[str]:
    yield from (url_for(endpoint) for endpoint in LISTED)
    yield from (url_for("rules.show", key=key) for key in CHAPTERS)
    yield from (url_for("ratings.of_game", key=game.key) for game in rated_games())
    yield from (url_for("games.show", number=number) for number in games)


@bp.get("/.well-known/security.txt")
def security() -> Response:
    """Return security.txt (RFC 9116) with the OPERATOR's address; 404 if it has none."""
    runtime = current_runtime()
    operator = runtime.settings.operator
    if "@" not in operator:
        abort(404)
    expires = (runtime.now() + VALID).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        f"Contact: mailto:{quote(operator, safe='@+')}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(LANGUAGES)}",
        f"Canonical: {absolute('/.well-known/security.txt')}",
    ]
    return _text("\n".join([*lines, ""]))


@bp.get("/favicon.ico")
def icon() -> Response:
    """Return the 32×32 icon for clients that request only favicon.ico; pages link to an SVG."""
    file = Path(current_app.static_folder or "") / "favicon.ico"
    response = Response(file.read_bytes(), mimetype="image/vnd.microsoft.icon")
    response.headers["Cache-Control"] = _KEPT
    return response


def _text(body: str) -> Response:
    response = Response(body, mimetype="text/plain")
    response.headers["Cache-Control"] = _KEPT
    return response
