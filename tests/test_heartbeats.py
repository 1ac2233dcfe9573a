"""Processes give signs of life: who stops is not missed, who died is, and clocks stand while mail has no way in or out."""

from __future__ import annotations

import os
import platform
import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, select

from correspondence.clocks import outages, processes
from correspondence.clocks.processes import LISTENER, WORKER
from correspondence.core import db
from correspondence.core.runtime import utc_now
from correspondence.models import Heartbeat, Letter, LetterState, Outage, Process, ServiceState
from correspondence.ops import schedule, worker
from correspondence.ops.doctor import examine
from correspondence.ops.heartbeats import Heartbeats, LastDone, LivingPart
from correspondence.ops.process_cli import process_command
from correspondence.ops.serve import running
from correspondence.outbound import refusals
from correspondence.queries import admin, readiness
from correspondence.robots import RobotPool, thinking
from tests.outgoing import letter
from tests.ports import free_port
from tests.world import World

NOBODY = 2**22 + 1
"""A number that no process has: Linux gives none so high."""


@pytest.fixture
def game(anywhere):
    """Ann is to move, and nobody has absence to spend."""
    anywhere.join("ann", "bob")
    number = anywhere.match()
    anywhere.open(number)
    worker.sweep_clocks(anywhere.runtime)
    return anywhere, number


def started(town, *parts, pid=None):
    """The heartbeats of a process with these parts, after the first."""
    own = Heartbeats(town.runtime, [LivingPart(name, town.runtime.now) for name in parts])
    own._holder = replace(own._holder, pid=pid or os.getpid())
    own.beat()
    return own


def works(town):
    worker.sweep_clocks(town.runtime)


def names(town):
    with db.reading(town.engine) as session:
        return [one.name.replace(one.host, "here") for one in processes.known(session, now=town.time)]


def missing(town):
    with db.reading(town.engine) as session:
        found = readiness.work_problems(session, town.settings, now=town.time)
        return [one.split()[1] for one in found if "sign of life" in one]


def test_processes_that_stop_are_not_missed_and_those_that_died_are(town):
    stays, stops, dies = (started(town, WORKER, pid=pid) for pid in (os.getpid(), os.getppid(), 1))
    assert names(town) == ["worker@here", "worker@here/2", "worker@here/3"]
    stops.stop()
    town.time += outages.LOST + timedelta(seconds=1)
    stays.beat()
    works(town)
    assert missing(town) == ["worker"] and len(names(town)) == 2
    dies.beat()
    assert missing(town) == []


def test_a_start_takes_the_name_of_one_process_that_died_on_its_host(town):
    for _worker in range(3):
        started(town, WORKER, pid=NOBODY)
    assert names(town) == ["worker@here"], "each takes over from the one before, which is gone"
    with db.transaction(town.engine) as session:
        for number in (2, 3):
            row = session.get(Process, session.exec(select(Process.name)).first())
            session.add(Process(**{**row.model_dump(), "name": f"{row.name}/{number}"}))
    town.time += outages.LOST + timedelta(seconds=1)
    works(town)
    assert len(missing(town)) == 3
    started(town, WORKER)
    assert len(missing(town)) == 2 and len(names(town)) == 3


def test_containers_of_one_name_that_do_not_see_each_other_have_a_row_each(town):
    first, second = started(town, WORKER, pid=NOBODY), started(town, WORKER, pid=NOBODY)
    for _beat in range(3):
        first.beat()
        second.beat()
    assert names(town) == ["worker@here", "worker@here/2"]


def test_a_process_is_missed_for_a_day_or_until_an_operator_forgets_it(town):
    started(town, WORKER, LISTENER)
    town.time += timedelta(hours=23)
    works(town)
    assert missing(town) == ["listener", "worker"]
    with db.transaction(town.engine) as session:
        assert processes.forget(session, processes.known(session, now=town.time)[0].name)
        assert not processes.forget(session, "worker@nowhere")
    assert missing(town) == ["worker"]
    town.time += timedelta(hours=2)
    works(town)
    assert missing(town) == []


