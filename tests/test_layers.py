"""Who may know whom: the rules of the house, held over the imports."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WIRING = {"__init__", "house", "cli", "serve", "demo"}
SOCKETS = {"socket", "smtplib", "imaplib", "aiosmtpd", "imap_tools", "imapclient", "ssl"}
MAIL_FILES = {"transport", "demo"}


def files(folder):
    return sorted((ROOT / folder).rglob("*.py"))


def imports(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module


def top(file):
    """The module, or the package directly below `correspondence`, that a file belongs to."""
    return file.relative_to(ROOT / "correspondence").parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", files("engines"), ids=str)
def test_engines_know_the_standard_library_and_each_other(file):
    strangers = {name for name in imports(file) if name.split(".")[0] not in {*sys.stdlib_module_names, "engines"}}
    assert strangers == set()


def test_only_pages_commands_and_wiring_know_flask():
    knowing = {top(file) for file in files("correspondence") if any(n.startswith("flask") for n in imports(file))}
    assert knowing <= WIRING | {"web"}


def test_only_the_transport_opens_sockets():
    opening = {top(file) for file in files("correspondence") if SOCKETS & {n.split(".")[0] for n in imports(file)}}
    assert opening <= MAIL_FILES


@pytest.mark.parametrize("module", ["replytext", "commands", "clock", "machine_mail", "fairness", "tokens", "glicko"])
def test_what_is_pure_knows_no_tables_and_no_network(module):
    of_module = [file for file in files("correspondence") if top(file) == module]
    known = {name.split(".")[0] for file in of_module for name in imports(file)}
    assert of_module and not known & {"sqlmodel", "sqlalchemy", "flask", *SOCKETS}


def test_use_cases_never_commit_and_never_ask_the_clock():
    asked = []
    for file in files("correspondence"):
        if top(file) in {"serve", "worker", "outbox", "house", "demo", "transport", "doctor", "cli", "web", "db"}:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and node.attr in ("commit", "utcnow", "today"):
                asked.append((top(file), node.lineno))
            if isinstance(node, ast.Attribute) and node.attr == "now" and ast.unparse(node.value) == "datetime":
                asked.append((top(file), node.lineno))
    assert asked == []


def test_every_letter_has_a_template_in_both_forms():
    letters = ROOT / "templates" / "mail"
    kinds = {file.stem for file in letters.iterdir() if not file.name.startswith("_")}
    assert {file.name for file in letters.iterdir() if not file.name.startswith("_")} == {
        f"{kind}.{form}" for kind in kinds for form in ("txt", "html")
    }


def test_no_two_parts_of_the_service_need_each_other():
    needs = {}
    for file in files("correspondence"):
        found = {name for name in imports(file) if name.startswith("correspondence")}
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "correspondence":
                found |= {f"correspondence.{alias.name}" for alias in node.names}
        parts = {name.split(".")[1] for name in found if "." in name}
        needs.setdefault(top(file), set()).update(parts - {top(file), "__init__"})
    while settled := {part for part, needed in needs.items() if not needed & needs.keys()}:
        needs = {part: needed for part, needed in needs.items() if part not in settled}
    assert needs == {}
