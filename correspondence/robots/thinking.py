"""The robots of one worker: record turns, answer offers, search moves and play them.

Searches run in separate processes. When no turn waits, robots do the spare work of features (`spare_work.py`); when
nothing waits, they search finished games for exercises.

`RobotPool.sweep` does what is due and waits for the searches it started; meanwhile it checks whether they are still
wanted. `stop` may be called from any thread: it ends searches at once and releases their leases.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.core.db import reading, transaction, write_unless
from correspondence.matchmaking import robot_games
from correspondence.models.loading import locked
from correspondence.models.robots import SearchFailure
from correspondence.robots import exercise_turns, offers_to_robots, robot_turns
from correspondence.robots.exercise_turns import LeasedSearch
from correspondence.robots.idle import is_idle
from correspondence.robots.robot_turns import LeasedTurn
from correspondence.robots.spare_work import Leased, SpareWork, due
from correspondence.robots.thinkers import COMMAND, Thinker, ThinkerDied

log = logging.getLogger(__name__)

MOST_SECONDS = 120.0
"""Seconds after which a search is killed; the longest take a few seconds."""

LOOK_EVERY = 0.25
"""Seconds between checks whether a search is still wanted."""

SIGN_EVERY = 5.0
"""Seconds between heartbeats during a search."""


@dataclass(slots=True)
class _Search:
    """A running search: its process, its turn, its start, and whether it took too long."""

    thinker: Thinker
    turn: LeasedTurn
    began: float
    has_overrun: bool = False


class RobotPool:
    """The robots of a worker, with `count` search processes; none if 0.

    `work` is done when no turn waits. `exercise_budget` is the number of moves tried per position in search of an
    exercise; 0 disables it. `note_sign` is called repeatedly during searches.
    """

    def __init__(
        self,
        engine: Engine,
        count: int,
        delay: tuple[float, float],
        *,
        now: Callable[[], datetime],
        rng: random.Random,
        command: Sequence[str] = COMMAND,
        work: Sequence[SpareWork] = (),
        exercise_budget: int = 0,
        note_sign: Callable[[], object] = lambda: None,
    ) -> None:
        self._engine, self._delay, self._now, self._rng = engine, delay, now, rng
        self._work, self._exercise_budget, self._note_sign = work, exercise_budget, note_sign
        self._idle = [Thinker(command) for _index in range(count)]
        self._all = tuple(self._idle)
        self._executor = ThreadPoolExecutor(max(count, 1), thread_name_prefix="robot")
        self._stopping = threading.Event()

    def prepare(self, *, exist: bool) -> None:
        """Create robots' accounts and offers if they `exist`; record whether a robot worker runs."""
        now = self._now()
        if exist:
            write_unless(self._engine, robots.are_prepared, lambda session: self._make(session, now))
        with transaction(self._engine) as session:
            robots.note_watch(session, now if self._all else None)

    def _make(self, session: Session, now: datetime) -> None:
        robots.prepare(session, now=now)
        robot_games.prepare_offers(session, now=now, rng=self._rng)

    def sweep(self) -> int:
        """Answer offers, play every due turn and do spare work; return the moves made.

        Games in progress come first: turns are checked again after each question of spare work. Finally one position
        of a finished game is searched for an exercise, until a robot is to move.
        """
        if not self._all or self._is_idle():
            return 0
        played = self._play()
        while not self._stopping.is_set() and self._do_spare_work():
            played += self._play()
        if self._exercise_budget and not self._stopping.is_set() and self._search_for_exercise():
            played += self._play()
        return played

    def _play(self) -> int:
        now = self._now()
        write_unless(
            self._engine,
            lambda session: robots.is_watch_noted(session, now=now),
            lambda session: robots.note_watch(session, now),
        )
        self._answer_offers()
        self._note_turns()
        return self._play_due()

    def stop(self) -> None:
        """End all searches at once; the sweep then releases their turns and returns."""
        self._stopping.set()
        for thinker in self._all:
            thinker.close()
        self._executor.shutdown(wait=True)

    def _is_idle(self) -> bool:
        with reading(self._engine) as session:
            return is_idle(session, now=self._now(), work=self._work, seeks_exercises=bool(self._exercise_budget))

    def _answer_offers(self) -> None:
        with reading(self._engine) as session:
            found = offers_to_robots.matches_with_offers(session)
        for match_id in found:
            try:
                with transaction(self._engine) as session:
                    match = locked(session, match_id)
                    offers_to_robots.answer_all(session, match, now=self._now(), rng=self._rng)
            except Exception:
                log.exception("the robot of match %s could not answer an offer", match_id)

    def _note_turns(self) -> None:
        with reading(self._engine) as session:
            found = robot_turns.unnoted(session)
        for player_id in found:
            with transaction(self._engine) as session:
                least, most = robot_turns.delay_for(session, player_id, self._delay)
                delay = timedelta(seconds=self._rng.uniform(least, most))
                robot_turns.note(session, player_id, delay, now=self._now())

    def _play_due(self) -> int:
        running: dict[Future[dict[str, Any]], _Search] = {}
        played = 0
        while True:
            while self._idle and not self._stopping.is_set() and (turn := self._claimed()) is not None:
                search = _Search(self._idle.pop(), turn, time.monotonic())
                running[self._begun(search.thinker, turn.question)] = search
            if not running:
                return played
            self._note_sign()
            done, waiting = wait(running, timeout=LOOK_EVERY, return_when=FIRST_COMPLETED)
            for future in waiting:
                self._kill_if_unwanted(running[future])
            for future in done:
                search = running.pop(future)
                self._idle.append(search.thinker)
                played += self._settled(search, future)

    def _begun(self, thinker: Thinker, question: dict[str, Any]) -> Future[dict[str, Any]]:
        """Start a search; return a failed one if robots were stopped since the lease."""
        try:
            return self._executor.submit(thinker.think, question)
        except RuntimeError:  # the executor was shut down
            failed: Future[dict[str, Any]] = Future()
            failed.set_exception(ThinkerDied("robots have been stopped"))
            return failed

    def _do_spare_work(self) -> bool:
        """Answer one question of spare work per idle process; False if none waits."""
        running: dict[Future[dict[str, Any]], tuple[Thinker, SpareWork, Leased]] = {}
        while self._idle and (found := self._claimed_work()) is not None:
            thinker, (work, leased) = self._idle.pop(), found
            running[self._begun(thinker, leased.question)] = thinker, work, leased
        late = self._late(running)
        for future in late:
            running[future][0].kill()
        wait(late)
        for future, (thinker, work, leased) in running.items():
            self._idle.append(thinker)
            self._keep(work, leased, future)
        return bool(running)

    def _late(self, searches: Iterable[Future[dict[str, Any]]]) -> set[Future[dict[str, Any]]]:
        """Wait for searches, at most MOST_SECONDS; return those still running."""
        end, running = time.monotonic() + MOST_SECONDS, set(searches)
        while running and (left := end - time.monotonic()) > 0:
            self._note_sign()
            running = wait(running, timeout=min(left, SIGN_EVERY)).not_done
        return running

    def _claimed_work(self) -> tuple[SpareWork, Leased] | None:
        """Lease the next question of spare work."""
        for work in self._work:
            while (number := self._due(work)) is not None:
                if (leased := self._claimed_question(work, number)) is not None:
                    return work, leased
        return None

    def _due(self, work: SpareWork) -> int | None:
        with reading(self._engine) as session:
            return due(work, session, now=self._now())

    def _claimed_question(self, work: SpareWork, number: int) -> Leased | None:
        try:
            with transaction(self._engine) as session:
                leased: Leased | None = work.claim(session, number, now=self._now())
                return leased
        except Exception:
            log.exception("spare work %s cannot be done", number)
            with transaction(self._engine) as session:
                work.give_up(session, number, now=self._now())
            return None

    def _keep(self, work: SpareWork, leased: Leased, future: Future[dict[str, Any]]) -> None:
        """Store the answer to a question; retry a failed one."""
        try:
            answer = future.result()
            if "error" in answer:
                raise ThinkerDied(f"the search raised {answer['error']}")
            with transaction(self._engine) as session:
                work.keep(session, leased, answer, now=self._now())
        except Exception as error:
            self._not_kept(work, leased, error)

    def _not_kept(self, work: SpareWork, leased: Leased, error: Exception) -> None:
        if self._stopping.is_set():
            with transaction(self._engine) as session:
                work.give_back(session, leased)
            return
        why = str(error) if isinstance(error, ThinkerDied) else type(error).__name__
        log.warning("%s was not judged: %s", leased.name, why)
        with transaction(self._engine) as session:
            work.fail(session, leased, now=self._now())

    def _search_for_exercise(self) -> bool:
        """Search the next position of a finished game; retry a failed one. True if it was left for a robot's turn."""
        with transaction(self._engine) as session:
            leased = exercise_turns.claim(session, self._exercise_budget, now=self._now())
        if leased is None:
            return False
        thinker = self._idle.pop()
        future = self._begun(thinker, leased.question)
        is_left = self._is_left_for_turn(future)
        if not future.done():
            thinker.kill()
            wait([future])
        self._idle.append(thinker)
        if is_left:
            with transaction(self._engine) as session:
                exercise_turns.give_back(session, leased, now=self._now())
        else:
            self._keep_exercise(leased, future)
        return is_left

    def _is_left_for_turn(self, search: Future[dict[str, Any]]) -> bool:
        """Wait for a search, at most MOST_SECONDS; return whether a robot is to move before it ends."""
        end = time.monotonic() + MOST_SECONDS
        while not wait([search], timeout=LOOK_EVERY).done and time.monotonic() < end:
            self._note_sign()
            with reading(self._engine) as session:
                if robot_turns.is_any_due(session, now=self._now()) or robot_turns.unnoted(session):
                    return True
        return False

    def _keep_exercise(self, leased: LeasedSearch, future: Future[dict[str, Any]]) -> None:
        try:
            answer = future.result()
            if "error" in answer:
                raise ThinkerDied(f"the search raised {answer['error']}")
            with transaction(self._engine) as session:
                exercise_turns.keep(session, leased, answer, now=self._now())
        except Exception as error:
            if not self._stopping.is_set():
                why = str(error) if isinstance(error, ThinkerDied) else type(error).__name__
                log.warning("game %s was not searched after entry %s: %s", leased.match_id, leased.ply, why)
            settle = exercise_turns.give_back if self._stopping.is_set() else exercise_turns.fail
            with transaction(self._engine) as session:
                settle(session, leased, now=self._now())

    def _claimed(self) -> LeasedTurn | None:
        """Lease a turn for a search; play turns at once that failed too often."""
        now = self._now()
        while True:
            with reading(self._engine) as session:
                if not robot_turns.is_any_due(session, now=now):
                    return None
            with transaction(self._engine) as session:
                turn = robot_turns.claim(session, now=now, rng=self._rng)
            if turn is not None and not turn.needs_no_search:
                return turn
            if turn is not None:
                self._play_quickly(turn)

    def _play_quickly(self, turn: LeasedTurn) -> None:
        try:
            with transaction(self._engine) as session:
                robot_turns.play_quickly(session, turn.match_id, now=self._now(), rng=self._rng)
        except Exception:
            log.exception("the robot of match %s finds no move", turn.match_id)
            self._fail(turn)

    def _kill_if_unwanted(self, search: _Search) -> None:
        is_overrun = time.monotonic() - search.began > MOST_SECONDS
        with reading(self._engine) as session:
            is_wanted = robot_turns.is_still_to_play(session, search.turn)
        if is_overrun:
            search.has_overrun = True
        if is_overrun or not is_wanted:
            search.thinker.kill()

    def _settled(self, search: _Search, future: Future[dict[str, Any]]) -> int:
        """Play the result of a search, or retry; return the number of moves made."""
        try:
            answer = future.result()
            if "error" in answer:
                raise ThinkerDied(f"the search raised {answer['error']}")
            with transaction(self._engine) as session:
                return int(
                    robot_turns.play(
                        session, search.turn, answer["move"], answer["outlook"], now=self._now(), rng=self._rng
                    )
                )
        except Exception as error:
            self._not_played(search, error)
            return 0

    def _not_played(self, search: _Search, error: Exception) -> None:
        turn = search.turn
        with reading(self._engine) as session:
            is_wanted = robot_turns.is_still_to_play(session, turn)
        if not is_wanted:
            return
        if self._stopping.is_set():
            with transaction(self._engine) as session:
                robot_turns.give_back(session, turn, now=self._now())
            return
        why = str(error) if isinstance(error, ThinkerDied) else type(error).__name__
        log.warning("the robot of match %s failed (try %s): %s", turn.match_id, turn.tries, why)
        self._fail(turn, SearchFailure.OVERRAN if search.has_overrun else SearchFailure.CRASHED)

    def _fail(self, turn: LeasedTurn, how: SearchFailure = SearchFailure.CRASHED) -> None:
        with transaction(self._engine) as session:
            robot_turns.fail(session, turn, how, now=self._now())
