"""One-player puzzles: free or daily, with hints, and results compared with par."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts.suspensions import refuse_suspended
from correspondence.core.terms import Terms
from correspondence.core.time_control import UNHURRIED
from correspondence.fairness import seeds
from correspondence.models import By, Match, Person, Player
from correspondence.models.loading import game_of, must_go_on, players_of, position_of
from correspondence.models.locks import hold_person
from correspondence.play.matches import MatchError, make_move, start_match
from correspondence.play.record_moves import play_chance
from engines import GAMES
from engines.base import MoveError, Position
from engines.chance import ChanceStream
from engines.duel_puzzle import GOALS, PAR, Options
from engines.options import choices_of, options_from, options_text, read_options
from engines.wording import _

KEY = "duel-puzzle"
"""The game key of the Puzzle."""

BEST_LISTED = 10
"""Maximum number of listed results of a day."""

LONGEST_ATTEMPT = 60
"""Maximum number of moves in a guest's attempt."""

MINE_LISTED = 30
"""Maximum number of listed puzzles of a person."""


@dataclass(frozen=True, slots=True)
class Result:
    """One person's puzzle: its goal, the moves so far, and par, which suffices for most deals."""

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
    """The daily puzzle: its goal and board, this person's attempt if any, and the best results."""

    day: date
    goal: int
    board: str
    par: int
    mine: Result | None
    best: tuple[Result, ...]
    commitment: str
    next_commitment: str
    """Tomorrow's commitment in hex, published a day ahead."""
    last_seed: str
    """Yesterday's revealed seed; empty if there was no puzzle."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A guest's attempt at a daily deal: the moves as written, and their position."""

    day: date
    goal: int
    par: int
    moves: tuple[str, ...]
    position: Position[Any]

    @property
    def is_solved(self) -> bool:
        """Whether the goal is reached."""
        return self.position.outcome is not None


def attempt(session: Session, day: date, moves: Sequence[str]) -> Attempt:
    """Return an attempt at a day's prepared deal after these moves; changes nothing.

    Raises MoveError at the first move that is not possible, or if there are more than LONGEST_ATTEMPT.
    """
    seed = seeds.made_seed_of_day(session, day)
    options = _options(day, seed)
    position, written = _dealt(seed, options), list[str]()
    if len(moves) > LONGEST_ATTEMPT:
        sentence = _("Without joining, an attempt can have at most {most} moves. Join, and start again.")
        raise MoveError(sentence.format(most=LONGEST_ATTEMPT))
    for text in moves:
        move = position.read(0, text)
        written.append(position.write(0, move))
        position = position.play(0, move)
    return Attempt(day, options.goal, PAR[options.goal], tuple(written), position)


@lru_cache(maxsize=4)
def _dealt(seed: bytes, options: Options) -> Position[Any]:
    return play_chance(GAMES[KEY].start(options), seed, 1)[0]


def keep_attempt(
    session: Session, person: Person, day: date, moves: Sequence[str], *, now: datetime, rng: random.Random
) -> Match | None:
    """Replay a guest's attempt as that of a person who has now joined or signed in.

    Does nothing and returns None if the day is over, nothing was played, or the person has already begun the puzzle.
    """
    if day != now.date() or not moves or _daily_match(session, person.id, day) is not None:
        return None
    try:
        checked = attempt(session, day, moves)
    except MoveError:
        return None
    match = start_daily(session, person, now=now, rng=rng)
    for text in checked.moves:
        make_move(session, players_of(session, match.id)[0], text, now=now, by=By.WEB)
    return match


def next_step(session: Session, player: Player, *, now: datetime) -> str:
    """Return the next move of a solution of this player's puzzle. Changes nothing.

    Raises MatchError if the game is no puzzle, is over, or is the daily puzzle.
    """
    match = session.get_one(Match, player.match_id)
    position = position_of(match)
    hint = game_of(match).hint
    if hint is None:
        raise MatchError(_("There are hints for puzzles, and in unrated games with robots."))
    must_go_on(match)
    if match.daily is not None:
        raise MatchError(_("There are no hints for the deal of the day: everybody has the same one."))
    step = hint(position)
    if step is None:
        raise MatchError(_("No step of a solution was found from here."))
    return position.write(player.seat, step)


def start_daily(session: Session, person: Person, *, now: datetime, rng: random.Random = seeds.SYSTEM_RNG) -> Match:
    """Return the person's attempt at the daily puzzle (UTC), started if necessary.

    The deal is drawn from the seed of the day: the same for everyone, with a commitment published a day ahead.
    """
    day = now.date()
    refuse_suspended(person)
    hold_person(session, person)
    existing = _daily_match(session, person.id, day)
    if existing is not None:
        return existing
    seed = seeds.seed_of_day(session, day, rng)
    terms = Terms(KEY, options_text(_options(day, seed)), UNHURRIED, rated=False)
    match = start_match(session, terms, [person], now=now, seed=seed)
    match.daily = day
    session.add(match)
    session.flush()
    return match


