"""Leagues and ladders: one of each for every game, made when somebody first enters, and never over."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.terms import Terms, read_terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.features.tournaments import running
from correspondence.features.tournaments.entering import must_not_be_barred
from correspondence.features.tournaments.formats.field import EntrantState
from correspondence.features.tournaments.letters import title_of
from correspondence.features.tournaments.settings import TournamentError, automatic
from correspondence.features.tournaments.tables import (
    Format,
    Tournament,
    TournamentEntrant,
    TournamentState,
    TournamentStay,
)
from correspondence.features.tournaments.tournaments import entrant_of, entrants_of, locked
from correspondence.matchmaking.challenges import game_by_key
from correspondence.models import Person
from correspondence.models.locks import hold_name, hold_person
from correspondence.models.terms import terms_columns
from correspondence.ratings import ratings
from engines.base import Game
from engines.wording import _

SEASON_DAYS = 120
"""Days of a season of a league at most."""


def game_for_two(word: str) -> Game:
    """Return a game that has leagues and ladders. Raises TournamentError or ChallengeError."""
    game = game_by_key(word)
    if len(game.seats) != 2:
        sentence = _("{game} is not a game for two, so it has no league and no ladder.")
        raise TournamentError(sentence.format(game=_(game.name)))
    return game


def of_game(session: Session, kind: Format, key: str) -> Tournament | None:
    """Return the league or ladder of a game; None if nobody has ever entered it."""
    query = select(Tournament).where(col(Tournament.format) == kind, col(Tournament.game) == key)
    return session.exec(query).first()


def held(session: Session, kind: Format, key: str) -> Tournament:
    """Lock and return the league or ladder of a game, with its members. Raises TournamentError if nobody is in it."""
    found = of_game(session, kind, game_for_two(key).key)
    if found is None:
        sentence = _("Nobody is there yet. To be the first, write: {format} {game} enter")
        raise TournamentError(sentence.format(format=kind, game=key))
    return locked(session, found.id)


def enter(session: Session, person: Person, kind: Format, word: str, *, now: datetime) -> TournamentEntrant:
    """Enter a league or ladder, or enter it again. Raises TournamentError, ChallengeError or SuspendedError."""
    game = game_for_two(word)
    tournament = _found_or_made(session, person, kind, game, now)
    hold_person(session, person)
    must_not_be_barred(session, person, now)
    entrant = entrant_of(session, tournament.id, person.id)
    rating = round(ratings.rating_of(session, person.id, game.key, now=now).rating)
    if entrant is None:
        entrant = TournamentEntrant(
            tournament_id=tournament.id, person_id=person.id, entered_at=now, rating=rating,
            is_robot=person.robot_level > 0, seed=len(entrants_of(session, tournament.id)) + 1,
        )  # fmt: skip
    else:
        _must_be_free_to_return(tournament, entrant)
        if kind is Format.LADDER and entrant.left_at is not None:
            session.add(
                TournamentStay(entrant_id=entrant.id, entered_at=entrant.entered_at, left_at=entrant.left_at)
            )  # a league needs no earlier stays: its seasons are recorded
        entrant.state, entrant.left_at, entrant.sits_out = EntrantState.IN, None, None
        entrant.entered_at, entrant.rating = now, rating
    session.add(entrant)
    session.flush()
    return entrant


def leave(session: Session, person: Person, kind: Format, word: str, *, now: datetime) -> Tournament:
    """Leave a league or ladder; running games go on. Returns it. Raises TournamentError."""
    tournament = held(session, kind, word)
    running.leave(session, tournament, own_entry(session, tournament, person), EntrantState.WITHDRAWN, now=now)
    return tournament


def own_entry(session: Session, tournament: Tournament, person: Person) -> TournamentEntrant:
    """Return the entry of a member who is in a league or ladder. Raises TournamentError."""
    entrant = entrant_of(session, tournament.id, person.id)
    if entrant is None or entrant.state is not EntrantState.IN:
        sentence = _("You are not in: {name}. To enter, write: {format} {game} enter")
        raise TournamentError(
            sentence.format(name=title_of(tournament), format=tournament.format, game=tournament.game)
        )
    return entrant


def _found_or_made(session: Session, person: Person, kind: Format, game: Game, now: datetime) -> Tournament:
    """Return the locked league or ladder of a game; the first person to enter makes it."""
    if of_game(session, kind, game.key) is None:
        hold_name(session, f"{kind} {game.key}")  # two founders at once
    found = of_game(session, kind, game.key)
    if found is not None:
        return locked(session, found.id)
    made = Tournament(
        **terms_columns(_terms(game)), name=f"{game.name} {kind}", format=kind, state=TournamentState.RUNNING,
        organiser_id=person.id, created_at=now, begun_at=now,
        round_days=SEASON_DAYS if kind is Format.LEAGUE else None,
    )  # fmt: skip
    session.add(made)
    session.flush()
    return made


def _terms(game: Game) -> Terms:
    return read_terms(game, {}, automatic(DEFAULT_TIME_CONTROL), rated=True)


def _must_be_free_to_return(tournament: Tournament, entrant: TournamentEntrant) -> None:
    name = title_of(tournament)
    if entrant.state is EntrantState.IN:
        raise TournamentError(_("You are in already: {name}.").format(name=name))
    if entrant.state is EntrantState.REMOVED:
        raise TournamentError(_("You have been removed from it: {name}.").format(name=name))
