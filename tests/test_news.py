"""A worker hears at once of mail and of letters that others wrote, on SQLite and on PostgreSQL, and sweeps run once at a time."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import closing, contextmanager, suppress
from dataclasses import replace

import pytest
from sqlalchemy import make_url, text
from sqlmodel import select

from correspondence.core import db, news
from correspondence.inbound import mailbox
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.ops import schedule
from correspondence.ops.waking import DueWatch
from tests.post import reply_address
from tests.tables import fresh_database
from tests.world import mail_world

SOON = 4.0
"""Seconds that a second may take on a machine that does other things; a look at an interval would come after 600."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request):
    return "" if request.param == "sqlite" else fresh_database(request.getfixturevalue("postgres_url"))


@pytest.fixture
def town(database_url, tmp_path):
    town = mail_world(tmp_path, database_url=database_url, worker_interval=600.0)
    town.join("ann", "bob")
    yield town
    town.close()


@contextmanager
def working(town):
    """A worker that has done all that it found at its start."""
    scheduler = schedule.start(town.runtime)
    try:
        time.sleep(1.5)
        yield
    finally:
        assert schedule.stop(town.runtime, scheduler)


@contextmanager
def elsewhere(town):
    """The database as another process reaches it."""
    engine = db.make_engine(town.settings.database_url)
    try:
        yield engine
    finally:
        engine.dispose()


def seconds_until(reached):
    began = time.monotonic()
    while not reached():
        assert time.monotonic() < began + SOON, "the worker was not woken"
        time.sleep(0.02)
    return time.monotonic() - began


def sent_to(town, name, kind="turn"):
    with db.reading(town.engine) as session:
        sent = select(Letter.id).where(Letter.kind == kind, Letter.recipient == f"{name}@example.org")
        return len(session.exec(sent.where(Letter.state == LetterState.SENT)).all())


def test_mailed_move_is_carried_out_and_told_within_a_second(town):
    number = town.match()
    answered = town.letter("ann")
    raw = town.compose("ann@example.org", reply_address(answered), "c3/f2=B", answering=answered)
    with working(town), elsewhere(town) as engine:
        before = sent_to(town, "bob")
        mailbox.store_message(engine, raw, reply_address(answered), "ann@example.org", now=town.time)
        seconds_until(lambda: town.moves(number) == ["c3/f2=B"])
        seconds_until(lambda: sent_to(town, "bob") == before + 1)


def test_letter_that_a_page_asks_for_leaves_within_a_second(town):
    with working(town):
        town.client().post("/sign-in", data={"who": "ann"})
        seconds_until(lambda: sent_to(town, "ann", "sign_in") == 1)


def test_all_mails_that_come_while_others_are_read_are_read_too(town):
    with working(town), elsewhere(town) as engine:
        for number in range(30):
            raw = town.compose("ann@example.org", "play@games.example", f"help {number}")
            mailbox.store_message(engine, raw, "play@games.example", "ann@example.org", now=town.time)
            time.sleep(0.02)
        seconds_until(lambda: not open_mails(town))


def open_mails(town):
    with db.reading(town.engine) as session:
        return session.exec(select(Inbound.id).where(Inbound.state == InboundState.NEW)).all()


@contextmanager
def heard(town, **settings):
    with closing(news.news_of(town.engine, replace(town.settings, **settings))) as found:
        found.wait(0.0)
        yield found


def test_nothing_is_news_when_nothing_is_written(town):
    with heard(town) as found:
        while found.wait(0.3):
            pass
        assert not found.wait(0.5)


def test_news_are_told_again_after_the_connection_was_lost(town):
    if town.engine.dialect.name == "sqlite":
        pytest.skip("a file has no connection that could be lost")
    with heard(town) as found:
        with town.engine.begin() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_backend_pid%'"
            assert connection.execute(text(others)).all()
        assert found.wait(5.0), "what was written meanwhile is not known"
        assert not found.wait(0.2)
        with town.engine.begin() as connection:
            news.notify(connection)
        assert found.wait(5.0)


class Pooler:
    """A pooler such as pgbouncer: it passes all on, but tells each client a process number of its own."""

    def __init__(self, url):
        self._url = make_url(url)
        self._server = socket.create_server(("127.0.0.1", 0))
        port = self._server.getsockname()[1]
        self.url = self._url.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.close()

    def _serve(self):
        with suppress(OSError):
            while True:
                client, _peer = self._server.accept()
                behind = socket.socket(socket.AF_UNIX)
                behind.connect(f"{self._url.query['host']}/.s.PGSQL.5432")
                for ends in ((client, behind), (behind, client)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source, target):
        with suppress(OSError), closing(target):
            while given := source.recv(65536):
                head = given.find(b"K\0\0\0\x0c")
                target.sendall(given if head < 0 else given[: head + 5] + b"\0\0\0\x01" + given[head + 9 :])


def test_worker_behind_a_pooler_looks_each_second_and_is_told_by_a_direct_address(town, caplog):
    if town.engine.dialect.name == "sqlite":
        pytest.skip("SQLite has no pooler")
    with Pooler(town.settings.database_url) as pooler:
        with heard(town, database_url=pooler.url) as found:
            assert found.wait(0.5) and "DATABASE_DIRECT_URL" in caplog.text
        with heard(town, database_url=pooler.url, database_direct_url=town.settings.database_url) as found:
            assert not found.wait(0.3)


class Quiet:
    """No news at all."""

    def wait(self, seconds):
        time.sleep(min(seconds, 0.02))
        return False

    def close(self):
        pass


def test_sweep_that_is_due_again_while_it_runs_runs_once_more_and_never_twice_at_once():
    running, most, runs, may_end = set(), [], [], threading.Event()

    def start(name):
        def run():
            running.add(threading.get_ident())
            most.append(len(running))
            assert may_end.wait(10)
            runs.append(name)
            running.discard(threading.get_ident())
            watch.ended(name)

        threading.Thread(target=run).start()

    looks = []
    watch = DueWatch(Quiet(), lambda run: (looks.append(1), run("mail") if len(looks) < 4 else None), start, 600.0)
    watch.begin()
    for _look in range(2):
        seconds_until(lambda: most)
        watch.wake()
        time.sleep(0.2)
    may_end.set()
    seconds_until(lambda: len(looks) >= 4 or len(runs) >= 2)
    watch.stop()
    assert max(most) == 1
    assert len(runs) >= 1
    assert len(looks) >= 4
