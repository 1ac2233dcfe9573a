"""`python -m bench.soak [--minutes 60] [--players 2000] [--thought 10] [--database sqlite|postgresql] [--json] [--seed 1]`.

The real processes, on a clock that runs ten times as fast, with everything that goes wrong (faults.py). Prints one table,
or one object; ends with 1 where a promise was not kept. Stops in order on Ctrl-C and leaves no process behind.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from sqlmodel import Session, col, func, select

from bench import postgres
from bench.process import free_port
from bench.soak import population, process, reckoning
from bench.soak.faults import Disk, Faults
from bench.soak.players import Players
from bench.soak.relay import Relay
from bench.soak.services import Services
from correspondence.core import db
from correspondence.core.config import read_settings
from correspondence.core.runtime import Runtime
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.web.current import runtime_of

SPEED = 10.0
"""How fast the clock runs. Leases of a minute, which are renewed by the second hand of the machine, must stay long enough."""

THOUGHT = 10.0
"""The most seconds before a member answers a letter: 2,000 members so ask for all that two processors can do."""

SHOWN = 8
"""How many examples the table shows of what ought not to be."""

LEAST_SPAN = timedelta(hours=1)
LONGEST_DRAIN = 300.0
"""The most seconds in which what is still due may be done, after everything was mended."""

SERVER = "-c fsync=on -c max_connections=100 -c max_wal_size=256MB"


@dataclass(frozen=True, slots=True)
class Extent:
    """How long, with how many members, on which kind of database, from which seed of chance, and how fast they answer."""

    minutes: float
    players: int
    database: str
    seed: int = 1
    speed: float = SPEED
    thought: float = THOUGHT

    @property
    def span(self) -> timedelta:
        """The time for a move: a third of the whole, as the fast clock shows it."""
        return max(LEAST_SPAN, timedelta(minutes=self.minutes * self.speed / 3))


def soak(extent: Extent, stop: threading.Event, logs: Path | None = None) -> dict[str, Any]:
    """Run it, until its end or `stop`; all figures. The logs of the processes stay in the folder `logs`, if there is one."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="soak"))
        folder.chmod(0o755)
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        disk = Disk(folder / "disk")
        stack.callback(disk.remove)
        server = stack.enter_context(_server(disk.folder)) if extent.database == postgres.POSTGRESQL else None
        return _run(extent, logs or folder, disk, server, stack, stop)


@contextmanager
def _server(place: Path) -> Iterator[postgres.Server]:
    server = postgres.Server(SERVER, place)
    try:
        server.start()
        yield server
    finally:
        server.remove()


def _run(
    extent: Extent, logs: Path, disk: Disk, server: postgres.Server | None, stack: ExitStack, stop: threading.Event
) -> dict[str, Any]:
    seconds, rng = extent.minutes * 60, random.Random(extent.seed)
    ports = {"web": free_port(), "mail": free_port()}
    letterbox: list[Players] = []
    relay = Relay(lambda letter: letterbox[0].deliver(letter))
    stack.callback(relay.stop)
    environment = _environment(disk.folder / "instance", ports, relay.port, server.url if server is not None else "")
    app = process.application(read_settings(environment), _clock(extent, seconds))
    runtime = runtime_of(app)
    _say(f"{extent.players} members join, and begin as many games of {extent.span} for each move")
    members = population.settle(app, extent.players, extent.span, rng)
    environment[process.CLOCK] = _clock(extent, seconds)
    players = Players(runtime.engine, members, ports, extent.seed, extent.thought)
    letterbox.append(players)
    services = Services(logs, environment, {"worker 1": {"MAIL_LISTEN": ""}, "worker 2": {"MAIL_LISTEN": ""}})
    stack.callback(services.stop)
    services.start()
    players.start()
    faults = Faults(services, relay, server, disk, seconds, rng)
    stack.callback(disk.free)
    _watch(services, faults, seconds, stop)
    faults.end()
    drain(runtime, services, players, stop)
    players.stop()
    services.stop()
    clock = process.clock_of(environment[process.CLOCK])
    figures = _reckon(
        Runtime(runtime.settings, runtime.engine, now=clock), logs, services, faults, relay, players, members
    )
    runtime.close()
    return figures


