"""The engines without the service: they are built, installed and used by themselves, with nothing but Python."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from engines import GAMES
from tests.test_commands_of_flask import ROOT

ALONE = """\
import sys
sys.path.insert(0, {folder!r})
try:
    import correspondence
except ImportError:
    pass
else:
    raise SystemExit("the service is here, too")
"""
PLAYED = """
import random
from engines import GAMES, svg, text
from engines.codec import dump, load
from engines.record import draw_lots, playout, replay
rng = random.Random(3)
for game in GAMES.values():
    start = game.start(game.Options())
    played = playout(start, rng, 60)
    assert replay(game, game.Options(), played.entries) == played.position
    assert load(type(played.position), dump(played.position)) == played.position
    assert text.render(played.position.scene(None)) and svg.render(played.position.scene(None))
    assert game.presentation.page() and game.presentation.sample()
print(*GAMES)
strangers = {name.split(".")[0] for name in sys.modules} - {*sys.stdlib_module_names, "engines", "__main__"}
print(*strangers)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The engines as a wheel of their own, built from a copy of their folder."""
    folder = tmp_path_factory.mktemp("engines")
    shutil.copytree(ROOT / "engines", folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    words = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    done = subprocess.run(words, cwd=folder / "source", capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def alone(wheel, tmp_path_factory):
    """A folder that holds what is in the wheel, and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def run(folder, code):
    """Python that knows of no site, no user and no environment."""
    words = (sys.executable, "-I", "-S", "-c", ALONE.format(folder=str(folder)) + code)
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_engines_and_all_their_files(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"engines"}
    files = [path for path in (ROOT / "engines").rglob("*.*") if path.is_file() and "__pycache__" not in str(path)]
    wanted = {str(path.relative_to(ROOT)) for path in files} - {"engines/pyproject.toml"}
    assert wanted <= set(names) and "engines/duel/rules.html" in names


def test_every_game_is_played_drawn_and_stored_without_the_service(alone):
    games, strangers = run(alone, PLAYED).splitlines()
    assert games.split() == list(GAMES) and strangers == ""


def test_what_the_readme_shows_works_as_it_stands(alone):
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "engines" / "README.md").read_text(), re.S)
    output = run(alone, code)
    assert "[B8]" in output or "B8" in output
    assert "is not a move here. Try " in output or "There is no such button" in output
