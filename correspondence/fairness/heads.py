"""Chain heads: the last hash of a match's chain, which covers all of its entries.

Source: docs/fairness.md, “Chain and head”. Matches older than seals keep their original chain version.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, tuple_
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import Match, Move
from correspondence.models.loading import MadeMove
from engines.verification import chain

CHAIN = int(chain.CHAIN_VERSION)
"""The chain version of new matches."""

_HASHES = select(Move.match_id, Move.hash).where(
    tuple_(col(Move.match_id), col(Move.ply)).in_(bindparam("places", expanding=True))
)


def head_after(session: Session, match: Match) -> str:
    """Return the current head of a match, in hex."""
    noted: str | None = db.session_cache(session).get(("head", match.id, match.ply))
    return noted if noted is not None else _heads(session, [match])[match.id]


def ask_ahead(session: Session, matches: Sequence[Match]) -> None:
    """Prefetch the heads of these matches for `head_after`, in one query."""
    known = db.session_cache(session)
    _heads(session, [match for match in matches if ("head", match.id, match.ply) not in known])


def _heads(session: Session, matches: Sequence[Match]) -> dict[int, str]:
    places = [(match.id, match.ply) for match in matches if match.ply]
    hashes = dict(db.rows(session, _HASHES, places=places)) if places else {}
    heads = {match.id: hashes.get(match.id) or first_head(match) for match in matches}
    for match in matches:
        note_head(session, match, heads[match.id])
    return heads


def note_head(session: Session, match: Match, head: str) -> None:
    """Cache the head of a match for `head_after`, after computing or reading it."""
    db.session_cache(session)["head", match.id, match.ply] = head


def first_head(match: Match) -> str:
    """Return the head before the first entry."""
    return chain.first_hash(match.game, match.version, match.options)


def next_head(match: Match, before: str, move: Move | MadeMove) -> str:
    """Compute the head after one more entry of this match."""
    if match.chain < CHAIN:
        return chain.undated_hash(before, move.ply, move.seat, move.text)
    what = chain.sealed(move.seal) if move.seal else move.text
    return chain.next_hash(before, move.ply, move.seat, move.at, what)
