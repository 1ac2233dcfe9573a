"""Style sheet, scripts and pictures of boards are sent compressed: they are most of what a page weighs.

Pages themselves are not: beside what a visitor writes they hold tokens, which the size of a compressed answer
could give away letter by letter (CVE-2013-3587). A server in front may pack them where it knows better.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, request

_PICTURE = "image/svg+xml"
_PACKED = {"text/css", "text/javascript", "application/javascript", _PICTURE}


def attach(app: Flask) -> None:
    """Pack static files and drawn pictures."""
    app.after_request(_pack)


def _pack(response: Response) -> Response:
    is_static = request.endpoint == "static"
    if response.mimetype not in _PACKED or "Content-Encoding" in response.headers:
        return response
    if is_static or response.mimetype == _PICTURE:
        response.vary.add("Accept-Encoding")
        if response.status_code == 200 and request.accept_encodings.quality("gzip") > 0:
            _exchange(response, _file() if is_static else gzip.compress(response.get_data(), 6, mtime=0))
    return response


def _exchange(response: Response, packed: bytes) -> None:
    response.close()  # the file that would have been sent as it is
    response.direct_passthrough = False
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    mark, _is_weak = response.get_etag()
    if mark:
        response.set_etag(mark, weak=True)  # the same in other bytes


def _file() -> bytes:
    file = Path(current_app.static_folder or "") / str((request.view_args or {})["filename"])
    return _gzipped(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _gzipped(file: Path, _changed: int) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)
