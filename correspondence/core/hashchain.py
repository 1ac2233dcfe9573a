"""The hash chain over a record's entries, which anybody can verify, and seeds derived from the secret key."""

from __future__ import annotations

import hashlib
import hmac


def root_hash(game: str, version: int, options: str) -> str:
    """The first hash of a record: SHA-256 over game, version and options."""
    return _sha256(f"{game} {version} {options}".rstrip())


def next_hash(before: str, ply: int, seat: int, text: str) -> str:
    """The hash after one more entry; it depends on every earlier entry."""
    return _sha256(f"{before}\n{ply} {seat} {text}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def seed_from(key: str, *words: str) -> bytes:
    """A seed derived from words: reproducible for holders of `key`, unpredictable for everybody else.

    It is the HMAC-SHA-256 of the words under the key (RFC 2104).
    """
    return hmac.digest(key.encode(), "\n".join(("seed", *words)).encode(), "sha256")
