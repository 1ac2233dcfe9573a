"""Export of all data about a person as a streamed ZIP file.

The tables are found by the foreign keys that person_keys.py calls a person's own; what others wrote about the person
belongs to them. Row ids would reveal how much everybody does, so a row is numbered by its place in the file instead.
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
from correspondence.core.signing import Signer
from correspondence.fairness.evidence import evidence_of
from correspondence.mime.classify import sole_author
from correspondence.mime.mail_keys import mail_key
from correspondence.models import Address, Inbound, Letter, LetterState, Match, Person, Player
from correspondence.models.loading import moves_of, persons_of, players_of
from engines import UnknownGame
from engines.wording import _

BATCH = 100
"""Number of rows read at a time."""

HAS_LEFT = (LetterState.SENT, LetterState.UNCERTAIN, LetterState.FAILED)
"""The states of letters that are exported.

Authors can still recall remarks in letters of other states.
"""

_ELSEWHERE = {
    "inbound.raw",
    "letter.choices",
    "letter.html",
    "letter.picture",
    "letter.subject",
    "letter.text",
}
"""Columns whose content is in another part of the file, in a better form."""

INTERNAL = {
    "api_token.digest",
    "event.about_id",
    "hidden_words.act_id",
    "hidden_words.remark_id",
    "inbound.message_key",
    "inbound.reason",
    "inbound.sender",
    "letter.key",
    "letter.remarks",
    "operator_act.facts",
    "operator_act.operator_id",
    "operator_act.reversed_by_id",
    "person.handle_key",
    "person.handle_skeleton",
    "person.merged_into_id",
    "plan.last_remark_id",
    "player.shown_remark",
    "push_subscription.endpoint",
    "push_subscription.session",
    "seek.invited",
    "token.digest",
    "token.payload",
    "web_session.digest",
}
"""Columns that are not exported: ids of others' rows, and internal values. Features add theirs."""

_SHOWN_NUMBERS = {"match", "seek"}
"""Tables whose row ids are public."""

_IS_EXPORTED = or_(
    col(Letter.remarks) == "", col(Letter.state).not_in([LetterState.QUEUED, LetterState.HELD, LetterState.MERGED])
)
"""SQL condition that excludes unsent letters with remarks of others.

They can be recalled, or were merged into another letter.
"""


