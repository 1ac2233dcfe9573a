"""`flask …` commands as processes of their own, without the seconds in which each would import the service anew.

One process imports it and makes a child of itself for every command, with an environment, a umask, streams and an exit
status of its own; what runs in the child is what `python -m flask` runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORTED = ("flask.cli", "correspondence.web", "correspondence.ops.cli", "correspondence.core.schema")
STREAMS = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
UMASK = 0o022
"""The umask that most systems have."""


class ForkedFlask:
    """The process that commands are children of; it starts with the first of them, and works in this folder."""

    def __init__(self, folder):
        self.folder, self._parent = folder, None

    def run(self, words, environment, given=None):
        """Run a command to its end; returns it as `subprocess.run` does, with the bytes of both streams."""
        if self._parent is None:
            command = [sys.executable, "-m", "tests.forked_flask"]
            self._parent = subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder, name) for name in ("given", "said", "told")]
            streams[0].write_bytes(given or b"")
            asked = {"words": words, "environment": environment, "streams": [str(file) for file in streams]}
            self._parent.stdin.write(json.dumps(asked) + "\n")
            self._parent.stdin.flush()
            status = int(self._parent.stdout.readline())
            return subprocess.CompletedProcess(words, status, streams[1].read_bytes(), streams[2].read_bytes())

    def close(self):
        """End the parent."""
        if self._parent is not None:
            self._parent.communicate(timeout=30)


def main():
    """Make a child for every line that comes in, and tell its exit status in a line."""
    for name in IMPORTED:
        __import__(name)
    while line := sys.stdin.readline():
        if child := os.fork():
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        else:
            return run(json.loads(line))
    return None


def run(asked):
    """Become the process of one command."""
    from flask.cli import main as flask_main

    for number, (file, how) in enumerate(zip(asked["streams"], STREAMS, strict=True)):
        os.dup2(os.open(file, how, 0o600), number)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.umask(UMASK)
    sys.argv = ["flask", *asked["words"]]
    flask_main()


if __name__ == "__main__":
    main()