def prepare_days(session: Session, *, now: datetime, rng: random.Random) -> None:
    """Create the seeds of today's and tomorrow's deals, to publish tomorrow's commitment."""
    for day in (now.date(), now.date() + DAY):
        seeds.seed_of_day(session, day, rng)


def are_days_prepared(session: Session, *, now: datetime) -> bool:
    """Whether the deals of today and tomorrow have their seeds."""
    return all(seeds.commitment_of_day(session, day) for day in (now.date(), now.date() + DAY))


def is_prepared(session: Session, day: date) -> bool:
    """Whether the deal of a day has its seed."""
    return bool(seeds.commitment_of_day(session, day))


def today(session: Session, person_id: int | None, *, now: datetime) -> Today:
    """Return the daily puzzle for its page, after `prepare_days`.

    A person who has not finished it sees results, but no games.
    """
    day = now.date()
    options = _options(day, seeds.made_seed_of_day(session, day))
    existing = _daily_match(session, person_id, day) if person_id is not None else None
    mine = _results(session, [existing])[0] if existing is not None else None
    return Today(
        day, options.goal, options.board.value, PAR[options.goal], mine, best_results(session, day),
        seeds.commitment_of_day(session, day), seeds.commitment_of_day(session, day + DAY),
        seeds.opened_seed_of_day(session, day - DAY, now=now),
    )  # fmt: skip


def is_done(session: Session, person_id: int | None, day: date) -> bool:
    """Whether a person has solved the puzzle of a day or given it up."""
    own = _daily_match(session, person_id, day) if person_id is not None else None
    return own is not None and own.ended_at is not None


def best_results(session: Session, day: date) -> tuple[Result, ...]:
    """Return the best results of a day's puzzle: fewest moves first, then the earliest."""
    query = select(Match).where(col(Match.daily) == day, col(Match.result) == "1-0")
    query = query.order_by(col(Match.ply), col(Match.ended_at)).limit(BEST_LISTED)
    return tuple(_results(session, list(session.exec(query))))


def puzzles_of(session: Session, person_id: int) -> tuple[Result, ...]:
    """Return a person's puzzles, newest first."""
    query = select(Match).join(Player, col(Player.match_id) == col(Match.id))
    query = query.where(col(Player.person_id) == person_id, col(Match.game) == KEY)
    return tuple(_results(session, list(session.exec(query.order_by(col(Match.id).desc()).limit(MINE_LISTED)))))


def may_see(session: Session, match: Match, person_id: int | None) -> bool:
    """Whether a game may be shown to a person.

    Another person's attempt at a daily puzzle is shown only to those who have finished their own.
    """
    if match.daily is None:
        return True
    seats = select(func.count()).select_from(Player).where(col(Player.match_id) == match.id)
    if session.exec(seats.where(col(Player.person_id) == person_id)).one():
        return True
    return is_done(session, person_id, match.daily)


def _daily_match(session: Session, person_id: int | None, day: date) -> Match | None:
    query = select(Match).join(Player, col(Player.match_id) == col(Match.id))
    return session.exec(query.where(col(Match.daily) == day, col(Player.person_id) == person_id)).first()


def _options(day: date, seed: bytes) -> Options:
    """Return goal and board of a day: goals rotate by date, the board is random."""
    boards = next(choice.values for choice in choices_of(Options) if choice.name == "board")
    board = ChanceStream(seed, 0).choice(boards)
    options: Any = read_options(Options, {"board": board, "goal": str(GOALS[day.toordinal() % len(GOALS)])})
    assert isinstance(options, Options)
    return options


def _results(session: Session, matches: list[Match]) -> list[Result]:
    match_ids = [match.id for match in matches]
    query = select(Player.match_id, Person.handle).join(Person, col(Person.id) == col(Player.person_id))
    handles = dict(session.exec(query.where(col(Player.match_id).in_(match_ids))).all())
    return [_result(match, handles[match.id]) for match in matches]


def _result(match: Match, handle: str) -> Result:
    options: Any = read_options(GAMES[KEY].Options, options_from(match.options))
    return Result(
        match.id, handle, options.goal, options.board.value, max(match.ply - 1, 0), PAR[options.goal],
        match.result == "1-0", match.ended_at is not None, match.daily, match.started_at,
    )  # fmt: skip


DAY = timedelta(days=1)
"""Interval between daily puzzles."""
