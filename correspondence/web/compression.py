"""gzip compression of style sheets, scripts, board pictures and scenes, which are most of the bytes of a page.

Scenes hold no token and repeat nothing that a request says; what a viewer alone may know in them changes with moves
only, and browsers send no cookie with requests that other sites start (SameSite=Lax). So no size answers a guess.
Pages themselves are not compressed: they contain form tokens beside text that visitors control, and the size of a
compressed response could reveal such a token letter by letter (the BREACH attack, CVE-2013-3587).
A proxy in front may compress pages where it knows that to be safe.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, request

_PICTURE = "image/svg+xml"
_SCENES = "scenes.of_game"
_COMPRESSIBLE = {"text/css", "text/javascript", "application/javascript", "application/json", _PICTURE}


def attach(app: Flask) -> None:
    """Compress the static files, drawn pictures and scenes of the application."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    is_static = request.endpoint == "static"
    if response.mimetype not in _COMPRESSIBLE or "Content-Encoding" in response.headers:
        return response
    if is_static or response.mimetype == _PICTURE or request.endpoint == _SCENES:
        response.vary.add("Accept-Encoding")
        if response.status_code == 200 and request.accept_encodings.quality("gzip") > 0:
            _replace_body(response, _file() if is_static else gzip.compress(response.get_data(), 6, mtime=0))
    return response


def _replace_body(response: Response, compressed: bytes) -> None:
    response.close()  # the uncompressed file that would have been sent
    response.direct_passthrough = False
    response.set_data(compressed)
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    etag, _is_weak = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)  # weak: the same content in other bytes


def _file() -> bytes:
    file = Path(current_app.static_folder or "") / str((request.view_args or {})["filename"])
    return _gzipped(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _gzipped(file: Path, _mtime_ns: int) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)
