"""Security and caching headers of every response."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request

from correspondence.web.session import visitor
from correspondence.web.static_files import is_static, static_file, version_of

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FRAMED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors *"
)
"""The Content-Security-Policy of pages that every site may show in a frame; a view sets it."""

_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_ALWAYS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
_CACHED = "public, max-age=2592000"
_REVALIDATED = "private, no-cache"
_NOT_STORED = "private, no-store"
_PERSONAL_TYPES = ("text/html", "application/json", "application/zip")
_TOKEN_PAGES = frozenset(
    ["account.link", "account.use_link", "invitations.show", "dev_mailbox.box", "dev_mailbox.letter"]
)


def attach(app: Flask) -> None:
    """Add the headers to every response, and content hashes to the URLs of static files."""
    app.after_request(_add_headers)
    app.url_defaults(_add_version)


def _add_version(endpoint: str, values: dict[str, Any]) -> None:
    """Add a content hash to a static file's URL, so that browsers may cache it."""
    if is_static(endpoint):
        values.setdefault("v", version_of(static_file(endpoint, values["filename"])))


def _add_headers(response: Response) -> Response:
    is_picture = response.mimetype in ("image/svg+xml", "image/png") and not is_static(request.endpoint)
    response.headers.setdefault("Content-Security-Policy", _PICTURE_POLICY if is_picture else _PAGE_POLICY)
    response.headers.extend(_ALWAYS)
    if not is_picture and response.headers["Content-Security-Policy"] != FRAMED_POLICY:
        response.headers.setdefault("X-Frame-Options", "DENY")
    if is_static(request.endpoint):
        response.headers["Cache-Control"] = _CACHED
        response.headers["Access-Control-Allow-Origin"] = "*"  # the origin of a sandboxed frame is nobody's
    is_private = response.mimetype in _PERSONAL_TYPES and (visitor() is not None or request.endpoint in _TOKEN_PAGES)
    response.headers.setdefault("Cache-Control", _NOT_STORED if is_private else _REVALIDATED)
    return response
