"""Columns of a person as plain rows, to identify the visitor at each request."""

from __future__ import annotations

from typing import Any

from sqlmodel import col, func, select

from correspondence.models import Person, Player

_PERSON: Any = Person.__table__  # type: ignore[attr-defined]

_WAITING = (
    select(func.count())
    .where(col(Player.person_id) == col(Person.id), col(Player.since).is_not(None))
    .correlate(Person)
    .scalar_subquery()
)

PERSON_COLUMNS: tuple[Any, ...] = (_PERSON, _WAITING.label("waiting"))
"""All columns of a person, and `waiting`: the number of games in which it is their turn."""
