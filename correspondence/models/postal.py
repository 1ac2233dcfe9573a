"""Players by post, their helpers, and moves that others entered from their postcards."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, false
from sqlmodel import Field

from correspondence.models.columns import Table


class PostalMember(Table, table=True):
    """A member's postal address, and whether their own moves come by post.

    `name` and `address` are the lines of an envelope. Only opponents, the member's helper and the operator see them.
    """

    person_id: int = Field(primary_key=True, foreign_key="person.id", sa_column_kwargs={"autoincrement": False})
    name: str
    address: str
    plays_by_post: bool = True
    is_listed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the directory shows that the member plays by post."""
    since: datetime


class PostalHelper(Table, table=True):
    """A member who enters a postal player's moves and, once agreed, sees what that player sees."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", sa_column_kwargs={"autoincrement": False})
    helper_id: int = Field(foreign_key="person.id", index=True)
    asked_at: datetime
    agreed_at: datetime | None = None


class PostalEntry(Table, table=True):
    """A move entered from a postcard of `person_id`, or a card refused for its check word.

    `ply` is the number of the move in the record, or would have been; only the record has the move.
    """

    __table_args__ = (Index("ix_postal_entry_match", "match_id", "ply"),)

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    ply: int
    person_id: int = Field(foreign_key="person.id", index=True)
    entered_by_id: int = Field(foreign_key="person.id", index=True)
    is_helper: bool
    """Whether a helper entered it, not an opponent."""
    is_refused: bool = False
    at: datetime
    contested_at: datetime | None = None
    contest: str = ""
    """What the postal player says was written on the card."""
