"""Seals: hashes that commit to a hidden choice, so anyone can check it later.

Source: docs/fairness.md, “Seals”.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Any

from engines.base import Position, Seat

_NEWS = re.compile(r" \{[^{}]*\}$")
"""Matches the part in braces of a redacted entry: what the move revealed."""


def commitment(seed: bytes) -> str:
    """Return the public commitment to a secret seed: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()


def salt(seed: bytes, ply: int) -> str:
    """Return the salt of entry number `ply`, in hex; it is derived from the secret seed."""
    return hmac.digest(seed, f"seal-1\n{ply}".encode(), "sha256").hex()


def seal(seed: bytes, ply: int, text: str) -> str:
    """Return the seal of an entry: SHA-256 over its salt and its full canonical text, in hex."""
    return hashlib.sha256(f"{salt(seed, ply)}\n{text}".encode()).hexdigest()


def is_sealed(before: Position[Any], seat: Seat, move: Any, after: Position[Any]) -> bool:
    """Whether an entry is sealed: onlookers could not see its full text when it was made."""
    if type(before).tell is Position.tell:  # a game without hidden information
        return False
    return without_news(before.tell(seat, move, None, after)) != before.write(seat, move)


def without_news(text: str) -> str:
    """Strip the part in braces from a redacted entry."""
    return _NEWS.sub("", text)


def write_seals(seals: dict[int, str]) -> str:
    """Write seals by entry number for the tag `Seals`: `3=<hex> 7=<hex>`."""
    return " ".join(f"{ply}={value}" for ply, value in sorted(seals.items()))


def read_seals(words: str) -> dict[int, str] | None:
    """Parse seals by entry number from the tag `Seals`; None if it is invalid."""
    pairs = [re.fullmatch(r"([1-9][0-9]{0,8})=([0-9a-f]{64})", word) for word in words.split()]
    named = {int(pair[1]): pair[2] for pair in pairs if pair}
    return named if len(named) == len(pairs) else None
