"""Rounds that one worker does for all: pairing is planned once, however many workers run."""

from __future__ import annotations

import threading
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event

from correspondence.core.time_control import per_move
from correspondence.ops.pairing_sweeps import sweep_near_pairs, sweep_pairing
from correspondence.ops.rounds import LEASE, PAIRING_INTERVAL, one_round
from tests.club import matches_of, seek

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def club(anywhere):
    """Two who will be paired as soon as somebody does it."""
    anywhere.join("ann", "bob", "cleo", "dan")
    for name, days in (("ann", 2), ("bob", 3)):
        seek(anywhere, name, pair="yes", time_control=per_move(days * DAY))
    return anywhere


@contextmanager
def statements(town):
    """What the database is asked meanwhile."""
    log = []

    def note(_connection, _cursor, statement, *_rest):
        log.append(statement)

    event.listen(town.engine, "before_cursor_execute", note)
    yield log
    event.remove(town.engine, "before_cursor_execute", note)


def test_of_workers_that_begin_at_once_one_does_the_round(anywhere):
    gate, both_asked, answers = threading.Barrier(4), threading.Barrier(4), []

    def work():
        gate.wait()
        with one_round(anywhere.runtime, "pairing") as until:
            answers.append(until)
            both_asked.wait()

    threads = [threading.Thread(target=work) for _worker in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(answers, key=str) == [anywhere.time + LEASE, None, None, None]


@pytest.mark.parametrize(("name", "sweep"), [("pairing", sweep_pairing), ("near pairs", sweep_near_pairs)])
def test_while_one_worker_does_the_round_another_does_not_even_read_the_seeks(club, name, sweep):
    with one_round(club.runtime, name), statements(club) as log:
        assert sweep(club.runtime) == 0
    assert log and not any("seek" in statement for statement in log)
    assert matches_of(club) == []
    with statements(club) as log:
        sweep(club.runtime)
    assert any("seek" in statement for statement in log), "it is free again"


def test_the_round_is_done_once_in_an_interval_by_whichever_worker(club):
    assert sweep_pairing(club.runtime, PAIRING_INTERVAL) == 1
    for name, days in (("cleo", 2), ("dan", 3)):
        seek(club, name, pair="yes", time_control=per_move(days * DAY))
    assert sweep_pairing(club.runtime, PAIRING_INTERVAL) == 0
    club.time += PAIRING_INTERVAL - timedelta(seconds=1)
    assert sweep_pairing(club.runtime, PAIRING_INTERVAL) == 1


def test_a_round_whose_worker_was_killed_is_done_by_another_after_its_lease(club):
    with ExitStack() as killed:
        killed.enter_context(one_round(club.runtime, "pairing"))
        club.time += LEASE - timedelta(seconds=1)
        assert sweep_pairing(club.runtime) == 0
        club.time += timedelta(seconds=1)
        assert sweep_pairing(club.runtime) == 1


def test_a_round_that_another_has_taken_over_does_not_end_with_the_first(club):
    with ExitStack() as first, ExitStack() as second:
        assert first.enter_context(one_round(club.runtime, "pairing"))
        club.time += LEASE
        assert second.enter_context(one_round(club.runtime, "pairing"))
        first.close()
        assert sweep_pairing(club.runtime) == 0, "the second still runs"
        second.close()
        assert sweep_pairing(club.runtime) == 1


def at_clock(runtime, moment):
    return replace(runtime, now=lambda: moment)


def test_a_round_that_fails_is_free_again(club):
    with pytest.raises(ZeroDivisionError), one_round(club.runtime, "pairing"):
        raise ZeroDivisionError
    assert sweep_pairing(club.runtime) == 1


def test_a_lease_of_a_clock_that_was_ahead_holds_nobody_up(club):
    with one_round(at_clock(club.runtime, club.time + 9 * HOUR), "pairing"):
        assert sweep_pairing(club.runtime) == 1


def test_a_round_that_takes_too_long_leaves_the_rest_to_the_next(club):
    for name, days in (("cleo", 2), ("dan", 3)):
        seek(club, name, pair="yes", rated=False, time_control=per_move(days * DAY))
    begun = club.time
    moments = iter([begun, begun, begun, begun] + [begun + LEASE] * 50)
    slow = replace(club.runtime, now=lambda: next(moments))
    assert sweep_pairing(slow) < 2
    assert len(matches_of(club)) < 2
    club.time += 2 * LEASE
    sweep_pairing(club.runtime)
    assert len(matches_of(club)) == 2
