"""Pages that are rendered only if changed: otherwise 304, or the cached page.

A version identifies the content of a page and is queried before rendering (`queries/page_versions.py`). The ETag
covers version, URL, language, colour scheme, and the reader with their settings, so no two readers share one. It also
depends on the process, because another process may run other code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import blake2b
from secrets import token_bytes

from flask import Response, current_app, request, session

from correspondence.core.caching import cached
from correspondence.web import locale, looks
from correspondence.web.current import current_runtime
from correspondence.web.service_state import notices
from correspondence.web.session import visitor

_PROCESS = token_bytes(32)

MOST_BYTES = 4 << 20
"""Maximum size of the cache of pages, in bytes."""


def answer(version: Hashable | None, draw: Callable[[], str]) -> Response:
    """Return the page of this version; call `draw` only if neither browser nor cache has it.

    A page without a version, or with a flashed message, is rendered without an ETag.
    """
    if version is None or "_flashes" in session or current_app.debug:
        return Response(draw(), mimetype="text/html")
    tag = _tag(version)
    is_known = request.if_none_match.contains_weak(tag)
    response = (
        Response(status=304) if is_known else Response(_page(current_runtime().mark, tag, draw), mimetype="text/html")
    )
    response.set_etag(tag, weak=True)  # weak: the page may also be sent compressed
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.update(("Cookie", "Accept-Language", "Accept-Encoding"))
    return response


def _tag(version: Hashable) -> str:
    reader = (visitor(), locale.language(), looks.scheme(), notices())
    parts = (request.script_root, request.full_path, reader, version)
    return blake2b(repr(parts).encode(), key=_PROCESS, digest_size=16).hexdigest()


@cached(MOST_BYTES, key=lambda mark, tag, draw: (mark, tag), weigh=len)
def _page(mark: str, tag: str, draw: Callable[[], str]) -> bytes:
    return draw().encode()
