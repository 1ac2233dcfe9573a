"""Earlier stays on a ladder, and absences, which stop the time to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.clocks import deadlines, vacations
from correspondence.features.tournaments.formats import ladder
from correspondence.features.tournaments.formats.field import Entrant, Field, Pairing
from correspondence.features.tournaments.tables import TournamentEntrant, TournamentStay

Spans = Sequence[tuple[datetime, datetime]]
"""Beginnings and ends."""


def with_challenges(session: Session, tournament_id: int, field: Field) -> Field:
    """Return a ladder's field with earlier stays, who was active when, and when open challenges lapse."""
    stays, absences = _stays(session, tournament_id), _absences(session, tournament_id, field.now)
    return replace(
        field,
        entrants=tuple(_entrant(one, stays.get(one.id, ()), absences.get(one.id, ()), field) for one in field.entrants),
        pairings=tuple(_pairing(one, absences) for one in field.pairings),
    )


def lapses_at(began_at: datetime, absences: Spans) -> datetime:
    """Return when a challenge made at `began_at` counts as lost, with the challenged member's announced absences."""
    return deadlines.deadline_of(began_at, ladder.ANSWER_WITHIN, deadlines.Calendar(stops=tuple(absences)))


def absences_of(session: Session, person_id: int, now: datetime) -> Spans:
    """Return the announced absences of a person that are not long over."""
    return vacations.announced_spans(session, [person_id], now - ladder.IDLE).get(person_id, [])


def _entrant(entrant: Entrant, stays: Spans, absences: Spans, field: Field) -> Entrant:
    back = max((end for begin, end in absences if begin <= field.now), default=None)
    return replace(entrant, earlier_stays=tuple(stays), active_at=back)


def _pairing(pairing: Pairing, absences: Mapping[int, Spans]) -> Pairing:
    if not pairing.is_running or pairing.game is not None or pairing.began_at is None:
        return pairing
    away = absences.get(ladder.challenged_of(pairing), ())
    return replace(pairing, lapses_at=lapses_at(pairing.began_at, away))


def _stays(session: Session, tournament_id: int) -> dict[int, list[tuple[datetime, datetime]]]:
    query = select(TournamentStay).join(TournamentEntrant, col(TournamentEntrant.id) == col(TournamentStay.entrant_id))
    query = query.where(col(TournamentEntrant.tournament_id) == tournament_id).order_by(col(TournamentStay.entered_at))
    found: dict[int, list[tuple[datetime, datetime]]] = {}
    for stay in session.exec(query):
        found.setdefault(stay.entrant_id, []).append((stay.entered_at, stay.left_at))
    return found


def _absences(session: Session, tournament_id: int, now: datetime) -> dict[int, Spans]:
    """Return announced absences by entrant id."""
    query = select(TournamentEntrant.person_id, TournamentEntrant.id)
    entrants = dict(session.exec(query.where(col(TournamentEntrant.tournament_id) == tournament_id)).all())
    spans = vacations.announced_spans(session, list(entrants), now - ladder.IDLE)
    return {entrants[person_id]: found for person_id, found in spans.items()}
