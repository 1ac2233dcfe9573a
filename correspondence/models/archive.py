"""Index of early positions of finished matches, and the files of the monthly archive."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger
from sqlmodel import Field

from correspondence.models.columns import Table


class Opening(Table, table=True):
    """An early position of a finished match; `key` is `openings.position_key`."""

    key: int = Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})
    ended_at: datetime = Field(primary_key=True)
    match_id: int = Field(foreign_key="match.id", primary_key=True)


class Continuation(Table, table=True):
    """Results of the finished matches in which `text` was played in a position."""

    key: int = Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})
    text: str = Field(primary_key=True)
    first_wins: int = 0
    draws: int = 0
    second_wins: int = 0


class ArchiveMonth(Table, table=True):
    """The public file of a month such as `2026-11`; `digest` is the hex SHA-256 of `content`.

    `games` counts its games, `free` those under CC0; `size` is in bytes.
    """

    month: str = Field(primary_key=True)
    content: bytes
    manifest: str
    digest: str
    games: int
    free: int
    size: int
    made_at: datetime
