"""One base for every refusal: whoever forgets to catch one shows its sentence, and never a mistake of ours."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import correspondence
import engines
from correspondence.models.loading import MatchError
from engines.base import MoveError
from engines.refusal import Refusal

OURS_ALONE = {
    *("FetchError", "PostError", "NoAnswerError", "LetterError", "UnknownKindError", "RefusedAfterChance"),
    *(
        "SignedOut",
        "Reaction",
        "ForgedRequest",
        "OtherMember",
        "SignInFirst",
        "Denied",
        "NoRoom",
        "Unfit",
        "NotFound",
        "BudgetSpent",
        "EndpointError",
        "PushError",
        "ThinkerDied",
        "NotHeld",
    ),
}
"""Errors that no person's request causes, which go to the log or the mail queue, those that lead to signing in, and those
that a search ends with inside its own module."""


def errors():
    for package in (correspondence, engines):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith((".wsgi", "__main__")):
                continue
            module = importlib.import_module(found.name)
            for name, one in inspect.getmembers(module, inspect.isclass):
                if issubclass(one, Exception) and one.__module__ == found.name and not name.startswith("_"):
                    yield one


@pytest.mark.parametrize("error", sorted(set(errors()), key=str), ids=lambda one: one.__name__)
def test_what_a_person_may_be_refused_with_has_one_base(error):
    assert issubclass(error, Refusal) or error.__name__ in OURS_ALONE


@pytest.mark.parametrize(
    "error", [MatchError("The board is gone."), MoveError("The board is gone.")], ids=["service", "game"]
)
def test_a_refusal_that_a_page_forgot_is_a_sentence_and_keeps_what_was_typed(world, monkeypatch, error):
    world.join("ann"), world.join("bob")
    number = world.match("duel")

    def forgetful(match):
        raise error

    monkeypatch.setitem(world.app.view_functions, "play.draw", forgetful)
    answer = world.client("ann").post(f"/games/{number}/draw", data={"text": "shall we?"})
    assert answer.status_code == 422
    assert "The board is gone." in answer.text
    assert "shall we?" in answer.text
