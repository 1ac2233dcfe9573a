"""The soak, made short: the real processes are killed, restarted and starved, and every promise is kept.

An hour of it is `python -m bench.soak`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bench.soak.reckoning import Figures
from tests.postgres import binaries

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [pytest.mark.soak, pytest.mark.thorough]


def soak(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.soak", "--json", *words]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def started_in(folder: Path) -> list[str]:
    """The processes that run with settings of this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if f"INSTANCE_DIR={folder}" in environment:
            found.append((process / "cmdline").read_bytes().decode(errors="replace"))
    return found


@pytest.fixture
def folder():
    """A folder that the user of PostgreSQL may enter, as those of pytest are not."""
    with tempfile.TemporaryDirectory(prefix="soak") as made:
        Path(made).chmod(0o755)
        yield Path(made)


def test_whatever_fails_in_two_minutes_no_move_and_no_letter_is_lost(folder):
    database = "sqlite" if binaries() is None else "postgresql"
    done = soak(folder, "--minutes", "2", "--players", "40", "--database", database)
    figures: Figures = json.loads(done.stdout or "{}")
    assert figures.get("broken") == [], done.stderr[-2000:] + done.stdout[-6000:]
    assert done.returncode == 0
    assert figures["moves"]["stored"] > 20
    assert any(what.startswith("killed") for what in figures["faults"])
    assert started_in(folder) == []
