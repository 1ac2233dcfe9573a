"""How many cases a test tries: a sample by default, all of them with `pytest --thorough`.

CONTRIBUTING.md says for each file that uses this what the default tests hold and what the thorough part adds.
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
"""The marker of tests that repeat with more cases what a test of the default suite holds."""

ASKED_FOR = {THOROUGH, "soak"}
"""Markers whose tests run without `--thorough` too where `-m` names them."""


def more(*values: Any, id: str | None = None) -> Any:
    """A case of `pytest.mark.parametrize` that belongs to the thorough part."""
    return pytest.param(*values, marks=pytest.mark.thorough, id=id)


def sampled(cases: Iterable[Any], *, every: int = 2, first: int = 0, names: int = 1) -> list[Any]:
    """These cases for `pytest.mark.parametrize`, of which each `every`th stays in the default suite.

    `first` is the place of the first that stays. `names`: how many parameters a case gives values for.
    """
    return [
        case if place % every == first else more(*(case if names > 1 else [case])) for place, case in enumerate(cases)
    ]


def in_turn(texts: Sequence[Any], turn: int, *, at_once: int, is_thorough: bool) -> Sequence[Any]:
    """All of these texts in the thorough part, else the `at_once` whose turn it is, so that each has its turn."""
    if is_thorough:
        return texts
    return list(islice((texts[(turn * at_once + place) % len(texts)] for place in range(len(texts))), at_once))


def is_left_out(markers: set[str], wanted: str, named: Sequence[str]) -> bool:
    """Whether a test with these markers waits for `--thorough`.

    `wanted` is what `-m` says, `named` are the arguments of pytest: a test that is named by its own name is run.
    """
    if THOROUGH not in markers or any("::" in one for one in named):
        return False
    words = set(re.findall(r"\w+", re.sub(r"\bnot +\w+", "", wanted)))
    return not words & ASKED_FOR & markers
