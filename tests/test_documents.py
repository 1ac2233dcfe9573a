"""What the documents name exists: files, functions, commands, settings; and they stay short enough to be read."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from correspondence.core.config import Settings
from tests.test_layers import MAY_IMPORT

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted({"README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))})
NAMING = ["README.md", "CONTRIBUTING.md", "docs/design.md"]
"""The documents whose names of functions and classes are looked up in the code."""

MADE_LATER = ("instance/", "tests/artefacts", "correspondence/_data")
"""What is made when the service runs, is tested or is built, and is in no checkout."""

GROUPS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
"""The groups of https://keepachangelog.com, in its order."""

FOLDERS = ("correspondence", "engines", "tests", "bench", "migrations")
_PATH = re.compile(r"[\w.*-]*(?:/[\w.*-]+)+/?|[\w-]+\.(?:py|md|toml|yaml|txt|html|po|js|css)|\.env\.example")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def text_of(document):
    return (ROOT / document).read_text()


def quoted(document):
    """What stands in backticks, code blocks left out."""
    return re.findall(r"`([^`\n]+)`", _FENCED.sub("", text_of(document)))


def is_address(text):
    """Whether a text is an address of a page, or of something elsewhere, and not a file of ours."""
    return text.startswith("/") or "://" in text or "@" in text


def exists(path):
    """Whether a path leads to something: from the top, or for short from `correspondence/` or in the example game."""
    hex_game = ROOT / "examples" / "hex"
    bases = (ROOT, ROOT / "correspondence", hex_game, hex_game / "hex_game")
    return any(next(base.glob(path.rstrip("/")), None) for base in bases)


@cache
def names():
    """Every name that the code defines, by the last part of its dotted path: each maps to its whole dotted paths."""
    found = defaultdict(set)
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            for dotted in (module, *defined(ast.parse(file.read_text()).body, module)):
                found[dotted.rpartition(".")[2]].add(dotted)
    return found


def defined(body, above):
    """The dotted paths of what a module or a class defines or hands on, with the members of its classes."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{above}.{node.name}"
            yield from (f"{above}.{node.name}.{arg.arg}" for arg in (*node.args.args, *node.args.kwonlyargs))
        elif isinstance(node, ast.ClassDef):
            yield f"{above}.{node.name}"
            yield from defined(node.body, f"{above}.{node.name}")
        elif isinstance(node, ast.Assign):
            yield from (f"{above}.{target.id}" for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield f"{above}.{node.target.id}"
        elif isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("correspondence")):
            yield from (f"{above}.{alias.asname or alias.name}" for alias in node.names)


def is_defined(name):
    last = name.rpartition(".")[2]
    return any(f".{dotted}".endswith(f".{name}") for dotted in names()[last])


def looks_like_code(text):
    """Whether a quoted text is a name out of the code: dotted, with an underscore, or in capitals and small letters."""
    if not _NAME.fullmatch(text):
        return False
    return "." in text or "_" in text.strip("_") or bool(re.search(r"[A-Z]\w*[a-z]\w*[A-Z]|^_", text))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_that_a_document_names_exists(document):
    named = {text for text in quoted(document) if _PATH.fullmatch(text) and not is_address(text)}
    named = {path for path in named if not path.startswith(MADE_LATER)}
    linked = set(re.findall(r"\]\(([^)#:]+)\)", text_of(document)))
    missing = {path for path in named if not exists(path)}
    missing |= {path for path in linked if not (ROOT / document).parent.joinpath(path).exists()}
    assert missing == set()


@pytest.mark.parametrize("document", NAMING)
def test_every_name_of_the_code_in_a_document_is_defined(document):
    settings = {field.name.upper() for field in fields(Settings)}
    named = {text.removesuffix("()") for text in quoted(document)} - settings
    known = {text for text in named if _PATH.fullmatch(text)}
    assert sorted(text for text in named - known if looks_like_code(text) and not is_defined(text)) == []


def test_the_readme_is_short():
    lines = text_of("README.md").splitlines()
    assert len(lines) <= 120 and max(map(len, lines)) <= 130


def test_the_table_of_packages_is_that_of_the_imports():
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]*) \|$", text_of("docs/design.md"), re.M)
    assert {name: set(re.findall(r"\w+", needed)) - {"none"} for name, needed in rows} == {
        name: set(needed.split()) for name, needed in MAY_IMPORT.items()
    }


def test_the_picture_of_packages_has_every_one_above_all_that_it_imports():
    [picture] = re.findall(r"^```text\n(.*?)^```", text_of("docs/design.md"), re.M | re.S)
    floors = [re.findall(r"\w+", floor) for floor in re.findall(r"^ *│([^│]*)│", picture, re.M)]
    height = {name: -at for at, floor in enumerate(floors) for name in floor if name in MAY_IMPORT}
    assert set(height) == set(MAY_IMPORT)
    wrong = [
        (name, one) for name, needed in MAY_IMPORT.items() for one in needed.split() if height[name] <= height[one]
    ]
    assert wrong == []


def test_every_command_and_every_setting_is_explained_for_who_runs_it():
    text = text_of("docs/deploy.md")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    commands = project["entry-points"]["flask.commands"]
    assert [name for name in commands if f"`flask {name}" not in text] == []
    assert [field.name for field in fields(Settings) if f"`{field.name.upper()}`" not in text] == []


def test_the_changelog_goes_by_version_newest_first_and_by_group():
    lines = text_of("CHANGELOG.md").splitlines()
    heads = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert heads[0] == "Unreleased"
    versions = [
        tuple(map(int, re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - \d{4}-\d\d-\d\d", head).groups())) for head in heads[1:]
    ]
    assert versions and versions == sorted(set(versions), reverse=True)
    for section in re.split(r"^## ", "\n".join(lines), flags=re.M)[1:]:
        groups = re.findall(r"^### (.+)$", section, re.M)
        assert groups == sorted(groups, key=GROUPS.index) and len(groups) == len(set(groups))
        assert groups or section.startswith("Unreleased")


def test_every_entry_of_the_changelog_is_one_line():
    entries = text_of("CHANGELOG.md").partition("## Unreleased")[2].splitlines()
    assert [line for line in entries if line and not line.startswith(("- ", "## ", "### "))] == []
    assert [line for line in entries if len(line) > 130] == []


def test_the_changelog_says_nothing_twice():
    entries = [line for line in text_of("CHANGELOG.md").splitlines() if line.startswith("- ")]
    assert len(entries) == len(set(entries))
