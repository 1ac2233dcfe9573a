"""Tokens: secrets in reply addresses and links, computed from a row id and the secret key.

A token is 26 lower-case letters and digits (RFC 4648 base32): five bytes of the row id and eleven bytes of an HMAC over
it. The two remaining bits are zero, so a token has only one spelling apart from letter case. The id is encrypted with a
pad derived from the HMAC (as in SIV, RFC 5297), because row ids would reveal private activity. The database holds no
secret: a `Token` row holds purpose, person, expiry and use.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from functools import lru_cache

LENGTH = 26
"""Length of a token in characters; `r.` and a token fit in the local part of an address."""

API_PREFIX = "corr_"
"""Prefix of API tokens, which secret scanners and log redaction recognise."""

RECOVERY = "recovery"
"""The `kind` of a recovery code, for `spell` and `read`."""

_SHAPE = re.compile(r"\b([rb]\.|/(?:[tui]|yes|calendar|try)/)[a-z2-7]{22}(?=[a-z2-7]{4}\b)", re.IGNORECASE)

_ADDRESS = re.compile(r"[^\s<>,;:\"'@]+@(?=[^\s<>@])")


@lru_cache(maxsize=2048)  # a mail may quote dozens of letters with tokens
def spell(key: str, number: int, kind: str = "token") -> str:
    """Return the token of row `number`; a token of one `kind` is never valid as another kind."""
    row = number.to_bytes(5, "big")
    mac = _mac(key, row, kind)
    return base64.b32encode(_padded(key, row, mac, kind) + mac).decode().rstrip("=").lower()


def read(key: str, text: str, kind: str = "token") -> int | None:
    """Return the row id in a token, in any letter case; None if the token is not genuine."""
    if len(text) != LENGTH or not text.isascii():
        return None
    try:
        raw = base64.b32decode(text.upper() + "======")
    except binascii.Error:
        return None
    if base64.b32encode(raw).decode().rstrip("=") != text.upper():
        return None
    hidden, mac = raw[:5], raw[5:]
    row = _padded(key, hidden, mac, kind)
    return int.from_bytes(row, "big") if hmac.compare_digest(mac, _mac(key, row, kind)) else None


def grouped(token: str) -> str:
    """Return `token` in groups of up to five characters, for copying by hand."""
    return "-".join(token[start : start + 5] for start in range(0, len(token), 5))


def masked(text: str) -> str:
    """Redact `text` for a log: only the last characters of tokens remain."""
    return _SHAPE.sub(r"\1…", text)


def without_addresses(text: str) -> str:
    """Redact `text` for a log or an operator: only the domains of mail addresses remain."""
    return _ADDRESS.sub("…@", text)


def _padded(key: str, row: bytes, mac: bytes, kind: str) -> bytes:
    """Encrypt or decrypt five bytes with the pad derived from this HMAC."""
    pad = hmac.digest(key.encode(), f"{kind}/pad:".encode() + mac, "sha256")
    return bytes(one ^ other for one, other in zip(row, pad, strict=False))


def _mac(key: str, row: bytes, kind: str) -> bytes:
    return hmac.digest(key.encode(), f"{kind}:".encode() + row, "sha256")[:11]
