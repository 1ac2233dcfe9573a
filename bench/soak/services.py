"""The processes of the service: started, watched, killed, and started again as an init system would."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path

GRACE = 20.0
"""Seconds that processes get to stop in order."""

AGAIN = 1.0
"""Seconds after which a process that has ended is started again."""

MODULE = "bench.soak.process"
COMMANDS = {
    "web": (sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", f"{MODULE}:app"),
    "worker 1": (sys.executable, "-m", MODULE, "worker"),
    "worker 2": (sys.executable, "-m", MODULE, "worker"),
    "listener": (sys.executable, "-m", MODULE, "listener"),
}
"""By role: how its process is started."""


class Services:
    """All processes, each with a log of its own in `folder`, on these settings; `environments` are those of single roles."""

    def __init__(self, folder: Path, environment: dict[str, str], environments: dict[str, dict[str, str]]) -> None:
        self.folder, self._environment, self._environments = folder, environment, environments
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._ended: dict[str, float] = {}
        self.killed: Counter[str] = Counter()
        self.ended: Counter[str] = Counter()
        """How often a process ended without having been told to, by role and exit status."""
        self._doomed: set[int] = set()
        self.memory: dict[str, list[tuple[float, float]]] = defaultdict(list)
        """Resident megabytes by role and process: when, in seconds, and how many."""

    def start(self) -> None:
        """Start all of them."""
        for role in COMMANDS:
            self._start(role)

    def _start(self, role: str) -> None:
        with open(self.log_of(role), "ab") as log:
            self._running[role] = subprocess.Popen(
                COMMANDS[role], env={**self._environment, **self._environments.get(role, {})},
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def log_of(self, role: str) -> Path:
        """The file that a role logs to."""
        return self.folder / f"{role.replace(' ', '-')}.log"

    def look(self) -> None:
        """Start again what has ended, after a moment, and note the memory of the others."""
        for role, process in list(self._running.items()):
            status = process.poll()
            if status is None:
                self._note_memory(role, process.pid)
            elif role not in self._ended:
                self._ended[role] = time.monotonic()
                if process.pid not in self._doomed:
                    self.ended[f"{role}, status {status}"] += 1
            elif time.monotonic() - self._ended[role] > AGAIN:
                del self._ended[role]
                self._start(role)

    def kill(self, rng: random.Random, spared: str = "") -> str:
        """End one process at once (SIGKILL), but not the role that is `spared`; returns which.

        Of the pages it may be one of the processes that serve them, or the one above them.
        """
        role = rng.choice([role for role in self._running if role != spared])
        chosen = rng.choice([self._running[role].pid, *children(self._running[role].pid)])
        self._doomed.add(chosen)
        with suppress(ProcessLookupError):
            os.kill(chosen, signal.SIGKILL)
        self.killed[role] += 1
        return role

    def stop(self) -> None:
        """Stop all in order, and by force whatever has not ended after `GRACE`."""
        for process in self._running.values():
            with suppress(ProcessLookupError):
                process.terminate()
        until = time.monotonic() + GRACE
        for process in self._running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(until - time.monotonic(), 0.1))
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._running.clear()

    def _note_memory(self, role: str, pid: int) -> None:
        for number in (pid, *children(pid)):
            with suppress(OSError, IndexError):
                pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
                megabytes = pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
                self.memory[f"{role} ({number})"].append((time.monotonic(), megabytes))


def children(pid: int) -> list[int]:
    """The processes that a process has started and that run."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
