"""Kills and a failover: `python -m bench.failover [--kills N] [--seconds S] [--behind S …] [--players N]`.

The service of the soak (gunicorn, two workers, a listener) plays on PostgreSQL with a standby, while its processes are killed
in turn, N times in S seconds. Then the standby loses its connection, so many seconds later the primary dies, the standby is
promoted, `flask epoch new` runs, and the service starts again. Said are the moves that were acknowledged, and how many of them
are not there: none without a failover, none with a synchronous standby, else those of the seconds that it was behind.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from bench.process import free_port
from bench.soak import population, process, reckoning
from bench.soak.__main__ import drain
from bench.soak.players import Players
from bench.soak.relay import Relay
from bench.soak.services import Services
from correspondence.core import db
from correspondence.core.config import read_settings
from correspondence.web.current import runtime_of
from tests.standby import Pair, pair

PLAYERS, SPAN, THOUGHT = 200, timedelta(days=3), 2.0
"""Members, the time for each of their moves, and the most seconds before they answer a letter."""

SETTLE = 20.0
"""Seconds for the service to play again before a standby falls behind, and after a failover."""


class Outcome(NamedTuple):
    """What became of the moves of one run."""

    killed: int
    acknowledged: int
    lost: int
    doubled: int
    at_stake: int
    """Moves that were acknowledged while the standby was behind."""


def run(kills: int, seconds: float, behind: float | None, players: int, *, is_synchronous: bool = False) -> Outcome:
    """Play with kills, then fail over to a standby that is so many seconds behind; without `behind` nothing fails over."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="failover")))
        both = stack.enter_context(pair())
        if is_synchronous:
            both.synchronise()
        return _play(folder, both, stack, kills, seconds, behind, players, is_synchronous)


def _play(
    folder: Path, both: Pair, stack: ExitStack, kills: int, seconds: float, behind: float | None, count: int,
    is_synchronous: bool,
) -> Outcome:  # fmt: skip
    ports, letterbox = {"web": free_port(), "mail": free_port()}, list[Players]()
    relay = Relay(lambda letter: letterbox[0].deliver(letter))
    stack.callback(relay.stop)
    environment = _environment(folder / "instance", ports, relay.port, both.url_of_both())
    app = process.application(read_settings(environment), environment[process.CLOCK])
    runtime = runtime_of(app)
    members = population.settle(app, count, SPAN, random.Random(1))
    playing = Players(runtime.engine, members, ports, 1, THOUGHT)
    letterbox.append(playing)
    services = Services(folder, environment, {"worker 1": {"MAIL_LISTEN": ""}, "worker 2": {"MAIL_LISTEN": ""}})
    stack.callback(services.stop)
    services.start()
    playing.start()
    print(f"{len(members)} members play", file=sys.stderr, flush=True)
    _kill(services, kills, seconds)
    at_stake = 0
    if behind is not None:
        _live(services, SETTLE)
        both.catch_up()
        before = _acknowledged(playing)
        if not is_synchronous:
            both.fall_behind()
        _live(services, behind)
        at_stake = _acknowledged(playing) - before
        both.fail_over()
        print("the standby has been promoted", file=sys.stderr, flush=True)
        playing.stop()  # answers to letters of the lost time would not be played
        services.stop()
        _begin_epoch(environment)
        services.start()
    drain(runtime, services, playing, threading.Event())
    services.stop()
    with db.reading(runtime.engine) as session:
        found = reckoning.moves(session, playing.ledger)
    runtime.close()
    lost, doubled = len(found["lost"]), len(found["doubled_or_foreign"])
    return Outcome(services.killed.total(), _acknowledged(playing), lost, doubled, at_stake)


def _environment(instance: Path, ports: dict[str, int], relay: int, database: str) -> dict[str, str]:
    here = f"127.0.0.1:{ports['web']}"
    return {
        **os.environ, "INSTANCE_DIR": str(instance), "SECRET_KEY": "a key of a failover", "DATABASE_URL": database,
        "HTTP_LISTEN": here, "BASE_URL": f"http://{here}", "MAIL_DOMAIN": "games.example", "TRUSTED_PROXIES": "1",
        "MAIL_LISTEN": f"smtp://127.0.0.1:{ports['mail']}", "MAIL_SEND": f"smtp://127.0.0.1:{relay}",
        "WORKER_INTERVAL": "1", "ROBOTS": "no", process.CLOCK: f"{time.time()} {time.time()} 1",
    }  # fmt: skip


def _kill(services: Services, kills: int, seconds: float) -> None:
    """Kill a process so many times in so many seconds, evenly."""
    rng = random.Random(1)
    for _kill in range(kills):
        _live(services, seconds / max(kills, 1))
        services.kill(rng)
    _live(services, SETTLE)


def _live(services: Services, seconds: float) -> None:
    """Let the service run, and start again what has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(min(1.0, max(until - time.monotonic(), 0.0)))
        services.look()


def _acknowledged(players: Players) -> int:
    return sum(played.total() for played in list(players.ledger.played.values()))


def _begin_epoch(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "flask", "--app", "correspondence.wsgi", "epoch", "new"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise SystemExit(f"flask epoch new failed: {done.stderr[-400:]}")


def _row(table: Table, name: str, found: Outcome) -> None:
    numbers: tuple[Any, ...] = (found.killed, found.acknowledged, found.at_stake, found.lost, found.doubled)
    table.add_row(name, *map(str, numbers))


def main() -> None:
    """Run what is asked for, and print the table; ends with 1 if something was lost that must not be, or doubled."""
    parser = argparse.ArgumentParser(prog="python -m bench.failover", description="Kills and a failover.")
    parser.add_argument("--kills", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=140, help="how long processes are killed")
    parser.add_argument("--behind", type=float, nargs="*", default=[0, 10], help="seconds that a standby is behind")
    parser.add_argument("--players", type=int, default=PLAYERS)
    options = parser.parse_args()
    table = Table("run", "kills", "moves acknowledged", "while behind", "lost", "doubled")
    given = (options.kills, options.seconds)
    quick = (0, 0.0)
    runs = {"kills alone": run(*given, None, options.players)}
    runs["synchronous standby"] = run(*quick, 10, options.players, is_synchronous=True)
    for seconds in options.behind:
        runs[f"standby {seconds:g} s behind"] = run(*quick, seconds, options.players)
    for name, found in runs.items():
        _row(table, name, found)
    Console(width=120).print(table)
    safe = [runs["kills alone"], runs["synchronous standby"]]
    sys.exit(int(any(found.lost for found in safe) or any(found.doubled for found in runs.values())))


if __name__ == "__main__":
    main()
