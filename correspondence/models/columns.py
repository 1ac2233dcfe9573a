"""How columns and indexes are made that several tables share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import ColumnElement, Enum, Index, MetaData, String, TextClause, func, inspect, literal_column, text
from sqlalchemy.orm import InstrumentedAttribute, declared_attr
from sqlalchemy.types import SchemaType, TypeEngine
from sqlmodel import SQLModel


def one_of(kind: type[StrEnum], longest: int = 16) -> Any:
    """A column of words of so many characters at most: the same on every database, and read back as members."""
    return Enum(kind, native_enum=False, length=longest, values_callable=lambda members: [m.value for m in members])


def constant(word: str) -> ColumnElement[str]:
    """A word of ours that stands in the statement itself: each parameter costs as much as a column."""
    return literal_column(f"'{word}'", String)


def joined(words: ColumnElement[str], separator: str) -> ColumnElement[str]:
    """The words of all rows as one text, in no order.

    The separator is a constant: SQLAlchemy would write the whole statement anew each time for a parameter.
    """
    text_of_all: ColumnElement[str] = func.aggregate_strings(words, constant(separator))  # type: ignore[arg-type]
    return text_of_all


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


@cache
def _defaults_of(table: type[SQLModel]) -> dict[str, Any]:
    return {name: field.default for name, field in table.model_fields.items() if not field.is_required()}


@cache
def _names_of(table: type[SQLModel]) -> tuple[str, ...]:
    return tuple(table.metadata.tables[str(table.__tablename__)].columns.keys())


@cache
def _maker_of(table: type[SQLModel]) -> Callable[[], Any]:
    """What makes a row without values."""
    make: Callable[[], Any] = inspect(table).class_manager.new_instance
    return make


class Table(SQLModel):
    """The base of every table, whose name is its class's name in snake case: `MailDomain` is `mail_domain`.

    Rows are not validated, so no validator is built for a table before somebody asks for one.
    """

    model_config = {"defer_build": True}

    @declared_attr.directive
    def __tablename__(cls) -> str:
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()

    if not TYPE_CHECKING:  # the type checker knows the columns that a row is made of

        def __init__(self, **values: Any) -> None:
            """Make a row of these values and of the defaults of its other columns, as SQLAlchemy will look for them."""
            self.__dict__.update(_defaults_of(type(self)) | values)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return _names_of(cls)

    @classmethod
    def as_read(cls, values: Iterable[Any]) -> Self:
        """A row of these values, which come in the order of the columns: made for who only looks.

        It belongs to no session. To make it takes a fifth of what SQLAlchemy needs to load it, which looks for it first.
        """
        row: Self = _maker_of(cls)()
        row.__dict__.update(zip(_names_of(cls), values, strict=True))
        return row

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a column through SQLAlchemy alone, which keeps it where pydantic would: half the work for each value."""
        if name != "_sa_instance_state" and isinstance(getattr(type(self), name, None), InstrumentedAttribute):
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)
