"""Contested moves from postal cards: stored with the entry and reported to the operator."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from correspondence.accounts.accounts import PeopleError, nobody_called
from correspondence.community import reports
from correspondence.models import Person, PostalEntry
from correspondence.models.loading import players_of
from correspondence.play import card_entries
from engines.wording import _


@dataclass(frozen=True, slots=True)
class ContestedEntry:
    """A contested entry: the game, who entered it for whom, and the claimed text of the card."""

    match_id: int
    ply: int
    handle: str
    entered_by: str
    at: datetime
    words: str


def contest(
    session: Session, person: Person, match_id: int, ply: int, words: str, *, operator: str, now: datetime
) -> None:
    """Contest an entry: mark it in the history, and report its author to the operator.

    Raises MatchError, or PeopleError after too many reports today.
    """
    row = card_entries.contest(session, person, match_id, ply, words, now=now)
    if row.entered_by_id == person.id:
        return
    about = session.get_one(Person, row.entered_by_id)
    if about.departed_at is not None:
        return
    text = _("Move {ply} of game {number}, entered from a card, is contested: {words}").format(
        ply=ply, number=match_id, words=row.contest
    )
    both_play = {person.id, about.id} <= {player.person_id for player in players_of(session, match_id)}
    reported_match = match_id if both_play else None
    reports.report(session, person, about.handle, text, match_id=reported_match, operator=operator, now=now)


def contest_for(session: Session, handle: str, match_id: int, ply: int, words: str, *, now: datetime) -> None:
    """Record a contest that reached the operator on paper. Raises MatchError or PeopleError."""
    person = session.exec(select(Person).where(col(Person.handle_key) == handle.casefold())).first()
    if person is None:
        raise PeopleError(nobody_called(handle))
    card_entries.contest(session, person, match_id, ply, words, now=now)


def contested_entries(session: Session, most: int = 100) -> list[ContestedEntry]:
    """Return the contested entries, newest first."""
    owner, enterer = aliased(Person), aliased(Person)
    query = (
        select(PostalEntry, owner.handle, enterer.handle)
        .join(owner, col(owner.id) == col(PostalEntry.person_id))
        .join(enterer, col(enterer.id) == col(PostalEntry.entered_by_id))
        .where(col(PostalEntry.contested_at).is_not(None))
    )
    return [
        ContestedEntry(row.match_id, row.ply, handle, entered_by, row.contested_at or row.at, row.contest)
        for row, handle, entered_by in session.exec(query.order_by(col(PostalEntry.id).desc()).limit(most))
    ]
