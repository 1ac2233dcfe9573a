"""Light or dark pages, and the language of visitors, chosen at the foot of each page.

Cookies hold both, so they work without scripts, and outlive signing in and out. A member's language is a setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from types import MappingProxyType

from flask import Blueprint, Flask, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.core.i18n import LANGUAGES
from correspondence.web import session, throttle
from correspondence.web.forms import form_text
from correspondence.web.static_files import static_file, version_of
from engines.wording import N_

bp = Blueprint("looks", __name__)

SCHEMES: Mapping[str, str] = MappingProxyType(
    {"system": N_("same as the system"), "light": N_("light"), "dark": N_("dark")}
)
"""Colour schemes, as the foot of a page names them."""

_SYSTEM = "system"
_CHOICES: Mapping[str, Mapping[str, str]] = MappingProxyType({"scheme": SCHEMES, "language": LANGUAGES})
_KEPT = timedelta(days=365)
_MOST_PAGE = 2_000
_DARK, _BOTH = "(prefers-color-scheme: dark)", "color-scheme: light dark;"
_CONDITIONS: Mapping[str, str] = MappingProxyType({"light": "(max-width: 0)", "dark": "(min-width: 0)"})


def attach(app: Flask) -> None:
    """Add `scheme`, `style_sheet` and what can be chosen to the context of templates."""
    app.context_processor(
        lambda: {"scheme": scheme(), "schemes": SCHEMES, "languages": LANGUAGES, "style_sheet": _style_sheet()}
    )


def scheme() -> str:
    """The colour scheme that this browser has chosen, a key of `SCHEMES`; pages for everybody ignore the choice."""
    return _chosen("scheme") or _SYSTEM


def language() -> str:
    """The language that this browser has chosen; empty if none."""
    return _chosen("language")


@bp.post("/look")
def choose() -> ResponseReturnValue:
    """Keep the chosen scheme or language, and redirect to the page on which it was chosen."""
    throttle.hit(throttle.ACT)
    response = redirect(f"{request.script_root}{_own_page(form_text('page', _MOST_PAGE))}#looks", 303)
    for name, choices in _CHOICES.items():
        value = form_text(name, 20)
        if value in choices:
            response.set_cookie(
                name, value, max_age=_KEPT, path=request.script_root or "/", httponly=True, samesite="Lax",
                secure=current_app.config["SESSION_COOKIE_SECURE"],
            )  # fmt: skip
    return response


@bp.get("/look/light.css")
def light() -> Response:
    """Return the style sheet of all pages with its rules for dark screens always off."""
    return _sheet_response("light")


@bp.get("/look/dark.css")
def dark() -> Response:
    """Return the style sheet of all pages with its rules for dark screens always on."""
    return _sheet_response("dark")


def _sheet_response(scheme: str) -> Response:
    return Response(_sheet(scheme), mimetype="text/css", headers={"Cache-Control": "public, max-age=2592000"})


def _chosen(name: str) -> str:
    value = "" if session.ignores_cookies() else request.cookies.get(name, "")
    return value if value in _CHOICES[name] else ""


def _own_page(page: str) -> str:
    """The path if it is one of this site, else that of the front page. Browsers read `/\\` as `//`."""
    return page if page.isprintable() and page[:1] == "/" and page[1:2] not in ("/", "\\") else "/"


def _style_sheet() -> str:
    if scheme() == _SYSTEM:
        return url_for("static", filename="style.css")
    return url_for(f"looks.{scheme()}", v=version_of(static_file("static", "style.css")))


@cache
def _sheet(scheme: str) -> str:
    rules = static_file("static", "style.css").read_text()
    return rules.replace(_DARK, _CONDITIONS[scheme]).replace(_BOTH, f"color-scheme: {scheme};")
