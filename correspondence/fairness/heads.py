"""Heads: the last hash of a match's chain, from which everything that was played can be checked.

Source: docs/fairness.md, “Chain and head”. Matches from before there were seals keep the chain they began with.
"""

from __future__ import annotations

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import Match, Move
from engines.verification import chain

CHAIN = int(chain.CHAIN_VERSION)
"""The version of the chain of new matches."""

_LAST_HASH = select(Move.hash).where(col(Move.match_id) == bindparam("match"), col(Move.ply) == bindparam("ply"))


def head_after(session: Session, match: Match) -> str:
    """The head of a match as it stands, in hex."""
    noted: str | None = db.session_cache(session).get(("head", match.id, match.ply))
    if noted is None:
        last: str | None = db.value(session, _LAST_HASH, match=match.id, ply=match.ply) if match.ply else None
        noted = last or first_head(match)
        note_head(session, match, noted)
    return noted


def note_head(session: Session, match: Match, head: str) -> None:
    """Let `head_after` know the head of a match, as this transaction has just made or read it."""
    db.session_cache(session)["head", match.id, match.ply] = head


def first_head(match: Match) -> str:
    """The head before the first entry."""
    return chain.first_hash(match.game, match.version, match.options)


def next_head(match: Match, before: str, move: Move) -> str:
    """The head after one more entry of this match."""
    if match.chain < CHAIN:
        return chain.undated_hash(before, move.ply, move.seat, move.text)
    what = chain.sealed(move.seal) if move.seal else move.text
    return chain.next_hash(before, move.ply, move.seat, move.at, what)
