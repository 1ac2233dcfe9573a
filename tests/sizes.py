"""Number of cases a test tries: a sample by default, all with `pytest --thorough`.

CONTRIBUTING.md lists for each file that uses this what the default tests check and what the thorough part adds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import pytest

from correspondence.testing.walks import examples

__all__ = ["ASKED_FOR", "THOROUGH", "examples", "in_turn", "is_left_out", "more", "sampled"]

THOROUGH = "thorough"
"""Marker of tests that repeat a default test with more cases."""

ASKED_FOR = {THOROUGH, "soak"}
"""Markers whose tests also run without `--thorough` if `-m` names them."""


def more(*values: Any, id: str | None = None) -> Any:
    """Mark a case of `pytest.mark.parametrize` as part of the thorough tests."""
    return pytest.param(*values, marks=pytest.mark.thorough, id=id)


def sampled(cases: Iterable[Any], *, every: int = 2, first: int = 0, names: int = 1) -> list[Any]:
    """Return cases for `pytest.mark.parametrize`, of which every `every`th runs by default.

    `first` is the index of the first one. `names` is the number of parameters of a case.
    """
    return [
        case if place % every == first else more(*(case if names > 1 else [case])) for place, case in enumerate(cases)
    ]


def in_turn(texts: Sequence[Any], turn: int, *, at_once: int, is_thorough: bool) -> Sequence[Any]:
    """Return all texts in the thorough part, otherwise `at_once` of them, rotating."""
    if is_thorough:
        return texts
    return list(islice((texts[(turn * at_once + place) % len(texts)] for place in range(len(texts))), at_once))


def is_left_out(markers: set[str], wanted: str, named: Sequence[str]) -> bool:
    """Whether a test with these markers runs only with `--thorough`.

    `wanted` is the value of `-m`, `named` the arguments of pytest; a test named there is always run.
    """
    if THOROUGH not in markers or any("::" in one for one in named):
        return False
    words = set(re.findall(r"\w+", re.sub(r"\bnot +\w+", "", wanted)))
    return not words & ASKED_FOR & markers
