"""Members who play: whoever gets a letter of a game looks whether it is their turn, and answers by mail or on the page."""

from __future__ import annotations

import heapq
import itertools
import logging
import random
import re
import smtplib
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import getaddresses
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bench.soak.population import Member
from bench.soak.relay import message_id
from correspondence.core import db
from correspondence.models import Match
from correspondence.models.loading import players_of, position_of

THREADS, TIMEOUT = 6, 30
"""How many members act at the same moment, and how many seconds they wait for an answer."""

PAUSE = 2.0
"""How many seconds later what failed is tried again."""

BY_PAGE = 3
"""One member in so many plays on the page, the others by mail."""

_IDS = re.compile(r"g(\d+)\.p(\d+)\.u(\d+)\.")
"""What the Message-ID of a letter of a game begins with: game, moves played, reader."""

_FORM = re.compile(
    r'<input type="hidden" name="ply" value="(\d+)">'
    r'<input type="hidden" name="takebacks" value="(\d+)"'
)

Seat = tuple[int, int]
"""A game and a seat."""


@dataclass
class Task:
    """A member looks at a game, because of a letter that tells `ply` moves; `raw` is the answer that is on its way."""

    match: int
    ply: int
    member: Member
    letter: EmailMessage
    raw: bytes = b""
    turn: tuple[int, int, str] = (0, 0, "")
    text: str = ""


