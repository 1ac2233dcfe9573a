"""The life of a tournament: it begins, games start, results count, it ends.

Every function expects a tournament that `tournaments.locked` has locked. What begins next follows from the rows alone
(`formats`), and unique keys forbid recording it twice, so a repeated or interrupted sweep changes nothing.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.accounts import robots
from correspondence.core.terms import Occasion
from correspondence.features.tournaments import fields, letters
from correspondence.features.tournaments.formats.field import Bye, EntrantState, Field, Pairing
from correspondence.features.tournaments.settings import ADVISED_ROUNDS, FEWEST, too_few
from correspondence.features.tournaments.tables import (
    ActKind,
    Format,
    Tournament,
    TournamentBye,
    TournamentEntrant,
    TournamentPairing,
    TournamentRound,
    TournamentState,
)
from correspondence.features.tournaments.tournaments import entrants_of, note, persons_by_id
from correspondence.models import Person
from correspondence.play.matches import start_match
from correspondence.ratings import ratings
from engines.chance import SEED_BYTES

MOST_STEPS = 60
"""Maximum answers of a format that one transaction records; more would be a bug of the format."""


def begin(session: Session, tournament: Tournament, *, now: datetime, rng: random.Random) -> None:
    """Begin a tournament with whoever is in, or call it off if they are too few."""
    _drop_departed(session, tournament)
    if tournament.robots_fill:
        _fill_up(session, tournament, now)
    entrants = entrants_of(session, tournament.id)
    if len(entrants) < FEWEST[tournament.format]:
        call_off(session, tournament, None, too_few(tournament.format, len(entrants)), now=now)
        return
    for seed, entrant in enumerate(sorted(entrants, key=lambda one: (-one.rating, one.id)), start=1):
        entrant.seed = seed
        session.add(entrant)
    if tournament.format is Format.SWISS:
        most = len(entrants) // 2
        tournament.rounds = min(tournament.rounds or ADVISED_ROUNDS, most)
    tournament.state, tournament.begun_at = TournamentState.RUNNING, now
    session.add(tournament)
    session.flush()
    advance(session, tournament, now=now, rng=rng)
    letters.tell_start(session, tournament, now=now)


def advance(session: Session, tournament: Tournament, *, now: datetime, rng: random.Random) -> None:
    """Begin whatever is due, and finish the tournament if nothing is left to play."""
    if tournament.state is not TournamentState.RUNNING:
        return
    begun: set[int] = set()
    for _step in range(MOST_STEPS):
        field = fields.field_of(session, tournament, now=now)
        upcoming = fields.next_of(field)
        if not upcoming:
            break
        begun |= {pairing.round for pairing in upcoming.pairings} | {bye.round for bye in upcoming.byes}
        for pairing in upcoming.pairings:
            record(session, tournament, field, pairing, now, rng)
        for bye in upcoming.byes:
            _give_bye(session, tournament, bye, now)
        session.flush()
    else:
        raise RuntimeError(f"tournament {tournament.id}: its format never comes to an end")
    for number in sorted(begun - {1}):
        letters.tell_round(session, tournament, number, now=now)
    if fields.is_over(field):
        tournament.state, tournament.ended_at, tournament.due_at = TournamentState.FINISHED, now, None
        session.add(tournament)
        _note_ranks(session, tournament, field)
        letters.tell_end(session, tournament, field, now=now)
    else:
        tournament.due_at = min(
            (one.ends_at for one in field.rounds if one.ends_at and one.ends_at > now), default=None
        )
        session.add(tournament)
    session.flush()


def _note_ranks(session: Session, tournament: Tournament, field: Field) -> None:
    """Store final ranks, which a member's page shows; in a round robin those of the last stage."""
    rows = fields.standings_of(field)
    last = max((row.round for row in rows), default=0)
    for row in rows:
        if row.round == last or tournament.format is not Format.ROUND_ROBIN:
            entrant = session.get_one(TournamentEntrant, row.entrant)
            entrant.rank = row.rank
            session.add(entrant)


def call_off(session: Session, tournament: Tournament, person: Person | None, reason: str, *, now: datetime) -> None:
    """Call a tournament off; games that run go on outside of it."""
    tournament.state, tournament.ended_at, tournament.due_at = TournamentState.CALLED_OFF, now, None
    session.add(tournament)
    note(session, tournament, ActKind.CALLED_OFF, person, words=reason, now=now)
    letters.tell_called_off(session, tournament, reason, now=now)


def leave(
    session: Session, tournament: Tournament, entrant: TournamentEntrant, state: EntrantState, *, now: datetime
) -> None:
    """Let an entrant get no new games; running ones go on."""
    entrant.state, entrant.left_at = state, now
    session.add(entrant)
    session.flush()


def drop_who_left(session: Session, tournament: Tournament, *, now: datetime) -> None:
    """Withdraw entrants whose accounts have been erased or merged into another."""
    entrants = entrants_of(session, tournament.id)
    persons = persons_by_id(session, [entrant.person_id for entrant in entrants])
    for entrant in entrants:
        if entrant.state is EntrantState.IN and persons[entrant.person_id].departed_at is not None:
            leave(session, tournament, entrant, EntrantState.WITHDRAWN, now=now)


