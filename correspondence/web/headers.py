"""Headers of every answer: what a browser may load, keep, and show elsewhere."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request

from correspondence.web.session import visitor

_PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PICTURE = "default-src 'none'; style-src 'unsafe-inline'"
_KEPT = "public, max-age=2592000"
_CHECKED = "private, no-cache"
_NEVER_KEPT = "private, no-store"
_TELLING = ("text/html", "application/json", "application/zip")
_OF_LINKS = frozenset(["account.link", "account.use_link", "invitations.show", "dev_mailbox.box", "dev_mailbox.letter"])


def attach(app: Flask) -> None:
    """Add our headers to every answer of the application, and to addresses of static files what they hold."""
    app.after_request(_add)
    app.url_defaults(_name_version)


def _name_version(endpoint: str, values: dict[str, Any]) -> None:
    """Let the address of a static file change with its content, so that browsers may keep it."""
    if endpoint == "static" and current_app.static_folder:
        values.setdefault("v", _hash(Path(current_app.static_folder) / values["filename"]))


@cache
def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:10]


def _add(response: Response) -> Response:
    is_picture = response.mimetype in ("image/svg+xml", "image/png") and request.endpoint != "static"
    response.headers.setdefault("Content-Security-Policy", _PICTURE if is_picture else _PAGE)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
    if not is_picture:
        response.headers.setdefault("X-Frame-Options", "DENY")
    if request.endpoint == "static":
        response.headers["Cache-Control"] = _KEPT
    is_private = response.mimetype in _TELLING and (visitor() is not None or request.endpoint in _OF_LINKS)
    response.headers.setdefault("Cache-Control", _NEVER_KEPT if is_private else _CHECKED)
    return response
