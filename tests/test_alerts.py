"""The alert rules of deploy/alerts.yml: none fires in peace, each does once its thing is broken, and each says what to do."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from datetime import timedelta
from types import SimpleNamespace

import pytest

from correspondence.clocks import processes
from correspondence.core import db
from correspondence.inbound import mailbox
from correspondence.models import RobotTurn
from correspondence.ops import worker
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.queries import metrics
from correspondence.transport import PostError
from tests.alerts import fires, rules, scraped
from tests.deployment import ROOT
from tests.incoming import addressed
from tests.outgoing import ScriptedPost, letter
from tests.robots import robots_in
from tests.test_heartbeats import NOBODY, started
from tests.test_metrics import TOKEN
from tests.world import World

RUNBOOK = ROOT / "docs" / "operating.md"


@pytest.fixture
def club(tmp_path, monkeypatch):
    """A club whose disk has room, whose listener and worker live, and whose pages are served."""
    disk = SimpleNamespace(total=100, free=50)
    monkeypatch.setattr(metrics.shutil, "disk_usage", lambda _folder: disk)
    club = World(tmp_path, metrics_token=TOKEN, stranger_answers=2)
    club.disk, club.patch = disk, monkeypatch
    club.join("ann", "bob")
    deliver(club)
    go(club, minutes=0)
    club.app.config.update(TESTING=False, PROPAGATE_EXCEPTIONS=False)
    with club.serving() as club.address:
        yield club
    club.close()


def deliver(club, *answers):
    return sweep_outbox(club.runtime, ScriptedPost(*answers))


def go(club, **span):
    """Time passes while the listener and a worker live."""
    club.time += timedelta(**span)
    worker.sweep_clocks(club.runtime)
    started(club, processes.LISTENER, processes.WORKER, pid=NOBODY)


def scrape(club):
    request = urllib.request.Request(f"{club.address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return scraped(answer.read().decode())
    except urllib.error.URLError:
        return scraped(None)


# -- how each thing is broken ----------------------------------------------------------


def let_pages_end(club):
    club.address = "http://127.0.0.1:9"


def let_the_worker_die(club):
    go(club, minutes=0)
    club.time += timedelta(minutes=2)


def let_the_listener_die(club):
    for _beat in range(5):
        club.time += timedelta(seconds=20)
        worker.sweep_clocks(club.runtime)


def refuse_all_letters(club):
    with db.transaction(club.engine) as session:
        session.add(letter(due_at=club.time))
    deliver(club, PostError("550 5.7.1 Relaying denied", permanent=True, code=550, relay_down=True))


def refuse_letters_of_one_domain(club):
    with db.transaction(club.engine) as session:
        session.add(letter(due_at=club.time))
    deliver(club, PostError("550 5.7.1 Relaying denied", permanent=True, code=550))


def send_no_letters(club):
    with db.transaction(club.engine) as session:
        session.add(letter(due_at=club.time))
    go(club, minutes=16)


def refuse_recipients(club):
    with db.transaction(club.engine) as session:
        session.add_all(letter(f"p{number}@example.org", due_at=club.time, kind="sign-in") for number in range(6))
    deliver(club, *[PostError("550 5.1.1 No such user", permanent=True, code=550)] * 6)


def put(club, times=1, **headers):
    for number in range(times):
        raw = addressed("play@localhost", Message_ID=f"<{number}@example.org>", **headers).replace(b"ann@", b"eve@")
        mailbox.store_message(club.engine, raw, "play@localhost", "x@example.org", now=club.time)


def read_no_mail(club):
    put(club)
    go(club, minutes=16)


def read_a_mail_that_fails(club):
    def fail(*_more, **_given):
        raise ValueError("poison")

    club.patch.setattr(mailbox, "process_message", fail)
    put(club)
    for _try in range(3):
        mailbox.drain(club.engine, club.settings, now=club.time, rng=club.rng)
        club.time += timedelta(minutes=30)


def flood_with_spam(club):
    put(club, 101, X_Spam_Flag="YES")
    mailbox.drain(club.engine, club.settings, now=club.time, rng=club.rng)


def end_no_game(club):
    club.match("duel")
    club.time += timedelta(days=40)


def let_robots_fail(club):
    club.match("duel")
    robots_in(club).stop()
    with db.transaction(club.engine) as session:
        due = club.time - timedelta(minutes=20)
        session.add(RobotTurn(player_id=2, match_id=1, ply=0, takebacks=0, due_at=due, tries=3))


def let_a_page_fail(club):
    club.patch.setitem(club.app.view_functions, "home.help_page", lambda: 1 // 0)
    visit(club, "/help")


def visit(club, path):
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(club.address + path, timeout=10)


def take_the_database_away_for_a_while(club):
    club.engine.dispose()
    files = list(club.settings.instance.glob("correspondence.db*"))
    for file in files:
        file.rename(f"{file}.away")
    (place := club.settings.instance / "correspondence.db").mkdir()
    for _visit in range(11):
        visit(club, "/")
    place.rmdir()
    for file in files:
        file.with_name(f"{file.name}.away").rename(file)
    club.engine.dispose()


def fill_the_disk(club):
    club.disk.free = 9


BROKEN = {
    "PagesAway": let_pages_end,
    "ProcessMissing": let_the_listener_die,
    "NoWorker": let_the_worker_die,
    "MailClosed": let_the_listener_die,
    "LettersRefused": refuse_all_letters,
    "DomainRefuses": refuse_letters_of_one_domain,
    "LettersLate": send_no_letters,
    "LettersFail": refuse_recipients,
    "MessagesLate": read_no_mail,
    "MessagesSetAside": read_a_mail_that_fails,
    "StrangersFlood": flood_with_spam,
    "GamesLate": end_no_game,
    "RobotsLate": let_robots_fail,
    "RobotsFail": let_robots_fail,
    "PagesFail": let_a_page_fail,
    "DatabaseAway": take_the_database_away_for_a_while,
    "DiskNearlyFull": fill_the_disk,
}


@pytest.mark.parametrize("alert", BROKEN)
def test_an_alert_fires_once_its_thing_is_broken_and_not_before(club, alert):
    before = scrape(club)
    urllib.request.urlopen(f"{club.address}/", timeout=10).close()
    at_peace = scrape(club)
    assert [name for name, rule in rules().items() if fires(rule, before, at_peace)] == []
    BROKEN[alert](club)
    assert fires(rules()[alert], at_peace, scrape(club))


def test_every_alert_was_tried_and_leads_to_what_to_do():
    chapter = RUNBOOK.read_text().partition("## At three in the morning")[2].partition("\n## ")[0]
    headings = re.findall(r"^### (\w+)$", chapter, re.M)
    assert set(BROKEN) == set(rules()) == set(headings)
    for name, rule in rules().items():
        notes = rule["annotations"]
        assert notes["runbook"] == f"docs/operating.md#{name.lower()}" and notes["summary"].endswith(".")
