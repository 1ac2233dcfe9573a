"""The whole service as docs/deploy.md sets it up: the units' own command lines behind postfix, nginx and PostgreSQL."""

from __future__ import annotations

import json
import os
import shutil
import signal
import smtplib
import subprocess
import sys
import tarfile
import urllib.request
from contextlib import contextmanager

import pytest

from correspondence.core import db
from correspondence.models import Match
from tests.deployment import DEPLOY, DOMAIN, ROOT, commands_of, environment_of, postfix_settings
from tests.mta import servers
from tests.ports import free_port
from tests.post import text_of
from tests.tables import empty_database
from tests.test_commands_of_flask import fetch
from tests.test_deployment_files import nginx_command
from tests.test_real_mail import Street, play_by_mail

pytestmark = pytest.mark.deployment

CLUB = "club.example"
STRANGER = "127.0.0.9"
"""An address of this machine that postfix does not know as its own network."""

PROGRAMS = "/opt/correspondence/venv/bin/"


class Club(Street):
    """The mail servers of the club and of its members, and where the pages are; real workers do what is due."""

    def __init__(self, mta, engine, pages):
        self.mta, self.engine, self.pages, self.town = mta, engine, pages, self
        self.seen: set[str] = set()

    def round(self):
        pass

    def stand(self, number):
        with db.reading(self.engine) as session:
            return session.get(Match, number)

    def page(self, path):
        request = urllib.request.Request(f"http://127.0.0.1:{self.pages}{path}", headers={"Host": CLUB})
        return fetch(request)

    def refused(self, recipient):
        """What postfix answers at once to a stranger who writes to somebody."""
        with smtplib.SMTP("127.0.0.1", self.mta.smtp, "far.example", 20, (STRANGER, 0)) as client:
            client.mail("somebody@far.example")
            return client.rcpt(recipient)


def unit(name):
    return DEPLOY / "systemd" / f"correspondence-{name}.service"


def here(word, folders):
    """A word of a command line, with the folders of the guide as they are in this test."""
    for place, other in folders.items():
        word = word.replace(place, str(other))
    return word


def started(folders, name):
    """A unit's process, as its file says."""
    [words] = commands_of(unit(name))
    return begun(python(words, folders), folders, **environment_of(unit(name)))


def python(words, folders):
    """A command line whose program of the guide's environment is that of this one."""
    if words[0].startswith(PROGRAMS):
        words = [sys.executable, "-m", words[0].removeprefix(PROGRAMS), *words[1:]]
    return [here(word, folders) for word in words]


def begun(words, folders, **more):
    home = folders["/etc/correspondence"]
    with open(home / "log", "a") as log:
        return subprocess.Popen(words, cwd=home, env=surroundings(**more), stdout=log, stderr=subprocess.STDOUT)


@contextmanager
def together(processes, folders):
    """What runs within the block, and is told at its end, all at once, to stop."""
    try:
        yield
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        log = folders["/etc/correspondence"] / "log"
        assert [process.wait(30) for process in processes] == [0] * len(processes), log.read_text()[-3000:]


def surroundings(**more):
    """The environment of a unit: what finds the code and leaves out the sample games; settings come from `.env`."""
    kept = {name: text for name, text in os.environ.items() if name in ("PATH", "TMPDIR") or name.startswith("COV")}
    return {**kept, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "FEATURES": "-samples", **more}


def once(name, folders):
    """Run the command lines of a unit that ends by itself."""
    for words in commands_of(unit(name)):
        words = [here(word, folders) for word in words]
        home = folders["/etc/correspondence"]
        done = subprocess.run(words, cwd=home, env=surroundings(), capture_output=True, text=True, umask=0o077)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def folders(tmp_path):
    """The folders of the guide, each as it is here."""
    places = {
        f"/{path}/correspondence": tmp_path / path.replace("/", "-") for path in ("etc", "var/lib", "var/backups")
    }
    for folder in (*places.values(), tmp_path / "programs"):
        folder.mkdir(mode=0o700)
    flask = tmp_path / "programs" / "flask"
    flask.write_text(f'#!/bin/sh\nexec {sys.executable} -m flask "$@"\n')
    flask.chmod(0o755)
    return {**places, "/opt/correspondence/source": ROOT, PROGRAMS: f"{tmp_path / 'programs'}/"}


