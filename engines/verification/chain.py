"""The chain of hashes over a record, and what is signed of it (docs/fairness.md, “Chain and head” and “Signature”)."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import lru_cache

CHAIN_VERSION = "2"
"""The chain that new matches have: with the moment of each entry, and with seals for what is hidden."""


def first_hash(game: str, version: int, options: str) -> str:
    """The first hash of a record: SHA-256 over game, version and options, in hex."""
    return _sha256(f"{game} {version} {options}".rstrip())


@lru_cache(maxsize=2_048)
def next_hash(before: str, ply: int, seat: int, at: datetime, what: str) -> str:
    """The hash after one more entry, made at the moment `at`; it depends on every earlier entry.

    `what` is the canonical text of the entry, or `sealed(...)` where it is sealed. Kept, because a chain after a move
    has all the hashes that it had before.
    """
    return _sha256(f"{before}\n{ply} {seat} {moment(at)} {what}")


def undated_hash(before: str, ply: int, seat: int, text: str) -> str:
    """The next hash in the first version of the chain, which knew neither moments nor seals."""
    return _sha256(f"{before}\n{ply} {seat} {text}")


@lru_cache(maxsize=4_096)
def moment(at: datetime) -> str:
    """A moment as a record writes it: UTC, in whole seconds; kept, because records are written anew after each move."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def sealed(seal: str) -> str:
    """What stands in the chain for a sealed entry."""
    return f"seal:{seal}"


def signed_message(site: str, ply: int, head: str) -> bytes:
    """What is signed of a record with `ply` entries: the page of the match, the number of entries, the last hash."""
    return f"head-1\n{site}\n{ply}\n{head}".encode()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
