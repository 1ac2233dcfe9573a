"""How columns and indexes are made that several tables share."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from sqlalchemy import Enum, Index, MetaData, TextClause, text
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import SchemaType, TypeEngine
from sqlmodel import SQLModel


def one_of(kind: type[StrEnum], longest: int = 16) -> Any:
    """A column of words of so many characters at most: the same on every database, and read back as members."""
    return Enum(kind, native_enum=False, length=longest, values_callable=lambda members: [m.value for m in members])


def partial(name: str, *columns: str, where: TextClause) -> Index:
    """An index over those rows alone for which `where` holds.

    A statement uses it only where it says the same words, as text: a database cannot know what a parameter will be. On
    PostgreSQL the migrations say them: to say them here would load its dialect into every process on SQLite.
    """
    return Index(name, *columns, sqlite_where=where)


def finished(name: str, *columns: str) -> Index:
    """An index over what has ended alone, so that moves in running matches do not touch it."""
    return partial(name, *columns, where=text("ended_at IS NOT NULL"))


def share_types(tables: MetaData) -> None:
    """Let all columns whose types say the same have one object as their type, unless a type belongs to its column.

    SQLModel makes one for each column, and SQLAlchemy a class for each that changes values: megabytes for 535 columns.
    """
    shared: dict[tuple[type, str], TypeEngine[Any]] = {}
    for table in tables.tables.values():
        for column in table.columns:
            if not isinstance(column.type, SchemaType):
                column.type = shared.setdefault((type(column.type), repr(column.type)), column.type)


class Table(SQLModel):
    """The base of every table, whose name is its class's name in snake case: `MailDomain` is `mail_domain`.

    Rows are not validated, so no validator is built for a table before somebody asks for one.
    """

    model_config = {"defer_build": True}

    @declared_attr.directive
    def __tablename__(cls) -> str:
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
