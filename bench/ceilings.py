"""What real processes do together: `python -m bench.ceilings [--database KIND …] [--moves N] [--seconds S] [--only PART …]`.

- `moves`: moves by mail a second, from kept mails to letters that the mail server has taken, with one worker and with two.
- `pages`: p50 and p99 of five pages with 50 clients who pause between pages, alone and while letters are drawn and sent;
  with gunicorn and a worker beside it, and with `python app.py`.
- `listener`: messages a second that one listener takes in, each kept before its 250.

Processes are started as an operator starts them. Only the cache of pictures is off, because all games are copies of one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import smtplib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from sqlmodel import col, func, select

from bench import postgres
from bench.mail import Club, mail_server
from bench.process import free_port
from correspondence import create_app
from correspondence.accounts import web_sessions
from correspondence.core import db
from correspondence.core.runtime import utc_now
from correspondence.inbound import mailbox
from correspondence.models import Letter, LetterState, Move, Person
from correspondence.models.loading import players_of
from correspondence.play import matches
from correspondence.web.current import runtime_of

MODULE = "bench.ceilings"
GAMES, OVER = 1_000, 30
"""Games in play, and finished ones for the archive."""

CLIENTS, THINK = 50, 1.0
"""Clients, and the mean pause of each between two pages, in seconds."""

SENDERS = 8
"""Mail servers that write to the listener at the same moment."""

LONGEST = 300.0
"""The most seconds that anything is waited for."""

Latencies = dict[str, list[float]]
"""Seconds of each answer, by the name of its page."""


class Service:
    """A club with games in which a move is due, and the processes that serve it."""

    def __init__(self, folder: Path, database_url: str, moves: int) -> None:
        self.club = Club(folder, GAMES, database_url)
        self.moves = min(moves, len(self.club.waiting) - OVER)
        self._finish_some()
        self.port, self.mail_port = free_port(), free_port()
        self.environment = {
            **os.environ, "INSTANCE_DIR": str(folder), "SECRET_KEY": "a key", "MAIL_DOMAIN": "games.example",
            "DATABASE_URL": database_url, "HTTP_LISTEN": f"127.0.0.1:{self.port}", "TRUSTED_PROXIES": "1",
            "BASE_URL": f"http://127.0.0.1:{self.port}", "MAIL_LISTEN": "", "ROBOTS": "no", "EXERCISE_BUDGET": "0",
            "WORKER_INTERVAL": "1",
        }  # fmt: skip

    def _finish_some(self) -> None:
        for number in [self.club.waiting.pop() for _game in range(OVER)]:
            with db.transaction(self.club.engine) as session:
                matches.resign(session, players_of(session, number)[0], now=utc_now())

    @contextmanager
    def running(self, *commands: Sequence[str], **more: str) -> Iterator[None]:
        """Context manager: these processes run within the block."""
        log = subprocess.DEVNULL if "BENCH_LOG" not in os.environ else None
        running = [
            subprocess.Popen([sys.executable, *command], env={**self.environment, **more}, stdout=log, stderr=log)
            for command in commands
        ]
        try:
            yield
        finally:
            for process in running:
                process.terminate()
            for process in running:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                process.kill()

    def put_mails(self) -> None:
        """Keep mails with a move each, which workers find."""
        for _mail in range(self.moves):
            raw, to = self.club.reply(self.club.waiting.pop())
            mailbox.store_message(self.club.engine, raw, to, "ann@example.org", now=utc_now())

    def count(self, table: Any, *where: Any) -> int:
        """How many rows of a table there are under these conditions."""
        with db.reading(self.club.engine) as session:
            return session.exec(select(func.count()).select_from(table).where(*where)).one()

    def letters_sent(self) -> int:
        """How many letters have left that were not sent before the benchmark."""
        return self.count(
            Letter, col(Letter.state) == LetterState.SENT, col(Letter.kind) == "turn", col(Letter.ply) > 0
        )


def until(is_done: Callable[[], object], what: str) -> float:
    """Wait until something is so; returns when, in seconds of the monotonic clock."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        with suppress(OSError):
            if is_done():
                return time.monotonic()
        time.sleep(0.02)
    raise SystemExit(f"{what} within {LONGEST:.0f} seconds")


# -- moves ---------------------------------------------------------------------------------


def moves_per_second(kind: str, workers: int, moves: int) -> float:
    """Moves a second with their letters, by so many workers, from the first move to the last letter."""
    with tempfile.TemporaryDirectory() as folder, postgres.database(kind) as url, mail_server() as server:
        service = Service(Path(folder), url, moves)
        service.put_mails()
        with service.running(*[("-m", MODULE, "worker")] * workers, MAIL_SEND=server):
            began = until(lambda: service.count(Move), "no move was played")
            played = service.count(Move)
            ended = until(lambda: service.letters_sent() >= service.moves, "not all letters were sent")
        service.club.engine.dispose()
        return (service.moves - played) / (ended - began)


