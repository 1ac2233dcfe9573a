"""What anybody can check: the hashes that chain a record's entries together."""

from __future__ import annotations

import hashlib
import hmac
import random


def root_hash(game: str, version: int, options: str) -> str:
    """The hash a record begins with: SHA-256 over game, version and options."""
    return _sha256(f"{game} {version} {options}".rstrip())


def next_hash(before: str, ply: int, seat: int, text: str) -> str:
    """The hash after one more entry; it depends on every entry before."""
    return _sha256(f"{before}\n{ply} {seat} {text}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def lots_of(key: str, *words: str) -> random.Random:
    """Lots that follow from words, the same for all who know `key` and unforeseeable for anybody else.

    The seed is HMAC-SHA-256 of the words under the key (RFC 2104).
    """
    told = "\n".join(("lots", *words)).encode()
    return random.Random(hmac.digest(key.encode(), told, "sha256"))
