"""Monitoring hears what keeps the service from its work, in sentences; visitors hear when to come back."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import text

from correspondence.core import db
from correspondence.ops.worker import sweep_clocks
from correspondence.outbound import refusals
from correspondence.queries import readiness
from tests.outgoing import letter
from tests.world import World


def ready(world):
    answer = world.client().get("/health/ready")
    assert answer.status_code == (503 if answer.json["reasons"] else 200)
    assert answer.json["status"] == ("not ready" if answer.json["reasons"] else "ready")
    return answer.json["reasons"]


@pytest.fixture
def working(world):
    """A world whose worker has just run, on a disk with room."""
    sweep_clocks(world.runtime)
    return world


@pytest.fixture(autouse=True)
def roomy(monkeypatch):
    monkeypatch.setattr(readiness, "LEAST_FREE", 0)


def take_away(world):
    """The database is gone, as when its disk or its server is."""
    world.engine.dispose()
    place = world.settings.instance / "correspondence.db"
    for file in place.parent.glob("correspondence.db*"):
        file.rename(f"{file}.away")
    place.mkdir()


def test_a_service_that_works_is_ready(working):
    assert ready(working) == []


def test_without_a_worker_nothing_is_ready(world):
    assert ready(world) == ["No worker has ever run: start flask worker, or python app.py."]
    sweep_clocks(world.runtime)
    world.clock.go(minutes=4)
    (reason,) = ready(world)
    assert reason.startswith("No worker has run since 2026-11-21 12:00 UTC")


def test_a_worker_that_runs_seldom_has_the_time_it_asks_for(tmp_path):
    world = World(tmp_path, worker_interval=600)
    sweep_clocks(world.runtime)
    world.clock.go(minutes=25)
    assert ready(world) == []
    world.close()


def test_letters_mail_and_deadlines_that_are_late_are_named(working):
    working.join("ann", "bob")
    number = working.match()
    working.open(number)
    working.put(b"From: ann@example.org\r\n\r\nhelp\r\n", "play@localhost")
    working.clock.go(days=40)
    with db.transaction(working.engine) as session:
        session.get(readiness.Heartbeat, 1).at = working.time
    assert [re.sub(r" since .*", "", reason) for reason in ready(working)] == [
        "Letters have been waiting to be sent", "Mail has been waiting to be read",
        "Games have been waiting to end on time",
    ]  # fmt: skip


@pytest.mark.parametrize(("words", "patience"), [("connection refused", 16), ("550 5.7.1 Relaying denied", 0)])
def test_mail_server_that_takes_nothing_is_named_with_its_answer(working, words, patience):
    with db.transaction(working.engine) as session:
        session.add(letter(due_at=working.time))
        refusals.stop(session, words, working.time - timedelta(minutes=patience))
    (reason,) = ready(working)
    assert reason.startswith("The mail server has accepted no letters since") and reason.endswith(words)


def test_mail_server_for_which_no_letter_waits_is_no_trouble(working):
    with db.transaction(working.engine) as session:
        refusals.stop(session, "550 5.7.1 Relaying denied", working.time)
    assert ready(working) == []


def test_mail_server_that_is_away_for_a_moment_is_no_trouble_yet(working):
    with db.transaction(working.engine) as session:
        session.add(letter(due_at=working.time))
        refusals.stop(session, "connection refused", working.time - timedelta(minutes=14))
    assert ready(working) == []


def test_a_disk_that_is_nearly_full_or_takes_nothing_is_named(working, monkeypatch):
    monkeypatch.setattr(readiness, "LEAST_FREE", 1)
    assert "is nearly full" in ready(working)[0]

    def refuse(**_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(readiness.tempfile, "TemporaryFile", refuse)
    assert ready(working)[0].endswith("cannot be written: No space left on device.")


def test_a_database_that_can_only_be_read_is_named(working):
    working.engine.dispose()
    with db.reading(working.engine) as session:
        session.connection().exec_driver_sql("PRAGMA query_only = ON")
    assert ready(working) == ["The database cannot be written: attempt to write a readonly database."]


def test_while_the_database_is_away_every_page_says_when_to_come_back(working):
    working.join("ann")
    browser = working.client("ann")
    take_away(working)
    working.app.config.update(PROPAGATE_EXCEPTIONS=False, TESTING=False)
    for path in ("/", "/games", "/login", "/nothing"):
        answer = browser.get(path)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
        assert "isn&#39;t answering at the moment" in answer.text and "sqlite" not in answer.text
    assert browser.get("/health").json["parts"]["database"] is False
    assert ready(working) == ["The database cannot be written: unable to open database file."]


def test_a_form_that_could_not_be_kept_is_shown_again(working):
    working.join("ann", "bob")
    number = working.match()
    browser = working.client("ann")
    take_away(working)
    working.app.config.update(PROPAGATE_EXCEPTIONS=False, TESTING=False)
    answer = browser.post(f"/games/{number}/moves", data={"move": "c3/f2=B"})
    assert answer.status_code == 503 and "c3/f2=B" in answer.text
    assert "we can&#39;t say whether that was done" in answer.text and "nothing was changed" not in answer.text


def test_a_database_that_goes_away_after_the_last_question_takes_no_answer_with_it(postgres_url):
    engine = db.make_engine(postgres_url)
    with db.reading(engine) as session, db.reading(engine) as other:
        one = session.exec(text("SELECT pg_backend_pid()")).scalar_one()
        other.exec(text("SELECT pg_terminate_backend(:pid)"), params={"pid": one})
    with db.reading(engine) as session:
        assert session.exec(text("SELECT pg_backend_pid()")).scalar_one() != one
    engine.dispose()
