"""A sixth game is one package: it is installed and played, and taken away without breaking anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from email.message import EmailMessage
from importlib.metadata import EntryPoint
from xml.etree import ElementTree

import pytest

from correspondence.core import db
from correspondence.models import Seek
from correspondence.ops.doctor import examine
from correspondence.ops.worker import sweep_clocks, sweep_seeks
from engines import GAMES, LEFT_OUT, OURS
from engines.registry import GROUP, find
from tests.browser.conftest import CHROMIUM
from tests.post import text_of
from tests.test_commands_of_flask import ROOT
from tests.world import World, mail_world

pytestmark = pytest.mark.skipif("hex" in GAMES, reason="the example is installed here, so it is no stranger")

HEX = ROOT / "examples" / "hex"


def beside(package, *words, folder=None, **more):
    """Run Python with the service and a folder of packages; fails with what it said."""
    known = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(package))), **more}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder or ROOT, env=known, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    return done


def pytest_beside(package, *words, **more):
    beside(package, "-m", "pytest", "-p", "no:cacheprovider", *words, **more)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which the example was installed, without looking for anything in the network."""
    folder = tmp_path_factory.mktemp("hex")
    shutil.copytree(HEX, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    words = ("install", "-q", "--no-deps", "--no-index", "--no-build-isolation", "--no-compile", "--target")
    command = [sys.executable, "-m", "pip", *words, str(folder / "packages"), str(folder / "source")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "packages"


SUITES = ("plugin/hex_played", "browser/test_every_game_on_pages", "test_contract", "test_rules_pages", "test_history",
          "test_queries")  # fmt: skip


@pytest.fixture(scope="module")
def outcome(installed, tmp_path_factory):
    """How many tests of each file passed beside the package, and the folder that they left; all in one run."""
    folder, results = tmp_path_factory.mktemp("left"), tmp_path_factory.mktemp("results") / "results.xml"
    files = (f"tests/{name}.py" for name in SUITES)
    pytest_beside(installed, *files, "-k", "hex", f"--junit-xml={results}", HEX_LEFT_IN=str(folder))
    cases = ElementTree.parse(results).iter("testcase")
    passed = Counter(case.get("classname") for case in cases if case.find("skipped") is None)
    return {name: passed["tests." + name.replace("/", ".")] for name in SUITES}, folder


@pytest.fixture(scope="module")
def left(outcome):
    """Two installations in which Hex was played; the package is not here any more."""
    return outcome[1]


# -- with the package -----------------------------------------------------------------------


def test_it_is_played_by_mail_and_on_pages(outcome):
    assert outcome[0]["plugin/hex_played"] > 10


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_it_is_played_by_touch_keys_and_dragging_in_a_browser(outcome):
    assert outcome[0]["browser/test_every_game_on_pages"] == 3


def test_the_contract_and_the_rules_pages_hold_for_it_as_for_any_game(outcome):
    assert sum(outcome[0][name] for name in SUITES[2:]) > 30


def test_no_file_of_ours_names_it():
    ours = [file for folder in ("correspondence", "engines", "templates") for file in (ROOT / folder).rglob("*.*")]
    texts = [file for file in ours if file.suffix in (".py", ".html", ".txt", ".js", ".css", ".po")]
    assert [file for file in texts if "hex_game" in file.read_text() or '"hex"' in file.read_text()] == []


# -- without the package ---------------------------------------------------------------------


GONE = "is not installed here at the moment"


@pytest.mark.parametrize("path", ["/games/1", "/games/2", "/games/1/1", "/games/2/1.svg", "/games/2/1.png",
                                  "/games/2/1.txt", "/games/2.record", "/games/2/replay.svg", "/games/1/try",
                                  "/games/1.atom"])  # fmt: skip
def test_a_game_that_cannot_be_shown_is_told_in_a_sentence(left, path):
    world = World(left / "pages")
    answer = world.client("ann").get(path)
    world.close()
    assert answer.status_code == 404
    assert GONE in answer.text
    assert "“hex”" in answer.text


@pytest.mark.parametrize("path", ["/", "/games", "/archive", "/archive?game=hex", "/archive.atom", "/archive.records",
                                  "/players/ann", "/players/ann.atom", "/ratings", "/seeks", "/partners", "/rules",
                                  "/challenge", "/challenge?game=hex", "/puzzles", "/health", "/settings/mydata",
                                  "/games/2/mail"])  # fmt: skip
def test_lists_work_without_it(left, path):
    world = World(left / "pages")
    answer = world.client("ann").get(path)
    world.close()
    assert answer.status_code == (422 if path == "/archive?game=hex" else 200)


@pytest.mark.parametrize("act", ["move", "read", "hint"])
def test_no_move_is_made_in_it(left, act):
    world = World(left / "pages")
    answer = world.client("bob").post(f"/games/1/{act}", data={"move": "f7"})
    world.close()
    assert answer.status_code == 404 and GONE in answer.text


@pytest.mark.parametrize("act, data", [("say", {"text": "Hello?"}), ("draw", {})])
def test_its_players_still_talk_and_agree(left, act, data):
    world = World(left / "pages")
    answer = world.client("bob").post(f"/games/1/{act}", data=data)
    world.close()
    assert answer.status_code == 303


def test_one_can_resign_and_leave_though_it_is_gone(left, tmp_path):
    shutil.copytree(left / "pages", tmp_path / "pages")
    world = World(tmp_path / "pages")
    assert world.client("bob").get("/settings/mydata/copy.zip").status_code in (200, 404, 405)
    world.resign(1, "bob")
    page = world.client("ann")
    assert page.post("/settings/mydata/forget", data={"confirmed": "yes"}).status_code == 303
    world.close()


def test_by_mail_a_move_is_answered_with_the_sentence(left, tmp_path):
    shutil.copytree(left / "mail", tmp_path / "mail")
    town = mail_world(tmp_path / "mail")
    to, answered = (left / "token").read_text().splitlines()
    letter = EmailMessage()
    letter["Message-ID"], letter["Reply-To"], letter["To"] = answered, to, "bob@example.org"
    town.answer(letter, "f7")
    assert GONE in " ".join(text_of(town.letter("bob")).split())
    for line in ("show 1", "games", "history 1", "record 1", "seek hex", "rules hex", "seeks", "draw", "preview f7"):
        assert not town.answer(letter, line).startswith("failed"), line
    town.close()


def test_its_clocks_stand_still_and_nobody_loses_on_time(left, tmp_path, monkeypatch):
    shutil.copytree(left / "mail", tmp_path / "mail")
    town = mail_world(tmp_path / "mail")
    before = town.stand(1).deadline
    for _day in range(60):
        town.time += timedelta(days=1)
        sweep_clocks(town.runtime)
    assert town.stand(1).ended_at is None and town.stand(1).deadline is None
    monkeypatch.setattr("correspondence.clocks.missing_games.GAMES", {**GAMES, "hex": GAMES["duel"]})
    sweep_clocks(town.runtime)
    assert town.stand(1).deadline > town.time
    assert town.stand(1).deadline - before >= timedelta(days=58)
    town.close()


def test_its_seeks_are_listed_no_more_and_run_out_quietly(left, tmp_path):
    shutil.copytree(left / "mail", tmp_path / "mail")
    town = mail_world(tmp_path / "mail")
    town.mail("bob@example.org", "play@games.example", "seeks")
    assert "hex" not in text_of(town.letter("bob")) if town.letters("bob") else True
    town.time += timedelta(days=400)
    sweep_seeks(town.runtime)
    town.deliver()
    with db.reading(town.engine) as session:
        assert session.get(Seek, town.offer(2)).state.value == "expired"
    town.close()


# -- packages that are not as they should be ---------------------------------------------------


def point(name, value):
    return EntryPoint(name, value, GROUP)


@pytest.fixture
def bad(tmp_path, monkeypatch):
    """Modules that are wrong in one way each, where Python finds them."""
    (tmp_path / "raises_at_import.py").write_text("raise RuntimeError('no such disk')\n")
    (tmp_path / "leaves.py").write_text("raise SystemExit('bye')\n")
    (tmp_path / "no_game.py").write_text("GAME = 7\n")
    (tmp_path / "cannot_begin.py").write_text(
        "from dataclasses import replace\nfrom engines.duel import GAME as DUEL\n"
        "def start(options):\n    raise ZeroDivisionError('nothing to divide')\n"
        "GAME = replace(DUEL, key='cannot-begin', name='Beginless', start=start)\n"
    )
    (tmp_path / "good.py").write_text(
        "from dataclasses import replace\nfrom engines.duel import GAME as DUEL\n"
        "GAME = replace(DUEL, key='good', name='Good Duel')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name, value, why", [
    ("raises", "raises_at_import:GAME", "it failed with RuntimeError: no such disk"),
    ("leaves", "leaves:GAME", "it failed with SystemExit: bye"),
    ("nowhere", "no_such_module:GAME", "it failed with ModuleNotFoundError"),
    ("no-game", "no_game:GAME", "no_game:GAME is no Game."),
    ("other", "good:GAME", "the game calls itself “good”."),
    ("cannot-begin", "cannot_begin:GAME", "it failed with ZeroDivisionError: nothing to divide"),
    ("duel", "good:GAME", "a game of that key belongs to the service itself"),
    ("Bad Key!", "good:GAME", "a key has 3 to 30 small letters"),
])  # fmt: skip
def test_what_is_wrong_with_a_package_is_said_and_the_others_are_played(bad, caplog, name, value, why):
    found = find(OURS, [point(name, value), point("good", "good:GAME")])
    assert list(found.games) == [*GAMES, "good"] and found.games["duel"] is GAMES["duel"]
    assert len(found.left_out) == 1
    assert why in found.left_out[0]
    assert f"“{name}”" in found.left_out[0]
    assert found.left_out[0] in caplog.text


def test_of_two_packages_with_the_same_key_neither_is_taken(bad):
    found = find(OURS, [point("good", "good:GAME"), point("good", "no_game:GAME")])
    assert list(found.games) == list(GAMES) and len(found.left_out) == 2
    assert all("brings a game of that key, too, so neither is taken." in sentence for sentence in found.left_out)


def test_a_game_that_is_not_here_has_a_name_and_is_not_among_the_games():
    assert GAMES["gone"].name == "gone"
    assert "gone" not in GAMES
    assert GAMES.get("gone") is None
    assert list(GAMES) == [game.key for game in OURS] and LEFT_OUT == ()


def packaged(folder, name, value):
    """Let a package in this folder say that it brings a game."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {value}\n")


def test_a_broken_package_keeps_the_service_from_nothing(shown, world):
    assert "games " + " ".join([*GAMES, "little"]) in shown.stdout
    assert "The game “broken” of the package broken is left out: it failed with ModuleNotFoundError" in shown.stderr
    assert all("left out" not in finding.sentence for finding in examine(world.runtime))


def test_games_are_played_and_what_they_cannot_show_is_left_out(tmp_path):
    for name in ("race", "wreck", "late"):
        packaged(tmp_path, name, f"tests.small_game:{name.upper()}")
    pytest_beside(tmp_path, "tests/plugin/race_played.py")


# -- packages that bring little ------------------------------------------------------------------


LITTLE = """\
from engines.base import Game
from engines.duel import GAME as DUEL
from engines.presentation import Presentation
GAME = Game(
    "little", "Little Duel", DUEL.seats, DUEL.Options, DUEL.start, "5@b3 places your 5 on b3.",
    presentation=Presentation(pitch="A little game.", package=__name__),
)
"""
CATALOGUE = """\
msgid "A little game."
msgstr "Un giochino."

msgid "White"
msgstr "Non il nostro"
"""
PAGES = """\
import pathlib, sys
from correspondence.core.i18n import translations
from engines import GAMES
from tests.world import World
world = World(pathlib.Path(sys.argv[1]))
world.join("ann")
for path in ("/rules/little", "/rules/little/board.svg", "/", "/help", "/rules", "/challenge?game=little"):
    answer = world.client("ann").get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    assert "5@b3 places your 5 on b3." in answer.text or path != "/rules/little"
assert "Un giochino." in world.client().get("/rules", headers={"Accept-Language": "it"}).text
assert translations("it").gettext("White") == "Bianco"
print("shown")
print("games", *GAMES)
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the service said beside a package that brings little and one that is broken."""
    folder = tmp_path_factory.mktemp("beside")
    for name in ("little", "broken"):
        packaged(folder, name, f"{name}:GAME")
    (folder / "broken.py").write_text("import nothing_of_that_name\n")
    (folder / "little" / "locale" / "it" / "LC_MESSAGES").mkdir(parents=True)
    (folder / "little" / "__init__.py").write_text(LITTLE)
    (folder / "little" / "locale" / "it" / "LC_MESSAGES" / "messages.po").write_text(CATALOGUE)
    return beside(folder, "-c", PAGES, str(folder / "instance"))


def test_a_game_that_brings_little_has_its_pages_and_its_own_translations(shown):
    assert "shown" in shown.stdout.splitlines()
