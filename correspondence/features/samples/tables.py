"""The starter set in the database: whether it is wanted, its games, and its opening book."""

from __future__ import annotations

from sqlalchemy import BigInteger
from sqlmodel import Field

from correspondence.models.columns import Table


class SampleSet(Table, table=True):
    """Progress of loading the starter set; a single row, which the migration adds to new installations.

    `next_batch` is the number of batches loaded. With `is_due` a worker loads the next one.
    """

    id: int = Field(default=1, primary_key=True)
    next_batch: int = 0
    is_due: bool = True


class SampleGame(Table, table=True):
    """Marks a match as a sample that robots played.

    `turning` is JSON: `[ply, best, expected, played]` of each turning point with a comment.
    """

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    turning: str = "[]"


class SampleOpening(Table, table=True):
    """Results of the book's games in which `text` was played in a position, as in `Continuation`."""

    key: int = Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})
    text: str = Field(primary_key=True)
    first_wins: int = 0
    draws: int = 0
    second_wins: int = 0
