"""Make a tournament; find, lock and name tournaments and their entrants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts.suspensions import refuse_suspended
from correspondence.core import db
from correspondence.core.time_control import TimeControl
from correspondence.features.tournaments.formats.field import EntrantState
from correspondence.features.tournaments.settings import TournamentError, TournamentSettings, read_settings
from correspondence.features.tournaments.tables import (
    PERPETUAL,
    ActKind,
    Tournament,
    TournamentAct,
    TournamentEntrant,
    TournamentState,
)
from correspondence.matchmaking import robot_games
from correspondence.models import Person
from correspondence.models.locks import hold, hold_person
from correspondence.models.terms import terms_columns
from engines.wording import _

MOST_RUNNING = 3
"""Maximum tournaments of one organiser that are not over; operators have no limit."""

FILL_WITHIN = timedelta(days=60)
"""Time after which a tournament that is not full begins with whoever is in, or is called off."""

_NOT_OVER = (TournamentState.OPEN, TournamentState.RUNNING)


def make(
    session: Session,
    person: Person,
    format_word: str,
    game_word: str,
    words: Mapping[str, str],
    *,
    pace: TimeControl | None = None,
    is_rated: bool = True,
    now: datetime,
) -> Tournament:
    """Make a tournament; its organiser does not enter it.

    Raises TournamentError, or another Refusal if the game, its options or the pace are not possible.
    """
    refuse_suspended(person)
    settings = read_settings(format_word, game_word, words, pace, is_rated=is_rated, zone=person.zone, now=now)
    if settings.robots_fill:
        robot_games.must_be_known_to_robots(settings.terms)
    hold_person(session, person)
    _must_have_room(session, person)
    tournament = Tournament(
        **terms_columns(settings.terms), **_columns(settings), organiser_id=person.id, created_at=now,
        due_at=settings.starts_at or now + FILL_WITHIN,
    )  # fmt: skip
    session.add(tournament)
    session.flush()
    note(session, tournament, ActKind.MADE, person, now=now)
    return tournament


def _columns(settings: TournamentSettings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in TournamentSettings.__dataclass_fields__ if name != "terms"}


def _must_have_room(session: Session, person: Person) -> None:
    if person.is_operator:
        return
    own = (
        select(func.count())
        .select_from(Tournament)
        .where(col(Tournament.organiser_id) == person.id, col(Tournament.format).not_in(PERPETUAL))
    )
    if session.exec(own.where(col(Tournament.state).in_(_NOT_OVER))).one() >= MOST_RUNNING:
        sentence = _("You have {count} tournaments that are not over, the most at once. Wait until one has ended.")
        raise TournamentError(sentence.format(count=MOST_RUNNING))


def note(
    session: Session,
    tournament: Tournament,
    kind: ActKind,
    person: Person | None,
    *,
    about: Person | None = None,
    words: str = "",
    now: datetime,
) -> TournamentAct:
    """Write down what somebody did in a tournament."""
    act = TournamentAct(
        tournament_id=tournament.id, person_id=person.id if person else None, about_id=about.id if about else None,
        kind=kind, words=words, at=now,
    )  # fmt: skip
    session.add(act)
    return act


def tournament_numbered(session: Session, number: int) -> Tournament:
    """Return a tournament. Raises TournamentError if there is none."""
    found = session.get(Tournament, number)
    if found is None:
        raise TournamentError(_("There is no tournament {number} here.").format(number=number))
    return found


def locked(session: Session, number: int) -> Tournament:
    """Lock a tournament, then all its entrants' persons, until the transaction ends.

    This order is the same everywhere, so two tournaments with common entrants cannot deadlock. Raises TournamentError.
    """
    found = session.get(Tournament, number, with_for_update=True, populate_existing=True)
    if found is None:
        raise TournamentError(_("There is no tournament {number} here.").format(number=number))
    if not db.holds_all(session):
        hold(session, persons=[entrant.person_id for entrant in entrants_of(session, number)])
    return found


def locked_tournament(session: Session, number: int) -> Tournament:
    """Lock a tournament that members make. Raises TournamentError, which names the line of a league or ladder."""
    found = locked(session, number)
    if found.format in PERPETUAL:
        sentence = _("Number {number} is a {format}: write instead {line}")
        line = f"{found.format} {found.game}"
        raise TournamentError(sentence.format(number=number, format=found.format, line=line))
    return found


def entrants_of(session: Session, tournament_id: int) -> Sequence[TournamentEntrant]:
    """Return all entrants of a tournament, by seed and then by entry."""
    query = select(TournamentEntrant).where(col(TournamentEntrant.tournament_id) == tournament_id)
    return session.exec(query.order_by(col(TournamentEntrant.seed), col(TournamentEntrant.id))).all()


def entrant_of(session: Session, tournament_id: int, person_id: int) -> TournamentEntrant | None:
    """Return a person's entry in a tournament, or None."""
    query = select(TournamentEntrant).where(col(TournamentEntrant.tournament_id) == tournament_id)
    return session.exec(query.where(col(TournamentEntrant.person_id) == person_id)).first()


def persons_by_id(session: Session, person_ids: Sequence[int]) -> dict[int, Person]:
    """Return persons by id, in one query."""
    return {person.id: person for person in session.exec(select(Person).where(col(Person.id).in_(list(person_ids))))}


def count_in(entrants: Sequence[TournamentEntrant]) -> int:
    """Return the number of entrants who are in."""
    return sum(entrant.state is EntrantState.IN for entrant in entrants)


def must_be_organiser(tournament: Tournament, person: Person) -> None:
    """Raise TournamentError unless this person organises the tournament or is an operator."""
    is_own = person.id == tournament.organiser_id and tournament.format not in PERPETUAL
    if not is_own and not person.is_operator:
        raise TournamentError(_("Only the organiser of tournament {number} can do that.").format(number=tournament.id))
