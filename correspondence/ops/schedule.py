"""Scheduling of a worker's sweeps by APScheduler, and their end.

One query finds the due sweeps (due.py), after each write to the database and every few seconds (waking.py). Rare sweeps,
and those not caused by the database, run at intervals.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from apscheduler.events import EVENT_SCHEDULER_SHUTDOWN
from apscheduler.schedulers.background import BackgroundScheduler

from correspondence import transport
from correspondence.clocks.processes import FETCHER, ROBOTS, WORKER
from correspondence.core.config import MAILDIR, delay_of
from correspondence.core.log_format import logging_about
from correspondence.core.news import news_of
from correspondence.core.runtime import Runtime
from correspondence.ops import due as due_work
from correspondence.ops import worker
from correspondence.ops.clock_guard import ClockGuard
from correspondence.ops.due import run_due
from correspondence.ops.heartbeats import LastDone
from correspondence.ops.rounds import NEAR_PAIRS_INTERVAL, PAIRING_INTERVAL, RETENTION_INTERVAL
from correspondence.ops.waking import DueWatch
from correspondence.outbound import dkim_signing
from correspondence.robots import RobotPool
from correspondence.robots.spare_work import work_of

log = logging.getLogger(__name__)

TIDYING_INTERVAL = timedelta(minutes=10)
"""Interval of cleaning up old mail and web sessions, and of looking for dead letters."""

GRACE = timedelta(seconds=4)
"""Time that a stopping process waits for its running sweeps."""

_INTERVALS = {
    "pairing": PAIRING_INTERVAL,
    "near pairs": NEAR_PAIRS_INTERVAL,
    "old mail": TIDYING_INTERVAL,
    "dead mail": TIDYING_INTERVAL,
    "retention": RETENTION_INTERVAL,
    "robots that failed": TIDYING_INTERVAL,
    "web sessions": TIDYING_INTERVAL,
    "archive": TIDYING_INTERVAL,
}
"""Sweeps that run less often than the others, with their intervals."""


def progress_of(runtime: Runtime) -> dict[str, LastDone]:
    """Return fresh trackers of a worker's parts, by name."""
    interval = timedelta(seconds=runtime.settings.worker_interval)
    is_remote = not runtime.settings.mail_fetch.startswith(MAILDIR)
    return {
        WORKER: LastDone(runtime.now, interval),
        FETCHER: LastDone(runtime.now, timedelta(0) if is_remote else interval),
        ROBOTS: LastDone(runtime.now, interval),
    }


def robots_of(runtime: Runtime, note_sign: Callable[[], object] = lambda: None) -> RobotPool:
    """Return the prepared robots of this worker, with as many processes as configured."""
    settings = runtime.settings
    robots = RobotPool(
        runtime.engine, settings.thinking_processes, delay_of(settings.robot_delay), now=runtime.now, rng=runtime.rng,
        work=work_of(settings), exercise_budget=settings.exercise_budget, note_sign=note_sign,
    )  # fmt: skip
    robots.prepare(exist=settings.robots)
    return robots


def start(
    runtime: Runtime, robots: RobotPool | None = None, progress: Mapping[str, LastDone] | None = None
) -> BackgroundScheduler:
    """Start the sweeps in threads of this process, until `stop`; raises SettingError.

    `robots` are swept too; the caller must stop them first, so that no search blocks the scheduler. `progress` is
    updated (`progress_of`).
    """
    progress = progress or progress_of(runtime)
    dkim_signing.check(runtime.settings)
    guard = ClockGuard(runtime.engine)
    guard.demand()
    scheduler = BackgroundScheduler(
        timezone="UTC", job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
    )
    posts = [transport.open_post(runtime.settings) for _sweep in range(2)]
    jobs = {name: _logged(runtime, guard, name, job) for name, job in _jobs(runtime, robots, progress, posts).items()}
    due = {name: jobs.pop(name) for name in due_work.names() if name in jobs}
    for name, job in jobs.items():
        _add(scheduler, runtime, name, job)
    _watch_mailbox(scheduler, runtime, guard, progress[FETCHER])
    scheduler.start()
    watch = _watch_due(scheduler, runtime, guard, due, progress[WORKER])
    guard.watch(scheduler, watch.wake)
    scheduler.add_listener(lambda _event: guard.stop(), EVENT_SCHEDULER_SHUTDOWN)
    scheduler.add_listener(lambda _event: _close(posts), EVENT_SCHEDULER_SHUTDOWN)
    return scheduler