class _Buffer(io.RawIOBase):
    """An output buffer for zipfile that is emptied after each write."""

    def __init__(self) -> None:
        self.buffer = bytearray()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Keep the bytes until `take`."""
        self.buffer += data
        return len(data)

    def take(self) -> bytes:
        """Return and clear the buffered bytes."""
        data = bytes(self.buffer)
        self.buffer.clear()
        return data


def export_chunks(engine: Engine, person_id: int, *, signer: Signer, now: datetime) -> Iterator[bytes]:
    """Yield the ZIP file in chunks.

    It holds `rows/*.json`, `games.records`, `letters.mbox` and `mails.mbox`.
    """
    buffer = _Buffer()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, pieces in _parts(engine, person_id, signer, now):
            with file.open(name, "w", force_zip64=True) as entry:
                for piece in pieces:
                    entry.write(piece.encode("utf-8", "replace"))
                    yield buffer.take()
    yield buffer.take()


def _parts(engine: Engine, person_id: int, signer: Signer, now: datetime) -> Iterator[tuple[str, Iterator[str]]]:
    person = SQLModel.metadata.tables["person"]
    yield "rows/person.json", _rows(engine, person, person.c.id, person_id)
    for table, key in own_keys():
        yield f"rows/{table.name}-{key.name}.json", _rows(engine, table, key, person_id)
    yield "games.records", _records(engine, person_id, signer, now)
    yield "letters.mbox", _letters(engine, person_id)
    yield "mails.mbox", _mails(engine, person_id)


def _rows(engine: Engine, table: Table, key: Column[Any], person_id: int) -> Iterator[str]:
    """Yield rows as JSON lines, each with its place in the file."""
    columns = [column for column in table.columns if f"{table.name}.{column.name}" not in _ELSEWHERE | INTERNAL]
    order, places, handles = list(table.primary_key.columns), dict[Any, int](), dict[int, str]()
    while True:
        query = rows(*columns).where(key == person_id)
        if table.name == "letter":
            query = query.where(_IS_EXPORTED)
        if table.name == "event":
            query = query.where(
                table.c.number.is_not(None)
            )  # the others may contain remarks that can still be recalled
        query = query.order_by(*order).limit(BATCH).offset(len(places))
        with reading(engine) as session:
            batch = [row._mapping for row in session.execute(query)]
            for row in batch:
                places[tuple(row[column] for column in order)] = len(places) + 1
            _learn_handles(session, columns, batch, handles)
        exported = (
            {"place": places[tuple(row[column] for column in order)], **_exported(columns, key, row, places, handles)}
            for row in batch
        )
        yield "".join(json.dumps(row, default=_plain, ensure_ascii=False) + "\n" for row in exported)
        if len(batch) < BATCH:
            return


def _exported(
    columns: Sequence[Column[Any]],
    own: Column[Any],
    row: Mapping[Any, Any],
    places: Mapping[Any, int],
    handles: Mapping[int, str],
) -> dict[str, Any]:
    """Return a row for its owner: people as handles, rows of the same table by their place."""
    values: dict[str, Any] = {}
    for column in columns:
        target = next((key.column.table.name for key in column.foreign_keys), "")
        if column.name == "id":
            target = column.table.name
        if target == "person" and column.name != "id" and column is not own:
            values[column.name.removesuffix("_id")] = handles.get(row[column])
        elif target in ("", *_SHOWN_NUMBERS):
            values[column.name] = row[column]
        elif target == column.table.name and column.name != "id":
            values[column.name.removesuffix("_id")] = places.get((row[column],))
    return values


def _learn_handles(
    session: Session, columns: Sequence[Column[Any]], batch: Sequence[Mapping[Any, Any]], handles: dict[int, str]
) -> None:
    unknown_ids = {row[column] for row in batch for column in columns if names_person(column)} - handles.keys() - {None}
    if unknown_ids:
        handles.update(session.exec(select(Person.id, Person.handle).where(col(Person.id).in_(unknown_ids))).all())


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _match_ids(engine: Engine, person_id: int) -> list[int]:
    with reading(engine) as session:
        query = select(Player.match_id).where(col(Player.person_id) == person_id).order_by(col(Player.match_id))
        return list(session.exec(query))


def _records(engine: Engine, person_id: int, signer: Signer, now: datetime) -> Iterator[str]:
    for match_id in _match_ids(engine, person_id):
        with reading(engine) as session:
            match, moves = session.get_one(Match, match_id), moves_of(session, match_id)
            players = players_of(session, match_id)
            handles = [person.handle for person in persons_of(session, players)]
            seat = next(player.seat for player in players if player.person_id == person_id)
            muted = muted_ids(session, players, person_id)
            muted_seats = frozenset(player.seat for player in players if player.person_id in muted)
            evidence = evidence_of(session, match, moves, players, signer=signer, now=now)
            try:
                yield write_record(match, moves, handles, seat, evidence=evidence, muted_seats=muted_seats) + "\n"
            except UnknownGame:  # its moves cannot be redacted while its rules are not installed
                continue


def _letters(engine: Engine, person_id: int) -> Iterator[str]:
    """Return the letters sent to the person, in mbox format (RFC 4155).

    Reply addresses and links remain placeholders.
    """
    last = 0
    while True:
        with reading(engine) as session:
            query = select(Letter).where(
                col(Letter.person_id) == person_id, col(Letter.state).in_(HAS_LEFT), col(Letter.id) > last
            )
            letters = list(session.exec(query.order_by(col(Letter.id)).limit(BATCH)))
        for letter in letters:
            head = f"To: {letter.recipient}\nSubject: {letter.subject}\n"
            head += f"Date: {letter.created_at:%a, %d %b %Y %H:%M:%S +0000}"
            words = letter.text or _("The text of this letter has been deleted.") + "\n"
            yield _in_mbox(letter.created_at, f"{head}\nContent-Type: text/plain; charset=utf-8\n\n{words}")
        if len(letters) < BATCH:
            return
        last = letters[-1].id


def _mails(engine: Engine, person_id: int) -> Iterator[str]:
    """Yield mails from the person as received, read one at a time because one may be large.

    Mails that somebody else sent to a reply address of the person are left out.
    """
    last = 0
    with reading(engine) as session:
        mail_keys = set(session.exec(select(Address.mail_key).where(col(Address.person_id) == person_id)))
    while True:
        with reading(engine) as session:
            query = select(Inbound).where(col(Inbound.person_id) == person_id, col(Inbound.id) > last)
            query = query.where(func.length(Inbound.raw) > 0)  # after a month no words are kept
            mail = session.exec(query.order_by(col(Inbound.id)).limit(1)).first()
        if mail is None:
            return
        if mail_key(sole_author(mail.raw) or "") in mail_keys:
            yield _in_mbox(mail.received_at, mail.raw.decode("utf-8", "replace").replace("\r\n", "\n"))
        last = mail.id


def _in_mbox(at: datetime, text: str) -> str:
    quoted = "\n".join(f">{line}" if line.lstrip(">").startswith("From ") else line for line in text.splitlines())
    return f"From MAILER-DAEMON {at:%a %b %d %H:%M:%S %Y}\n{quoted}\n\n"
