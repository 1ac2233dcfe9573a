"""Who is missing is said within a minute, and no clock runs while mail has no way in: with real processes that are killed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from datetime import timedelta

import pytest
from sqlmodel import col, select

from correspondence.clocks import outages, processes, turns
from correspondence.core import db
from correspondence.core.runtime import utc_now
from correspondence.models import Match, Outage
from correspondence.models.loading import players_of
from correspondence.queries import metrics, readiness
from tests.imap import Mailbox
from tests.incoming import addressed
from tests.ports import free_port
from tests.quick_beats import quicken
from tests.sizes import more
from tests.test_commands_of_flask import ROOT, environment
from tests.world import World

GAMES = 20


class Club(World):
    """A service whose processes really run; they are killed and started again here."""

    def begin_processes(self, quickness):
        self.quickness, self.running = quickness, ExitStack()
        self.seconds = outages.LOST.total_seconds() + 15 / quickness + 2
        """Within which what is missing is said: a minute, but for how much faster all goes here."""

    def process(self, *words, **settings):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.quick_beats", *words],
            cwd=ROOT,
            env=environment(
                self.settings.instance, SECRET_KEY=self.settings.secret_key, QUICKNESS=str(self.quickness),
                ROBOTS="no", WORKER_INTERVAL="0.2", **settings,
            ),
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        self.running.callback(lambda: end(process, signal.SIGKILL))
        return process

    def problems(self):
        with db.reading(self.engine) as session:
            return list(readiness.work_problems(session, self.settings, now=utc_now()))

    def say(self, *words, within=60.0):
        """The problems, once they name all of these in their order, and nothing else."""
        until(lambda: [word in one for word, one in zip(words, self.problems(), strict=False)] == [True] * len(words)
              and len(self.problems()) == len(words), within, self.problems)  # fmt: skip


def end(process, number):
    process.send_signal(number)
    process.wait(30)


def until(is_so, seconds=60.0, tell=lambda: ""):
    last = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < last, tell()
        time.sleep(0.05)


@pytest.fixture(params=[10, more(1)])
def club(request, tmp_path):
    """Where heartbeats are ten times as fast; in the thorough part as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outages, "BEAT", outages.BEAT)
        patch.setattr(outages, "LOST", outages.LOST)
        quicken(request.param)
        club = Club(tmp_path)
        club.begin_processes(request.param)
        with club.running:
            yield club
        club.close()


def games_to_run_out(club):
    """Games, and what lets their time run out soon, while a way in that has gone is not missed yet."""
    club.time = utc_now() - timedelta(hours=1)
    club.join("ann", "bob")
    numbers = [club.match() for _game in range(GAMES)]
    for number in numbers:
        club.open(number)
    club.engine.dispose()
    return lambda: run_out(club, numbers, outages.LOST / 2)


def run_out(club, numbers, at):
    with db.transaction(club.engine) as session:
        for number in numbers:
            match = session.get_one(Match, number)
            for player in players_of(session, number):
                if player.since is not None:
                    player.bank, player.since = 3600, utc_now() + at - timedelta(hours=1)
            session.flush()
            turns.retime_match(session, match.id, now=utc_now())


def deadlines(club):
    with db.reading(club.engine) as session:
        return session.exec(select(Match.deadline).where(col(Match.ended_at).is_(None))).all()


def test_without_the_listener_no_game_ends_and_its_return_gives_the_time_back(club):
    place = f"smtp://127.0.0.1:{free_port()}"
    let_run_out = games_to_run_out(club)
    listener = club.process("listen", MAIL_LISTEN=place)
    workers = [club.process("worker") for _worker in range(3)]
    until(lambda: states(club) == {"listener": 1, "worker": 3})
    club.say()
    closed_at = utc_now()
    end(listener, signal.SIGKILL)
    let_run_out()
    for worker in workers[:2]:
        end(worker, signal.SIGKILL)
    club.say("The listener", "The worker", "The worker", "No mail could be received", within=club.seconds)
    assert figures(club)["processes_missing"] == {"worker": 2, "listener": 1, "fetcher": 0, "web": 0, "robots": 0}
    time.sleep(2)
    assert len(deadlines(club)) == GAMES
    club.process("listen", MAIL_LISTEN=place)
    until(lambda: min(deadlines(club)) > utc_now())
    gap = outage(club)
    assert abs(gap.begins_at - closed_at) <= 2 * outages.BEAT and gap.ends_at - closed_at >= outages.LOST
    club.say("The worker", "The worker")
    club.process("worker")
    club.say("The worker")
    until(lambda: not deadlines(club))  # the clock runs again, so in the end they are lost


class MailServer:
    """A mail server in front of the listener, as far as it greets."""

    def __init__(self, port):
        self.door = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._greet, daemon=True).start()

    def _greet(self):
        with suppress(OSError):
            while True:
                line, _address = self.door.accept()
                with line:
                    line.sendall(b"220 games.example ESMTP\r\n")

    def end(self):
        self.door.shutdown(socket.SHUT_RDWR)
        self.door.close()


def test_a_mail_server_in_front_that_is_gone_is_no_way_in(club):
    port, place = free_port(), f"smtp://127.0.0.1:{free_port()}"
    let_run_out, front = games_to_run_out(club), MailServer(port)
    club.process("listen", MAIL_LISTEN=place, MAIL_FRONT=f"smtp://127.0.0.1:{port}")
    club.process("worker", MAIL_LISTEN="")
    until(lambda: states(club) == {"listener": 1, "worker": 1})
    club.say()
    front.end()
    let_run_out()
    club.say("No mail could be received", within=club.seconds)
    time.sleep(2)
    assert len(deadlines(club)) == GAMES
    club.running.callback(MailServer(port).end)
    until(lambda: min(deadlines(club)) > utc_now())
    club.say()


def states(club):
    with db.reading(club.engine) as session:
        found = processes.known(session, now=utc_now())
        return {part: sum(one.part == part for one in found) for part in {one.part for one in found}}


def figures(club):
    with db.reading(club.engine) as session:
        return {one.name: one.by_label or one.value for one in metrics.measures(session, club.settings, now=utc_now())}


def outage(club):
    with db.reading(club.engine) as session:
        return session.exec(select(Outage)).one()


def test_a_mailbox_that_hangs_is_no_way_in(club):
    let_run_out = games_to_run_out(club)
    with Mailbox(idles=True) as box:
        club.process("worker", MAIL_FETCH=box.url)
        until(lambda: any("IDLE" in command for command in box.commands))
        club.say()
        box.is_silent = box.is_deaf = True
        let_run_out()
        club.say("The fetcher", "No mail could be received", within=club.seconds)
        time.sleep(1)
        assert len(deadlines(club)) == GAMES
        box.is_silent = box.is_deaf = False
        box.arrive(addressed("play@localhost"))
        club.say(within=150)
        until(lambda: min(deadlines(club)) > utc_now())
