"""Leaderboards, rating curves and head-to-head scores for pages and letters."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Row, bindparam
from sqlalchemy import select as columns_of
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from correspondence.accounts.relations import blocked_by, muted_by
from correspondence.accounts.robots import level_name
from correspondence.core import db
from correspondence.models import PLAYING, Match, Person, Player, Rating, RatingChange
from correspondence.models.loading import known_match, players_of, tallied
from correspondence.ratings.finished_games import finished_games
from correspondence.ratings.ratings import Change, RatingState, change_of, ratings_by_game, ratings_of
from correspondence.ratings.reliability import Reliability, reliability_details
from engines import GAMES
from engines.base import Game
from engines.wording import _

PAGE = 30
"""Number of rows per leaderboard page."""

POINTS = 100
"""Maximum number of rated games in a rating curve."""

_CHANGES = (
    columns_of(
        *(col(RatingChange.at), col(RatingChange.match_id), col(Person.handle), col(RatingChange.score)),
        *(col(RatingChange.rating), col(RatingChange.deviation), col(RatingChange.rating_before)),
        *(col(RatingChange.deviation_before), col(RatingChange.volatility_before), col(RatingChange.games_before)),
    )
    .join(Person, col(Person.id) == col(RatingChange.opponent_id))
    .where(col(RatingChange.person_id) == bindparam("person"), col(RatingChange.game) == bindparam("game"))
    .order_by(col(RatingChange.id).desc())
    .limit(POINTS)
)

_mine, _theirs = aliased(Player), aliased(Player)
_AGAINST = (
    columns_of(col(Match.game), col(Match.result), col(_mine.seat), func.count())
    .join(_mine, col(_mine.match_id) == col(Match.id))
    .join(_theirs, col(_theirs.match_id) == col(Match.id))
    .where(col(_mine.person_id) == bindparam("one"), col(_theirs.person_id) == bindparam("other"))
    .where(col(Match.result) != PLAYING)
    .group_by(col(Match.game), col(Match.result), col(_mine.seat))
)


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A row of a leaderboard; `rank` counts from 1."""

    rank: int
    handle: str
    rating: str
    games: int


@dataclass(frozen=True, slots=True)
class Point:
    """A rated game in a rating curve: the opponent, the score, and the rating after it."""

    at: datetime
    match: int
    opponent: str
    score: float
    rating: float
    deviation: float
    change: Change


@dataclass(frozen=True)
class RatingCurve:
    """A rating over time: stored changes by game, oldest first, and the current state."""

    key: str
    now: RatingState
    changes: tuple[Row[Any], ...]

    @property
    def game(self) -> str:
        """The name of the game."""
        return _(GAMES[self.key].name)

    @property
    def first(self) -> RatingState:
        """The state before the first point."""
        row = self.changes[0]
        return RatingState(row.rating_before, row.deviation_before, row.volatility_before, row.games_before)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The rated games, oldest first."""
        return tuple(map(_point, self.changes))


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's wins, losses and draws in games of one kind."""

    game: str
    won: int
    lost: int
    drawn: int


@dataclass(frozen=True, slots=True)
class PlayerProfile:
    """A player's profile as one reader sees it.

    `against` counts the reader's wins, losses and draws against the player. `is_blocked` and `is_muted` say whether the
    reader has blocked or muted the player, never the reverse.
    """

    person_id: int
    reliability: Reliability
    curves: tuple[RatingCurve, ...]
    against: tuple[Tally, ...]
    is_blocked: bool
    is_muted: bool
    robot_level: str = ""
    """The name of a robot's level; empty for people."""
    is_program: bool = False
    """Whether a program plays for this member."""

    @property
    def version(self) -> Hashable:
        """The displayed content, to detect changes.

        Ratings are rounded as shown, because deviations change every second.
        """
        curves = tuple((curve.key, str(curve.now), tuple(map(tuple, curve.changes))) for curve in self.curves)
        marks = (self.is_blocked, self.is_muted, self.robot_level, self.is_program)
        return self.person_id, self.reliability, curves, self.against, marks


def rated_games() -> tuple[Game, ...]:
    """Return the games with ratings: those for two players."""
    return tuple(game for game in GAMES.values() if len(game.seats) > 1)


