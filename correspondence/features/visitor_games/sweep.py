"""The sweep that deletes visitors' games after a day."""

from __future__ import annotations

from sqlalchemy import bindparam, delete
from sqlmodel import col, select

from correspondence.core.db import transaction
from correspondence.core.runtime import Runtime
from correspondence.features.visitor_games.tables import VisitorGame

IS_DUE = select(VisitorGame.id).where(col(VisitorGame.ends_at) <= bindparam("now")).exists()
"""Whether the day of a game is over `now`."""


def sweep(runtime: Runtime) -> int:
    """Delete the games whose day is over; return how many."""
    with transaction(runtime.engine) as session:
        over = delete(VisitorGame).where(col(VisitorGame.ends_at) <= runtime.now())
        return session.connection().execute(over).rowcount
