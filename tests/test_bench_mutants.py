"""The sample of faults fits the code: whoever changes a line that a fault changes moves the fault with it."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from bench.mutants import MUTANTS, ROOT


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_fault_stands_in_one_place_and_names_tests_that_exist(mutant):
    assert (ROOT / mutant.file).read_text().count(mutant.old) == 1
    assert mutant.new not in ("", mutant.old) or mutant.old.endswith("\n")
    files = [word for word in shlex.split(mutant.tests) if word.endswith(".py")]
    assert files
    assert all(Path(ROOT, file).exists() for file in files)


def test_each_fault_has_a_name_of_its_own():
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