def _noting(progress: LastDone, job: Callable[[], Any]) -> Callable[[], None]:
    """Wrap a job so that its completion is recorded."""

    def run() -> None:
        job()
        progress.note()

    return run


def _jobs(
    runtime: Runtime, robots: RobotPool | None, progress: Mapping[str, LastDone], posts: Sequence[transport.Post]
) -> dict[str, Callable[[], Any]]:
    """Return all sweeps of this worker, by name; the two letter sweeps have separate posts."""
    jobs = worker.sweeps(runtime, *posts)
    jobs["unused connections"] = lambda: _close(posts, transport.IDLE_LIMIT)
    if robots is not None:
        jobs["robots"] = _noting(progress[ROBOTS], robots.sweep)
    if runtime.settings.mail_fetch.startswith(MAILDIR):
        jobs["fetch"] = lambda: worker.sweep_fetch(runtime, progress[FETCHER].note)
    return jobs


def _close(posts: Sequence[transport.Post], unused_for: float = 0.0) -> None:
    for post in posts:
        post.close(unused_for)


def _add(scheduler: BackgroundScheduler, runtime: Runtime, name: str, job: Callable[[], None]) -> None:
    least = _INTERVALS.get(name, timedelta(0)).total_seconds()
    seconds = max(runtime.settings.worker_interval, least)
    soon = runtime.now() + timedelta(seconds=0.05)
    scheduler.add_job(job, "interval", seconds=seconds, id=name, next_run_time=soon)


def _watch_due(
    scheduler: BackgroundScheduler,
    runtime: Runtime,
    guard: ClockGuard,
    due: dict[str, Callable[[], None]],
    progress: LastDone,
) -> DueWatch:
    """Run due sweeps, each in a separate thread and never twice at once.

    After each look, a job of the scheduler records the sign of life: a watch without a scheduler runs no sweep.
    """

    def start(name: str) -> None:
        def run() -> None:
            due[name]()
            watch.ended(name)

        # without an id of its own: replacing a job while the scheduler removes it ends the scheduler's thread
        scheduler.add_job(run, name=name)

    def run_and_note(run: Callable[[str], None]) -> None:
        run_due(runtime, lambda name: run(name) if name in due else None)  # features may be switched off
        scheduler.add_job(progress.note, name="sign of life")

    def look(run: Callable[[str], None]) -> None:
        _logged(runtime, guard, "what is due", lambda: run_and_note(run))()

    watch = DueWatch(news_of(runtime.engine, runtime.settings), look, start, runtime.settings.worker_interval)
    scheduler.add_listener(lambda _event: watch.stop(), EVENT_SCHEDULER_SHUTDOWN)
    watch.begin()
    return watch


def _watch_mailbox(scheduler: BackgroundScheduler, runtime: Runtime, guard: ClockGuard, progress: LastDone) -> None:
    """Fetch from a mailbox on a server as soon as it has new mail."""
    where, was_fetched = runtime.settings.mail_fetch, threading.Event()

    def fetch() -> None:
        was_fetched.clear()
        worker.sweep_fetch(runtime, progress.note)
        was_fetched.set()

    def note_answer() -> None:
        if was_fetched.is_set():  # a server that answers is not enough if its mail cannot be stored
            progress.note()

    if where and not where.startswith(MAILDIR):
        watch = transport.idling.Watch(where, _logged(runtime, guard, "fetch", fetch), note_answer)
        scheduler.add_listener(lambda _event: watch.stop(), EVENT_SCHEDULER_SHUTDOWN)


def stop(runtime: Runtime, scheduler: BackgroundScheduler) -> bool:
    """Stop the sweeps after their current work; returns whether all have ended within GRACE.

    A sweep that hangs, for example on an unresponsive server, may be killed: its work is repeated later.
    """
    runtime.stopping.set()
    stopper = threading.Thread(target=lambda: scheduler.shutdown(wait=True), name="stop", daemon=True)
    stopper.start()
    stopper.join(GRACE.total_seconds())
    return not stopper.is_alive()


def _logged(runtime: Runtime, guard: ClockGuard, name: str, job: Callable[[], Any]) -> Callable[[], None]:
    """Wrap a job as a sweep: an error is logged and does not end the schedule.

    It does not run while the process stops, or while its clock is wrong.
    """

    def run() -> None:
        try:
            if guard.is_right and not runtime.stopping.is_set():
                with logging_about(f"sweep {name}"):
                    job()
        except Exception:
            log.exception("the sweep of %s failed; it runs again at its next turn", name)

    return run
