"""The worker's pairing rounds: one worker at a time plans them and starts the matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session, col, select

from correspondence.clocks.read_only import unless_read_only
from correspondence.core.db import reading, value
from correspondence.core.runtime import Runtime
from correspondence.matchmaking import near_pairs, pairing, robot_seeks
from correspondence.models import Match, Seek
from correspondence.models.matchmaking import SEEK_IS_OPEN
from correspondence.ops.due_rows import handle_row
from correspondence.ops.rounds import one_round
from engines import GAMES

_PAIRABLE = select(Seek.id).where(SEEK_IS_OPEN, col(Seek.is_private).is_(False)).limit(1)
"""Query for one pairable seek; if there is none, the pairing code is not loaded."""


@unless_read_only
def sweep_pairing(runtime: Runtime, interval: timedelta = timedelta(0)) -> int:
    """Pair open seeks, then let robots take the rest; returns how many matches started.

    One worker does it for all, and not again within the interval.
    """
    with one_round(runtime, "pairing", interval) as until:
        if until is None or not _is_anybody_waiting(runtime):
            return 0
        return sum(_pair_all(runtime, key, until) for key in _games_for_two()) + _take_by_robots(runtime, until)


def _is_anybody_waiting(runtime: Runtime) -> bool:
    with reading(runtime.engine) as session:
        return value(session, _PAIRABLE) is not None


def _games_for_two() -> list[str]:
    return [key for key, game in GAMES.items() if len(game.seats) == 2]


def _take_by_robots(runtime: Runtime, until: datetime) -> int:
    now = runtime.now()
    with reading(runtime.engine) as session:
        waiting = robot_seeks.waiting(session, now=now)
    attempts = {number: partial(robot_seeks.take, seek_id=number, now=now, rng=runtime.rng) for number in waiting}
    return _begin_each(runtime, attempts, until)


def _pair_all(runtime: Runtime, game: str, until: datetime) -> int:
    now = runtime.now()
    with reading(runtime.engine) as session:
        planned = pairing.plan_pairs(pairing.pairable_seeks(session, game, now=now), now=now)
    attempts = {pair.one: partial(pairing.pair, planned=pair, now=now, rng=runtime.rng) for pair in planned}
    return _begin_each(runtime, attempts, until)


def _begin_each(runtime: Runtime, attempts: Mapping[int, Callable[[Session], Match | None]], until: datetime) -> int:
    """Run each seek's attempt until that time; returns how many matches started."""
    begun: list[Match] = []

    def attempt(session: Session, seek_id: int) -> None:
        match = attempts[seek_id](session)
        if match is not None:
            begun.append(match)

    for seek_id in attempts:
        if runtime.now() < until:
            handle_row(runtime, seek_id, attempt, "seek")
    return len(begun)


@unless_read_only
def sweep_near_pairs(runtime: Runtime, interval: timedelta = timedelta(0)) -> int:
    """Suggest partners with another pace to waiting players, once a day; returns how many.

    One worker does it for all, and not again within the interval.
    """
    with one_round(runtime, "near pairs", interval) as until:
        if until is None or not _is_anybody_waiting(runtime):
            return 0
        return sum(_tell_near_pairs(runtime, key, until) for key in _games_for_two())


def _tell_near_pairs(runtime: Runtime, game: str, until: datetime) -> int:
    now = runtime.now()
    with reading(runtime.engine) as session:
        pairs = near_pairs.near_pairs(pairing.pairable_seeks(session, game, now=now), now=now)
    for pair in pairs:

        def tell(session: Session, _number: int, pair: near_pairs.NearPair = pair) -> None:
            near_pairs.tell(session, pair, now=now)

        if runtime.now() < until:
            handle_row(runtime, pair.seek, tell, "seek")
    return len(pairs)
