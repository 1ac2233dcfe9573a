"""Monthly archives of finished games: when they are made or rebuilt, and players' licences.

A month is made once, a day after its end, and stored. It is rebuilt only if a player in it has left, to remove the
name, or if an operator changed a result in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, cast

from sqlalchemy import bindparam
from sqlalchemy.orm import load_only
from sqlmodel import Session, col, delete, func, select

from correspondence.archive import monthly_file, record_file
from correspondence.core import db
from correspondence.core.signing import Signer
from correspondence.fairness.evidence import evidence_of
from correspondence.models import ArchiveMonth, ImportedRecord, Match, Person, Player
from correspondence.models.loading import moves_of, persons_of, players_of
from correspondence.play import puzzles
from engines import GAMES
from engines.refusal import Refusal
from engines.wording import _

DELAY = timedelta(days=1)
"""The delay after the end of a month, until the seeds of its last daily deals are public."""

UNANSWERED, KEPT, GIVEN = "", "no", "cc0"
"""A person's choice of licence: none yet, rights reserved, or CC0."""

_MADE = select(ArchiveMonth.month)
_FIRST_END = select(func.min(Match.ended_at)).where(col(Match.ended_at).is_not(None))
_NEXT_END = select(func.min(Match.ended_at)).where(col(Match.ended_at) >= bindparam("after"))

_MONTH = re.compile(r"20[0-9]{2}-(?:0[1-9]|1[0-2])")


class LicenceError(Refusal):
    """Raised for an invalid licence choice; str() is a sentence."""


def allow(session: Session, person: Person, answer: str) -> None:
    """Store a person's licence for their games, GIVEN or KEPT. Raises LicenceError.

    It applies to months made from now on; published games stay published.
    """
    if answer not in (GIVEN, KEPT):
        raise LicenceError(_("Write cc0 to let everyone use your games, or no."))
    person.archive_licence = answer
    session.add(person)


def due_month(session: Session, *, now: datetime) -> str | None:
    """Return the earliest past month with games that is not made yet, such as `2026-11`."""
    made = {month for (month,) in db.rows(session, _MADE)}
    at: datetime | None = db.value(session, _FIRST_END)
    while at is not None:
        month = month_of(at)
        _begins, ends = _span(month)
        if ends + DELAY > now:
            return None
        if month not in made:
            return month
        at = db.value(session, _NEXT_END, after=ends)
    return None


def make(session: Session, month: str, signer: Signer, *, now: datetime) -> None:
    """Make and store the file of a month, unless it exists."""
    if session.get(ArchiveMonth, month) is not None:
        return
    written = monthly_file.write_month(month, _games(session, month, signer, now), signer)
    row = ArchiveMonth(
        month=month,
        content=written.content,
        manifest=written.manifest,
        digest=sha256(written.content).hexdigest(),
        games=written.games,
        free=written.free,
        size=len(written.content),
        made_at=now,
    )
    db.add_unless_there(session, row)


def _games(session: Session, month: str, signer: Signer, now: datetime) -> list[monthly_file.GameOfMonth]:
    """Return the public games that ended in a month, without imported and empty ones."""
    begins, ends = _span(month)
    imported = select(ImportedRecord.match_id)
    query = select(Match).where(
        col(Match.ended_at) >= begins, col(Match.ended_at) < ends, col(Match.ply) > 0,
        col(Match.game).in_(list(GAMES)), col(Match.id).not_in(imported),
    )  # fmt: skip
    matches = session.exec(query.order_by(col(Match.id))).all()
    return [_game(session, match, signer, now) for match in matches if puzzles.may_see(session, match, None)]


def _game(session: Session, match: Match, signer: Signer, now: datetime) -> monthly_file.GameOfMonth:
    players, moves = players_of(session, match.id), moves_of(session, match.id)
    persons = persons_of(session, players)
    evidence = evidence_of(session, match, moves, players, signer=signer, now=now)
    silent = frozenset(player.seat for player in players)
    handles = [person.handle for person in persons]
    record = record_file.write_record(match, moves, handles, None, evidence=evidence, muted_seats=silent)
    is_free = all(person.archive_licence == GIVEN for person in persons)
    return monthly_file.GameOfMonth(match.id, _licensed(record) if is_free else record, is_free)


def _licensed(record: str) -> str:
    """Return a record with an additional tag for the licence, after its other tags."""
    tags, _blank, entries = record.partition("\n\n")
    return f'{tags.rstrip()}\n[Licence "{monthly_file.CC0}"]\n\n{entries}'


def months(session: Session) -> Sequence[ArchiveMonth]:
    """Return every month made, newest first, without loading the files."""
    shown = [ArchiveMonth.month, ArchiveMonth.digest, ArchiveMonth.games, ArchiveMonth.free, ArchiveMonth.size]
    query = select(ArchiveMonth).options(load_only(*(cast(Any, column) for column in shown)))
    return session.exec(query.order_by(col(ArchiveMonth.month).desc())).all()


def month_named(session: Session, month: str) -> ArchiveMonth | None:
    """Return the file of a month such as `2026-11`; None if it does not exist."""
    return session.get(ArchiveMonth, month) if _MONTH.fullmatch(month) else None


def forget_months_of(session: Session, person: Person) -> None:
    """Delete the monthly files with a leaving person's games; they are rebuilt without the name."""
    ended = select(Player.ended_at).where(col(Player.person_id) == person.id, col(Player.ended_at).is_not(None))
    played = {month_of(at) for at in session.exec(ended) if at is not None}
    for month in played:
        session.exec(delete(ArchiveMonth).where(col(ArchiveMonth.month) == month))


def forget_month(session: Session, at: datetime) -> None:
    """Delete the file of the month that contains this time; it is rebuilt later."""
    session.exec(delete(ArchiveMonth).where(col(ArchiveMonth.month) == month_of(at)))


def month_of(at: datetime) -> str:
    """Return the month of a time, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m}"


def _span(month: str) -> tuple[datetime, datetime]:
    year, number = (int(part) for part in month.split("-"))
    begins = datetime(year, number, 1, tzinfo=UTC)
    return begins, datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
