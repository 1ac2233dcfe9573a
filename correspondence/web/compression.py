"""gzip compression of pages, style sheets, scripts, board pictures, scenes and move lists.

A compressed response could reveal a secret, character by character, if it also repeats an attacker's text (BREACH,
CVE-2013-3587). So pages with secrets are not compressed. Game pages contain a player's hidden pieces and the
opponent's remarks, and an eavesdropper sees the size of each response. So compressed dynamic responses are padded to
whole blocks: a few characters more or less rarely change its size.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, request

from correspondence.web.session import API
from correspondence.web.static_files import is_static, static_file

BLOCK = 512
"""The block size in bytes: compressed dynamic responses are padded to a multiple of it.

Shorter responses are not compressed.
"""

SHOW_SECRETS = {"analysis", "api_tokens", "by_post", "clock_settings", "dev_mailbox", "invitations"}
"""Blueprints whose pages show secrets: tokens, or URLs that work for everybody who has them. Features add theirs."""

_HEADER = 10
_HAS_NAME = b"\x08"
_PAGE = "text/html"
_COMPRESSIBLE = {_PAGE, "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml"}


def attach(app: Flask) -> None:
    """Compress responses. Attach this first: Flask runs the first after-request hook last."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.mimetype not in _COMPRESSIBLE or "Content-Encoding" in response.headers or _may_show_secret(response):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and request.accept_encodings.quality("gzip") > 0:
        if is_static(request.endpoint):
            _replace_body(response, _file())
        elif len(body := response.get_data()) > BLOCK:
            _replace_body(response, _packed(body))
    return response


def _may_show_secret(response: Response) -> bool:
    """Whether a page or an API response may hold a secret.

    A page at a secret URL counts, because its links contain that URL.
    """
    if response.mimetype == "application/json":
        return request.path.startswith(API)
    is_at_secret_address = "token" in (request.view_args or {})
    return response.mimetype == _PAGE and (request.blueprint in SHOW_SECRETS or is_at_secret_address)


def _replace_body(response: Response, compressed: bytes) -> None:
    response.close()  # the uncompressed file that would have been sent
    response.direct_passthrough = False
    response.set_data(compressed)
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    etag, _is_weak = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)  # weak: same content, different bytes


def _file() -> bytes:
    file = static_file(str(request.endpoint), str((request.view_args or {})["filename"]))
    return _gzipped(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _gzipped(file: Path, _mtime_ns: int) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)


def _packed(body: bytes) -> bytes:
    """Compress the body to a multiple of the block size.

    The padding is a long file name in the gzip header (RFC 1952).
    """
    plain = gzip.compress(body, 6, mtime=0)
    name = b"-" * (-(len(plain) + 1) % BLOCK) + b"\0"
    return plain[:3] + _HAS_NAME + plain[4:_HEADER] + name + plain[_HEADER:]
