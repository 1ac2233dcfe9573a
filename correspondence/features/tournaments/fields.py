"""The rows of a tournament as the frozen value that its format reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts import relations
from correspondence.features.tournaments.formats import FORMATS
from correspondence.features.tournaments.formats.field import (
    Bye,
    Entrant,
    Field,
    Pairing,
    Round,
    Row,
    Settings,
    Upcoming,
)
from correspondence.features.tournaments.ladder_fields import with_challenges
from correspondence.features.tournaments.settings import ADVISED_ROUNDS
from correspondence.features.tournaments.tables import (
    Format,
    Tournament,
    TournamentBye,
    TournamentConduct,
    TournamentEntrant,
    TournamentPairing,
    TournamentRound,
)
from correspondence.features.tournaments.tournaments import entrants_of


def field_of(session: Session, tournament: Tournament, *, now: datetime) -> Field:
    """Return a tournament that has begun as its format sees it."""
    entrants = entrants_of(session, tournament.id)
    field = Field(
        settings=settings_of(tournament, len(entrants)),
        entrants=_entrants(session, entrants, heeds_blocks=tournament.format is Format.SWISS),
        pairings=tuple(pairing_of(row) for row in pairings_of(session, tournament.id)),
        byes=tuple(_bye(row) for row in byes_of(session, tournament.id)),
        rounds=tuple(
            Round(number=row.number, began_at=row.began_at, ends_at=row.ends_at)
            for row in rounds_of(session, tournament.id)
        ),
        now=now,
    )
    return with_challenges(session, tournament.id, field) if tournament.format is Format.LADDER else field


def settings_of(tournament: Tournament, count: int) -> Settings:
    """Return the settings for a format; `count` is the number of entrants."""
    return Settings(
        format=tournament.format,
        rounds=tournament.rounds or min(ADVISED_ROUNDS, max(1, count // 2)),
        games=tournament.games,
        at_once=tournament.at_once or 0,
        final=tournament.has_final,
        advance=tournament.advance,
    )


def standings_of(field: Field) -> tuple[Row, ...]:
    """Return the standings of a tournament that has begun, best first within each section."""
    return FORMATS[field.settings.format].standings(field)


def latest_rows(rows: Sequence[Row]) -> dict[int, Row]:
    """Return the row of each entrant in the latest stage that they reached."""
    found: dict[int, Row] = {}
    for row in sorted(rows, key=lambda one: one.round):
        if row.entrant is not None:
            found[row.entrant] = row
    return found


def rows_with(rows: Sequence[Row], row: Row, settings: Settings) -> Sequence[Row]:
    """Return the rows among which a row is ranked: its section of a round robin, else all."""
    if settings.format != Format.ROUND_ROBIN:
        return rows
    return [one for one in rows if (one.round, one.section) == (row.round, row.section)]


def settled_of(field: Field) -> tuple[Pairing, ...]:
    """Return all pairings as they count now."""
    return FORMATS[field.settings.format].settled(field)


def next_of(field: Field) -> Upcoming:
    """Return what begins now."""
    return FORMATS[field.settings.format].next_pairings(field)


def is_over(field: Field) -> bool:
    """Whether nothing can change the standings any more."""
    return FORMATS[field.settings.format].is_over(field)


def pairings_of(session: Session, tournament_id: int) -> Sequence[TournamentPairing]:
    """Return the pairings of a tournament, in the order in which they began."""
    query = select(TournamentPairing).where(col(TournamentPairing.tournament_id) == tournament_id)
    return session.exec(query.order_by(col(TournamentPairing.round), col(TournamentPairing.id))).all()


def byes_of(session: Session, tournament_id: int) -> Sequence[TournamentBye]:
    """Return the byes of a tournament, by round."""
    query = select(TournamentBye).where(col(TournamentBye.tournament_id) == tournament_id)
    return session.exec(query.order_by(col(TournamentBye.round), col(TournamentBye.id))).all()


def rounds_of(session: Session, tournament_id: int) -> Sequence[TournamentRound]:
    """Return the rounds of a tournament that have begun, in order."""
    query = select(TournamentRound).where(col(TournamentRound.tournament_id) == tournament_id)
    return session.exec(query.order_by(col(TournamentRound.number))).all()


def barred_of(session: Session, person_ids: Sequence[int]) -> Mapping[int, datetime]:
    """Return until when persons are or were barred, by person id."""
    query = select(TournamentConduct.person_id, TournamentConduct.barred_until)
    query = query.where(
        col(TournamentConduct.person_id).in_(list(person_ids)), col(TournamentConduct.barred_until).is_not(None)
    )  # fmt: skip
    return {person_id: until for person_id, until in session.exec(query) if until is not None}


def pairing_of(row: TournamentPairing) -> Pairing:
    """Return a row as the value that formats read."""
    return Pairing(
        round=row.round,
        section=row.section,
        seats=(row.first_id, row.second_id),
        leg=row.leg,
        game=row.match_id,
        result=row.result,
        judged=row.is_judged,
        timed_out=row.late_id,
        ended_at=row.ended_at,
        seconds=(float(row.first_used), float(row.second_used)),
        began_at=row.began_at,
        challenger=None if row.challenger_seat is None else (row.first_id, row.second_id)[row.challenger_seat],
    )


def _entrants(session: Session, rows: Sequence[TournamentEntrant], *, heeds_blocks: bool) -> tuple[Entrant, ...]:
    people = [row.person_id for row in rows]
    barred, by_person = barred_of(session, people), {row.person_id: row.id for row in rows}
    blocked = relations.blocked_ids_of(session, people) if heeds_blocks else {}
    return tuple(
        Entrant(
            id=row.id,
            seed=row.seed,
            rating=float(row.rating),
            is_robot=row.is_robot,
            state=row.state,
            entered_at=row.entered_at,
            left_at=row.left_at,
            barred_until=barred.get(row.person_id),
            replaced_by=row.replaced_by_id,
            first_round=row.first_round,
            avoids=frozenset(by_person[other] for other in blocked.get(row.person_id, ()) if other in by_person),
            sits_out=frozenset() if row.sits_out is None else frozenset({row.sits_out}),
        )
        for row in rows
    )


def _bye(row: TournamentBye) -> Bye:
    return Bye(round=row.round, entrant=row.entrant_id, points=row.half_points / 2, requested=row.is_asked)
