"""Values that are filled directly are what their dataclass says, and as closed as it."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from engines.slots import filled_directly


@filled_directly
@dataclass(frozen=True, slots=True)
class Step:
    """A value one of whose fields has the name that a class often goes by."""

    kind: str
    squares: tuple[int, ...]
    count: int = 1


STEP = Step("walk", (1, 2))


def test_fields_are_given_by_place_by_name_or_left_out():
    assert STEP == Step(squares=(1, 2), kind="walk") == Step("walk", (1, 2), 1)
    assert (STEP.kind, STEP.squares, STEP.count) == ("walk", (1, 2), 1)
    assert Step("walk", (1, 2), count=2) != STEP


@pytest.mark.parametrize("given", [{}, {"kind": "walk"}, {"kind": "walk", "squares": (), "way": 1}])
def test_a_field_that_is_missing_or_too_much_is_refused(given):
    with pytest.raises(TypeError):
        Step(**given)


def test_nothing_in_it_changes_once_it_is_made():
    assert type(STEP) is Step
    for change in (lambda: setattr(STEP, "kind", "ride"), lambda: delattr(STEP, "kind")):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        STEP.further = 1
    assert Step("walk", (1, 2)) == STEP


def test_it_is_copied_stored_and_found_like_any_value():
    assert copy.copy(STEP) == STEP == pickle.loads(pickle.dumps(STEP))
    assert replace(STEP, count=3) == Step("walk", (1, 2), 3)
    assert {STEP: "here"}[Step("walk", (1, 2))] == "here"
    assert repr(STEP) == "Step(kind='walk', squares=(1, 2), count=1)"
