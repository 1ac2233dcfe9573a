"""The contract suite as an author of a game uses it: three lines in a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from xml.etree import ElementTree

import pytest

from tests.test_commands_of_flask import ROOT
from tests.test_sixth_game import packaged

AUTHORS = """\
from correspondence.testing.contract import *

pytest_plugins = ["correspondence.testing"]
GAMES = ["{key}"]
"""

CHEATING = """\
from dataclasses import replace

from engines.base import CHANCE
from engines.options import choices_of
from tests.small_game import RACE, Judge, Race


class Loaded(Race):
    __slots__ = ()

    def random_move(self, seat, rng):
        if seat == CHANCE and self.far != (0, 0) and sum(self.far) > 16:
            return f"throws {1 + int(rng.random() * 6)}"
        return Race.random_move(self, seat, rng)

    def touches(self, seat, move):
        return ("a1",)


GAME = replace(RACE, key="loaded", name="Loaded race", start=lambda options: Loaded(), judge=None)
"""
"""A game whose chance draws a fraction late, and whose moves all touch the same square."""


def tried(folder, key, value, *lines):
    """What pytest says to the author, and how each test went, by its name without parameters: outcomes of all its cases."""
    packaged(folder / "packages", key, value)
    own = folder / "own"
    own.mkdir()
    (own / "test_contract.py").write_text(AUTHORS.format(key=key) + "\n".join(lines))
    paths = os.pathsep.join((str(ROOT), str(folder / "packages"), str(folder)))
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml=results.xml"]
    done = subprocess.run(
        command, cwd=own, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, timeout=600
    )
    outcomes = defaultdict(set)
    for case in ElementTree.parse(own / "results.xml").iter("testcase"):
        outcome = next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")
        outcomes[case.get("name").partition("[")[0]].add(outcome)
    return done.stdout, outcomes


def failed(outcomes):
    return {name for name, found in outcomes.items() if found & {"failure", "error"}}


def test_a_sound_game_passes_with_three_lines(tmp_path):
    _output, outcomes = tried(tmp_path, "race", "tests.small_game:RACE")
    assert failed(outcomes) == set() and len(outcomes) > 40


def test_faults_of_what_teaches_a_game_are_found(tmp_path):
    _output, outcomes = tried(tmp_path, "wreck", "tests.small_game:WRECK")
    assert failed(outcomes) == {
        "test_each_diagram_is_a_picture_with_words", "test_a_diagram_marks_what_the_engine_says",
        "test_a_caption_keeps_its_promises", "test_the_sample_letter_shows_a_move_and_its_answer_can_be_played",
        "test_a_page_has_its_sections_in_order_and_shows_each_diagram_once", "test_no_lesson_raises",
        "test_code_on_a_page_is_a_move_that_an_example_or_a_diagram_tries", "test_a_page_explains_every_option_and_value",
        "test_the_sample_replays_and_names_its_end", "test_translations_keep_the_placeholders",
    }  # fmt: skip


def test_faults_of_rules_that_show_late_are_found(tmp_path):
    (tmp_path / "cheating.py").write_text(CHEATING)
    found = failed(tried(tmp_path, "loaded", "cheating:GAME")[1])
    assert "test_touch_paths_are_unique_and_prefix_free" in found
    assert "test_somebody_can_act_until_the_end_and_nobody_after_it" in found


@pytest.mark.parametrize("key, value, why", [
    ("absent", "no_such_module:GAME", "The game “absent” of the package absent is left out: it failed with"),
    ("race", "tests.small_game:WRECK", "the game calls itself “wreck”"),
])  # fmt: skip
def test_a_game_that_is_left_out_is_told_in_its_sentence(tmp_path, key, value, why):
    assert why in tried(tmp_path, key, value)[0]


def test_nothing_else_of_the_service_needs_pytest():
    folders = [ROOT / "correspondence", ROOT / "engines"]
    files = [file for folder in folders for file in folder.rglob("*.py") if file.parent.name != "testing"]
    assert [file for file in files if "pytest" in (text := file.read_text()) or "hypothesis" in text] == []
