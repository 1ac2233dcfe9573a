"""gzip compression of style sheets, scripts, board pictures and scenes, which are most of the bytes of a page.

Scenes and pictures hold no token and repeat nothing of a request but which side is the lower one. A site that makes a
browser load them gets no cookie sent along (SameSite=Lax), or leads the browser there and cannot see the size. Somebody
who reads sizes on the line sees one for each moment of a game; it is rounded up to whole blocks, so that a few letters
more or less, which what is hidden may cost, seldom show. They do not depend on compression to begin with.
Pages themselves are not compressed: they contain form tokens beside text that visitors control, and the size of a
compressed response could reveal such a token letter by letter (the BREACH attack, CVE-2013-3587).
A proxy in front may compress pages where it knows that to be safe.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response, current_app, request

from correspondence.core.caching import Memory

_PICTURE = "image/svg+xml"
_SCENES = "scenes.of_game"
_BLOCK = 512
"""Sizes of what is compressed anew are multiples of so many bytes."""

_MOST_KEPT = 4 << 20
"""So many bytes of compressed scenes and pictures are kept by each process."""

_HEADER = 10
_HAS_NAME = b"\x08"
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
            _replace_body(response, _file() if is_static else _packed_once(response.get_data()))
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


def _packed(body: bytes) -> bytes:
    """The body compressed, with as long a file name in the header as makes the size a multiple of a block (RFC 1952)."""
    plain = gzip.compress(body, 6, mtime=0)
    name = b"-" * (-(len(plain) + 1) % _BLOCK) + b"\0"
    return plain[:3] + _HAS_NAME + plain[4:_HEADER] + name + plain[_HEADER:]


_PACKED = Memory(_MOST_KEPT)


def _packed_once(body: bytes) -> bytes:
    """The same, made once as long as it is kept; a body is known by its digest, so nobody is given another one's."""
    return _PACKED.get(((sha256(body).digest(),), ()), lambda: _packed(body))