def _drop_departed(session: Session, tournament: Tournament) -> None:
    """Delete the entries of erased and suspended members before the start."""
    entrants = entrants_of(session, tournament.id)
    persons = persons_by_id(session, [entrant.person_id for entrant in entrants])
    for entrant in entrants:
        person = persons[entrant.person_id]
        if person.departed_at is not None or person.suspended_at is not None:
            session.delete(entrant)
    session.flush()


def _fill_up(session: Session, tournament: Tournament, now: datetime) -> None:
    """Let robots enter until the tournament is full, as far as there are robots of its game."""
    entrants = entrants_of(session, tournament.id)
    people = sum(not entrant.is_robot for entrant in entrants)
    if not people or not robots.are_awake(session, now=now):
        return
    known = {entrant.person_id for entrant in entrants}
    free = [robot for robot in robots.robots_of(session, tournament.game) if robot.id not in known]
    for robot in free[: max(0, (tournament.players or FEWEST[tournament.format]) - len(entrants))]:
        rating = ratings.rating_of(session, robot.id, tournament.game, now=now).rating
        session.add(
            TournamentEntrant(
                tournament_id=tournament.id, person_id=robot.id, entered_at=now, rating=round(rating), is_robot=True
            )
        )
    session.flush()


# -- pairings and byes -----------------------------------------------------------------


def record(
    session: Session, tournament: Tournament, field: Field, pairing: Pairing, now: datetime, rng: random.Random
) -> None:
    """Record a pairing: begin its game, note a result without a game, or change the result of an earlier one."""
    if pairing.key in field.by_key:
        change_result(session, tournament, pairing)
        return
    _open_round(session, tournament, pairing.round, now)
    row = TournamentPairing(
        tournament_id=tournament.id, round=pairing.round, section=pairing.section, leg=pairing.leg,
        pair=pair_of(pairing), first_id=pairing.seats[0], second_id=pairing.seats[1], result=pairing.result,
        ended_at=None if pairing.is_running else now,
    )  # fmt: skip
    if pairing.is_running:
        row.match_id = begin_game(session, tournament, field, pairing, now, rng)
    session.add(row)


def change_result(session: Session, tournament: Tournament, pairing: Pairing) -> None:
    """Give a recorded pairing another result, as when its leaver is struck."""
    query = select(TournamentPairing).where(
        col(TournamentPairing.tournament_id) == tournament.id, col(TournamentPairing.round) == pairing.round,
        col(TournamentPairing.leg) == pairing.leg, col(TournamentPairing.pair) == pair_of(pairing),
    )  # fmt: skip
    row = session.exec(query).one()
    row.result, row.is_judged, row.ended_at = pairing.result, pairing.judged, row.ended_at or pairing.ended_at
    session.add(row)


def pair_of(pairing: Pairing) -> str:
    """Return both entrants of a pairing as its row stores them."""
    low, high = sorted(pairing.seats)
    return f"{low}-{high}"


def begin_game(
    session: Session, tournament: Tournament, field: Field, pairing: Pairing, now: datetime, rng: random.Random
) -> int:
    """Start the game of a pairing and return its number."""
    entrants = [session.get_one(TournamentEntrant, seat) for seat in pairing.seats]
    persons = [session.get_one(Person, entrant.person_id) for entrant in entrants]
    occasion = Occasion(tournament.name, str(pairing.round), section_of(field, pairing.round, pairing.section))
    match = start_match(
        session, tournament.terms, persons, now=now, seed=rng.randbytes(SEED_BYTES), occasion=occasion
    )  # fmt: skip
    return match.id


def section_of(field: Field, number: int, section: int) -> str:
    """Return the section as records say it; empty if the round has only one."""
    if field.settings.format == Format.LEAGUE:
        return str(section)
    sections = {one.section for one in field.of_round(number)} | {section}
    has_several = len(sections) > 1 or section > 1
    if not has_several and number == 1 and field.settings.format == Format.ROUND_ROBIN:
        has_several = len(field.entrants) > 9
    return str(section) if has_several else ""


def _give_bye(session: Session, tournament: Tournament, bye: Bye, now: datetime) -> None:
    _open_round(session, tournament, bye.round, now)
    session.add(
        TournamentBye(
            tournament_id=tournament.id, round=bye.round, entrant_id=bye.entrant, half_points=round(2 * bye.points),
            is_asked=bye.requested,
        )
    )  # fmt: skip


def _open_round(session: Session, tournament: Tournament, number: int, now: datetime) -> None:
    """Record that a round has begun, with its last day."""
    if session.get(TournamentRound, (tournament.id, number)) is None:
        ends_at = now + timedelta(days=tournament.round_days) if tournament.round_days else None
        session.add(TournamentRound(tournament_id=tournament.id, number=number, began_at=now, ends_at=ends_at))
        session.flush()
