"""Leagues: members enter, rest and leave; seasons begin and end. The rules are in `formats/league.py`."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.accounts import relations
from correspondence.features.tournaments import fields, judging, league_letters, perpetual, running, settling
from correspondence.features.tournaments.formats import league
from correspondence.features.tournaments.formats.field import Field
from correspondence.features.tournaments.settings import TournamentError
from correspondence.features.tournaments.tables import Format, Tournament, TournamentRound
from correspondence.models import Person
from engines.wording import _

TOLD_BEFORE = timedelta(days=7)
"""Time before the last day of a season at which its running games are announced as to be judged."""


def enter(session: Session, person: Person, word: str, *, now: datetime, rng: random.Random) -> Tournament:
    """Enter the league of a game for its next season. Raises as `perpetual.enter`."""
    entrant = perpetual.enter(session, person, Format.LEAGUE, word, now=now)
    relations.require_room(session, person)
    tournament = session.get_one(Tournament, entrant.tournament_id)
    advance(session, tournament, now=now, rng=rng)
    return tournament


def leave(session: Session, person: Person, word: str, *, now: datetime, rng: random.Random) -> Tournament:
    """Leave the league of a game; running games go on. Raises TournamentError."""
    tournament = perpetual.leave(session, person, Format.LEAGUE, word, now=now)
    advance(session, tournament, now=now, rng=rng)
    return tournament


def rest(session: Session, person: Person, word: str, *, now: datetime) -> int:
    """Skip the next season, which costs nothing; return its number. Raises TournamentError."""
    tournament = perpetual.held(session, Format.LEAGUE, word)
    entrant = perpetual.own_entry(session, tournament, person)
    upcoming = fields.field_of(session, tournament, now=now).round + 1
    if entrant.sits_out == upcoming:
        raise TournamentError(_("You rest in season {season} already.").format(season=upcoming))
    entrant.sits_out = upcoming
    session.add(entrant)
    session.flush()
    return upcoming


def handle(session: Session, tournament: Tournament, *, now: datetime, rng: random.Random) -> None:
    """Do what is due in a locked league; nothing if another worker has done it."""
    counted = settling.settle(session, tournament, now=now)
    if counted or (tournament.due_at is not None and tournament.due_at <= now):
        advance(session, tournament, now=now, rng=rng)


def advance(session: Session, tournament: Tournament, *, now: datetime, rng: random.Random) -> None:
    """Begin the next season of a locked league if the last one is over; tell before a season ends, and judge then."""
    running.drop_who_left(session, tournament, now=now)
    judging.begin(session, tournament, league.to_judge(fields.field_of(session, tournament, now=now)), now=now)
    field = fields.field_of(session, tournament, now=now)
    upcoming = fields.next_of(field)
    for pairing in upcoming.pairings:
        running.record(session, tournament, field, pairing, now, rng)
    session.flush()
    if upcoming:
        last, field = field, fields.field_of(session, tournament, now=now)
        league_letters.tell_season(session, tournament, last, field, now=now)
    _tell_last_days(session, tournament, field, now)
    tournament.due_at = _due_at(session, tournament, field, now)
    session.add(tournament)
    session.flush()


def _season(session: Session, tournament: Tournament, field: Field) -> TournamentRound | None:
    """Return the current season, if games of it can still be judged."""
    row = session.get(TournamentRound, (tournament.id, field.round))
    return row if any(pairing.is_running for pairing in field.of_round(field.round)) else None


def _tell_last_days(session: Session, tournament: Tournament, field: Field, now: datetime) -> None:
    season = _season(session, tournament, field)
    if season is None or season.ends_at is None or season.told_at is not None or now < season.ends_at - TOLD_BEFORE:
        return
    season.told_at = now
    session.add(season)
    league_letters.tell_last_days(session, tournament, field, season.ends_at, now=now)


def _due_at(session: Session, tournament: Tournament, field: Field, now: datetime) -> datetime | None:
    """Return when something is due next: the letter of the last days, the last day, or the end of judging."""
    season = _season(session, tournament, field)
    if season is None or season.ends_at is None:
        return None
    if season.told_at is None:
        return season.ends_at - TOLD_BEFORE
    return season.ends_at if now < season.ends_at else now + judging.JUDGED_WITHIN
