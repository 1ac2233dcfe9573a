"""Public data: members and their ratings, the archive of finished games, and the rules."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field
from werkzeug.exceptions import NotFound

from correspondence.accounts.accounts import person_by_handle
from correspondence.api.calls import Query, ResponseBody, call
from correspondence.api.shapes import Cursor, GamesPage, games_page
from correspondence.archive.search import read_criteria
from correspondence.core.robot_handles import game_of
from correspondence.queries.profiles import member_rows
from correspondence.queries.queries import PAGE, finished_list
from correspondence.ratings import leaderboards
from correspondence.ratings.finished_games import finished_games
from correspondence.ratings.opponents import opponent_facts
from correspondence.web import locale
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines import GAMES
from engines.options import choices_of
from engines.wording import _


class Tally(ResponseBody):
    """The number of games of one kind that a player won, lost and drew."""

    game: str
    won: int
    lost: int
    drawn: int


class Player(ResponseBody):
    """A member as others see them.

    `is_robot` marks the service's own robots, `is_program` members for whom a program plays. `ratings` are texts by
    game, with a question mark if provisional. `reliability` is in percent, `answers_in` the usual seconds to a move;
    both are null if too little is known.
    """

    handle: str
    is_robot: bool
    is_program: bool
    joined_at: datetime
    ratings: dict[str, str]
    reliability: int | None
    answers_in: int | None
    tally: list[Tally]
    playing: int


@call("GET", "/players/<handle>", topic="members", answers=Player)
def player(handle: str) -> Player:
    """Return a member by their handle, in any letter case."""
    now = current_runtime().now()
    with reading() as db:
        person = person_by_handle(db, handle[:60])
        if person is None:
            raise NotFound
        seen = member_rows(db, person, finished_games(db, person.id, now=now)).profile
        facts = opponent_facts(db, [person.id], now=now)[person.id]
    seconds = int(facts.answers_in.total_seconds()) if facts.answers_in is not None else None
    return Player(
        handle=seen.handle,
        is_robot=bool(game_of(seen.handle)),
        is_program=person.is_program,
        joined_at=seen.joined_at,
        ratings=dict(facts.ratings),
        reliability=facts.reliability,
        answers_in=seconds,
        tally=[Tally(game=key, won=won, lost=lost, drawn=drawn) for key, _name, won, lost, drawn in seen.tally],
        playing=seen.running,
    )


class RatingsQuery(Query):
    """The established or provisional ratings, with or without robots; pages are counted from 0."""

    page: int = Field(default=0, ge=0, le=10_000)
    provisional: bool = False
    robots: bool = True


class Ranked(ResponseBody):
    """A line of a leaderboard; `rank` counts from 1."""

    rank: int
    handle: str
    rating: str
    games: int


class Ratings(ResponseBody):
    """A page of a leaderboard; `next` is the next page, null on the last one."""

    players: list[Ranked]
    next: int | None


@call("GET", "/ratings/<game>", topic="members", asks=RatingsQuery, answers=Ratings)
def ratings(game: str, query: RatingsQuery) -> Ratings:
    """List the players of a game by rating."""
    if game not in {one.key for one in leaderboards.rated_games()}:
        raise NotFound
    now = current_runtime().now()
    with reading() as db:
        rows = leaderboards.ranked_players(
            db, game, now=now, provisional=query.provisional, page=query.page, with_robots=query.robots
        )
    shown = [
        Ranked(rank=row.rank, handle=row.handle, rating=row.rating, games=row.games)
        for row in rows[: leaderboards.PAGE]
    ]
    return Ratings(players=shown, next=query.page + 1 if len(rows) > leaderboards.PAGE else None)


class ArchiveQuery(Cursor):
    """The fields of the archive's search, as on its page; days are in the member's time zone."""

    game: str = Field(default="", max_length=60)
    options: str = Field(default="", max_length=60)
    player: str = Field(default="", max_length=60)
    opponent: str = Field(default="", max_length=60)
    result: str = Field(default="", max_length=20)
    reason: str = Field(default="", max_length=60)
    shortest: str = Field(default="", max_length=10)
    longest: str = Field(default="", max_length=10)
    since: str = Field(default="", max_length=20)
    until: str = Field(default="", max_length=20)
    moves: str = Field(default="", max_length=400)


@call("GET", "/archive", topic="archive", asks=ArchiveQuery, answers=GamesPage)
def archive(query: ArchiveQuery) -> GamesPage:
    """List the finished games that match, latest first."""
    fields = {name: text for name, text in query.model_dump(exclude={"before"}).items() if text}
    criteria = read_criteria(fields, locale.zone())
    with reading() as db:
        found = finished_list(db, criteria, before=query.before)
    return games_page(found.cards(None), PAGE)


class OptionOut(ResponseBody):
    """An option of a game, with its possible values and its default."""

    name: str
    values: list[str]
    default: str


class Rules(ResponseBody):
    """A game: its seats in the order of moving, its options, and its notation."""

    game: str
    name: str
    seats: list[str]
    options: list[OptionOut]
    notation: str


class RulesList(ResponseBody):
    """All games of this service."""

    games: list[Rules]


@call("GET", "/rules", topic="archive", answers=RulesList)
def rules() -> RulesList:
    """List the games of this service, for authors of programs that play them."""
    return RulesList(
        games=[
            Rules(
                game=game.key,
                name=_(game.name),
                seats=[_(seat) for seat in game.seats],
                options=[
                    OptionOut(name=one.name, values=list(one.values), default=one.default)
                    for one in choices_of(game.Options)
                ],
                notation=_(game.notation),
            )
            for game in GAMES.values()
        ]
    )
