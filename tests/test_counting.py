"""What happens is counted once it is done, whichever process did it, and names nobody."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client.parser import text_string_to_metric_families as families
from sqlmodel import select

from correspondence.clocks import processes
from correspondence.core import counting, db
from correspondence.core.runtime import utc_now
from correspondence.models import Counted, Scope
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.outbound import suppressions
from correspondence.play import matches
from correspondence.transport import PostError
from tests.outgoing import ScriptedPost, letter
from tests.ports import free_port
from tests.tables import fresh_database
from tests.test_commands_of_flask import ROOT, environment, fetch
from tests.test_metrics import TOKEN, metrics_of
from tests.world import mail_world


@pytest.fixture
def club(tmp_path, request):
    on_a_server = getattr(request, "param", "sqlite") == "postgresql"
    url = fresh_database(request.getfixturevalue("postgres_url")) if on_a_server else ""
    club = mail_world(tmp_path, metrics_token=TOKEN, database_url=url)
    club.join("ann", "bob")
    yield club
    club.close()


def counters(club):
    samples = [one for family in families(metrics_of(club).text) for one in family.samples]
    return {(one.name.removeprefix("correspondence_"), *sorted(one.labels.values())): one.value for one in samples}


def send(club, *answers):
    with db.transaction(club.engine) as session:
        session.add(letter(kind="talk", due_at=club.time))
    sweep_outbox(club.runtime, ScriptedPost(*answers))


def mail(club, words, **headers):
    club.put(club.compose("eve@far.example", "play@games.example", words, **headers), "play@games.example")
    club.sweep()


def move(club):
    club.play(club.match(), "ann", "c3/f2=B")


def move_by_mail(club):
    club.match()
    club.answer(club.letter("ann"), "c3/f2=B")
    club.sweep()


def suppress(club):
    with db.transaction(club.engine) as session:
        for _time in range(2):
            suppressions.suppress(session, "eve@far.example", Scope.ALL, "bounced", now=club.time)


REFUSED = PostError("550 5.1.1 No such user", permanent=True, code=550)
LATER = PostError("451 4.2.1 Later", code=451)

COUNTED = {
    "a move on the page": (move, ("moves_total", "web")),
    "a move by mail": (move_by_mail, ("moves_total", "mail")),
    "a mail that is answered": (lambda club: mail(club, "help"), ("messages_total", "done")),
    "spam": (lambda club: mail(club, "help", X_Spam_Flag="YES"), ("messages_total", "dropped")),
    "a letter that left": (send, ("letters_total", "sent", "talk")),
    "a letter that was refused": (lambda club: send(club, REFUSED), ("letters_total", "failed", "talk")),
    "a letter for later": (lambda club: send(club, LATER), ("letters_total", "deferred", "talk")),
    "an address that gets no letters": (suppress, ("suppressions_total", "all")),
    "a page": (lambda club: club.client().get("/"), ("page_seconds_count", "200")),
    "a page that there is not": (lambda club: club.client().get("/nothing"), ("page_seconds_count", "404")),
}


@pytest.mark.parametrize("what", COUNTED)
def test_what_happens_is_counted_once(club, what):
    act, counter = COUNTED[what]
    counter = (counter[0], *sorted(counter[1:]))
    before = counters(club).get(counter, 0)
    act(club)
    assert counters(club)[counter] == before + 1


def test_what_is_undone_is_not_counted(club):
    number = club.match()
    with pytest.raises(RuntimeError), db.transaction(club.engine) as session:
        matches.make_move(session, club.player(session, number, "ann"), "c3/f2=B", now=club.time, by="web")
        raise RuntimeError
    with db.transaction(club.engine) as session:
        with pytest.raises(RuntimeError), session.begin_nested():
            counting.count(session, "moves", "web")
            raise RuntimeError
        with session.begin_nested():
            counting.count(session, "moves", "mail")
    assert counters(club)["moves_total", "web"] == 0 and counters(club)["moves_total", "mail"] == 1


@pytest.mark.parametrize("club", ["sqlite", "postgresql"], indirect=True)
def test_counts_of_all_processes_add_up(club):
    engines = [db.make_engine(club.settings.database_url) for _process in range(4)]

    def work(engine):
        for _time in range(25):
            counting.count_now(engine, "moves", "web")
            counting.count_now(engine, "moves", "mail")
            counting.keep(engine, club.settings)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, engines))
    assert counters(club)["moves_total", "web"] == 100 == counters(club)["moves_total", "mail"]
    for engine in engines:
        engine.dispose()


def test_pages_are_counted_by_their_time(club):
    for _visit in range(3):
        club.client().get("/")
    found = {one.labels["le"]: one.value for family in families(metrics_of(club).text) for one in family.samples
             if one.name == "correspondence_page_seconds_bucket" and one.labels["status"] == "200"}  # fmt: skip
    assert list(found.values()) == sorted(found.values()) and found["+Inf"] == 3 == found["10.0"]


def test_nothing_is_kept_where_nobody_asks(town):
    town.client().get("/")
    counting.keep(town.engine, town.settings)
    with db.reading(town.engine) as session:
        assert session.exec(select(Counted)).all() == []


def test_two_processes_of_pages_count_every_page_and_are_not_missed(tmp_path):
    port, env = free_port(), {"WEB_PROCESSES": "2", "METRICS_TOKEN": TOKEN}
    env = environment(tmp_path, HTTP_LISTEN=f"127.0.0.1:{port}", BASE_URL=f"http://127.0.0.1:{port}", **env)
    words = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "correspondence.wsgi:app"]
    server = subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    engine = db.make_engine(f"sqlite:///{tmp_path}/correspondence.db")
    try:
        json.loads(fetch(f"http://127.0.0.1:{port}/health"))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _n: urllib.request.urlopen(f"http://127.0.0.1:{port}/help", timeout=30), range(40)))
        with db.reading(engine) as session:
            assert [one.part for one in processes.known(session, now=utc_now())] == ["web", "web"]
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
    with db.reading(engine) as session:
        kept = counting.kept(session)
        assert sum(number for (name, _labels), number in kept.items() if name == "pages") == 40
        assert processes.known(session, now=utc_now()) == []
    engine.dispose()
