"""What pages and letters show of ratings and results: leaderboards, rating curves and head-to-head scores."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from correspondence.accounts.relations import blocked_by, muted_by
from correspondence.accounts.robots import level_name
from correspondence.models import PLAYING, Match, Person, Player, Rating, RatingChange
from correspondence.models.loading import known_match, players_of
from correspondence.ratings.ratings import Change, RatingState, change_of, rating_of, ratings_of
from correspondence.ratings.reliability import Reliability, reliability_details
from engines import GAMES
from engines.base import Game
from engines.wording import _

PAGE = 30
"""How many rows a page of a leaderboard shows."""

POINTS = 100
"""How many rated games a rating curve goes back."""


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A line of a leaderboard; `rank` counts from 1."""

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


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """A rating over time, its points oldest first.

    `first` is the state before the first point, `now` the present state.
    """

    key: str
    game: str
    now: RatingState
    first: RatingState
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games of one kind a player won, lost and drew."""

    game: str
    won: int
    lost: int
    drawn: int


@dataclass(frozen=True, slots=True)
class PlayerProfile:
    """A player as another one sees them; `against` counts the reader's wins, losses and draws against them.

    `is_blocked` and `is_muted` say what the reader has done about this player, never the reverse.
    """

    person_id: int
    games: int
    playing: int
    reliability: Reliability
    curves: tuple[RatingCurve, ...]
    against: tuple[Tally, ...]
    is_blocked: bool
    is_muted: bool
    robot_level: str = ""
    """What the level of a robot is called; empty for people."""
    is_program: bool = False
    """Whether a program plays for this member."""


def rated_games() -> tuple[Game, ...]:
    """The games that have ratings: those for two players."""
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
) -> tuple[RankedPlayer, ...]:
    """The players of a game by rating, one page, plus one more row where there is more; `page` counts from 0."""
    is_sure = col(Rating.established_until) < now if provisional else col(Rating.established_until) >= now
    query = (
        select(Person.handle, Rating.rating, Rating.games)
        .join(Rating, col(Rating.person_id) == col(Person.id))
        .where(col(Rating.game) == game, is_sure, col(Person.departed_at).is_(None))
        .order_by(col(Rating.rating).desc(), col(Rating.id))
        .offset(page * PAGE)
        .limit(most + 1)
    )
    if not with_robots:
        query = query.where(col(Person.robot_level) == 0)
    mark = "?" if provisional else ""
    rows = enumerate(session.exec(query), start=page * PAGE + 1)
    return tuple(RankedPlayer(rank, handle, f"{round(rating)}{mark}", games) for rank, (handle, rating, games) in rows)


def count_rated(session: Session, game: str) -> int:
    """How many people have a rating in a game; robots are not counted."""
    people = select(func.count()).select_from(Rating).join(Person, col(Person.id) == col(Rating.person_id))
    return session.exec(people.where(col(Rating.game) == game, col(Person.robot_level) == 0)).one()


def rating_curve(session: Session, person_id: int, game: Game, *, now: datetime) -> RatingCurve | None:
    """A person's rating in a game over their last games; None where there are none."""
    query = (
        select(RatingChange, Person.handle)
        .join(Person, col(Person.id) == col(RatingChange.opponent_id))
        .where(col(RatingChange.person_id) == person_id, col(RatingChange.game) == game.key)
        .order_by(col(RatingChange.id).desc())
        .limit(POINTS)
    )
    rows = list(reversed(session.exec(query).all()))
    if not rows:
        return None
    first = rows[0][0]
    state_before = RatingState(first.rating_before, first.deviation_before, first.volatility_before, first.games_before)
    points = tuple(_point(change, handle) for change, handle in rows)
    return RatingCurve(game.key, _(game.name), rating_of(session, person_id, game.key, now=now), state_before, points)


def player_profile(session: Session, handle: str, reader_id: int | None, *, now: datetime) -> PlayerProfile | None:
    """The player with this handle as this reader sees them; None where there is no such player."""
    person = session.exec(select(Person).where(col(Person.handle_key) == handle.casefold())).first()
    if person is None:
        return None
    curves = (rating_curve(session, person.id, game, now=now) for game in rated_games())
    is_other = reader_id is not None and reader_id != person.id
    return PlayerProfile(
        person.id,
        _games(session, person.id, running=False),
        _games(session, person.id, running=True),
        reliability_details(session, person.id, now=now),
        tuple(curve for curve in curves if curve is not None),
        head_to_head(session, reader_id, person.id) if reader_id is not None and is_other else (),
        reader_id is not None and person.id in blocked_by(session, reader_id),
        reader_id is not None and person.id in muted_by(session, reader_id),
        level_name(person),
        person.is_program,
    )


def head_to_head(session: Session, one_id: int, other_id: int) -> tuple[Tally, ...]:
    """What one person won, lost and drew against another, by game."""
    mine, theirs = aliased(Player), aliased(Player)
    query = (
        select(Match.game, Match.result, mine.seat, func.count())
        .join(mine, col(mine.match_id) == col(Match.id))
        .join(theirs, col(theirs.match_id) == col(Match.id))
        .where(col(mine.person_id) == one_id, col(theirs.person_id) == other_id, col(Match.result) != PLAYING)
        .group_by(col(Match.game), col(Match.result), col(mine.seat))
    )
    counts: dict[str, list[int]] = {}
    for key, result, seat, count in session.exec(query):
        won = result == ("1-0" if seat == 0 else "0-1")
        counts.setdefault(key, [0, 0, 0])[2 if result == "1/2-1/2" else 0 if won else 1] += count
    return tuple(Tally(_(game.name), *counts[key]) for key, game in GAMES.items() if key in counts)


def match_ratings(session: Session, match_id: int, *, now: datetime) -> tuple[bool, dict[int, str], dict[int, Change]]:
    """Whether a match is rated, each seat's rating, and how the match changed it once it is over."""
    match = known_match(session, match_id)
    if match is None or not match.rated:
        return False, {}, {}
    seats = [(player.seat, player.person_id) for player in players_of(session, match_id)]
    states = ratings_of(
        session, [person_id for _seat, person_id in seats], match.game, now=None if match.ended_at else now
    )
    ratings = {seat: str(states[person_id]) for seat, person_id in seats}
    query = select(RatingChange).where(col(RatingChange.match_id) == match_id)
    changes = {change.person_id: change for change in session.exec(query)} if match.ended_at else {}
    seat_changes = {seat: change_of(changes[person_id]) for seat, person_id in seats if person_id in changes}
    return True, ratings, seat_changes


def _point(change: RatingChange, handle: str) -> Point:
    rating_change = change_of(change)
    return Point(change.at, change.match_id, handle, change.score, change.rating, change.deviation, rating_change)


def _games(session: Session, person_id: int, *, running: bool) -> int:
    query = select(func.count()).select_from(Player).join(Match, col(Match.id) == col(Player.match_id))
    condition = col(Match.ended_at).is_(None) if running else col(Match.result) != PLAYING
    return session.exec(query.where(col(Player.person_id) == person_id, condition)).one()
