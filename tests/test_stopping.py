"""A process that is told to stop ends soon, between two letters or messages, whatever hangs; and who takes in mail then."""

from __future__ import annotations

import ctypes
import platform
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select

from correspondence import transport
from correspondence.core import db
from correspondence.core.config import SettingError, address_of
from correspondence.models import Letter, LetterState
from correspondence.ops import reception
from correspondence.ops.reception import Reception
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.ops.worker import sweep_mail
from tests.outgoing import ScriptedPost
from tests.ports import free_port
from tests.test_commands_of_flask import ROOT, environment
from tests.world import MAIL, World


@contextmanager
def silent_server():
    """A server that takes every connection and never says a word; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken, stopped = [], threading.Event()

        def take():
            while not stopped.is_set():
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return

        taker = threading.Thread(target=take, daemon=True)
        taker.start()
        yield server.getsockname()[1], taken
        stopped.set()
        for connection in taken:
            connection.close()


def queued(world):
    with db.reading(world.engine) as session:
        return [letter.state for letter in session.exec(select(Letter))].count(LetterState.QUEUED)


def test_a_worker_with_a_backlog_stops_after_the_letter_in_hand(tmp_path):
    world = World(tmp_path, **MAIL)
    world.join("ann", "bob", "cleo")
    before = queued(world)

    class Stopping(ScriptedPost):
        def post(self, sender, recipient, raw):
            world.runtime.stopping.set()
            return super().post(sender, recipient, raw)

    assert sweep_outbox(world.runtime, Stopping()) == 1
    assert queued(world) == before - 1 > 1
    assert sweep_outbox(world.runtime, ScriptedPost()) == 0, "none is begun any more"
    world.close()


def test_mail_that_waits_is_left_for_the_next_start(world):
    world.put(b"From: ann@example.org\r\n\r\nhelp\r\n", "play@localhost")
    world.runtime.stopping.set()
    assert sweep_mail(world.runtime) == 0
    world.runtime.stopping.clear()
    assert sweep_mail(world.runtime) == 1


def test_sigterm_ends_a_worker_though_its_servers_of_mail_hang(tmp_path):
    world = World(tmp_path, **MAIL)
    world.join("ann")
    world.engine.dispose()
    with silent_server() as (port, taken):
        env = environment(
            tmp_path, SECRET_KEY=world.settings.secret_key, MAIL_SEND=f"smtp://127.0.0.1:{port}",
            MAIL_FETCH=f"imap://ann:secret@127.0.0.1:{port}/INBOX", WORKER_INTERVAL="0.1",
        )  # fmt: skip
        worker = subprocess.Popen(
            [sys.executable, "-m", "flask", "worker"],
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        until(lambda: len(taken) >= 2)
        worker.send_signal(signal.SIGTERM)
        output = worker.communicate(timeout=25)[0].decode()  # a conversation that hangs would take 30 seconds and more
    assert worker.returncode == 0
    assert "Stopped; nothing is lost" in output
    assert "Traceback" not in output
    world.close()


# -- who takes in mail -----------------------------------------------------------------


@pytest.fixture
def town(tmp_path):
    world = World(tmp_path)
    listening = replace(world.settings, mail_listen=f"smtp://127.0.0.1:{free_port()}")
    yield replace(world.runtime, settings=listening)
    world.close()


def test_of_two_workers_one_takes_in_mail_and_the_other_when_it_has_ended(town, monkeypatch):
    monkeypatch.setattr(reception, "STAND_BY", 0.02)
    port = address_of(town.settings.mail_listen)[1]
    first, second = Reception(town, stands_by=True), Reception(town, stands_by=True)
    assert first.is_up()
    assert second.is_up()
    assert transport.is_ours("127.0.0.1", port)
    first.stop()
    assert not first.is_up()
    until(lambda: transport.is_ours("127.0.0.1", port))
    second.stop()
    assert not transport.is_listening("127.0.0.1", port) and not second.is_up()


def test_one_who_stands_by_can_stop_before_its_turn_comes(town):
    first, second = Reception(town, stands_by=True), Reception(town, stands_by=True)
    second.stop()
    assert not second.is_up() and first.is_up()
    first.stop()


def test_a_port_that_a_stranger_holds_is_a_sentence_and_no_waiting(town):
    with silent_server() as (port, _taken):
        taken = replace(town, settings=replace(town.settings, mail_listen=f"smtp://127.0.0.1:{port}"))
        with pytest.raises(SettingError, match="cannot be opened: Address already in use"):
            Reception(taken, stands_by=True)


def test_the_listener_alone_does_not_stand_by(town):
    first = Reception(town, stands_by=True)
    with pytest.raises(SettingError, match="cannot be opened"):
        Reception(town, stands_by=False)
    first.stop()


def until(is_so):
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


TGKILL = 234
"""The number of the system call tgkill(2) on x86-64, which signals one thread of a process."""


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="system calls have other numbers here"
)
def test_signal_that_reaches_another_thread_stops_the_process(tmp_path):
    env = environment(tmp_path, MAIL_LISTEN=f"smtp://127.0.0.1:{free_port()}")
    process = subprocess.Popen(
        [sys.executable, "-m", "flask", "listen"], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert b"Mail is received" in process.stdout.readline()
    time.sleep(0.5)
    others = [int(task.name) for task in Path(f"/proc/{process.pid}/task").iterdir() if int(task.name) != process.pid]
    ctypes.CDLL(None).syscall(TGKILL, process.pid, others[0], int(signal.SIGTERM))
    try:
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.communicate()