def _clock(extent: Extent, seconds: float) -> str:
    """A clock that begins now and shows the true time at the end of the soak, and never a later one."""
    shown = time.time() - (seconds + 2 * LONGEST_DRAIN) * extent.speed
    return f"{time.time()} {shown} {extent.speed}"


def _environment(instance: Path, ports: dict[str, int], relay: int, database: str) -> dict[str, str]:
    here = f"127.0.0.1:{ports['web']}"
    return {
        **os.environ, "INSTANCE_DIR": str(instance), "SECRET_KEY": "a key of a soak", "DATABASE_URL": database,
        "HTTP_LISTEN": here, "BASE_URL": f"http://{here}", "MAIL_DOMAIN": "games.example", "TRUSTED_PROXIES": "1",
        "MAIL_LISTEN": f"smtp://127.0.0.1:{ports['mail']}", "MAIL_SEND": f"smtp://127.0.0.1:{relay}",
        "WORKER_INTERVAL": "1", "ROBOTS": "no",
    }  # fmt: skip


def _watch(services: Services, faults: Faults, seconds: float, stop: threading.Event) -> None:
    """Look after everything once a second, until the time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not stop.wait(1):
        services.look()
        faults.run()


def drain(runtime: Runtime, services: Services, players: Players, stop: threading.Event) -> None:
    """Stop the members, and let what is still due be done."""
    players.stop()
    until = time.monotonic() + LONGEST_DRAIN
    while time.monotonic() < until and not stop.wait(1):
        services.look()
        with db.reading(runtime.engine) as session:
            if not _waits(session, runtime):
                return
    _say("not everything that was due has been done")


def _waits(session: Session, runtime: Runtime) -> int:
    """How many mails and letters are being worked on, or ought to be."""
    mails = select(func.count(Inbound.id)).where(col(Inbound.state).in_([InboundState.NEW, InboundState.TAKEN]))
    due = select(func.count(Letter.id)).where(
        col(Letter.state).in_([LetterState.QUEUED, LetterState.SENDING]), col(Letter.due_at) <= runtime.now()
    )
    return session.exec(mails).one() + session.exec(due).one()


def _reckon(
    runtime: Runtime, logs: Path, services: Services, faults: Faults, relay: Relay, players: Players, members: Any
) -> dict[str, Any]:
    with db.reading(runtime.engine) as session:
        figures = {
            "moves": reckoning.moves(session, players.ledger),
            "letters": reckoning.letters(session, relay),
            "mails": reckoning.mails(session, players.ledger),
            "time": reckoning.late(session, members),
            "games": reckoning.games(session, runtime),
        }
    figures |= {
        "players": dict(players.ledger.ways), "faults": dict(faults.happened), "memory": reckoning.memory(services),
        "ended_by_themselves": dict(services.ended), "troubles": reckoning.troubles(logs),
    }  # fmt: skip
    return figures | {"broken": reckoning.broken(figures)}


def table_of(figures: dict[str, Any]) -> Table:
    """All figures as one table."""
    table = Table("what", "which", "how many", title="A soak")
    for part, found in figures.items():
        for name, value in found.items() if isinstance(found, dict) else enumerate(found, 1):
            if part == "memory":
                value = f"{value['middle']:.0f} to {value['last']:.0f} MB ({value['growth']:+.1%}) in {value['seconds']:.0f} s"
            elif isinstance(value, dict):
                value = "\n".join(f"{count} {what}" for what, count in value.items())
            elif isinstance(value, list):
                value = "\n".join(map(str, [len(value), *value[:SHOWN]]))
            table.add_row(part, str(name), str(value))
    return table


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    """Run what is asked for, print what came of it, and end with 1 where a promise was not kept."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description="The service under load and faults.")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--database", default=postgres.POSTGRESQL, choices=[postgres.SQLITE, postgres.POSTGRESQL])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--thought", type=float, default=THOUGHT, help="the most seconds before a letter is answered")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--logs", type=Path, help="a folder in which the logs of the processes are kept")
    options = parser.parse_args()
    if options.logs is not None:
        options.logs.mkdir(parents=True, exist_ok=True)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_given: stop.set())
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    extent = Extent(options.minutes, options.players, options.database, options.seed, thought=options.thought)
    figures = soak(extent, stop, options.logs)
    print(json.dumps(figures, indent=2)) if options.json else Console(width=140).print(table_of(figures))
    sys.exit(1 if figures["broken"] else 0)


if __name__ == "__main__":
    main()
