"""What goes wrong in a soak, and when: kills, a mail server that flaps, a database that is restarted, a full disk."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bench.postgres import Server
from bench.soak.relay import Mood, Relay
from bench.soak.services import Services

log = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two kills; what else goes wrong follows that."""

FULL_FOR, DOWN_FOR = 12.0, 3.0
"""For how many seconds the disk is full, and the database down."""

SPARED = "worker 1"
"""Who is not killed in the second half, so that its memory can be watched for long."""

ROOM = "6g"


class Disk:
    """A file system in memory, of which the room can be taken away; `is_there` where the system lets one be mounted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o755)
        self.is_there = _run("mount", "-t", "tmpfs", "-o", f"size={ROOM},mode=755", "tmpfs", str(folder))

    def fill(self) -> None:
        """Leave no room."""
        found = os.statvfs(self.folder)
        used = (found.f_blocks - found.f_bfree) * found.f_frsize
        _run("mount", "-o", f"remount,size={used + 8192}", str(self.folder))

    def free(self) -> None:
        """Give the room back."""
        _run("mount", "-o", f"remount,size={ROOM}", str(self.folder))

    def remove(self) -> None:
        """Unmount it."""
        if self.is_there:
            _run("umount", "-l", str(self.folder))


def _run(*command: str) -> bool:
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class Faults:
    """Does what is due whenever `run` is called, for so many seconds; `end` mends all of it."""

    def __init__(
        self, services: Services, relay: Relay, server: Server | None, disk: Disk, seconds: float, rng: random.Random
    ) -> None:
        self._services, self._relay, self._server, self._disk, self._rng = services, relay, server, disk, rng
        self._began, self._seconds, self._full_until = time.monotonic(), seconds, 0.0
        self.happened: Counter[str] = Counter()
        every = min(EVERY, seconds / 6)
        self._plan: dict[Callable[[float], None], tuple[float, float]] = {self._kill: (every, every)}
        self._plan[self._flap] = (every / 3, every / 3)
        if server is not None:
            self._plan[self._restart] = (every * 2.5, every * 2.5)
        if disk.is_there:
            self._plan[self._fill] = (every * 3.5, every * 3.5)

    def run(self) -> None:
        """Do what is due now."""
        passed = time.monotonic() - self._began
        if self._full_until and passed > self._full_until:
            self._make_room()
        for act, (at, every) in list(self._plan.items()):
            if passed >= at:
                self._plan[act] = (at + every, every)
                act(passed)

    def _kill(self, passed: float) -> None:
        self._note(f"killed: {self._services.kill(self._rng, SPARED if passed > self._seconds / 2 else '')}")

    def _flap(self, _passed: float) -> None:
        mood = self._rng.choice([Mood.SOUND, Mood.SOUND, *Mood])
        self._relay.change(mood)
        self._note(f"mail server {mood}")

    def _restart(self, _passed: float) -> None:
        assert self._server is not None
        self._server.stop(self._rng.choice(["immediate", "fast"]))
        time.sleep(DOWN_FOR)
        self._make_room()
        self._note("database restarted")

    def _fill(self, passed: float) -> None:
        self._full_until = passed + FULL_FOR
        self._disk.fill()
        self._note("disk full")

    def _make_room(self) -> None:
        if self._full_until:
            self._full_until = 0.0
            self._disk.free()
        if self._server is not None and not self._server.is_up():
            self._server.start()
            self._note("database started")

    def end(self) -> None:
        """Mend everything."""
        self._make_room()
        self._relay.change(Mood.SOUND)

    def _note(self, what: str) -> None:
        self.happened[what] += 1
        log.warning("%.0f s: %s", time.monotonic() - self._began, what)
