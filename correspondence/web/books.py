"""Registry of opening books that features add to the moves of finished games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlmodel import Session

from correspondence.archive import openings
from correspondence.archive.openings import NextMove
from correspondence.web.current import current_runtime


class Book(NamedTuple):
    """An opening book of a feature: `moves_from` returns the moves that its games played from a position key."""

    feature: str
    moves_from: Callable[[Session, int], Sequence[NextMove]]


BOOKS: list[Book] = []
"""The registered books."""


class KnownMoves(NamedTuple):
    """Moves played from a position, most frequent first, and how many of their games are from books."""

    moves: tuple[NextMove, ...]
    from_books: int


def moves_from(session: Session, key: int) -> KnownMoves:
    """Return the moves that finished games and books played from a position."""
    settings = current_runtime().settings
    books = [book.moves_from(session, key) for book in BOOKS if settings.has_feature(book.feature)]
    in_books = [move for moves in books for move in moves]
    merged = openings.merged((*openings.next_moves(session, key), *in_books))
    listed = {move.text for move in merged}
    return KnownMoves(merged, sum(move.total for move in in_books if move.text in listed))
