"""Row numbers after a restore or a failover: never reused, and lost ones are recorded."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Integer
from sqlmodel import Session, col, select

from correspondence.models.columns import Table
from correspondence.models.operations import LostNumbers

EPOCH = 1_000
"""Each epoch adds a multiple of this to `Match.takebacks`; the remainder counts take-backs."""


def numbered_tables() -> dict[str, str]:
    """Return the tables whose rows are numbered by a sequence, with the column's name."""
    columns = ((table, table.autoincrement_column) for table in Table.metadata.sorted_tables)
    return {
        table.name: column.name
        for table, column in columns
        if column is not None and isinstance(column.type, Integer) and not column.foreign_keys
    }


def lost_at(session: Session, table: type[Table], number: int) -> datetime | None:
    """Return the time after which row `number` was made, if a failover lost it; else None."""
    query = select(LostNumbers.kept_until).where(
        LostNumbers.table_name == str(table.__tablename__), LostNumbers.first <= number, LostNumbers.last >= number
    )
    return session.exec(query.order_by(col(LostNumbers.first).desc())).first()


def last_loss(session: Session) -> datetime | None:
    """Return the time up to which data survived the last loss; None if there was none."""
    return session.exec(select(LostNumbers.kept_until).order_by(col(LostNumbers.kept_until).desc())).first()
