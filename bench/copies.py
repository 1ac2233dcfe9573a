"""Rows copied inside the database, so that a million of them take a minute: games, letters, messages received."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Engine, create_engine, event, text
from sqlmodel import Session, SQLModel, col, select

from correspondence.models import Inbound, InboundState, Letter, LetterState, Match, Move, Player, Token


@contextmanager
def filling(engine: Engine) -> Iterator[Session]:
    """A session that writes as fast as the database can, and looks at the tables afterwards as `ANALYZE` does.

    On PostgreSQL, numbers that are given out afterwards follow the greatest that there is then.
    """
    quick = create_engine(engine.url)  # neither durable nor checked for foreign keys
    words = _QUICKLY[engine.dialect.name]
    event.listen(quick, "connect", lambda connection, _record: [connection.execute(each) for each in words])
    with Session(quick) as session, _without_indexes(session):
        yield session
    with Session(quick) as session:
        if engine.dialect.name == "postgresql":
            _number_on(session)
        session.commit()
        session.execute(text("ANALYZE"))
        session.commit()
    quick.dispose()


FILLED = (Match, Player, Token, Letter, Inbound, Move)
"""The tables of which so many rows are copied that their indexes are better made afterwards."""

_QUICKLY = {
    "sqlite": ("PRAGMA synchronous = OFF", "PRAGMA cache_size = -200000"),
    "postgresql": (
        "SET synchronous_commit = off",
        "SET session_replication_role = replica",
        "SET maintenance_work_mem = '256MB'",
    ),
}


@contextmanager
def _without_indexes(session: Session) -> Iterator[None]:
    """Context manager: the indexes of the tables that are filled are made at the end, which takes a third of the time."""
    indexes = [index for table in FILLED for index in table.__table__.indexes if not index.unique]  # type: ignore[attr-defined]
    for index in indexes:
        index.drop(session.connection())
    yield
    for index in indexes:
        index.create(session.connection())
    session.commit()


def _number_on(session: Session) -> None:
    """Let the sequences of all tables begin after the rows that were copied with their numbers."""
    for table in SQLModel.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            name = f"pg_get_serial_sequence('\"{table.name}\"', '{column.name}')"
            session.execute(
                text(
                    f'SELECT setval({name}, (SELECT max("{column.name}") FROM "{table.name}")) WHERE {name} IS NOT NULL'
                )
            )


def later(session: Session, column: str, seconds: str) -> str:
    """SQL for a moment, so many seconds after that of a column; both are SQL too."""
    if session.get_bind().dialect.name == "postgresql":
        return f"{column} + ({seconds}) * interval '1 second'"
    return f"strftime('%Y-%m-%d %H:%M:%S.000000', {column}, ({seconds}) || ' seconds')"


def number_copies(session: Session, first: int, count: int, models: list[int]) -> None:
    """Make the temporary table `copy`: the numbers of the copies, and in turn which row each is made of."""
    session.execute(text("DROP TABLE IF EXISTS copy"))
    session.execute(text("CREATE TEMPORARY TABLE copy (number INTEGER PRIMARY KEY, model INTEGER)"))
    choice = " ".join(f"WHEN {at} THEN {model}" for at, model in enumerate(models))
    session.execute(
        text(
            "INSERT INTO copy WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)"
            f" SELECT CAST(:first AS INTEGER) + i, CASE i % {len(models)} {choice} END FROM n"
        ),
        {"first": first, "count": count},
    )


def insert_copies(session: Session, table: type[SQLModel], joined: str, **changed: str) -> None:
    """Insert copies of the rows `it` of a table, some columns changed; SQL says which and how."""
    columns = [column.name for column in table.__table__.columns]  # type: ignore[attr-defined]
    wanted = [name for name in columns if name in changed or name != "id"]
    values = ", ".join(changed.get(name, f'it."{name}"') for name in wanted)
    names = ", ".join(f'"{name}"' for name in wanted)
    name = table.__tablename__
    session.execute(text(f'INSERT INTO "{name}" ({names}) SELECT {values} FROM copy JOIN "{name}" it ON {joined}'))


def add_letters(session: Session, count: int, people: int) -> None:
    """So many letters that have left long ago, to the first so many members in turn."""
    first = session.exec(select(Letter).order_by(col(Letter.id))).first()
    assert first is not None
    number_copies(session, 1, count, [first.id])
    insert_copies(
        session, Letter, "it.id = copy.model", key="'copy:l' || copy.number",
        person_id=f"1 + copy.number % {people}", message_id="'copy.l' || copy.number",
        text="'Sent long ago.'", html="''", picture="''", state=f"'{LetterState.SENT}'",
        mailbox="'copy' || (copy.number % 5000) || '@example.org'",
    )  # fmt: skip


def add_messages(session: Session, count: int, now: datetime) -> None:
    """So many messages received, which are done and whose bodies are dropped."""
    session.add(
        Inbound(message_key="copied", recipient="play@games.example", sender="ann@example.org", raw=b"",
                received_at=now, due_at=now, state=InboundState.DONE, reason="played", person_id=1)
    )  # fmt: skip
    session.flush()
    number_copies(session, 1, count - 1, [1])
    insert_copies(session, Inbound, "it.message_key = 'copied'", message_key="'copy:' || copy.number")
