"""Everything of a person's own that is kept, as a ZIP file that is made while it is sent.

The tables are walked by the foreign keys that person_keys.py calls a person's own; what others wrote about the person
is theirs. Numbers of rows count what everybody does, so a row is numbered by its place in the file instead.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Engine, Table
from sqlalchemy import select as rows
from sqlmodel import Session, SQLModel, col, func, or_, select

from correspondence.accounts.relations import muted_ids
from correspondence.archive.record_file import write_record
from correspondence.community.person_keys import names_person, own_keys
from correspondence.core.db import reading
from correspondence.mime.classify import mail_key, sole_author
from correspondence.models import Address, Inbound, Letter, LetterState, Match, Person, Player
from correspondence.models.loading import moves_of, persons_of, players_of
from engines import UnknownGame

TOGETHER = 100
"""How many rows or games are held at a time."""

HAS_LEFT = (LetterState.SENT, LetterState.UNCERTAIN, LetterState.FAILED)
"""The states of letters whose words are in the file; what others said in the rest can still be taken back."""

_IN_BULK = {
    "inbound.raw",
    "letter.choices",
    "letter.html",
    "letter.picture",
    "letter.subject",
    "letter.text",
}
"""Columns that say what other parts of the file say better."""

_INTERNAL = {
    "inbound.message_key",
    "inbound.reason",
    "inbound.sender",
    "letter.key",
    "letter.remarks",
    "person.handle_key",
    "plan.heard",
    "player.shown_remark",
    "seek.invited",
    "token.payload",
    "websession.digest",
}
"""Columns that name rows of others, or say what concerns nobody but this installation."""

_SHOWN_NUMBERS = {"match", "seek"}
"""Tables whose rows people know by number."""


_IS_KNOWN = or_(
    col(Letter.remarks) == "", col(Letter.state).not_in([LetterState.QUEUED, LetterState.HELD, LetterState.TOLD])
)
"""Words that others said and that have not left can be recalled, and what was told elsewhere stands there."""


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
    person = SQLModel.metadata.tables["person"]
    yield "rows/person.json", _rows(engine, person, person.c.id, person_id)
    for table, key in own_keys():
        yield f"rows/{table.name}-{key.name}.json", _rows(engine, table, key, person_id)
    yield "games.records", _records(engine, person_id, base)
    yield "letters.mbox", _letters(engine, person_id)
    yield "mails.mbox", _mails(engine, person_id)


def _rows(engine: Engine, table: Table, key: Column[Any], person_id: int) -> Iterator[str]:
    """Rows as JSON, one to a line, each with its place among them."""
    kept = [column for column in table.columns if f"{table.name}.{column.name}" not in _IN_BULK | _INTERNAL]
    order, places, handles = list(table.primary_key.columns), dict[Any, int](), dict[int, str]()
    while True:
        wanted = rows(*kept).where(key == person_id)
        if table.name == "letter":
            wanted = wanted.where(_IS_KNOWN)
        wanted = wanted.order_by(*order).limit(TOGETHER).offset(len(places))
        with reading(engine) as session:
            found = [row._mapping for row in session.execute(wanted)]
            for row in found:
                places[tuple(row[column] for column in order)] = len(places) + 1
            _learn_handles(session, kept, found, handles)
        told = (
            {"place": places[tuple(row[column] for column in order)], **_told(kept, key, row, places, handles)}
            for row in found
        )
        yield "".join(json.dumps(row, default=_plain, ensure_ascii=False) + "\n" for row in told)
        if len(found) < TOGETHER:
            return


def _told(
    kept: Sequence[Column[Any]],
    own: Column[Any],
    row: Mapping[Any, Any],
    places: Mapping[Any, int],
    handles: Mapping[int, str],
) -> dict[str, Any]:
    """A row as its owner may read it: other persons by handle, other rows of the same table by their place."""
    told: dict[str, Any] = {}
    for column in kept:
        target = next((key.column.table.name for key in column.foreign_keys), "")
        if column.name == "id":
            target = column.table.name
        if target == "person" and column.name != "id" and column is not own:
            told[column.name.removesuffix("_id")] = handles.get(row[column])
        elif target in ("", *_SHOWN_NUMBERS):
            told[column.name] = row[column]
        elif target == column.table.name and column.name != "id":
            told[column.name.removesuffix("_id")] = places.get((row[column],))
    return told


def _learn_handles(
    session: Session, kept: Sequence[Column[Any]], found: Sequence[Mapping[Any, Any]], handles: dict[int, str]
) -> None:
    wanted = {row[column] for row in found for column in kept if names_person(column)} - handles.keys() - {None}
    if wanted:
        handles.update(session.exec(select(Person.id, Person.handle).where(col(Person.id).in_(wanted))).all())


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
            silent = muted_ids(session, players, person_id)
            silent_seats = frozenset(player.seat for player in players if player.person_id in silent)
            site = f"{base}/games/{number}"
            try:
                yield write_record(match, moves, handles, seat, site=site, silent=silent_seats) + "\n"
            except UnknownGame:  # its moves cannot be told while its rules are not installed
                continue


def _letters(engine: Engine, person_id: int) -> Iterator[str]:
    """Letters that left for the person, in mbox form (RFC 4155); addresses that act, and links, are left as marks."""
    last = 0
    while True:
        with reading(engine) as session:
            mine = select(Letter).where(
                col(Letter.person_id) == person_id, col(Letter.state).in_(HAS_LEFT), col(Letter.id) > last
            )
            found = list(session.exec(mine.order_by(col(Letter.id)).limit(TOGETHER)))
        for letter in found:
            head = f"To: {letter.recipient}\nSubject: {letter.subject}\n"
            head += f"Date: {letter.created_at:%a, %d %b %Y %H:%M:%S +0000}"
            yield _in_mbox(letter.created_at, f"{head}\nContent-Type: text/plain; charset=utf-8\n\n{letter.text}")
        if len(found) < TOGETHER:
            return
        last = found[-1].id


def _mails(engine: Engine, person_id: int) -> Iterator[str]:
    """Mails from the person as they came, one at a time, because one may be large.

    What somebody else sent to an address of the person's games is not among them.
    """
    last = 0
    with reading(engine) as session:
        own = set(session.exec(select(Address.mail_key).where(col(Address.person_id) == person_id)))
    while True:
        with reading(engine) as session:
            mine = select(Inbound).where(col(Inbound.person_id) == person_id, col(Inbound.id) > last)
            mine = mine.where(func.length(Inbound.raw) > 0)  # after a month no words are kept
            one = session.exec(mine.order_by(col(Inbound.id)).limit(1)).first()
        if one is None:
            return
        if mail_key(sole_author(one.raw) or "") in own:
            yield _in_mbox(one.received_at, one.raw.decode("utf-8", "replace").replace("\r\n", "\n"))
        last = one.id


def _in_mbox(at: datetime, text: str) -> str:
    quoted = "\n".join(f">{line}" if line.lstrip(">").startswith("From ") else line for line in text.splitlines())
    return f"From MAILER-DAEMON {at:%a %b %d %H:%M:%S %Y}\n{quoted}\n\n"
