"""Remove the starter set: its games with everything that refers to them, its exercises, its book, its names.

Numbers of the removed games and exercises are never used again (`sqlite_autoincrement`, sequences).
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Column, Table, delete, select
from sqlmodel import Session, SQLModel, col

from correspondence.archive import openings
from correspondence.features.samples.loading import handle_of
from correspondence.features.samples.tables import SampleGame, SampleOpening, SampleSet
from correspondence.models import PLAYING, Match, Person, Player
from engines.search.levels import NAMES


def remove(session: Session) -> int:
    """Remove the starter set, and let no worker load it again; return the number of games removed."""
    session.merge(SampleSet(id=1, next_batch=0, is_due=False))
    session.flush()
    numbers = list(session.execute(select(col(SampleGame.match_id))).scalars())
    for match in session.execute(select(Match).where(col(Match.id).in_(numbers)).with_for_update()).scalars():
        openings.recount(session, match, PLAYING)
    session.flush()
    _delete(session, SQLModel.metadata.tables["match"], numbers)
    session.execute(delete(SampleOpening))
    _delete_names(session)
    session.expire_all()
    return len(numbers)


def _delete(session: Session, table: Table, numbers: Iterable[int]) -> None:
    """Delete rows by their ids, after all rows that refer to them."""
    numbers = list(numbers)
    if not numbers:
        return
    for key in _keys_to(table):
        of_these = key.in_(numbers)
        if "id" in key.table.c:
            _delete(session, key.table, session.execute(select(key.table.c.id).where(of_these)).scalars())
        else:
            _delete_below(session, key, numbers)
            session.execute(delete(key.table).where(of_these))
    session.execute(delete(table).where(table.c.id.in_(numbers)))


def _delete_below(session: Session, key: Column[int], numbers: list[int]) -> None:
    """Delete rows that refer to this key of a table without ids, as readers of a review refer to its match."""
    for other in SQLModel.metadata.sorted_tables:
        for reference in other.foreign_keys:
            if reference.column is key:
                session.execute(delete(other).where(reference.parent.in_(numbers)))


def _keys_to(table: Table) -> list[Column[int]]:
    return [
        reference.parent
        for other in reversed(SQLModel.metadata.sorted_tables)
        for reference in other.foreign_keys
        if reference.column is table.c.id
    ]


def _delete_names(session: Session) -> None:
    """Delete the names of sample robots, unless other imported games use them."""
    handles = [handle_of(level) for level in range(1, len(NAMES) + 1)]
    is_used = select(col(Player.id)).where(col(Player.person_id) == col(Person.id)).exists()
    session.execute(delete(Person).where(col(Person.handle_key).in_(handles), ~is_used))
