"""Who may know whom: the rules of the house, held over the imports."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOCKETS = {"socket", "smtplib", "imaplib", "aiosmtpd", "imap_tools", "imapclient", "ssl"}

MAY_IMPORT = {
    "core": "",
    "mime": "",
    "models": "core",
    "transport": "core mime",
    "clocks": "core models",
    "render": "core",
    "rulebook": "core render",
    "fairness": "core models",
    "outbound": "core models mime transport render",
    "accounts": "core models mime outbound",
    "ratings": "core models accounts outbound",
    "play": "core models clocks render fairness outbound accounts ratings",
    "matchmaking": "core models mime clocks fairness outbound accounts ratings play",
    "robots": "core models accounts play matchmaking",
    "archive": "core models render fairness accounts play",
    "queries": "core models clocks render fairness outbound accounts play matchmaking archive",
    "community": "core models mime fairness outbound accounts ratings play matchmaking archive",
    "moderation": "core models clocks fairness outbound accounts ratings play matchmaking archive community",
    "commands": "core models clocks rulebook fairness outbound accounts ratings play matchmaking archive community",
    "inbound": "core models mime transport outbound accounts play matchmaking commands",
    "web": "core models clocks render rulebook transport fairness outbound accounts ratings play matchmaking archive queries"
    " community moderation commands",
    "api": "core models render accounts ratings play matchmaking archive queries web",
    "testing": "core rulebook commands",
    "ops": "core models mime transport clocks fairness outbound accounts play matchmaking archive queries"
    " community moderation inbound robots web",
}
"""Which packages each package may import, bottom up. The packages are explained in docs/design.md."""

FEATURES = "features"
"""The folder of the features, above all packages."""

STARTS = {"__init__", "__main__", "factory", "wsgi"}
"""Modules at the root, which make the application and start it."""


def files(folder):
    return sorted((ROOT / folder).rglob("*.py"))


@cache
def imports(file):
    """The modules that a file imports, by their whole names; relative ones too."""
    return tuple(_imports(file))


def _imports(file):
    parts = file.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level] if node.level else ()
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" if is_module(f"{base}.{alias.name}") else base for alias in node.names)


def is_module(name):
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def part(name):
    """The package of the service that a module lies in, by its whole name; "" for what lies elsewhere."""
    first, _, rest = name.partition(".")
    found = rest.partition(".")[0]
    return found if first == "correspondence" and found in MAY_IMPORT else ""


def top(file):
    """The package, or the module at the root, that a file of the service belongs to."""
    return file.relative_to(ROOT / "correspondence").parts[0].removesuffix(".py")


def circles(needs):
    """What is left of a graph of names when everything has been taken out that needs nothing that is left."""
    while settled := {name for name, needed in needs.items() if not needed & needs.keys() - {name}}:
        needs = {name: needed for name, needed in needs.items() if name not in settled}
    return needs


@pytest.mark.parametrize("file", files("engines"), ids=str)
def test_engines_know_the_standard_library_and_each_other(file):
    strangers = {name for name in imports(file) if name.split(".")[0] not in {*sys.stdlib_module_names, "engines"}}
    assert strangers == set()


def test_only_pages_commands_and_wiring_know_flask():
    knowing = {top(file) for file in files("correspondence") if any(n.startswith("flask") for n in imports(file))}
    assert knowing <= STARTS | {"web", "api", "ops", FEATURES}


def test_only_the_transport_opens_sockets():
    opening = {top(file) for file in files("correspondence") if SOCKETS & {n.split(".")[0] for n in imports(file)}}
    assert opening <= {"transport", "ops"}


PURE = ["mime", "render", "core/time_control.py", "core/move_text.py", "core/tokens.py",
        "clocks/deadlines.py", "ratings/glicko2.py", "commands/reading.py", "commands/command_types.py"]  # fmt: skip


@pytest.mark.parametrize("place", PURE)
def test_what_is_pure_knows_no_tables_and_no_network(place):
    here = ROOT / "correspondence" / place
    of_place = [here] if here.is_file() else list(here.rglob("*.py"))
    known = {name.split(".")[0] for file in of_place for name in imports(file)}
    assert known and not known & {"sqlmodel", "sqlalchemy", "flask", *SOCKETS}


def test_use_cases_never_commit_and_never_ask_the_clock():
    places = []
    for file in files("correspondence"):
        if top(file) in {"ops", "transport", "web", "api"} or file.stem in {"outbox", "runtime", "db"}:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and node.attr in ("commit", "utcnow", "today"):
                places.append((top(file), node.lineno))
            if isinstance(node, ast.Attribute) and node.attr == "now" and ast.unparse(node.value) == "datetime":
                places.append((top(file), node.lineno))
    assert places == []


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_what_the_table_says_and_no_more(package):
    used = {part(name) for file in files(f"correspondence/{package}") for name in imports(file)} - {"", package}
    assert used == set(MAY_IMPORT[package].split())


def test_every_package_is_in_the_table_and_says_what_it_is_for():
    packages = {file.parent.name for file in (ROOT / "correspondence").glob("*/__init__.py")} - {FEATURES}
    assert packages == set(MAY_IMPORT)
    for package in packages:
        lines = ast.get_docstring(ast.parse((ROOT / "correspondence" / package / "__init__.py").read_text()))
        assert lines and "Input:" in lines and "Output:" in lines, package


def test_no_two_packages_need_each_other():
    assert circles({name: set(needed.split()) for name, needed in MAY_IMPORT.items()}) == {}


def feature(name):
    """The feature that a module belongs to, by its whole name; "" for the core."""
    parts = name.split(".")
    return parts[2] if parts[:2] == ["correspondence", FEATURES] and len(parts) > 2 else ""


@pytest.mark.parametrize("file", files("correspondence"), ids=str)
def test_the_core_imports_no_feature_and_no_feature_another(file):
    known = {feature(name) for name in imports(file)} - {"", feature(module(file))}
    assert known <= {"Feature"}


def module(file):
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("folder", ["correspondence", "engines"])
def test_no_two_files_of_the_service_need_each_other(folder):
    needs = {module(file): set(imports(file)) for file in files(folder)}
    assert sorted(circles(needs)) == []
