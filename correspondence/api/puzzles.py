"""Puzzles for one player: the deal of the day and other deals.

Moves are made as in any game.
"""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field
from sqlmodel import Session

from correspondence.api.access import member
from correspondence.api.acting import for_member
from correspondence.api.calls import Input, ResponseBody, call
from correspondence.api.games import shown_game
from correspondence.api.shapes import Game, OptionWords
from correspondence.core.db import write_unless
from correspondence.matchmaking import challenges
from correspondence.models import ApiScope, Match, Person
from correspondence.play import puzzles
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

_TOPIC = "puzzles"


class PuzzleResult(ResponseBody):
    """A member's puzzle: its goal, the number of moves so far, and par.

    Most deals can be solved in `par` moves.
    """

    game: int
    handle: str
    goal: int
    board: str
    moves: int
    par: int
    solved: bool
    is_over: bool
    day: date | None


class Today(ResponseBody):
    """The deal of the day: its goal and board, the member's own attempt, and the best results."""

    day: date
    goal: int
    board: str
    par: int
    mine: PuzzleResult | None
    best: list[PuzzleResult]
    commitment: str


class PuzzleList(ResponseBody):
    """The member's puzzles, newest first."""

    puzzles: list[PuzzleResult]


class PuzzleIn(Input):
    """The options of the puzzle, such as `goal` and `board`."""

    options: OptionWords = Field(default_factory=dict)


@call("GET", "/puzzles", topic=_TOPIC, answers=PuzzleList)
def mine() -> PuzzleList:
    """List the member's puzzles."""
    with reading() as db:
        return PuzzleList(puzzles=[_result(one) for one in puzzles.puzzles_of(db, member().id)])


@call("POST", "/puzzles", topic=_TOPIC, scope=ApiScope.PLAY, takes=PuzzleIn, answers=Game, status=201)
def begin(body: PuzzleIn) -> Game:
    """Begin a puzzle; it is a game of one player, with a number like any other."""

    def start(db: Session, person: Person, now: datetime) -> Match:
        return challenges.start_alone(db, person, puzzles.KEY, body.options, now=now, rng=current_runtime().rng)

    return shown_game(for_member(start).id)


@call("GET", "/puzzles/today", topic=_TOPIC, answers=Today)
def today() -> Today:
    """Return the deal of the day, which is the same for everybody; days are in UTC."""
    runtime = current_runtime()
    write_unless(
        runtime.engine,
        lambda db: puzzles.are_days_prepared(db, now=runtime.now()),
        lambda db: puzzles.prepare_days(db, now=runtime.now(), rng=runtime.rng),
    )
    with reading() as db:
        seen = puzzles.today(db, member().id, now=runtime.now())
    return Today(
        day=seen.day,
        goal=seen.goal,
        board=seen.board,
        par=seen.par,
        mine=_result(seen.mine) if seen.mine is not None else None,
        best=[_result(one) for one in seen.best],
        commitment=seen.commitment,
    )


@call("POST", "/puzzles/today", topic=_TOPIC, scope=ApiScope.PLAY, answers=Game)
def daily() -> Game:
    """Begin or continue the member's attempt at the deal of the day."""

    def start(db: Session, person: Person, now: datetime) -> Match:
        return puzzles.start_daily(db, person, now=now, rng=current_runtime().rng)

    return shown_game(for_member(start).id)


def _result(one: puzzles.Result) -> PuzzleResult:
    return PuzzleResult(
        game=one.number,
        handle=one.handle,
        goal=one.goal,
        board=one.board,
        moves=one.moves,
        par=one.par,
        solved=one.solved,
        is_over=one.is_over,
        day=one.daily,
    )