def test_a_job_that_is_overdue_gives_no_sign(town):
    job = LastDone(town.clock, every=timedelta(seconds=30))
    assert job.sign() is None
    job.note()
    began = town.time
    for seconds, sign in ((0, 0), (30, 30), (31, 30), (3600, 30)):
        town.time = began + timedelta(seconds=seconds)
        assert job.sign() == began + timedelta(seconds=sign)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_worker_whose_scheduler_died_gives_no_sign_of_life(tmp_path):
    town = World(tmp_path, worker_interval=0.05, robots=False)
    town.time = utc_now()
    progress = schedule.progress_of(town.runtime)
    scheduler = schedule.start(town.runtime, progress=progress)
    assert gives_signs(progress[WORKER])
    lock, scheduler._jobstores_lock = scheduler._jobstores_lock, None  # ends its thread
    scheduler._thread.join(5)
    scheduler._jobstores_lock = lock
    time.sleep(0.2)
    assert not scheduler._thread.is_alive() and not gives_signs(progress[WORKER])
    schedule.stop(town.runtime, scheduler)
    town.close()


def gives_signs(part):
    """Whether a part gives a new sign of life within seconds."""
    part.done_at, ends = None, time.monotonic() + 2
    while part.sign() is None and time.monotonic() < ends:
        time.sleep(0.02)
    return part.sign() is not None


def test_robots_give_signs_of_life_while_they_think_for_long(town, monkeypatch):
    monkeypatch.setattr(thinking, "SIGN_EVERY", 0.01)
    signs = []
    robots = RobotPool(
        town.engine, 1, (0.0, 0.0), now=town.clock, rng=town.rng, note_sign=lambda: signs.append(1)
    )  # fmt: skip
    slow = Future()
    threading.Timer(0.3, slow.set_result, [{}]).start()
    assert robots._late([slow]) == set() and len(signs) > 5
    robots.stop()


# -- mail has no way in ----------------------------------------------------------------


def look(town, at):
    """A worker, which has lived all the time, looks at the clocks at a moment."""
    town.time = at
    with db.transaction(town.engine) as session:
        session.merge(Heartbeat(id=1, at=at - outages.BEAT))
    works(town)