# -- pages ---------------------------------------------------------------------------------


class Paced(NamedTuple):
    """Latencies of pages, how many were answered a second, and how many answers were no pages."""

    latencies: Latencies
    per_second: float
    failed: int
    moves_per_second: float = 0.0


ALONE = (("-m", MODULE, "alone"),)
APART = (("-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", f"{MODULE}:app"), ("-m", MODULE, "worker"))
SHAPES = {"python app.py": ALONE, "gunicorn and a worker": APART}


def page_latencies(kind: str, shape: str, moves: int, seconds: float, think: float) -> tuple[Paced, Paced]:
    """The five pages alone, and while a worker plays moves and sends their letters."""
    with tempfile.TemporaryDirectory() as folder, postgres.database(kind) as url, mail_server() as server:
        service = Service(Path(folder), url, moves)
        pages, cookie = _pages(service)
        with service.running(*SHAPES[shape], MAIL_SEND=server, BENCH_PAGES="yes"):
            until(lambda: asyncio.run(_fetch(service.port, "/health", "")) < 400, "the pages are not served")
            asyncio.run(_visit(service.port, pages, cookie, 3.0, think, lambda: False))  # what is loaded once
            quiet = asyncio.run(_visit(service.port, pages, cookie, seconds, think, lambda: False))
            threading.Thread(target=service.put_mails, daemon=True).start()
            began = until(lambda: service.count(Move), "no move was played")
            busy = asyncio.run(
                _visit(service.port, pages, cookie, seconds, think, lambda: service.letters_sent() >= service.moves)
            )
            sent, spent = service.letters_sent(), time.monotonic() - began
        service.club.engine.dispose()
        return quiet, busy._replace(moves_per_second=sent / spent)


def _pages(service: Service) -> tuple[dict[str, list[str]], str]:
    """The five pages with their addresses, and the cookie of a member."""
    app = create_app(service.club.settings)
    signer: Any = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    with db.transaction(runtime_of(app).engine) as session:
        ann = session.exec(select(Person).where(col(Person.handle) == "ann")).one()
        cookie = f"session={signer.dumps({'key': web_sessions.begin(session, ann, now=utc_now())})}"
    runtime_of(app).engine.dispose()
    games = [f"/games/{number}" for number in range(1, GAMES, 7)]
    return {
        "game": games,
        "my games": ["/games"],
        "archive": ["/archive"],
        "member": ["/players/bob"],
        "front": ["/"],
    }, cookie


async def _visit(
    port: int, pages: dict[str, list[str]], cookie: str, seconds: float, think: float, is_over: Callable[[], bool]
) -> Paced:
    """Let all clients open pages for so many seconds, or until it is over."""
    latencies: Latencies = defaultdict(list)
    failed, stop, began = [0], asyncio.Event(), time.monotonic()

    async def client(number: int) -> None:
        rng = random.Random(number)
        await asyncio.sleep(rng.uniform(0, think))
        while not stop.is_set():
            name = rng.choice(list(pages))
            start = time.monotonic()
            status = await _fetch(port, rng.choice(pages[name]), cookie, f"10.1.0.{number + 1}")
            latencies[name].append(time.monotonic() - start)
            failed[0] += status not in (200, 304)
            await asyncio.sleep(rng.uniform(0, 2 * think))

    clients = [asyncio.create_task(client(number)) for number in range(CLIENTS)]
    while time.monotonic() - began < seconds and not await asyncio.to_thread(is_over):
        await asyncio.sleep(0.2)
    stop.set()
    await asyncio.gather(*clients)
    spent = time.monotonic() - began
    return Paced(dict(latencies), sum(map(len, latencies.values())) / spent, failed[0])


