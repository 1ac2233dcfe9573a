"""`flask …` commands as processes of their own, without the seconds in which each would import the service anew.

One process imports it and makes a child of itself for every command, with an environment, a umask, streams and an exit
status of its own; what runs in the child is what `python -m flask` runs.
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
"""The umask that most systems have."""


class ForkedFlask:
    """The process that commands are children of; it starts with the first of them, and works in this folder."""

    def __init__(self, folder):
        self.folder, self._parent = folder, None

    def run(self, words, environment, given=None):
        """Run a command to its end; returns it as `subprocess.run` does, with the bytes of both streams."""
        return self.start(words, environment, given).wait()

    def start(self, words, environment, given=None):
        """Start a command, of which others may run at the same time; `app.py` is one too."""
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
        """The number that the parent answers."""
        self._parent.stdin.write(json.dumps(order) + "\n")
        self._parent.stdin.flush()
        return int(self._parent.stdout.readline())

    def close(self):
        """End the parent."""
        if self._parent is not None:
            self._parent.communicate(timeout=30)


@dataclass
class Command:
    """A command that runs."""

    forked: ForkedFlask
    number: int
    words: list
    folder: tempfile.TemporaryDirectory
    streams: list

    def output(self):
        """What it has said by now."""
        return self.streams[1].read_bytes() if self.streams[1].exists() else b""

    def send_signal(self, number):
        os.kill(self.number, number)

    def wait(self):
        """Its end, as `subprocess.run` returns it."""
        status = self.forked.ask({"wait": self.number})
        with self.folder:
            return subprocess.CompletedProcess(self.words, status, *(one.read_bytes() for one in self.streams[1:]))


def main():
    """Make a child for every command that comes in, and tell its number in a line, and its exit status when asked."""
    for name in IMPORTED:
        __import__(name)
    raster.BOARD_SCALE = float(sys.argv[1])  # as small as in the tests that ask
    gc.freeze()  # what is there already need not be copied for every command
    while line := sys.stdin.readline():
        order = json.loads(line)
        if "wait" in order:
            print(os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1]), flush=True)
        elif child := os.fork():
            print(child, flush=True)
        else:
            os._exit(exit_status(order))  # what was imported dies with the process, instead of piece by piece


def exit_status(order):
    """Run one command; how it ends, as Python says it."""
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
        atexit._run_exitfuncs()  # by which coverage keeps what it counted
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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as at a terminal, also where tests run in the background
    sys.argv = ["flask", *order["words"]]
    if order["words"] == ["app.py"]:
        runpy.run_path("app.py", run_name="__main__")
    else:
        flask_main()


if __name__ == "__main__":
    main()
