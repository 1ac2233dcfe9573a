"""Failure 6: whenever the service is killed, a mail that was answered 250 is acted on once, and told once.

MAIL_KILLS=300 makes a long trial of it: every step, and so many moments at random.
"""

from __future__ import annotations

import os
import random
from contextlib import suppress

import pytest
from sqlmodel import select

from correspondence.accounts import relations
from correspondence.core import db
from correspondence.inbound import mailbox
from correspondence.inbound.mailbox import store
from correspondence.models import Inbound, InboundState
from tests.mail_failures.kills import Trials, killed_at, killed_at_random, nursery
from tests.tables import fresh_database
from tests.world import mail_world

LONG = int(os.environ.get("MAIL_KILLS", "0"))
STEPS, MOMENTS = 8, 3
"""How many kills a short trial makes on each database, at steps all along the way and at moments by chance.

A thorough one makes twice as many.
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def trials(request, tmp_path, monkeypatch):
    monkeypatch.setattr(relations, "GAMES_AT_ONCE", 1_000_000)  # each trial is a game of its own
    url = fresh_database(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else ""
    town = mail_world(tmp_path, database_url=url)
    trials = Trials(town, nursery())
    yield trials
    trials.close()
    town.close()


def test_failure_6_killed_at_any_step_or_moment_there_is_one_effect_and_one_answer(trials, capsys, is_thorough):
    times = 2 if is_thorough else 1
    steps = trials.one()
    assert steps > 100 and trials.outcomes["lived"] == 1
    chosen = range(1, steps + 1) if LONG else range(5, steps + 1, steps // (STEPS * times))
    hits = killed_at(trials, chosen)
    assert hits > 0.8 * len(chosen)
    hits += killed_at_random(trials, LONG or MOMENTS * times, random.Random(5))
    assert trials.outcomes["died before 250"] and trials.outcomes["died after 250"]
    if LONG:
        with capsys.disabled():
            print(f"\n{steps} steps, {hits} kills: {dict(trials.outcomes)}")


def test_failure_8_a_message_that_kills_its_workers_is_set_aside_and_not_read_for_ever(town, monkeypatch):
    town.put(town.compose("ann@example.org", "play@games.example", "help"), "play@games.example")
    deaths = []

    def die(*_given, **_named):
        deaths.append(1)
        raise KeyboardInterrupt  # as near to the death of a process as a test can come

    with monkeypatch.context() as patch:
        patch.setattr(mailbox, "process_message", die)
        for _life in range(mailbox.MOST_LOST_LEASES):
            with pytest.raises(KeyboardInterrupt):
                town.sweep()
            town.time += mailbox.LEASE * 2
        town.sweep()
    assert len(deaths) == mailbox.MOST_LOST_LEASES == 10
    with db.reading(town.engine) as session:
        dead = session.exec(select(Inbound)).one()
    assert (dead.state, dead.tries, dead.reason) == (InboundState.DEAD, 0, store.CUT_OFF)


def test_failure_8_a_message_that_kills_its_worker_takes_no_other_with_it(town, monkeypatch):
    for name in ("one", "two", "three"):
        town.put(town.compose("ann@example.org", "play@games.example", f"help {name}"), "play@games.example")
    read = mailbox.process_message

    def die_of_the_second(session, inbound, *given, **named):
        if b"help two" in inbound.raw:
            raise KeyboardInterrupt
        read(session, inbound, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(mailbox, "process_message", die_of_the_second)
        for _life in range(mailbox.MOST_LOST_LEASES + 3):
            with suppress(KeyboardInterrupt):
                town.sweep()
            town.time += mailbox.LEASE * 2
    with db.reading(town.engine) as session:
        states = session.exec(select(Inbound.state).order_by(Inbound.id)).all()
    assert states == [InboundState.DONE, InboundState.DEAD, InboundState.DONE]
