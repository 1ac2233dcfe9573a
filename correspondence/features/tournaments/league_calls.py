"""Leagues for programs: read the season, enter, leave and rest."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from correspondence.api.access import member
from correspondence.api.acting import Done, for_member
from correspondence.api.calls import ResponseBody, call
from correspondence.features.tournaments import league_pages, league_views, leagues
from correspondence.models import ApiScope, Person
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

_TOPIC = "seeks and challenges"


class LeagueOut(ResponseBody):
    """A league: its season (0 before the first), the last day of that, and whether the member is in and rests next.

    `id` is its number for `/tournaments/<id>.json`, which has the tables; null while nobody has entered it.
    """

    id: int | None
    season: int
    ends_at: datetime | None
    is_in: bool
    rests: bool


@call("GET", "/leagues/<game>", topic=_TOPIC, scope=ApiScope.READ, answers=LeagueOut)
def league(game: str) -> LeagueOut:
    """Return the league of a game."""
    with reading() as db:
        view = league_views.view_of(db, game, member().id, now=current_runtime().now())
    assert view is not None  # the latest season is always there
    return LeagueOut(id=view.number, season=view.season, ends_at=view.ends_at, is_in=view.is_in, rests=view.rests)


@call("POST", "/leagues/<game>/enter", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def league_enter(game: str) -> Done:
    """Enter the league of a game, for its next season."""

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        leagues.enter(db, person, game, now=now, rng=rng)
        return league_pages.entered()

    return _done(act)


@call("POST", "/leagues/<game>/leave", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def league_leave(game: str) -> Done:
    """Leave the league of a game; running games go on."""

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        leagues.leave(db, person, game, now=now, rng=rng)
        return league_pages.left()

    return _done(act)


@call("POST", "/leagues/<game>/rest", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def league_rest(game: str) -> Done:
    """Skip the next season, which costs nothing."""
    return _done(lambda db, person, now, _rng: league_pages.rests(leagues.rest(db, person, game, now=now)))


def _done(act: Callable[[Session, Person, datetime, random.Random], str]) -> Done:
    """Run an act for the program's member and return its sentence."""
    rng = current_runtime().rng
    return Done(sentence=for_member(lambda db, person, now: act(db, person, now, rng)))
