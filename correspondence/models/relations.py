"""Blocks and mutes between persons, and reports to the operator."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from correspondence.models.columns import Table


class Block(Table, table=True):
    """A block of one person by another: no talk between them, and no pairings where opponents are chosen."""

    __table_args__ = (UniqueConstraint("person_id", "other_id"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    other_id: int = Field(foreign_key="person.id", index=True)
    since: datetime


class Mute(Table, table=True):
    """A mute: a person does not see another's talk in any of their games."""

    __table_args__ = (UniqueConstraint("person_id", "other_id"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    other_id: int = Field(foreign_key="person.id")
    since: datetime


class MemberReport(Table, table=True):
    """A person's report about another to the operator, and the match it is about."""

    __table_args__ = (Index("ix_member_report_by", "person_id", "at"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    about_id: int = Field(foreign_key="person.id")
    match_id: int | None = Field(default=None, foreign_key="match.id")
    text: str
    at: datetime
