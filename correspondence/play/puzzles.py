"""Games for one: begun by choice or as the deal of the day, hints that are real steps, and results beside par."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.core import time_control
from correspondence.core.game_options import options_from
from correspondence.core.hashchain import seed_from
from correspondence.models import Match, Person, Player
from correspondence.models.loading import game_of, position_of
from correspondence.play.matches import MatchError, start_match
from engines import GAMES
from engines.chance import ChanceStream
from engines.duel_puzzle import GOALS, PAR, Options
from engines.options import choices_of, read_options
from engines.wording import _

KEY = "duel-puzzle"
"""The key of the Puzzle among the games."""

BEST_LISTED = 10
"""How many results of a day are listed."""

MINE_LISTED = 30
"""How many of one's own puzzles are listed."""


@dataclass(frozen=True, slots=True)
class Result:
    """A puzzle of somebody: its goal, the moves made so far, and the number in which most deals can be solved."""

    number: int
    handle: str
    goal: int
    board: str
    moves: int
    par: int
    solved: bool
    is_over: bool
    daily: date | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Today:
    """The deal of a day: what it asks for, this person's own try at it if there is one, and the best results."""

    day: date
    goal: int
    board: str
    par: int
    mine: Result | None
    best: tuple[Result, ...]


def next_step(session: Session, player: Player, *, now: datetime) -> str:
    """The next move of a solution of this player's puzzle, in notation; nothing changes. Raises MatchError."""
    match = session.get_one(Match, player.match_id)
    position = position_of(match)
    hint = game_of(match).hint
    if hint is None:
        raise MatchError(_("There are hints for puzzles only."))
    if match.ended_at is not None:
        raise MatchError(_("Game {number} is over.").format(number=match.id))
    if match.daily is not None:
        raise MatchError(_("There are no hints for the deal of the day: everybody has the same one."))
    step = hint(position)
    if step is None:
        raise MatchError(_("No step of a solution was found from here."))
    return position.write(player.seat, step)


def start_daily(session: Session, person: Person, *, key: str, now: datetime) -> Match:
    """The person's try at the deal of the day (in UTC): begun now, or the one that he has begun already.

    The deal follows from the date by a lot under `key`: the same for all, and unknown before somebody begins.
    """
    day = now.date()
    session.get_one(Person, person.id, with_for_update=True)
    begun = _of_day(session, person.id, day)
    if begun is not None:
        return begun
    seed = seed_from(key, "daily", day.isoformat(), "deal")
    options = _options(day, key)
    match = start_match(session, KEY, options, time_control.UNHURRIED, [person], rated=False, now=now, seed=seed)
    match.daily = day
    session.add(match)
    session.flush()
    return match


def today(session: Session, person_id: int | None, *, key: str, now: datetime) -> Today:
    """The deal of this day, for its page. Who has not solved it is told results, not the way to them."""
    day, options = now.date(), _options(now.date(), key)
    begun = _of_day(session, person_id, day) if person_id is not None else None
    mine = _results(session, [begun])[0] if begun is not None else None
    return Today(day, options.goal, options.board.value, PAR[options.goal], mine, best_of(session, day))


def is_done(session: Session, person_id: int | None, day: date) -> bool:
    """Whether a person has solved the deal of a day, or given it up."""
    own = _of_day(session, person_id, day) if person_id is not None else None
    return own is not None and own.ended_at is not None


def best_of(session: Session, day: date) -> tuple[Result, ...]:
    """The best results of the deal of a day: fewest moves first, then who was first."""
    found = select(Match).where(col(Match.daily) == day, col(Match.result) == "1-0")
    found = found.order_by(col(Match.ply), col(Match.ended_at)).limit(BEST_LISTED)
    return tuple(_results(session, list(session.exec(found))))


def mine(session: Session, person_id: int) -> tuple[Result, ...]:
    """A person's puzzles, the last begun first."""
    found = select(Match).join(Player, col(Player.match_id) == col(Match.id))
    found = found.where(col(Player.person_id) == person_id, col(Match.game) == KEY)
    return tuple(_results(session, list(session.exec(found.order_by(col(Match.id).desc()).limit(MINE_LISTED)))))


def may_see(session: Session, match: Match, person_id: int | None) -> bool:
    """Whether a match may be shown: another's try at a deal of the day only to who is done with his own."""
    if match.daily is None:
        return True
    seated = select(func.count()).select_from(Player).where(col(Player.match_id) == match.id)
    if session.exec(seated.where(col(Player.person_id) == person_id)).one():
        return True
    return is_done(session, person_id, match.daily)


def _of_day(session: Session, person_id: int | None, day: date) -> Match | None:
    found = select(Match).join(Player, col(Player.match_id) == col(Match.id))
    return session.exec(found.where(col(Match.daily) == day, col(Player.person_id) == person_id)).first()


def _options(day: date, key: str) -> Options:
    """Goal and board of a day: goals go round, so that a short week has them all; the board is drawn."""
    boards = next(choice.values for choice in choices_of(Options) if choice.name == "board")
    board = ChanceStream(seed_from(key, "daily", day.isoformat(), "board"), 0).choice(boards)
    chosen: Any = read_options(Options, {"board": board, "goal": str(GOALS[day.toordinal() % len(GOALS)])})
    assert isinstance(chosen, Options)
    return chosen


def _results(session: Session, matches: list[Match]) -> list[Result]:
    numbers = [match.id for match in matches]
    found = select(Player.match_id, Person.handle).join(Person, col(Person.id) == col(Player.person_id))
    handles = dict(session.exec(found.where(col(Player.match_id).in_(numbers))).all())
    return [_result(match, handles[match.id]) for match in matches]


def _result(match: Match, handle: str) -> Result:
    chosen: Any = read_options(GAMES[KEY].Options, options_from(match.options))
    return Result(
        match.id, handle, chosen.goal, chosen.board.value, max(match.ply - 1, 0), PAR[chosen.goal],
        match.result == "1-0", match.ended_at is not None, match.daily, match.started_at,
    )  # fmt: skip


DAY = timedelta(days=1)
"""From one deal to the next."""
