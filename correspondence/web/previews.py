"""What other programs show of these pages: full addresses for previews of links, and the manifest of an installed page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Flask, Response, json, url_for
from markupsafe import Markup, escape

from correspondence.web.current import current_runtime
from correspondence.web.forms import LARGEST
from correspondence.web.locale import language, reader
from engines.wording import _

PAPER = "#f6f1e7"
"""The colour of the pages in the light, behind an installed page while it starts."""

LONGEST_KEPT = 100
"""The most characters, as Python writes them, of what varies in an address that is remembered."""

_ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable.png", 512, "maskable"))


def attach(app: Flask) -> None:
    """Let templates write addresses, and full ones: programs that preview a link know none of ours."""
    app.jinja_env.globals.update(url_for=address, absolute=absolute)


def address(endpoint: str, **values: Any) -> Markup:
    """The same as `url_for`, escaped. A page says a hundred addresses, nearly all as the page before, so each is kept.

    Only short ones are, because what visitors write stands in the others.
    """
    if not values or _are_numbers(values) or len(str(values)) <= LONGEST_KEPT:
        return _made(reader().root, endpoint, **values)
    return escape(url_for(endpoint, **values))


def _are_numbers(values: dict[str, Any]) -> bool:
    return {*map(type, values.values())} == {int}


@lru_cache(maxsize=4_096, typed=True)
def _made(root: str, endpoint: str, **values: Any) -> Markup:
    if _are_numbers(values):
        return Markup(_pattern(root, endpoint, *values) % values)
    return escape(url_for(endpoint, **values))


@lru_cache(maxsize=1_024)
def _pattern(_root: str, endpoint: str, *names: str) -> str:
    """The address of an endpoint that is given numbers, escaped, with the names of these values in their places."""
    marks: dict[str, Any] = {name: LARGEST - at for at, name in enumerate(names)}
    made = str(escape(url_for(endpoint, **marks))).replace("%", "%%")
    for name, mark in marks.items():
        made = made.replace(str(mark), f"%({name})d")
    return made


def absolute(path: str) -> str:
    """The full address of a path of ours, as `BASE_URL` says it, never as a request does."""
    return current_runtime().settings.base_url.rstrip("/") + path


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
