"""The document for programs tells the truth: its table names the calls that there are, and its robot plays a whole game."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from correspondence.api.calls import every_call
from tests.programs import Program, token_of
from tests.world import World

DOCUMENT = (Path(__file__).resolve().parent.parent / "docs" / "api.md").read_text()
ROBOT = re.search(r"```python\n(.*?)```", DOCUMENT, re.S)[1]
TABLE = DOCUMENT.partition("## The calls")[2].partition("## Errors")[0]


@pytest.fixture
def club(tmp_path):
    world = World(tmp_path)
    world.join("ann", "robbie")
    yield world
    world.close()


def told_calls():
    """The calls of the table, each by its method and path; shortened paths go on from the one before."""
    for row in re.findall(r"^\| (`(?:GET|POST|PUT|DELETE).*?) \| [a-z, ]+ \|", TABLE, re.M):
        method, base = [], ""
        for text in re.findall(r"`([^`]+)`", row):
            found = re.fullmatch(r"((?:[A-Z]+(?:, )?)+) (/[^?]*)(?:\?.*)?", text)
            if found:
                method, base = found[1].split(", "), found[2]
            elif text.startswith("/"):
                base = base.rpartition("/")[0] + text
            else:
                continue
            yield from ((one, re.sub("N|HANDLE|GAME|ID|ACT", "*", base)) for one in method)


def test_the_table_names_every_call_and_no_other():
    there = {(one.method, re.sub(r"<.*?>", "*", one.path)) for one in every_call()}
    listed = {(method, f"/api/v1{path}") for method, path in told_calls()}
    assert listed | {("GET", "/api/v1/openapi.json")} == there


def test_the_robot_is_short_and_needs_nothing_but_python():
    lines = [line for line in ROBOT.splitlines() if line.strip()]
    used = set(re.findall(r"^(?:import|from) (\w+)", ROBOT, re.M))
    assert len(lines) <= 40 and used <= sys.stdlib_module_names


def test_the_robot_accepts_a_challenge_and_plays_the_game_to_its_end(club, tmp_path):
    script = tmp_path / "robot.py"
    script.write_text(ROBOT)
    ann, rng = Program(club, "ann"), random.Random(5)
    ann.post("/challenges", {"handle": "robbie", "game": "duel", "seat": 0})
    with club.serving() as address:
        words = [sys.executable, str(script), address, token_of(club, "robbie"), "0.05"]
        robot = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            game = _played(club, ann, rng)
        finally:
            robot.kill()
            output = robot.communicate()[0]
    assert game["result"] in ("1-0", "0-1", "1/2-1/2") and "Traceback" not in output
    by_robot = [entry for entry in game["entries"] if entry["seat"] == 1]
    assert len(by_robot) >= 2 and {entry["by"] for entry in by_robot} == {"api"}


def _played(club, ann, rng):
    """The game of ann, who plays any legal move as soon as it is her turn, once it is over."""
    pause, number = threading.Event(), 1
    for _look in range(3_000):
        club.clock.go(seconds=2)  # nobody is too fast here
        legal = ann.get(f"/games/{number}/legal")
        if legal.status_code == 200:
            ann.post(f"/games/{number}/moves", {"ply": legal.json["ply"], "move": rng.choice(legal.json["moves"])})
        game = ann.get(f"/games/{number}").json
        if game.get("ended_at"):
            return game
        pause.wait(0.02)
    raise AssertionError("the game did not end")
