"""A worker goes on when its clock is set, and does nothing by a clock that differs from the database's."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from apscheduler.schedulers.background import BackgroundScheduler

from correspondence.core import db
from correspondence.core.config import SettingError
from correspondence.ops import clock_guard, schedule
from correspondence.ops.clock_guard import MOST_SKEW, ClockGuard


@pytest.fixture
def clocks(monkeypatch):
    """The clock on the wall, and one that nobody can set; in seconds."""
    times = {"wall": 1_000_000.0, "monotonic": 5_000.0}
    monkeypatch.setattr(clock_guard.time, "time", lambda: times["wall"])
    monkeypatch.setattr(clock_guard.time, "monotonic", lambda: times["monotonic"])
    return times


@pytest.fixture
def engine(postgres_url):
    engine = db.make_engine(postgres_url)
    yield engine
    engine.dispose()


def ahead(engine, **span):
    return ClockGuard(engine, lambda: datetime.now(UTC) + timedelta(**span))


@pytest.mark.parametrize(("seconds", "is_noticed"), [(-3600, True), (3600, True), (-3, True), (1, False), (0, False)])
def test_a_clock_that_was_set_is_noticed_once(world, clocks, seconds, is_noticed):
    guard = ClockGuard(world.engine)
    clocks["wall"] += 10 + seconds
    clocks["monotonic"] += 10
    assert guard.was_set() is is_noticed
    assert guard.was_set() is False


def test_a_clock_set_back_an_hour_delays_no_sweep(world, monkeypatch):
    monkeypatch.setattr(clock_guard, "_LOOKED_EVERY", 0.02)
    ran, woken, scheduler = threading.Event(), threading.Event(), BackgroundScheduler(timezone="UTC")
    scheduler.add_job(ran.set, "interval", hours=1, id="sweep")
    scheduler.start()
    guard = ClockGuard(world.engine)
    try:
        guard._wall += 3600
        guard.watch(scheduler, woken.set)
        assert ran.wait(30) and woken.wait(30)
    finally:
        guard.stop()
        scheduler.shutdown()


def test_a_worker_refuses_to_start_by_a_clock_that_differs_from_the_databases(engine):
    ahead(engine, seconds=MOST_SKEW.total_seconds() - 10).demand()
    with pytest.raises(SettingError, match="36.. seconds ahead of the database's. Set both by a time server"):
        ahead(engine, hours=1, seconds=20).demand()
    with pytest.raises(SettingError, match="seconds behind the database's"):
        ahead(engine, hours=-1).demand()


def test_no_sweep_runs_while_the_clocks_differ_and_all_do_when_they_agree_again(engine, world):
    skewed, ran = timedelta(hours=1), []
    guard = ClockGuard(engine, lambda: datetime.now(UTC) + skewed)
    sweep = schedule._logged(world.runtime, guard, "test", lambda: ran.append(1))
    guard.ask()
    sweep()
    assert ran == []
    skewed = timedelta(0)
    guard.ask()
    sweep()
    assert ran == [1]


def test_a_database_in_a_file_has_the_clock_of_this_machine(world):
    guard = ClockGuard(world.engine, lambda: datetime(1999, 1, 1, tzinfo=UTC))
    guard.demand()
    assert guard.is_right
