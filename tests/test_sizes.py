"""What the default suite leaves out is left out by rule, and the documents tell of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sizes import in_turn, is_left_out, sampled

TESTS = Path(__file__).resolve().parent
USES = re.compile(r"from tests\.sizes import (?!examples\n)|is_thorough|mark\.thorough")
"""Examples of hypothesis are told of all at once."""
THEMSELVES = {"sizes.py", "test_sizes.py", "conftest.py"}


@pytest.mark.parametrize("wanted", ["", "not soak", "fast", "deployment", "not thorough"])
def test_the_thorough_part_waits_to_be_asked_for(wanted):
    assert is_left_out({"thorough"}, wanted, ["tests/test_soak.py"])
    assert not is_left_out({"fast"}, wanted, [])


@pytest.mark.parametrize(("markers", "wanted"), [({"thorough"}, "thorough"), ({"thorough", "soak"}, "soak or fast")])
def test_what_is_asked_for_by_its_marker_runs(markers, wanted):
    assert not is_left_out(markers, wanted, [])


def test_a_test_that_is_asked_for_by_its_own_name_runs():
    assert not is_left_out({"thorough"}, "", ["tests/test_soak.py::test_whatever_fails"])


def test_of_a_sample_each_second_case_stays_and_the_others_are_marked():
    cases = sampled(["a", "b", "c"])
    assert [getattr(case, "marks", ()) == () for case in cases] == [True, False, True]
    (pair,) = sampled([("a", 1)], first=1, names=2)
    assert pair.values == ("a", 1)


def test_whatever_goes_in_turn_has_its_turn_and_all_come_where_the_part_is_thorough():
    texts = list("abcde")
    shown = [in_turn(texts, turn, at_once=2, is_thorough=False) for turn in range(5)]
    assert shown[:3] == [["a", "b"], ["c", "d"], ["e", "a"]]
    assert {text for some in shown for text in some} == set(texts)
    assert in_turn(texts, 3, at_once=2, is_thorough=True) == texts


def test_the_documents_say_of_each_file_what_is_left_out_of_it():
    files = [file for file in TESTS.rglob("*.py") if file.name not in THEMSELVES and USES.search(file.read_text())]
    section = (TESTS.parent / "CONTRIBUTING.md").read_text().partition("## The thorough part")[2].partition("\n## ")[0]
    assert files
    assert [name for file in files if f"`{(name := file.relative_to(TESTS.parent).as_posix())}`" not in section] == []
