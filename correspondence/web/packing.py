"""Style sheet and scripts are sent compressed to whoever takes them so, because they are most of what a page weighs.

Pages themselves are not: beside what a visitor writes they hold tokens, which the size of a compressed answer
could give away letter by letter (CVE-2013-3587). A server in front may pack them where it knows better.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, request

_PACKED = {"text/css", "text/javascript", "application/javascript", "image/svg+xml"}


def attach(app: Flask) -> None:
    """Pack static files of the application."""
    app.after_request(_pack)


def _pack(response: Response) -> Response:
    if request.endpoint != "static" or response.mimetype not in _PACKED:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and request.accept_encodings.quality("gzip") > 0:
        file = Path(current_app.static_folder or "") / str((request.view_args or {})["filename"])
        response.close()  # the file that would have been sent as it is
        response.direct_passthrough = False
        response.set_data(_gzipped(file, file.stat().st_mtime_ns))
        response.headers["Content-Encoding"] = "gzip"
        response.headers.pop("Accept-Ranges", None)
        response.set_etag(response.get_etag()[0] or "", weak=True)
    return response


@lru_cache(maxsize=64)
def _gzipped(file: Path, _changed: int) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)