def ranked_players(
    session: Session,
    game: str,
    *,
    now: datetime,
    provisional: bool = False,
    page: int = 0,
    most: int = PAGE,
    with_robots: bool = True,
    since: datetime | None = None,
    name: str = "",
) -> tuple[RankedPlayer, ...]:
    """Return a page of a game's players by rating, plus one row if more follow.

    `page` counts from 0. With `since`, only those with a rated game after it are ranked. `name` is a part of the handle:
    the others are left out, but keep their ranks.
    """
    is_sure = col(Rating.established_until) < now if provisional else col(Rating.established_until) >= now
    best_first = col(Rating.rating).desc(), col(Rating.id)
    query = (
        columns_of(col(Person.handle), col(Rating.rating), col(Rating.games), col(Person.handle_key))
        .join(Rating, col(Rating.person_id) == col(Person.id))
        .where(col(Rating.game) == game, is_sure, col(Person.departed_at).is_(None))
    )
    if not with_robots:
        query = query.where(col(Person.robot_level) == 0)
    if since is not None:
        query = query.where(col(Rating.updated_at) > since)
    if name:
        ranked = query.add_columns(func.row_number().over(order_by=best_first).label("rank")).subquery().c
        is_called_so = ranked.handle_key.contains(name.casefold(), autoescape=True)
        named = columns_of(ranked.handle, ranked.rating, ranked.games, ranked.rank).where(is_called_so)
        found = session.connection().execute(named.order_by(ranked.rank).offset(page * PAGE).limit(most + 1)).all()
        rows = [(rank, handle, rating, games) for handle, rating, games, rank in found]
    else:
        listed = session.connection().execute(query.order_by(*best_first).offset(page * PAGE).limit(most + 1))
        rows = [(rank, row.handle, row.rating, row.games) for rank, row in enumerate(listed, start=page * PAGE + 1)]
    mark = "?" if provisional else ""
    return tuple(RankedPlayer(rank, handle, f"{round(rating)}{mark}", games) for rank, handle, rating, games in rows)


def count_rated(session: Session, game: str) -> int:
    """Count the people with a rating in a game, without robots."""
    people = select(func.count()).select_from(Rating).join(Person, col(Person.id) == col(Rating.person_id))
    return session.exec(people.where(col(Rating.game) == game, col(Person.robot_level) == 0)).one()


def rating_curves(session: Session, person_id: int, *, now: datetime, only: str = "") -> tuple[RatingCurve, ...]:
    """Return a person's rating curves, for every game in which they have a rating, or the `only` game."""
    states = ratings_by_game(session, [person_id], now=now)
    rated = [
        (game.key, states[person_id, game.key])
        for game in rated_games()
        if (person_id, game.key) in states and only in ("", game.key)
    ]
    curves = (
        RatingCurve(key, state, tuple(reversed(db.rows(session, _CHANGES, person=person_id, game=key))))
        for key, state in rated
    )
    return tuple(curve for curve in curves if curve.changes)


def player_profile(session: Session, person: Person, reader_id: int | None, *, now: datetime) -> PlayerProfile:
    """Return the profile of a player as this reader sees it."""
    is_other = reader_id is not None and reader_id != person.id
    return PlayerProfile(
        person.id,
        reliability_details(session, person.id, now=now),
        rating_curves(session, person.id, now=now),
        head_to_head(session, reader_id, person.id, now=now) if reader_id is not None and is_other else (),
        reader_id is not None and person.id in blocked_by(session, reader_id),
        reader_id is not None and person.id in muted_by(session, reader_id),
        level_name(person),
        person.is_program,
    )


def head_to_head(session: Session, one_id: int, other_id: int, *, now: datetime) -> tuple[Tally, ...]:
    """Return one person's wins, losses and draws against another, by game."""
    version = Tally, one_id, finished_games(session, other_id, now=now)
    counts = db.remembered(session, version, lambda: tallied(db.rows(session, _AGAINST, one=one_id, other=other_id)))
    return tuple(Tally(_(game.name), *counts[key]) for key, game in GAMES.items() if key in counts)


_CHANGES_OF_MATCH = select(RatingChange).where(col(RatingChange.match_id) == bindparam("match"))


def match_ratings(session: Session, match_id: int, *, now: datetime) -> tuple[bool, dict[int, str], dict[int, Change]]:
    """Return whether a match is rated, each seat's rating, and its change if it is over."""
    match = known_match(session, match_id)
    if match is None or not match.rated:
        return False, {}, {}
    seats = [(player.seat, player.person_id) for player in players_of(session, match_id)]
    states = ratings_of(
        session, [person_id for _seat, person_id in seats], match.game, now=None if match.ended_at else now
    )
    ratings = {seat: str(states[person_id]) for seat, person_id in seats}
    changes = _changes(session, match_id) if match.ended_at else {}
    seat_changes = {seat: change_of(changes[person_id]) for seat, person_id in seats if person_id in changes}
    return True, ratings, seat_changes


def _changes(session: Session, match_id: int) -> dict[int, RatingChange]:
    return {change.person_id: change for change in session.exec(_CHANGES_OF_MATCH, params={"match": match_id})}


def _point(row: Row[Any]) -> Point:
    return Point(row.at, row.match_id, row.handle, row.score, row.rating, row.deviation, change_of(row))
