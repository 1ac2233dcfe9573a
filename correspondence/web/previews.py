"""Absolute URLs for link previews, and the web app manifest."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, json, url_for

from correspondence.web.current import current_runtime
from correspondence.web.locale import language
from engines.wording import _

bp = Blueprint("previews", __name__)

PAPER = "#f6f1e7"
"""The background colour of the light theme, shown while an installed app starts."""

_ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable.png", 512, "maskable"))


def attach(app: Flask) -> None:
    """Add `absolute` to templates, for link previews, which need absolute URLs."""
    app.jinja_env.globals["absolute"] = absolute


def absolute(path: str) -> str:
    """The absolute URL of a path, based on `BASE_URL` and never on the request's host."""
    return current_runtime().settings.base_url.rstrip("/") + path


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the web app manifest: name, icons, colours and start page."""
    icons = [
        {"src": url_for("static", filename=name), "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}
        for name, side, purpose in _ICONS
    ]
    body = {
        "name": "Correspondence", "short_name": "Correspondence", "lang": language(),
        "description": _("Abstract games, played by mail and on these pages."),
        "id": "/", "start_url": url_for("games.mine"), "scope": "/", "display": "standalone",
        "background_color": PAPER, "theme_color": PAPER, "icons": icons,
    }  # fmt: skip
    return Response(json.dumps(body, ensure_ascii=False), mimetype="application/manifest+json")
