"""What other programs show of these pages: full addresses for previews of links, and the manifest of an installed page."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, json, url_for

from correspondence.web.current import current_runtime
from correspondence.web.locale import language
from engines.wording import _

bp = Blueprint("previews", __name__)

PAPER = "#f6f1e7"
"""The colour of the pages in the light, behind an installed page while it starts."""

_ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable.png", 512, "maskable"))


def attach(app: Flask) -> None:
    """Let templates write full addresses, which programs that preview a link need."""
    app.jinja_env.globals["absolute"] = absolute


def absolute(path: str) -> str:
    """The full address of a path of ours, as `BASE_URL` says it, never as a request does."""
    return current_runtime().settings.base_url.rstrip("/") + path


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a browser needs to keep these pages beside other programs: name, icons, colours, where to begin."""
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
