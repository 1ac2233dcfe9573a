"""Names that a stranger finds: one thing for one word, and locals that say what they hold."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from engines import GAMES

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("correspondence", "engines", "bench", "examples", "tests")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NO_NOUNS = {"told", "said", "asked", "took"}
SHOW_THE_SAME = ("correspondence/api/", "correspondence/commands/command_types.py")
"""Where the shape of a thing for programs, and a command about it, have the name of the thing."""
GAMES_FOLDERS = tuple(f"engines/{key.replace('-', '_')}/" for key in GAMES)
"""Each game has a State, a Move and Options of its own."""


def trees(*folders):
    for folder in folders:
        for file in (ROOT / folder).rglob("*.py"):
            yield str(file.relative_to(ROOT)), ast.parse(file.read_text())


def bound_names(tree):
    """The names of parameters and of variables that a file binds, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno


@pytest.mark.parametrize("folder", FOLDERS)
def test_locals_are_nouns_of_what_they_hold(folder):
    found = [f"{file}:{line} {name}" for file, tree in trees(folder) for name, line in bound_names(tree)]
    assert found and [one for one in found if one.rpartition(" ")[2] in NO_NOUNS] == []


@pytest.mark.parametrize("folder", ["bench", "examples", "tests"])
def test_functions_are_no_verbs_of_the_past_either(folder):
    found = [
        (node.name, file) for file, tree in trees(folder) for node in ast.walk(tree) if isinstance(node, FUNCTIONS)
    ]
    assert found and [one for one in found if one[0] in NO_NOUNS] == []


def test_no_two_classes_have_the_same_name():
    places = defaultdict(list)
    for file, tree in trees("correspondence", "engines"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not file.startswith((*SHOW_THE_SAME, *GAMES_FOLDERS)):
                places[node.name].append(file)
    assert len(places) > 300
    assert {name: files for name, files in places.items() if len(files) > 1 and not name.startswith("_")} == {}
