"""gzip compression of pages, style sheets, scripts, board pictures, scenes and lists of moves.

A compressed answer could reveal a secret letter by letter if it also repeats what an attacker writes (BREACH, CVE-2013-3587).
So pages that show a secret are sent as they are. On pages of games a player's hidden pieces stand beside the opponent's talk:
somebody who reads the line sees a size for each moment. So whatever is made for a request is rounded up to whole blocks, and a
few letters more or less seldom show.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, request

from correspondence.web.session import API

BLOCK = 512
"""Sizes of what is compressed for a request are multiples of this, in bytes; what is shorter is sent as it is."""

_SHOW_SECRETS = {"analysis", "api_tokens", "by_post", "clock_settings", "dev_mailbox", "invitations", "webhooks"}
"""Modules with pages that show a secret: a token, an address or a link that works for everybody who has it."""

_HEADER = 10
_HAS_NAME = b"\x08"
_PAGE = "text/html"
_COMPRESSIBLE = {_PAGE, "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml"}


def attach(app: Flask) -> None:
    """Compress what the application answers; call this before other hooks change answers: of hooks the first runs last."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.mimetype not in _COMPRESSIBLE or "Content-Encoding" in response.headers or _may_show_secret(response):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and request.accept_encodings.quality("gzip") > 0:
        if request.endpoint == "static":
            _replace_body(response, _file())
        elif len(body := response.get_data()) > BLOCK:
            _replace_body(response, _packed(body))
    return response


def _may_show_secret(response: Response) -> bool:
    """Whether a page or an answer to a program may hold a secret; a page at a secret address names that in its links."""
    if response.mimetype == "application/json":
        return request.path.startswith(API)
    is_at_secret_address = "token" in (request.view_args or {})
    return response.mimetype == _PAGE and (request.blueprint in _SHOW_SECRETS or is_at_secret_address)


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
    name = b"-" * (-(len(plain) + 1) % BLOCK) + b"\0"
    return plain[:3] + _HAS_NAME + plain[4:_HEADER] + name + plain[_HEADER:]
