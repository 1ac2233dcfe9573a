"""The numbers of rows after a restore or a failover: none is given twice, and those that were lost are known."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Integer
from sqlmodel import Session, col, select

from correspondence.models.columns import Table
from correspondence.models.operations import LostNumbers

EPOCH = 1_000
"""Each new epoch adds a multiple of this to the take-backs of a game; below it stands how often moves were taken back."""


def numbered_tables() -> dict[str, str]:
    """The tables whose rows get numbers from a sequence, by the name of the column."""
    columns = ((table, table.autoincrement_column) for table in Table.metadata.sorted_tables)
    return {
        table.name: column.name
        for table, column in columns
        if column is not None and isinstance(column.type, Integer) and not column.foreign_keys
    }


def lost_at(session: Session, table: type[Table], number: int) -> datetime | None:
    """The moment after which the row of this number was made, if it was lost with a machine; else None."""
    query = select(LostNumbers.kept_until).where(
        LostNumbers.table_name == str(table.__tablename__), LostNumbers.first <= number, LostNumbers.last >= number
    )
    return session.exec(query.order_by(col(LostNumbers.first).desc())).first()


def last_loss(session: Session) -> datetime | None:
    """The moment up to which everything was kept when the service last lost a machine; None if it never did."""
    return session.exec(select(LostNumbers.kept_until).order_by(col(LostNumbers.kept_until).desc())).first()
