"""The hash chain over the entries of a record, and its signed message.

Source: docs/fairness.md, “Chain and head”, “Signature”.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

CHAIN_VERSION = "2"
"""The chain version of new matches; it covers entry times, and seals for hidden choices."""


def first_hash(game: str, version: int, options: str) -> str:
    """Return the first hash of a record: SHA-256 over game, version and options, in hex."""
    return _sha256(f"{game} {version} {options}".rstrip())


def next_hash(before: str, ply: int, seat: int, at: datetime, what: str) -> str:
    """Return the hash after one more entry at time `at`; it depends on all previous entries.

    `what` is the canonical text of the entry, or `sealed(...)`.
    """
    return _sha256(f"{before}\n{ply} {seat} {moment(at)} {what}")


def undated_hash(before: str, ply: int, seat: int, text: str) -> str:
    """Return the next hash in chain version 1, which has neither times nor seals."""
    return _sha256(f"{before}\n{ply} {seat} {text}")


def moment(at: datetime) -> str:
    """Format a time as in records: UTC, in whole seconds."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def sealed(seal: str) -> str:
    """Return the text that stands for a sealed entry in the chain."""
    return f"seal:{seal}"


def signed_message(site: str, ply: int, head: str) -> bytes:
    """Return the signed message of a record: game page, number of entries `ply`, last hash."""
    return f"head-1\n{site}\n{ply}\n{head}".encode()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
