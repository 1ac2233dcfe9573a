"""Rows copied inside the database, so that a million of them take a minute: games, letters, messages received."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Engine, create_engine, event, text
from sqlmodel import Session, SQLModel, col, select

from correspondence.models import Inbound, InboundState, Letter, LetterState


@contextmanager
def filling(engine: Engine) -> Iterator[Session]:
    """A session that writes as fast as SQLite can, and looks at the tables afterwards as `ANALYZE` does."""
    quick = create_engine(engine.url)  # neither durable nor checked for foreign keys
    event.listen(quick, "connect", lambda connection, _record: connection.execute("PRAGMA synchronous = OFF"))
    with Session(quick) as session:
        yield session
        session.commit()
        session.execute(text("ANALYZE"))
    quick.dispose()


def number_copies(session: Session, first: int, count: int, models: list[int]) -> None:
    """Make the temporary table `copy`: the numbers of the copies, and in turn which row each is made of."""
    session.execute(text("DROP TABLE IF EXISTS temp.copy"))
    session.execute(text("CREATE TEMP TABLE copy (number INTEGER PRIMARY KEY, model INTEGER)"))
    choice = " ".join(f"WHEN {at} THEN {model}" for at, model in enumerate(models))
    session.execute(
        text(
            "INSERT INTO copy WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)"
            f" SELECT :first + i, CASE i % {len(models)} {choice} END FROM n"
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
