"""Many clocks that run out at the same moment: one sweep ends all games, and one that fails keeps up no other."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import col, func, select

from bench import deadlines
from bench.deadlines import Club
from correspondence.clocks import outages
from correspondence.core import db
from correspondence.core.runtime import Runtime
from correspondence.models import Heartbeat, Match
from correspondence.ops import worker
from correspondence.play import game_end

GAMES, AT_ONCE, STATEMENTS = 12, 5, 40
"""Games that are due, how many a sweep asks for at once here, and the most statements that the end of one makes."""


@pytest.fixture
def club(any_database, tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "BATCH", AT_ONCE)
    club = Club(tmp_path, GAMES, any_database, people=6)
    yield club
    club.engine.dispose()


def running(club):
    with db.reading(club.engine) as session:
        return session.exec(select(func.count(Match.id)).where(col(Match.ended_at).is_(None))).one()


def late(club):
    """A runtime at the moment when all time has run out, in a service that has run until then."""
    with db.transaction(club.engine) as session:
        due = session.exec(select(func.max(Match.deadline))).one()
        session.merge(Heartbeat(id=1, at=due))
    return Runtime(club.settings, club.engine, now=lambda: due + timedelta(seconds=1))


def test_one_sweep_reminds_all_and_another_ends_all_with_their_letters_and_ratings(club):
    assert deadlines.remind(club).sweeps == 1
    found = deadlines.end(club)
    assert found.sweeps == 1 and found.statements < STATEMENTS
    assert running(club) == 0


def test_a_game_that_cannot_be_ended_keeps_up_no_other(club):
    with db.transaction(club.engine) as session:
        for number in range(1, AT_ONCE + 2):
            session.get_one(Match, number).position = "torn"
    worker.sweep_clocks(late(club))
    assert running(club) == AT_ONCE + 1


def test_a_database_that_is_full_is_told_in_a_line_for_each_game_and_not_at_length(club, monkeypatch, caplog):
    def fail(*_args, **_words):
        raise OperationalError("UPDATE", {}, Exception("No space left on device\nHINT: Check free disk space."))

    monkeypatch.setattr(game_end, "on_timeout", fail)
    worker.sweep_clocks(late(club))
    records = [record for record in caplog.records if "failed in its sweep" in record.getMessage()]
    assert len(records) == GAMES and not any(record.exc_info for record in records)
    assert records[0].getMessage().endswith("failed in its sweep: No space left on device")


def test_a_sweep_ends_in_time_for_the_next_sign_of_life(club):
    runtime = late(club)
    start = runtime.now()
    ticks = (start + outages.BEAT * 0.4 * tick for tick in range(1_000))
    worker.sweep_clocks(Runtime(club.settings, club.engine, now=lambda: next(ticks)))
    assert 0 < running(club) < GAMES
