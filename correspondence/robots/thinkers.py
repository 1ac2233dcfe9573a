"""Search processes for moves, started on demand and killed when not needed.

A process is spawned (`engines.search.thinker`), never forked, so it inherits neither the database nor a socket of the
service. It knows only the requests that it receives.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import engines

COMMAND = (sys.executable, "-m", "engines.search.thinker")
"""The command that starts a search process."""


class ThinkerDied(RuntimeError):
    """Raised if a search process ended before it had answered: it was killed, or it crashed."""


class Thinker:
    """One search process that handles one request at a time."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    def think(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request, without a timeout; raise ThinkerDied if the process ends."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError) as error:  # ValueError: the pipe was closed while it was read
            raise ThinkerDied("the process that thinks has ended") from error
        if not line.endswith("\n"):
            self.kill()
            raise ThinkerDied("the process that thinks has ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def kill(self) -> None:
        """Kill the process at once; the next request starts another."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError, ValueError):
                        pipe.close()

    def close(self) -> None:
        """Kill the process; later requests do not start another."""
        with self._lock:
            self._is_closed = True
        self.kill()

    def _started(self) -> subprocess.Popen[str]:
        with self._lock:
            if self._is_closed:
                raise ThinkerDied("robots have been stopped")
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                    env=_environment(),
                    start_new_session=True,
                )
            return self._process


def _environment() -> dict[str, str]:
    """Return the environment of a search process: the engines' path, but no settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV") if name in os.environ}
    folders = [str(Path(engines.__file__).parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(folders), "PYTHONDONTWRITEBYTECODE": "1"}
