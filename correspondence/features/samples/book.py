"""The opening book: how the robots' games went on from a position."""

from __future__ import annotations

from sqlmodel import Session, col, select

from correspondence.archive.openings import NextMove
from correspondence.features.samples.tables import SampleOpening


def moves_from(session: Session, key: int) -> list[NextMove]:
    """Return the moves of the book from a position, by its key."""
    rows = session.exec(select(SampleOpening).where(col(SampleOpening.key) == key))
    return [NextMove(row.text, row.first_wins, row.draws, row.second_wins) for row in rows]
