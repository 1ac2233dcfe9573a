"""Column types and indexes shared by several tables."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from sqlalchemy import Enum, Index, MetaData, TextClause, text
from sqlalchemy.orm import declared_attr
from sqlalchemy.types import SchemaType, TypeEngine
from sqlmodel import SQLModel


def one_of(kind: type[StrEnum], longest: int = 16) -> Any:
    """Return a column type for an enum, stored as text of at most `longest` characters."""
    return Enum(kind, native_enum=False, length=longest, values_callable=lambda members: [m.value for m in members])


def partial(name: str, *columns: str, where: TextClause) -> Index:
    """Return a partial index over the rows for which `where` holds.

    A query uses it only if it contains the same condition with literal values, not parameters. On PostgreSQL the
    migrations state the condition; stating it here would load that dialect into every process that uses SQLite.
    """
    return Index(name, *columns, sqlite_where=where)


def finished(name: str, *columns: str) -> Index:
    """Return an index over ended rows only, so that moves in running matches do not touch it."""
    return partial(name, *columns, where=text("ended_at IS NOT NULL"))


def share_types(tables: MetaData) -> None:
    """Share one type object among all columns of equal type, except types bound to a column.

    SQLModel makes a type object for each column, and SQLAlchemy makes a class for each one that converts. For 535
    columns that takes megabytes.
    """
    shared: dict[tuple[type, str], TypeEngine[Any]] = {}
    for table in tables.tables.values():
        for column in table.columns:
            if not isinstance(column.type, SchemaType):
                column.type = shared.setdefault((type(column.type), repr(column.type)), column.type)


class Table(SQLModel):
    """Base of every table, named after its class in snake case: `MailDomain` is `mail_domain`.

    Rows are not validated, so validators are built only on demand.
    """

    model_config = {"defer_build": True}

    @declared_attr.directive
    def __tablename__(cls) -> str:
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
