"""Everything that is kept about a person, as a ZIP file that is made while it is sent.

The tables are walked by their foreign keys, so that a table added later is in the file without being named here.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Table
from sqlalchemy import select as rows
from sqlmodel import SQLModel, col, func, select

from correspondence.course import moves_of, persons_of, players_of
from correspondence.db import reading
from correspondence.models import Inbound, Letter, Match, Player
from correspondence.records import write_record

TOGETHER = 100
"""How many rows or games are held at a time."""

_LEFT_OUT = {"raw", "html", "picture", "position"}
"""Columns that say in bulk what other parts of the file say better."""


class _Outlet(io.RawIOBase):
    """Takes what a ZIP file writes, and gives it away before more comes."""

    def __init__(self) -> None:
        self.held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.held += data
        return len(data)

    def taken(self) -> bytes:
        given = bytes(self.held)
        self.held.clear()
        return given


def copy_of(engine: Engine, person_id: int, *, base: str) -> Iterator[bytes]:
    """The file, piece by piece: `rows/*.json`, `games.records`, `letters.mbox` and `mails.mbox`."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as file:
        for name, pieces in _parts(engine, person_id, base):
            with file.open(name, "w", force_zip64=True) as entry:
                for piece in pieces:
                    entry.write(piece.encode("utf-8", "replace"))
                    yield outlet.taken()
    yield outlet.taken()


def _parts(engine: Engine, person_id: int, base: str) -> Iterator[tuple[str, Iterator[str]]]:
    for table in SQLModel.metadata.sorted_tables:
        if table.name == "person":
            yield "rows/person.json", _rows(engine, table, "id", person_id)
        for column in table.columns:
            if any(key.column.table.name == "person" for key in column.foreign_keys):
                yield f"rows/{table.name}-{column.name}.json", _rows(engine, table, column.name, person_id)
    yield "games.records", _records(engine, person_id, base)
    yield "letters.mbox", _letters(engine, person_id)
    yield "mails.mbox", _mails(engine, person_id)


def _rows(engine: Engine, table: Table, column: str, person_id: int) -> Iterator[str]:
    """Rows as JSON, one to a line."""
    kept = [one for one in table.columns if one.name not in _LEFT_OUT]
    order, last = list(table.primary_key.columns), 0
    while True:
        wanted = rows(*kept).where(table.c[column] == person_id).order_by(*order).limit(TOGETHER).offset(last)
        with engine.connect() as connection:
            found = [dict(row._mapping) for row in connection.execute(wanted)]
        yield "".join(json.dumps(row, default=_plain, ensure_ascii=False) + "\n" for row in found)
        if len(found) < TOGETHER:
            return
        last += len(found)


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _numbers(engine: Engine, person_id: int) -> list[int]:
    with reading(engine) as session:
        mine = select(Player.match_id).where(col(Player.person_id) == person_id).order_by(col(Player.match_id))
        return list(session.exec(mine))


def _records(engine: Engine, person_id: int, base: str) -> Iterator[str]:
    for number in _numbers(engine, person_id):
        with reading(engine) as session:
            match, moves = session.get_one(Match, number), moves_of(session, number)
            players = players_of(session, number)
            handles = [person.handle for person in persons_of(session, players)]
            seat = next(player.seat for player in players if player.person_id == person_id)
            yield write_record(match, moves, handles, seat, site=f"{base}/games/{number}") + "\n"


def _letters(engine: Engine, person_id: int) -> Iterator[str]:
    """Letters to the person, in mbox form (RFC 4155); addresses that act, and links, are left as marks."""
    last = 0
    while True:
        with reading(engine) as session:
            mine = select(Letter).where(col(Letter.person_id) == person_id, col(Letter.id) > last)
            found = list(session.exec(mine.order_by(col(Letter.id)).limit(TOGETHER)))
        for letter in found:
            head = f"To: {letter.recipient}\nSubject: {letter.subject}\n"
            head += f"Date: {letter.created_at:%a, %d %b %Y %H:%M:%S +0000}"
            yield _in_mbox(letter.created_at, f"{head}\nContent-Type: text/plain; charset=utf-8\n\n{letter.text}")
        if len(found) < TOGETHER:
            return
        last = found[-1].id


def _mails(engine: Engine, person_id: int) -> Iterator[str]:
    """Mails from the person as they came, one at a time, because one may be large."""
    last = 0
    while True:
        with reading(engine) as session:
            mine = select(Inbound).where(col(Inbound.person_id) == person_id, col(Inbound.id) > last)
            mine = mine.where(func.length(Inbound.raw) > 0)  # after a month no words are kept
            one = session.exec(mine.order_by(col(Inbound.id)).limit(1)).first()
        if one is None:
            return
        yield _in_mbox(one.received_at, one.raw.decode("utf-8", "replace").replace("\r\n", "\n"))
        last = one.id


def _in_mbox(at: datetime, text: str) -> str:
    quoted = "\n".join(f">{line}" if line.lstrip(">").startswith("From ") else line for line in text.splitlines())
    return f"From MAILER-DAEMON {at:%a %b %d %H:%M:%S %Y}\n{quoted}\n\n"
