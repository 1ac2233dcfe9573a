"""Pages that are drawn only when they have changed: 304 for a browser that has them, else as they were drawn last.

What a page tells is known by a version, which is asked before anything is drawn (`queries/page_versions.py`). The tag
of a response says the version, the address, the language, and the reader with their settings; so no two readers share one.
A tag belongs to one process: another one, or the same program started anew, has other tags. It may have other code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import blake2b
from secrets import token_bytes

from flask import Response, current_app, request, session

from correspondence.core.caching import cached
from correspondence.web import locale
from correspondence.web.current import current_runtime
from correspondence.web.service_state import notices
from correspondence.web.session import visitor

_PROCESS = token_bytes(32)

MOST_BYTES = 4 << 20
"""Maximum size of the cache of pages, in bytes."""


def answer(version: Hashable | None, draw: Callable[[], str]) -> Response:
    """The page of this version, which `draw` makes where neither the browser nor this process has it.

    Without a version, and where the page also says what was just done, it is drawn and gets no tag.
    """
    if version is None or "_flashes" in session or current_app.debug:
        return Response(draw(), mimetype="text/html")
    tag = _tag(version)
    is_known = request.if_none_match.contains_weak(tag)
    response = (
        Response(status=304) if is_known else Response(_page(current_runtime().mark, tag, draw), mimetype="text/html")
    )
    response.set_etag(tag, weak=True)  # weak: the same page may be sent compressed
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.update(("Cookie", "Accept-Language", "Accept-Encoding"))
    return response


def _tag(version: Hashable) -> str:
    reader = (visitor(), locale.language(), notices())
    parts = (request.script_root, request.full_path, reader, version)
    return blake2b(repr(parts).encode(), key=_PROCESS, digest_size=16).hexdigest()


@cached(MOST_BYTES, key=lambda mark, tag, draw: (mark, tag), weigh=len)
def _page(mark: str, tag: str, draw: Callable[[], str]) -> bytes:
    return draw().encode()
