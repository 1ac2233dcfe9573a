"""Pytest plug-in that tests the contract of games.

Use: `pytest_plugins = ["correspondence.testing"]`.

Input: games of this service or of other packages, from a test module that imports `correspondence.testing.contract` and
names them in `GAMES`. Output: tests that fail if a game breaks the contract of `engines.base` or cannot be taught. It
needs the extra `contract` (pytest and hypothesis), and no other part of the service imports it.

PYTEST_DONT_REWRITE: a test module imports this before pytest knows that it is a plug-in; the modules with assertions
are registered below.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{module}" for module in ("walks", "rules", "views", "teaching", "trials", "sample_record"))
)


@pytest.fixture(scope="session")
def is_thorough() -> bool:
    """Whether the tests run in full instead of on half of the samples."""
    return True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize the contract tests by games, option sets and walks of the test module."""
    if not metafunc.function.__module__.startswith(f"{__name__}."):
        return
    for name, values in (
        ("case", _cases),
        ("seed", _seeds),
        ("key", _keys),
        ("diagram", _diagrams),
        ("example", _examples),
    ):
        if name in metafunc.fixturenames:
            metafunc.parametrize(*values(metafunc.module))


def _cases(module: Any) -> tuple[str, Iterable[Any]]:
    from correspondence.testing.walks import cases_of

    found = getattr(module, "CASES", None) or [case for key in _games(module) for case in cases_of(key)]
    return "case", [pytest.param(case, id=str(case)) for case in found]


def _seeds(module: Any) -> tuple[str, Iterable[Any]]:
    from correspondence.testing.walks import WALKS

    return "seed", getattr(module, "SEEDS", range(WALKS))


def _keys(module: Any) -> tuple[str, Iterable[Any]]:
    return "key", _games(module)


def _diagrams(module: Any) -> tuple[str, Iterable[Any]]:
    from correspondence.rulebook.chapters import CHAPTERS

    return "diagram", [
        pytest.param((key, one), id=f"{key}-{one.name}") for key in _games(module) for one in CHAPTERS[key].diagrams
    ]


def _examples(module: Any) -> tuple[str, Iterable[Any]]:
    from correspondence.rulebook.chapters import CHAPTERS

    return "example", [
        pytest.param((key, one), id=f"{key} {one.text}") for key in _games(module) for one in CHAPTERS[key].examples
    ]


def _games(module: Any) -> tuple[str, ...]:
    """Return the keys of the games that a test module names; fail for one not installed."""
    from engines import GAMES, LEFT_OUT

    keys = tuple(getattr(module, "GAMES", ()))
    if not keys:
        raise pytest.UsageError(f"{module.__name__} must say which games are tried, such as GAMES = ['hex'].")
    missing = [key for key in keys if key not in GAMES]
    if missing:
        why = [sentence for sentence in LEFT_OUT if any(f"“{key}”" in sentence for key in missing)]
        raise pytest.UsageError(" ".join(why) or f"No installed package brings the game {', '.join(missing)}.")
    return keys
