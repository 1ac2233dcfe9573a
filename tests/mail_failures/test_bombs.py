"""Failure 20: no mail costs more than a little time and memory, and each has an outcome."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_failure_20_every_bomb_ends_with_an_outcome_within_its_bounds(tmp_path, is_thorough):
    at_once = "3" if is_thorough else "1"
    command = [sys.executable, "-m", "tests.mail_failures.bombs", str(tmp_path), at_once]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(rows) > 60
    for name, outcomes, _seconds, grown in rows:
        assert set(outcomes.split()) <= {"done", "ignored", "rejected"}, (name, outcomes)
        assert int(grown) < 200, name
