"""Several hosts, each with folders, ports and processes of its own, as docs/deploy.md sets them up: all is done once."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import smtplib
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from email import message_from_bytes
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest
from sqlmodel import func, select

from correspondence.core import db
from correspondence.mime.policy import READ
from correspondence.models import By, Inbound, InboundState, Letter, LetterState, Match, Move, loading
from tests.deployment import DEPLOY, commands_of, environment_of, settings_in, unit
from tests.ports import free_port
from tests.post import reply_address, text_of
from tests.standby import pair
from tests.test_commands_of_flask import ROOT, fetch

pytestmark = pytest.mark.thorough

DOMAIN = "club.example"
PROGRAMS = "/opt/correspondence/venv/bin/"
KEYS = ("secret_key", "signing_key", "signing_key.public", "push_key")

OF_WORKERS = {"worker1": {"ROBOTS": "no"}, "worker2": {"ROBOTS": "no"}, "robots": {"ROBOT_DELAY": "0"}}
"""What the guide changes on hosts without and with robots."""

HOSTS = ("web1", "web2", "mail1", "mail2", *OF_WORKERS)


class Host:
    """A machine: its folder, its settings, and the process of one unit that runs there."""

    def __init__(self, service, name):
        self.service, self.name, self.home = service, name, service.folder / name
        (self.home / "instance").mkdir(parents=True, mode=0o700)
        self.port, self.process = free_port(), None
        settings = settings_in((DEPLOY / "settings.env").read_text())
        del settings["DKIM_SELECTOR"], settings["DKIM_KEY_FILE"]
        settings |= {
            "BASE_URL": f"https://{DOMAIN}", "MAIL_DOMAIN": DOMAIN, "INSTANCE_DIR": str(self.home / "instance"),
            "DATABASE_URL": service.database_url, "HTTP_LISTEN": f"127.0.0.1:{self.port}", "MIGRATE": "no",
            "MAIL_LISTEN": f"smtp://127.0.0.1:{self.port}", "MAIL_FRONT": "", "MAIL_SEND": f"maildir:{service.folder / 'sent'}",
            "WORKER_INTERVAL": "0.2", "WEB_PROCESSES": "1", **OF_WORKERS.get(name, {}),
        }  # fmt: skip
        (self.home / ".env").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))

    @property
    def kind(self):
        """The unit that runs here."""
        return "web" if self.name.startswith("web") else "listen" if self.name.startswith("mail") else "worker@"

    def flask(self, *words):
        done = subprocess.run([sys.executable, "-m", "flask", *words], cwd=self.home, env=_environment(),
                              capture_output=True, text=True, timeout=120)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self):
        file = DEPLOY / "systemd" / f"correspondence-{self.kind}.service"
        [[program, *words]] = commands_of(file)
        words = [word.replace("/opt/correspondence/source", str(ROOT)) for word in words]
        assert unit(file)["Service"]["WorkingDirectory"] == "/etc/correspondence"  # here: the folder of the host
        words = [sys.executable, "-m", program.removeprefix(PROGRAMS), *words]
        given = _environment(**environment_of(file))
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(words, cwd=self.home, env=given, stdout=log, stderr=subprocess.STDOUT)

    def stop(self, number=signal.SIGTERM):
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(40)


def _environment(**more):
    kept = {name: text for name, text in os.environ.items() if name in ("PATH", "TMPDIR")}
    return {**kept, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **more}


class Service:
    """All hosts, and people who write to them and open their pages."""

    def __init__(self, folder, servers):
        self.folder, self.database_url, self.seen, self.desks = folder, servers.url_of_both(), set(), {}
        self.hosts = {name: Host(self, name) for name in HOSTS}
        self.engine = db.make_engine(self.database_url)

    def set_up(self):
        """What the guide says before the first start."""
        first, *others = self.hosts.values()
        first.flask("keys", "make")
        for host in others:
            for key in KEYS:
                shutil.copy2(first.home / "instance" / key, host.home / "instance" / key)
        first.flask("migrate")

    def start(self):
        for host in self.hosts.values():
            host.start()
        for name in ("mail1", "mail2"):
            self.until(lambda port=self.hosts[name].port: _answers(port), f"{name} does not listen")
        for name in ("web1", "web2"):
            fetch(f"http://127.0.0.1:{self.hosts[name].port}/health")

    def stop(self, number=signal.SIGTERM):
        for host in self.hosts.values():
            host.stop(number)

    def send(self, through, sender, to, words, number=0):
        """Write to one of the listeners; returns once it has said 250."""
        raw = (
            f"From: {sender}\nTo: {to}\nSubject: hello\nMessage-ID: <{sender}.{time.time_ns()}.{number}@x>\n\n{words}\n"
        )
        with smtplib.SMTP("127.0.0.1", self.hosts[through].port, "far.example", 20) as line:
            line.sendmail(sender, [to], raw)

    def letter(self, name, subject=""):
        """The next letter to somebody whose subject holds these words."""

        def new():
            folder = self.folder / "sent" / "new"
            for file in sorted(folder.iterdir()) if folder.exists() else ():
                letter = message_from_bytes(file.read_bytes(), policy=READ)
                if file not in self.seen and letter["To"] == f"{name}@example.org" and subject in letter["Subject"]:
                    self.seen.add(file)
                    return letter
            return None

        return self.until(new, f"no letter for {name}")

    def until(self, act, what, patience=90):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with suppress(OSError):
                if found := act():
                    return found
            time.sleep(0.1)
        logs = {name: (host.home / "log").read_text()[-1500:] for name, host in self.hosts.items()}
        raise AssertionError(f"{what}: {json.dumps(logs, indent=1)}")

    def count(self, *where, of=Inbound):
        with db.reading(self.engine) as session:
            return session.exec(select(func.count()).select_from(of).where(*where)).one()

    def turn(self, number):
        """Who is to move in a game, and a move that they can make; None once it is over."""
        with db.reading(self.engine) as session:
            match = session.get(Match, number)
            position = loading.position_of(match)
            if match.ended_at is not None or not position.to_act:
                return None
            seat = position.to_act[0]
            [person] = loading.persons_of(session, [loading.players_of(session, number)[seat]])
            return person.handle, position.write(seat, next(iter(position.legal_moves(seat)))), match.ply


def _answers(port):
    with smtplib.SMTP("127.0.0.1", port, "far.example", 5) as line:
        return line.noop()[0] == 250


@pytest.fixture
def servers():
    with pair() as both:
        both.synchronise()
        yield both


@pytest.fixture
def service(tmp_path, servers):
    service = Service(tmp_path, servers)
    try:
        service.set_up()
        service.start()
        yield service
    finally:
        service.stop(signal.SIGKILL)
        service.engine.dispose()


def joined(service):
    """ann and bob join; each gets an address to which they can write commands."""
    for name, through in (("ann", "mail1"), ("bob", "mail2")):
        service.send(through, f"{name}@example.org", f"play@{DOMAIN}", f"join {name}")
        question = service.letter(name)
        service.send(through, f"{name}@example.org", reply_address(question), "yes")
        welcome = service.letter(name)
        assert f"Welcome, {name}!" in text_of(welcome)
        service.desks[name] = reply_address(welcome)


def begun(service):
    service.send("mail1", "ann@example.org", service.desks["ann"], "challenge bob duel 3 days")
    service.send("mail2", "bob@example.org", reply_address(service.letter("bob", "challenge")), "accept")
    service.until(lambda: service.count(of=Match) == 1, "the game has not begun")


def test_seven_hosts_and_a_failover_lose_and_double_nothing(service, servers):
    joined(service)
    begun(service)
    for ply in range(4):
        name, move, _ply = service.turn(1)
        letter = service.letter(name, "[Game 1 vs")
        service.send(f"mail{ply % 2 + 1}", f"{name}@example.org", reply_address(letter), move)
        service.until(lambda before=ply: service.turn(1)[2] > before, "the move was not played")
    _browse(service)
    _robot_plays(service)
    acknowledged = _send_until_the_primary_dies(service, servers)
    print(f"{acknowledged} messages were told 250 before the primary died")
    service.stop()
    assert service.count() >= acknowledged  # 250 meant kept
    service.hosts["web1"].flask("epoch", "new", "--nothing-lost")
    service.start()
    service.until(lambda: not service.count(Inbound.state == InboundState.NEW), "mail was not read after the failover")
    name, move, ply = service.turn(1)
    service.send("mail2", f"{name}@example.org", service.desks[name], f"game 1: {move}")
    service.until(lambda: service.turn(1)[2] > ply, "no move is played after the failover")
    assert service.count(Inbound.state == InboundState.DEAD) == 0
    with db.reading(service.engine) as session:
        keys = session.exec(select(Letter.key).where(Letter.state == LetterState.SENT)).all()
        plies = session.exec(select(Move.ply).where(Move.match_id == 1)).all()
    assert len(set(keys)) == len(keys) and sorted(plies) == list(range(1, service.turn(1)[2] + 1))


class Visitor:
    """A browser that takes its cookie from one web host to the other, as behind one address."""

    def __init__(self, service):
        self.service, self.cookie = service, ""

    def ask(self, host, path, **form):
        heads = {"Host": DOMAIN, "Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded",
                 "Origin": f"https://{DOMAIN}", "Sec-Fetch-Site": "same-origin"}  # fmt: skip
        body = urlencode(form) if form else None
        with closing(HTTPConnection("127.0.0.1", self.service.hosts[host].port, timeout=20)) as line:
            line.request("POST" if form else "GET", path, body, heads)
            answer = line.getresponse()
            page = answer.read().decode()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        return answer.status, page


def _browse(service):
    """Who is to move asks for a link at one web host, opens it at the other, and moves at the first."""
    visitor, (name, move, ply) = Visitor(service), service.turn(1)
    visitor.ask("web1", "/sign-in")
    assert visitor.ask("web1", "/sign-in", who=name)[0] in (200, 303)
    path = re.search(rf"https://{DOMAIN}(/\S+)", text_of(service.letter(name, "sign in")))[1]
    assert visitor.ask("web2", path)[0] == 200
    assert visitor.ask("web2", path, yes="yes")[0] == 303
    assert visitor.ask("web1", "/games/1")[0] == 200
    assert visitor.ask("web1", "/games/1/move", move=move, ply=str(ply), takebacks="0", confirmed="yes")[0] == 303
    assert service.turn(1)[2] > ply


def _robot_plays(service):
    """A robot, for which the host of the robots alone thinks, answers a move of ann."""
    service.send("mail2", "ann@example.org", service.desks["ann"], "challenge robot 1 to duel")
    service.until(lambda: service.count(of=Match) == 2, "no game with a robot began")
    name, move, _ply = service.turn(2)
    if name == "ann":
        service.send("mail1", "ann@example.org", service.desks["ann"], f"game 2: {move}")
    service.until(lambda: service.count(Move.match_id == 2, Move.by == By.ROBOT, of=Move), "the robot does not move")


def _send_until_the_primary_dies(service, servers):
    """Strangers write to both listeners while the primary is killed; returns how many were told 250."""
    kept, stopped = [], threading.Event()

    def write(through, number):
        while not stopped.is_set():
            with suppress(OSError, smtplib.SMTPException):
                service.send(through, f"s{number}@d{number}.example", f"play@{DOMAIN}", "hello", len(kept))
                kept.append(through)

    threads = [threading.Thread(target=write, args=(f"mail{at % 2 + 1}", at)) for at in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    servers.fail_over()
    time.sleep(1)
    stopped.set()
    for thread in threads:
        thread.join()
    assert len(set(kept)) == 2
    return len(kept)
