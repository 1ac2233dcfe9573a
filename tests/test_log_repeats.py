"""A trouble that lasts has one line a minute in the log, which says how often it happened meanwhile."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import time

import pytest
from sqlalchemy.exc import OperationalError

from correspondence.core import log_repeats
from correspondence.core.log_repeats import OnceAMinute
from tests.test_commands_of_flask import ROOT, environment
from tests.world import World


@pytest.fixture
def clock(monkeypatch):
    """What counts the seconds, from 100 on."""
    clock = [100.0]
    monkeypatch.setattr(log_repeats.time, "monotonic", lambda: clock[0])
    return clock


@pytest.fixture
def log(clock):
    """A logger, and what it has written."""
    log, stream = logging.Logger("trouble"), io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(OnceAMinute())
    log.addHandler(handler)
    log.lines = lambda: stream.getvalue().splitlines()
    return log


def test_the_same_trouble_has_one_line_a_minute_that_counts_the_others(log, clock):
    for number in range(130):
        log.error("letter %s cannot leave", number)
        clock[0] += 1
    assert log.lines() == [
        "letter 0 cannot leave",
        "letter 60 cannot leave (59 more times since the last such line)",
        "letter 120 cannot leave (59 more times since the last such line)",
    ]


def test_other_troubles_and_news_are_written_meanwhile(log):
    log.error("a letter cannot leave")
    for _time in range(2):
        log.error("a letter cannot leave here")
        log.warning("a mail cannot be read")
        log.info("a letter left")
    assert sorted(log.lines()) == sorted(
        ["a letter cannot leave", "a letter cannot leave here", "a mail cannot be read", *["a letter left"] * 2]
    )


def test_a_database_that_is_away_is_one_trouble_wherever_it_is_noticed(log):
    for number in range(5):
        try:
            raise OperationalError("SELECT", {}, Exception("it is away"))
        except OperationalError:
            (log.exception if number % 2 else log.error)("sweep %s failed", "abcde"[number], exc_info=True)
        log.error("game %s failed", number, extra=log_repeats.DATABASE)
    assert [line for line in log.lines() if "failed" in line] == ["sweep a failed"]


def test_a_worker_whose_database_goes_away_tells_it_once_a_minute(tmp_path):
    world = World(tmp_path)
    world.join("ann", "bob")
    world.match("duel")
    world.engine.dispose()
    env = environment(tmp_path, SECRET_KEY=world.settings.secret_key, WORKER_INTERVAL="0.1", ROBOTS="no")
    with open(tmp_path / "log", "w+") as log_file:
        worker = subprocess.Popen(
            [sys.executable, "-m", "flask", "worker"], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=log_file
        )
        assert b"The worker is running" in worker.stdout.readline()
        for file in tmp_path.glob("correspondence.db*"):
            file.rename(f"{file}.away")
        (tmp_path / "correspondence.db").mkdir()
        time.sleep(3)
        worker.kill()
        worker.communicate()
        log_file.seek(0)
        errors = [line for line in log_file if " ERROR " in line or " WARNING " in line]
    assert 1 <= len(errors) <= 2, "".join(errors)
    world.close()
