"""Run `flask …` commands as forked processes, so that each need not import the service.

One process imports it and forks for every command, with a separate environment, umask, streams and exit
status; the child runs the same code as `python -m flask`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path

from correspondence.render import raster

IMPORTED = ("flask.cli", "correspondence.web", "correspondence.ops.cli", "correspondence.core.schema",
            "correspondence.factory", "correspondence.ops.demo", "correspondence.ops.serve", "alembic.command")  # fmt: skip
STREAMS = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
UMASK = 0o022
"""The usual default umask."""


class ForkedFlask:
    """The parent process of commands, started by the first one; works in this folder."""

    def __init__(self, folder):
        self.folder, self._parent = folder, None

    def run(self, words, environment, given=None):
        """Run a command; return a result like `subprocess.run`, with the bytes of both streams."""
        return self.start(words, environment, given).wait()

    def start(self, words, environment, given=None):
        """Start a command in the background; `app.py` counts as a command."""
        if self._parent is None:
            command = [sys.executable, "-m", "tests.forked_flask", str(raster.BOARD_SCALE)]
            self._parent = subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        folder = tempfile.TemporaryDirectory()
        streams = [Path(folder.name, name) for name in ("given", "said", "told")]
        streams[0].write_bytes(given or b"")
        order = {"words": words, "environment": environment, "streams": [str(file) for file in streams]}
        return Command(self, self.ask(order), words, folder, streams)

    def ask(self, order):
        """Send a request to the parent and return the number it answers."""
        self._parent.stdin.write(json.dumps(order) + "\n")
        self._parent.stdin.flush()
        return int(self._parent.stdout.readline())

    def close(self):
        """End the parent."""
        if self._parent is not None:
            self._parent.communicate(timeout=30)


@dataclass
class Command:
    """A running command."""

    forked: ForkedFlask
    number: int
    words: list
    folder: tempfile.TemporaryDirectory
    streams: list

    def output(self):
        """Return its output so far."""
        return self.streams[1].read_bytes() if self.streams[1].exists() else b""

    def send_signal(self, number):
        os.kill(self.number, number)

    def wait(self):
        """Wait for its end; return a result like `subprocess.run`."""
        status = self.forked.ask({"wait": self.number})
        with self.folder:
            return subprocess.CompletedProcess(self.words, status, *(one.read_bytes() for one in self.streams[1:]))


def main():
    """Fork a child for every command, print its process id, and its exit status when asked."""
    for name in IMPORTED:
        __import__(name)
    raster.BOARD_SCALE = float(sys.argv[1])  # the same scale of boards as in the calling tests
    gc.freeze()  # keep existing objects out of garbage collection, so that children need not copy them
    while line := sys.stdin.readline():
        order = json.loads(line)
        if "wait" in order:
            print(os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1]), flush=True)
        elif child := os.fork():
            print(child, flush=True)
        else:
            os._exit(exit_status(order))  # end at once, without deallocating every imported module


def exit_status(order):
    """Run one command; return its exit status."""
    try:
        run(order)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return 1 if isinstance(end.code, str) else end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        atexit._run_exitfuncs()  # lets coverage store its data
        sys.stdout.flush(), sys.stderr.flush()
    return 0


def run(order):
    """Become the process of one command."""
    from flask.cli import main as flask_main

    for number, (file, how) in enumerate(zip(order["streams"], STREAMS, strict=True)):
        os.dup2(os.open(file, how, 0o600), number)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.umask(UMASK)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as at a terminal, even if tests run in the background
    sys.argv = ["flask", *order["words"]]
    if order["words"] == ["app.py"]:
        runpy.run_path("app.py", run_name="__main__")
    else:
        flask_main()


if __name__ == "__main__":
    main()
