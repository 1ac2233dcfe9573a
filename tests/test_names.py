"""Names that a stranger finds: one thing for one word, and locals that say what they hold."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
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


@dataclass
class Names:
    """The names that a file gives, with their lines: to parameters and variables, to functions, and to classes."""

    bound: list[tuple[str, int]] = field(default_factory=list)
    functions: list[tuple[str, int]] = field(default_factory=list)
    classes: list[tuple[str, int]] = field(default_factory=list)


@cache
def names_in(folder):
    """The names of each file below a folder, by its path."""
    files = (ROOT / folder).rglob("*.py")
    return {str(file.relative_to(ROOT)): names_of(ast.parse(file.read_text())) for file in files}


def names_of(tree):
    found = Names()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            found.bound.append((node.arg, node.lineno))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.bound.append((node.id, node.lineno))
        elif isinstance(node, FUNCTIONS):
            found.functions.append((node.name, node.lineno))
        elif isinstance(node, ast.ClassDef):
            found.classes.append((node.name, node.lineno))
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_locals_are_nouns_of_what_they_hold(folder):
    found = [(name, file, line) for file, names in names_in(folder).items() for name, line in names.bound]
    assert found and [one for one in found if one[0] in NO_NOUNS] == []


@pytest.mark.parametrize("folder", ["bench", "examples", "tests"])
def test_functions_are_no_verbs_of_the_past_either(folder):
    found = [(name, file, line) for file, names in names_in(folder).items() for name, line in names.functions]
    assert found and [one for one in found if one[0] in NO_NOUNS] == []


def test_no_two_classes_have_the_same_name():
    """In the core and in each feature: a feature is a room of its own, and calls its settings `Settings`, too."""
    places = defaultdict(list)
    for file, names in (names_in("correspondence") | names_in("engines")).items():
        if not file.startswith((*SHOW_THE_SAME, *GAMES_FOLDERS)):
            room = file.split("/")[2] if file.startswith("correspondence/features/") else ""
            for name, _line in names.classes:
                places[room, name].append(file)
    assert len(places) > 300
    assert {name: files for name, files in places.items() if len(files) > 1 and not name[1].startswith("_")} == {}
