"""Who wants nothing of whom, and what was told to the operator about it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from correspondence.models.columns import Table


class Block(Table, table=True):
    """A person who wants nothing to do with another: neither is offered to the other, and words do not pass."""

    __table_args__ = (UniqueConstraint("person_id", "other_id"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    other_id: int = Field(foreign_key="person.id", index=True)
    since: datetime


class Mute(Table, table=True):
    """A person who does not want to hear what another says, in any of their games."""

    __table_args__ = (UniqueConstraint("person_id", "other_id"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    other_id: int = Field(foreign_key="person.id")
    since: datetime


class MemberReport(Table, table=True):
    """What a person told the operator about another, and in which match it happened."""

    __table_args__ = (Index("ix_member_report_by", "person_id", "at"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    about_id: int = Field(foreign_key="person.id")
    match_id: int | None = Field(default=None, foreign_key="match.id")
    text: str
    at: datetime