async def _fetch(port: int, path: str, cookie: str, visitor: str = "10.1.0.1") -> int:
    """Fetch a page; the status of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    heads = f"Host: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nX-Forwarded-For: {visitor}\r\nConnection: close\r\n"
    writer.write(f"GET {path} HTTP/1.1\r\n{heads}\r\n".encode())
    answer = await reader.read()
    writer.close()
    found = re.match(rb"HTTP/1\.\d (\d+)", answer)
    return int(found[1]) if found else 0


# -- the listener ----------------------------------------------------------------------------


def messages_per_second(kind: str, seconds: float) -> float:
    """Messages a second that one listener takes in from several mail servers."""
    with tempfile.TemporaryDirectory() as folder, postgres.database(kind) as url:
        service, kept, stop = Service(Path(folder), url, 0), [0] * SENDERS, threading.Event()
        place = f"smtp://127.0.0.1:{service.mail_port}"
        with service.running(("-m", MODULE, "listener"), MAIL_LISTEN=place):
            until(lambda: smtplib.SMTP("127.0.0.1", service.mail_port).quit(), "the listener does not greet")
            threads = [
                threading.Thread(target=_write, args=(service.mail_port, number, kept, stop))
                for number in range(SENDERS)
            ]
            began = time.monotonic()
            for thread in threads:
                thread.start()
            time.sleep(seconds)
            stop.set()
            for thread in threads:
                thread.join()
            spent = time.monotonic() - began
        service.club.engine.dispose()
        return sum(kept) / spent


def _write(port: int, number: int, kept: list[int], stop: threading.Event) -> None:
    """Write mails over kept connections, each from a sender of its own, until told to stop."""
    words = "From: {sender}\nTo: play@games.example\nSubject: hello\nMessage-ID: <{count}.{number}@x.example>\n\nhelp\n"
    while not stop.is_set():
        with suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", port, "x.example", 20) as line:
            for _mail in range(50):
                if stop.is_set():
                    break
                sender = f"s{kept[number]}@d{number}x{kept[number] % 50}.example"
                raw = words.format(sender=sender, count=kept[number], number=number)
                line.sendmail(sender, ["play@games.example"], raw)
                kept[number] += 1


# -- the processes ---------------------------------------------------------------------------


def _without_picture_cache() -> None:
    """Draw each picture anew, as in games that are no copies of one another."""
    from correspondence.render import raster

    drawn = raster.png

    def png(*given: Any, **options: Any) -> bytes:
        drawn.cache.clear()
        return drawn(*given, **options)

    raster.png = png  # type: ignore[assignment]


def _serve(role: str) -> None:
    from correspondence.ops import serve

    _without_picture_cache()
    {"worker": serve.work, "listener": serve.receive, "alone": serve.serve}[role](create_app())


if "BENCH_PAGES" in os.environ and __name__ != "__main__":
    app = create_app()


# -- what is printed -------------------------------------------------------------------------


def _table_of_pages(found: dict[str, tuple[Paced, Paced]]) -> Table:
    table = Table("processes", "page", "alone: p50 ms", "p99 ms", "with letters: p50 ms", "p99 ms", "p99 more", "goal")
    for shape, (quiet, busy) in found.items():
        for name in quiet.latencies:
            numbers = [_quantiles(paced.latencies.get(name, [])) for paced in (quiet, busy)]
            more = numbers[1][1] - numbers[0][1]
            cells = (f"{value:.0f}" for pair in numbers for value in pair)
            table.add_row(shape, name, *cells, f"{more:+.0f}", "met" if more < 100 else "MISSED")
        rates = f"{quiet.per_second:.0f}/s, {quiet.failed} failed", f"{busy.per_second:.0f}/s, {busy.failed} failed"
        table.add_row(shape, "all pages", rates[0], "", rates[1], "", f"{busy.moves_per_second:.1f} moves/s", "")
    return table


def _quantiles(seconds: list[float]) -> tuple[float, float]:
    if len(seconds) < 2:
        return float("nan"), float("nan")
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return cuts[49] * 1000, cuts[98] * 1000


def main() -> None:
    """Measure what is asked for, and print tables."""
    if len(sys.argv) == 2 and sys.argv[1] in ("worker", "listener", "alone"):
        return _serve(sys.argv[1])
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description="What real processes do together.")
    parser.add_argument("--database", action="append", help="sqlite, postgresql or a URL; both kinds unless told")
    parser.add_argument("--moves", type=int, default=400, help="moves of each measurement, at most 490")
    parser.add_argument("--seconds", type=float, default=20, help="how long pages and the listener are measured")
    parser.add_argument("--think", type=float, default=THINK, help="the mean pause of a client; 0 for none")
    parser.add_argument(
        "--only", nargs="*", choices=["moves", "pages", "listener"], default=["moves", "pages", "listener"]
    )
    options = parser.parse_args()
    console = Console(width=140)
    for kind in options.database or (postgres.SQLITE, postgres.POSTGRESQL):
        title = kind.partition(":")[0]
        if "moves" in options.only:
            for workers in (1, 2):
                found = moves_per_second(kind, workers, options.moves)
                console.print(
                    f"{title}: {found:.1f} moves by mail /s with letters, {workers} worker(s) (goal: 25 for one core)"
                )
        if "listener" in options.only:
            console.print(f"{title}: {messages_per_second(kind, options.seconds):.0f} messages /s, one listener")
        if "pages" in options.only:
            shapes = {
                shape: page_latencies(kind, shape, options.moves, options.seconds, options.think) for shape in SHAPES
            }
            console.print(title, _table_of_pages(shapes))


if __name__ == "__main__":
    main()
