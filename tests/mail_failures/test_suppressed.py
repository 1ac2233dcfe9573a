"""Failure 18: an address that gets no letters gets none of any kind, whoever asks and whatever it is about."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from correspondence.core import db
from correspondence.models import Letter, Scope
from correspondence.ops.sending_sweeps import still_wanted
from correspondence.outbound import kinds, outbox, suppressions
from tests.outgoing import ScriptedPost

KINDS = sorted(kinds.KINDS)
NEEDED_TO_PLAY = set(KINDS) - {
    "join", "talk", "reminder", "contact", "invitation", "seek_near", "address", "helper_asked", "receipt",
    "announcement", "exercise", "offer_declined", "challenge_lapsed",
}  # fmt: skip
PROVING_IT_ALIVE = {"sign_in", "address", "address_changed", "api_token"}
"""What goes to an address that bounced: its owner asked for it, or must know of it."""


@pytest.mark.parametrize("reason", ["bounced: 5.1.1", "complaint: abuse"])
@pytest.mark.parametrize("kind", KINDS)
def test_failure_18_a_dead_address_gets_no_letter_but_the_one_that_proves_it_alive(town, kind, reason):
    taken = _sent(town, kind, Scope.ALL, reason)
    assert taken == (kind in PROVING_IT_ALIVE and not reason.startswith("complaint"))


@pytest.mark.parametrize("kind", KINDS)
def test_failure_18_who_wants_no_notices_gets_what_is_needed_to_play_on(town, kind):
    assert _sent(town, kind, Scope.NOTICES, "stop") == (kind in NEEDED_TO_PLAY)


def _sent(town, kind, scope, reason):
    with db.transaction(town.engine) as session:
        suppressions.suppress(session, "Ann@Example.org", scope, reason, now=town.time)
        session.add(
            Letter(
                key="k", kind=kind, recipient="ann@EXAMPLE.org", subject="s", text="t", message_id="x",
                created_at=town.time, due_at=town.time,
            )
        )  # fmt: skip
    post = ScriptedPost()
    outbox.send_due(
        town.engine, post, town.settings, now=lambda: town.time, still_wanted=still_wanted, rng=random.Random(1)
    )
    return len(post.taken) == 1


def test_every_kind_of_letter_is_written_somewhere():
    package = Path(kinds.__file__).parents[1]
    core, features = {}, {}
    for file in package.rglob("*.py"):
        place = features if "features" in file.parts else core
        place[file] = "" if file.stem == "kinds" else file.read_text()
    source = "\n".join(core.values())
    of_features = "\n".join(features.values())
    for kind in KINDS:
        named = re.findall(rf"\b{kind.upper()}\b", of_features)
        assert f"kinds.{kind.upper()}" in source or len(named) >= 2, f"no letter of the kind {kind} is written"
