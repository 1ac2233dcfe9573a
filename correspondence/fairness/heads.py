"""Heads: the last hash of a match's chain, from which everything that was played can be checked.

Source: docs/fairness.md, “Chain and head”. Matches from before there were seals keep the chain they began with.
"""

from __future__ import annotations

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.models import Match, Move
from engines.verification import chain

CHAIN = int(chain.CHAIN_VERSION)
"""The version of the chain of new matches."""

_LAST_HASH = select(Move.hash).where(col(Move.match_id) == bindparam("match"), col(Move.ply) == bindparam("ply"))


def head_after(session: Session, match: Match) -> str:
    """The head of a match as it stands, in hex."""
    last = session.exec(_LAST_HASH, params={"match": match.id, "ply": match.ply}).first() if match.ply else None
    return last or first_head(match)


def first_head(match: Match) -> str:
    """The head before the first entry."""
    return chain.first_hash(match.game, match.version, match.options)


def next_head(match: Match, before: str, move: Move) -> str:
    """The head after one more entry of this match."""
    if match.chain < CHAIN:
        return chain.undated_hash(before, move.ply, move.seat, move.text)
    what = chain.sealed(move.seal) if move.seal else move.text
    return chain.next_hash(before, move.ply, move.seat, move.at, what)