@pytest.fixture
def club(tmp_path, folders, postgres_url):
    for program in ("nginx", "openssl"):
        if shutil.which(program, path="/usr/sbin:/usr/bin") is None:
            pytest.skip(f"{program} is not installed here (Debian: apt-get install nginx-light openssl)")
    database = empty_database(postgres_url)
    lmtp, web, pages = free_port(), free_port(), free_port()
    given = [*postfix_settings(CLUB, p2424=lmtp), "mynetworks = 127.0.0.1/32"]
    with servers(lmtp, *given) as mta:
        write_settings(folders, {"5000": web, "2424": lmtp, ":25\n": f":{mta.smtp}\n"}, database)
        once("migrate", folders)
        (tmp_path / "nginx").mkdir()
        proxy = begun(nginx_command(tmp_path / "nginx", pages, web), folders)
        engine = db.make_engine(database)
        with together([proxy, *(started(folders, name) for name in ("listen", "worker@", "web"))], folders):
            yield Club(mta, engine, pages)
        engine.dispose()


def write_settings(folders, ports, database):
    """The sample of settings as `.env`, with this test's ports and folders; its own settings spare processors."""
    home = folders["/etc/correspondence"]
    text = (DEPLOY / "settings.env").read_text().replace(DOMAIN, CLUB)
    for place, other in {**ports, "postgresql+psycopg:///correspondence": database, **folders}.items():
        text = text.replace(place, str(other))
    (home / ".env").write_text(
        f"{text}\nROBOTS=no\nWORKER_INTERVAL=0.2\nWEB_PROCESSES=1\n".replace("WEB_PROCESSES=2\n", "")
    )
    (home / ".env").chmod(0o600)
    subprocess.run(["openssl", "genrsa", "-out", home / "dkim.pem", "2048"], check=True, capture_output=True)


def test_a_club_plays_by_mail_and_on_pages_through_what_the_guide_installs(club, folders):
    for name in ("ann", "bob"):
        club.send(f"{name}@example.org", f"play@{CLUB}", f"join {name}")
        club.answer(club.letter(name), "yes")
        welcome = club.letter(name)
        assert f"Welcome, {name}!" in text_of(welcome) and "DKIM-Signature" in welcome
    club.send("ann@example.org", f"play@{CLUB}", "challenge bob duel 3 days")
    club.answer(club.letter("ann"), "yes")
    club.answer(club.letter("bob"), "accept")
    club.letter("ann")
    play_by_mail(club, 1, moves=2)
    assert "ann" in club.page("/games/1") and json.loads(club.page("/health/ready"))["status"] == "ready"
    assert club.refused(f"nobody@{CLUB}")[0] == 550 and club.refused(f"play@{CLUB}")[0] == 250
    assert club.refused("ann@example.org")[0] == 554  # which would make an open relay of it
    club.mta.mail_locally("root", "Subject: cron\n\nthe disk is nearly full\n")
    assert "the disk is nearly full" in text_of(club.letter("olga")) and club.refused(f"root@{CLUB}")[0] == 554
    doctor = python([f"{PROGRAMS}flask", "doctor"], folders)
    report = subprocess.run(
        doctor, cwd=folders["/etc/correspondence"], env=surroundings(), capture_output=True, text=True
    )
    assert [line for line in report.stdout.splitlines() if line.startswith("FAIL") and "nearly full" not in line] == []
    once("backup", folders)
    [file] = folders["/var/backups/correspondence"].iterdir()
    with tarfile.open(file) as archive:
        assert {"correspondence.sql", "secret_key", "signing_key"} <= set(archive.getnames())