@dataclass
class Ledger:
    """What members have done: `played` was acknowledged by the service, `unsure` is what it may have taken."""

    played: dict[Seat, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    unsure: dict[Seat, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    ways: Counter[str] = field(default_factory=Counter)
    """How often each thing happened, by name."""
    kept: set[str] = field(default_factory=set)
    """The Message-IDs of mails that the service has taken."""


class Players:
    """Threads in which members act, who answer a letter within `thought` seconds.

    `stop` ends them; what was begun is finished before.
    """

    def __init__(
        self, engine: Engine, members: dict[int, Member], ports: dict[str, int], seed: int, thought: float
    ) -> None:
        self._engine, self._members = engine, members
        self._ports, self._rng, self._thought = ports, random.Random(seed), thought
        self._waiting: list[tuple[float, int, Task]] = []
        self._numbers, self._lock, self._stopped = itertools.count(), threading.Lock(), threading.Event()
        self._answered: set[tuple[int, int, str]] = set()
        self.ledger = Ledger()
        self._threads = [threading.Thread(target=self._live, daemon=True) for _thread in range(THREADS)]

    def start(self) -> None:
        """Begin to act."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Begin nothing further."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def deliver(self, letter: EmailMessage) -> None:
        """A letter has come; letters that are about no game are left alone."""
        found = _IDS.match(str(letter["Message-ID"]).strip("<> "))
        member = self._members.get(int(found[3])) if found else None
        if found and member is not None and member.is_awake:
            self._put(Task(int(found[1]), int(found[2]), member, letter), self._rng.uniform(0, self._thought))

    def _put(self, task: Task, wait: float) -> None:
        with self._lock:
            heapq.heappush(self._waiting, (time.monotonic() + wait, next(self._numbers), task))

    def _next(self) -> Task | None:
        with self._lock:
            is_due = bool(self._waiting) and self._waiting[0][0] <= time.monotonic()
            return heapq.heappop(self._waiting)[2] if is_due else None

    def _live(self) -> None:
        while not self._stopped.is_set():
            task = self._next()
            if task is None:
                self._stopped.wait(0.05)
            else:
                self._act(task)

    def _act(self, task: Task) -> None:
        try:
            is_done = self._send(task) if task.raw else self._look(task)
        except (OSError, HTTPException, smtplib.SMTPException, SQLAlchemyError) as error:
            self.ledger.ways[f"to be tried again: {type(error).__name__}"] += 1
            is_done = False
        except Exception:
            logging.getLogger(__name__).exception("a member could not act")
            self.ledger.ways["could not act"] += 1
            is_done = True
        if not is_done:
            self._put(task, PAUSE)

    def _look(self, task: Task) -> bool:
        """Choose a move if it is the member's turn and they have not answered it yet; returns whether all is done."""
        if not self._choose(task):
            return True
        if task.member.number % BY_PAGE == 0:
            return self._play_on_page(task)
        with self._lock:
            if task.turn in self._answered:
                return True
            self._answered.add(task.turn)
        task.raw = self._reply(task)
        return self._send(task)

    def _choose(self, task: Task) -> bool:
        with db.reading(self._engine) as session:
            match = session.get_one(Match, task.match)
            player = next(p for p in players_of(session, task.match) if p.person_id == task.member.number)
            position = position_of(match)
            if match.ended_at is not None or player.since is None or player.seat not in position.to_act:
                return False
            task.turn = task.match, player.seat, str(player.since)
            if task.turn in self._answered or task.ply < player.turn_ply:  # a letter of this turn is still to come
                return False
            move = position.random_move(player.seat, self._rng)
            task.text = position.view(player.seat).write(player.seat, move)
            return True

    # -- by mail ---------------------------------------------------------------------------

    def _reply(self, task: Task) -> bytes:
        letter, reply = task.letter, EmailMessage()
        [(_name, to)] = getaddresses([str(letter["Reply-To"])])
        reply["From"], reply["To"], reply["Subject"] = task.member.mail, to, f"Re: {letter['Subject']}"
        reply["Message-ID"] = f"<{task.match}.{next(self._numbers)}.{self._rng.getrandbits(40)}@example.org>"
        reply["In-Reply-To"] = str(letter["Message-ID"])
        body = letter.get_body(("plain",))
        quoted = "\n".join(f"> {line}" for line in (body.get_content() if body is not None else "").splitlines())
        reply.set_content(f"{task.text}\n\nOn a day somebody <{to}> wrote:\n{quoted}\n")
        return reply.as_bytes()

    def _send(self, task: Task) -> bool:
        """Give the reply to the service, as a mail server would that tries again until it hears 250."""
        [(_name, to)] = getaddresses([_header(task.raw, b"To")])
        try:
            with smtplib.SMTP("127.0.0.1", self._ports["mail"], "soak.example", timeout=TIMEOUT) as client:
                client.sendmail(task.member.mail, [to], task.raw)
        except smtplib.SMTPRecipientsRefused as error:
            code = next(iter(error.recipients.values()))[0]
            self.ledger.ways[f"mail refused with {code}"] += 1
            return code >= 500
        with self._lock:
            self.ledger.played[task.turn[:2]][task.text] += 1
            self.ledger.kept.add(message_id(task.raw))
            self.ledger.ways["moves by mail"] += 1
        return True

    # -- on the page -----------------------------------------------------------------------

    def _play_on_page(self, task: Task) -> bool:
        page = self._ask("GET", task, f"/games/{task.match}")[1]
        form = _FORM.search(page)
        if form is None:
            return False
        words = {"ply": form[1], "takebacks": form[2], "move": task.text, "confirmed": "1"}
        try:
            status, _page = self._ask("POST", task, f"/games/{task.match}/move", urlencode(words))
        except (OSError, HTTPException):
            status = 500
        self.ledger.ways[f"page answered {status}"] += 1
        with self._lock:
            if status == 303:
                self._answered.add(task.turn)
            (self.ledger.played if status == 303 else self.ledger.unsure)[task.turn[:2]][task.text] += 1
        return status == 303

    def _ask(self, method: str, task: Task, path: str, body: str | None = None) -> tuple[int, str]:
        number = task.member.number
        headers = {
            "Cookie": task.member.cookie,
            "X-Forwarded-For": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}",
        }
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Sec-Fetch-Site"] = "same-origin"
        connection = HTTPConnection("127.0.0.1", self._ports["web"], timeout=TIMEOUT)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            connection.close()


def _header(raw: bytes, name: bytes) -> str:
    found = re.search(rb"^" + name + rb":\s*(\S+)", raw, re.M)
    return found[1].decode() if found else ""