def closed_for(town, span, deadline):
    """The listener dies a moment before a deadline and returns after a time; the worker goes on."""
    town.time = deadline - timedelta(seconds=10)
    started(town, LISTENER, pid=NOBODY)
    for minutes in range(0, int(span.total_seconds() // 60) + 1, 5):
        look(town, deadline - timedelta(seconds=9) + timedelta(minutes=minutes))
    look(town, deadline - timedelta(seconds=10) + span)


def test_no_game_ends_while_mail_has_no_way_in_and_its_time_is_given_back(game):
    town, number = game
    deadline, away = town.stand(number).deadline, timedelta(hours=3)
    closed_for(town, away, deadline)
    assert town.stand(number).result == "*"
    started(town, LISTENER)
    works(town)
    assert (town.stand(number).result, town.stand(number).deadline) == ("*", deadline + away)
    look(town, deadline + away + timedelta(seconds=1))
    assert town.stand(number).result == "*", "until it is known that mail could come in up to then"
    started(town, LISTENER)
    works(town)
    assert town.stand(number).result == "0-1"


def test_a_listener_that_starts_again_at_once_costs_and_gives_no_time(game):
    town, number = game
    deadline = town.stand(number).deadline
    closed_for(town, timedelta(seconds=20), deadline)
    assert town.stand(number).result == "*"
    started(town, LISTENER)
    works(town)
    assert town.stand(number).result == "0-1"


def test_a_move_on_the_page_meanwhile_costs_only_the_time_before(game):
    town, number = game
    with db.reading(town.engine) as session:
        bank = town.player(session, number, "ann").bank
    started(town, LISTENER)
    town.time += timedelta(days=3)
    look(town, town.time)
    town.play(number, "ann", "e3/f2=N")
    with db.reading(town.engine) as session:
        assert town.player(session, number, "ann").bank >= bank


@pytest.mark.parametrize("mail_fetch", ["", "maildir:nowhere"])
def test_only_who_waits_for_mail_is_out_of_order_without_a_way_in(game, mail_fetch):
    town, number = game
    town.time = town.stand(number).deadline - timedelta(seconds=10)
    own = Heartbeats(town.runtime, [LivingPart(processes.FETCHER, lambda: None)] if mail_fetch else [])
    own.beat()
    look(town, town.time + timedelta(minutes=2))
    assert (town.stand(number).result == "*") == bool(mail_fetch)
    assert (missing(town) == ["fetcher"]) == bool(mail_fetch)


def test_a_listener_that_lives_behind_a_dead_mail_server_is_no_way_in(game):
    town, number = game
    town.time = town.stand(number).deadline - timedelta(seconds=10)
    own = Heartbeats(town.runtime, [LivingPart(processes.LISTENER, town.runtime.now, lets_mail_in=lambda: False)])
    own.beat()
    town.time += timedelta(minutes=2)
    own.beat()
    look(town, town.time)
    assert town.stand(number).result == "*" and missing(town) == []
    with db.reading(town.engine) as session:
        [problem] = readiness.work_problems(session, town.settings, now=town.time)
    assert "No mail could be received" in problem and "MAIL_FRONT" in problem


def test_one_process_without_mail_waits_for_none_any_more(tmp_path):
    town = World(tmp_path, robots="no", http_listen=f"127.0.0.1:{free_port()}", worker_interval=3600)
    with db.transaction(town.engine) as session:
        outages.expect_mail(session, now=town.time)
    with running(town.app, web=True):
        pass
    with db.reading(town.engine) as session:
        assert session.get(Heartbeat, 2) is None and not processes.known(session, now=town.time)
    town.close()


# -- letters have no way out -----------------------------------------------------------


def refuse(town, words="550 5.7.1 Relaying denied"):
    with db.transaction(town.engine) as session:
        session.add(letter(due_at=town.time))
        refusals.stop(session, words, town.time)


def accept(town):
    with db.transaction(town.engine) as session:
        refusals.lock(session, town.time)
        refusals.accept(session, "example.org", town.time, ends_stop=True)


@pytest.mark.parametrize("words", ["550 5.7.1 Relaying denied", "connection refused"])
def test_time_in_which_no_letter_leaves_through_our_fault_counts_against_nobody(game, words):
    town, number = game
    deadline, since = town.stand(number).deadline, town.stand(number).deadline - timedelta(minutes=20)
    look(town, since)
    refuse(town, words)
    for minutes in range(0, 120, 5):
        look(town, since + timedelta(minutes=minutes))
    assert town.stand(number).result == "*"
    town.time = since + timedelta(hours=2)
    accept(town)
    look(town, town.time)
    assert (town.stand(number).result, town.stand(number).deadline) == ("*", deadline + timedelta(hours=2))


def test_a_mail_server_that_takes_no_letters_for_some_minutes_gives_no_time(game):
    town, number = game
    deadline = town.stand(number).deadline
    look(town, deadline - timedelta(minutes=30))
    refuse(town)
    look(town, town.time + timedelta(minutes=1))
    town.time += timedelta(minutes=8)
    accept(town)
    look(town, town.time)
    assert town.stand(number).deadline == deadline
    with db.reading(town.engine) as session:
        assert session.get(ServiceState, 1).letters_held_since is None and not session.exec(select(Outage)).all()


def test_a_player_whose_letter_waits_while_mail_is_paused_does_not_lose_on_time(game):
    town, number = game
    deadline = town.stand(number).deadline
    with db.transaction(town.engine) as session:
        own = col(Letter.person_id) == town.person(session, "ann").id
        turn = session.exec(
            select(Letter).where(own, Letter.match_id == number).order_by(col(Letter.id).desc())
        ).first()
        turn.state = LetterState.QUEUED
        session.merge(ServiceState(id=1, mail_paused_since=town.time, mail_paused_for="moving house"))
    look(town, deadline + timedelta(seconds=1))
    assert town.stand(number).result == "*"


# -- what an operator sees and says ----------------------------------------------------


def flask(town, *words):
    return town.app.test_cli_runner().invoke(process_command, words)


def test_an_operator_lists_processes_and_forgets_one_or_that_mail_is_expected(town):
    started(town, WORKER, LISTENER)
    town.time += timedelta(minutes=1)
    works(town)
    name = f"worker@{platform.node()}"
    assert f"missing  {name}  2026-11-21 12:00:00 UTC" in flask(town, "list").output
    assert flask(town, "forget", name, "mail").exit_code == 0
    assert name not in flask(town, "list").output and missing(town) == ["listener"]
    with db.reading(town.engine) as session:
        assert session.get(Heartbeat, 2) is None
    assert f"There is no process {name}" in flask(town, "forget", name).output


def test_the_doctor_and_the_admin_page_name_who_is_missing(town):
    started(town, WORKER)
    town.time += timedelta(minutes=1)
    works(town)
    sentences = [one.sentence for one in examine(town.runtime) if one.is_fatal]
    assert any(f"The worker worker@{platform.node()} has given no sign of life since" in one for one in sentences)
    with db.reading(town.engine) as session:
        assert any("worker@" in one for one in admin.admin_page(session, town.settings, now=town.time).problems)
