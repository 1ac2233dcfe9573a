"""A service that is killed (SIGKILL) at a chosen step or time, and the outside world, which goes on.

A life is one run of a process with a mail listener and a worker. It counts its steps: each statement and commit,
before and after, each stored message, and each posted letter. It ends itself at a given step,
or a test kills it at a given time. The outside world is a client that sends again until it gets 250,
and a mail server that accepts what is posted.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import signal
import smtplib
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from email import message_from_bytes

from sqlalchemy import event
from sqlmodel import Session, col, select

from correspondence import transport
from correspondence.core import db
from correspondence.core.config import Settings
from correspondence.core.runtime import Runtime
from correspondence.inbound import mailbox
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.ops.reception import recipient_check, store_callback
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.ops.worker import sweep_mail
from correspondence.outbound import outbox
from correspondence.transport import listening, posting
from tests.post import reply_address
from tests.smtp import Inbox

__all__ = ["Trials", "killed_at", "killed_at_random", "nursery"]


def nursery():
    """A process from which lives are forked quickly, because it has already done what every life does."""
    place = multiprocessing.get_context("forkserver")
    place.set_forkserver_preload(["tests.mail_failures.warm_life"])
    return place


class Steps:
    """Counts steps, and kills this process at one of them."""

    def __init__(self, last):
        self.count, self._last, self._lock = 0, last, threading.Lock()

    def __call__(self, *_given, **_named):
        with self._lock:
            self.count += 1
            if self.count == self._last:
                os.kill(os.getpid(), signal.SIGKILL)


def _counted(act, step):
    def run(*given, **named):
        step()
        result = act(*given, **named)
        step()
        return result

    return run


def _watch(engine, step):
    for moment in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(engine, moment, step)
    event.listen(Session, "after_commit", step)
    for owner, name in (
        (posting.SmtpPost, "post"),
        (posting.SmtpPost, "_receipt"),
        (mailbox, "process_message"),
        (outbox, "_record"),
    ):
        setattr(owner, name, _counted(getattr(owner, name), step))
    stored = listening._Handler._store_for

    async def counted(*given):
        step()
        answer = await stored(*given)
        step()
        return answer

    listening._Handler._store_for = counted


def live(settings: Settings, start, last, pipe):
    """Run one life: receive mail, and run the sweeps on request, at the given time."""
    logging.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    clock, step = [start], Steps(last)
    engine = db.make_engine(settings.database_url)
    _watch(engine, step)
    runtime = Runtime(settings, engine, now=lambda: clock[0], rng=random.Random(5))
    listener = transport.listening.listen(settings, store_callback(runtime), recipient_check(runtime))
    pipe.send(listener.port)
    while (moment := pipe.recv()) is not None:
        clock[0] = moment
        sweep_mail(runtime)
        sweep_outbox(runtime, transport.open_post(settings))
        pipe.send(step.count)
    pipe.send(step.count)
    os._exit(0)


@dataclass
class Life:
    process: multiprocessing.process.BaseProcess
    pipe: multiprocessing.connection.Connection
    port: int = 0

    def answer(self):
        """Return its next answer; None if it is dead."""
        try:
            return self.pipe.recv() if self.pipe.poll(30) else None
        except (EOFError, OSError):
            return None

    def ask(self, word):
        try:
            self.pipe.send(word)
        except OSError:
            return None
        return self.answer()

    def end(self):
        _kill(self.process.pid)
        self.process.join()
        self.pipe.close()


def _kill(number):
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


class Trials:
    """A world whose service is killed and restarted; `outcomes` counts the results."""

    def __init__(self, town, place):
        self.town, self.place = town, place
        self.inbox = Inbox()
        self.inbox.__enter__()
        self.settings = replace(
            town.settings,
            mail_listen="smtp://127.0.0.1:0",
            mail_send=f"smtp://{self.inbox.host}:{self.inbox.port}",
        )
        self.outcomes: Counter[str] = Counter()
        town.join("ann", "bob", receipts=True)

    def close(self):
        self.inbox.__exit__()

    def _begin(self, last=0):
        ours, theirs = self.place.Pipe()
        process = self.place.Process(target=live, args=(self.settings, self.town.time, last, theirs), daemon=True)
        process.start()
        theirs.close()
        life = Life(process, ours)
        life.port = life.answer() or 0
        return life

    def one(self, *, last=0, after=None):
        """Send a move by mail while the service dies at step `last` or `after` seconds; return its steps.

        Raises AssertionError if anything was lost, done twice, or reported in two different letters.
        """
        self.inbox.envelopes.clear()
        number = self.town.match()
        letter = [one for one in self.town.letters("ann") if f"[Game {number} " in str(one["Subject"])][-1]
        raw = self.town.compose("ann@example.org", reply_address(letter), "c3/f2=B\nGood luck!", answering=letter)
        life = self._begin(last)
        killer = threading.Timer(after, _kill, (life.process.pid,)) if after is not None else None
        if killer is not None:
            killer.start()
        heard = self._mail(life, raw, reply_address(letter))
        steps = life.ask(self.town.time) if heard else None
        if killer is not None:
            killer.join()
        life.end()
        self.outcomes["died before 250" if not heard else "died after 250" if steps is None else "lived"] += 1
        self._recover(raw, reply_address(letter), heard)
        self._judge(number, raw)
        return steps

    def _mail(self, life, raw, to):
        try:
            with smtplib.SMTP("127.0.0.1", life.port, "test", timeout=20) as client:
                client.sendmail("ann@example.org", [to], raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True

    def _recover(self, raw, to, heard):
        """Send again until the client gets 250; run the sweeps of a new life, at once and after every lease."""
        life = self._begin()
        if not heard:
            assert self._mail(life, raw, to)
        for wait in (0, 3, 16, 16):
            self.town.time += timedelta(minutes=wait)
            assert life.ask(self.town.time) is not None
        life.ask(None)
        life.end()

    def _judge(self, number, raw):
        key = message_from_bytes(raw)["Message-ID"].strip("<>")
        with db.reading(self.town.engine) as session:
            kept = session.exec(select(Inbound).where(col(Inbound.message_key) == key)).all()
            letters = session.exec(select(Letter).where(col(Letter.match_id) == number)).all()
        assert self.town.moves(number) == ["c3/f2=B"]
        assert [(one.state, one.reason) for one in kept] == [(InboundState.DONE, "played")]
        due = [one for one in letters if one.key.startswith((f"turn:g{number}:n0:p1:", f"receipt:i{kept[0].id}"))]
        assert [one.kind for one in due] in (["turn"], ["turn", "receipt"], ["receipt", "turn"])
        assert all(one.state == LetterState.SENT for one in letters), [
            (one.kind, one.state, one.answer) for one in letters
        ]
        arrived = Counter(str(message_from_bytes(one.content)["Message-ID"]) for one in self.inbox.envelopes)
        assert set(arrived) == {f"<{one.message_id}@games.example>" for one in due}
        assert max(arrived.values()) <= 2
        self.outcomes["a letter came twice, under one Message-ID"] += max(arrived.values()) == 2


def killed_at(trials, moments):
    """Kill at each of these steps; return how many kills happened."""
    return sum(trials.one(last=step) is None for step in moments)


def killed_at_random(trials, count, rng):
    """Kill at `count` random times, within the duration of a whole life."""
    start = time.monotonic()
    trials.one()
    span = (time.monotonic() - start) / 2
    return sum(trials.one(after=rng.uniform(0, span)) is None for _ in range(count))
