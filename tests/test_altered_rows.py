"""Rows that somebody altered in the database, and what was not made yet, are sentences on every page, never a fault."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, update

from correspondence.clocks import read_only
from correspondence.core import db
from correspondence.models import DailySeed, Match, Move, Player
from tests.attacks.reach import addresses, answer_to, unthrottled
from tests.programs import bearer

GAME = 1

ALTERED = [
    (Move, "seat", 7), (Move, "seat", -1), (Move, "seat", 1), (Move, "text", "zz9"), (Move, "text", ""), (Move, "hash", "no"),
    (Move, "seal", "no"), (Move, "ply", 5), (Move, "ply", 0), (Move, "spent", -5),
    (Match, "result", "1-0"), (Match, "chain", 9), (Match, "ply", 5), (Match, "ply", 0), (Match, "ply", -3),
    (Match, "position", ""), (Match, "position", "no"), (Match, "position", "[]"), (Match, "position", "{}"),
    (Match, "options", "no"), (Match, "options", "board=moon"), (Match, "options", "side=left"),
    (Player, "words", "others"), (Player, "bank", -7),
]  # fmt: skip


@pytest.fixture
def game(world):
    world.join("ann"), world.join("bob")
    world.match("duel", "ann", "bob")
    for name, text in (("ann", "3@a1"), ("bob", "3@b1")):
        world.play(GAME, name, text)
    return world


def faults(world, who):
    """Every page of games, puzzles and the archive that fails, and every such call for programs, with its status."""
    world.app.config.update(PROPAGATE_EXCEPTIONS=False, TESTING=False)
    for path in addresses(unthrottled(world), "GET"):
        if any(word in path for word in ("games", "puzzles", "archive")):
            status = answer_to(world, who, path, headers=bearer(world, who, path)).status_code
            if status >= 500:
                yield path, status


@pytest.mark.parametrize(("table", "column", "value"), ALTERED)
@pytest.mark.parametrize("is_over", [False, True])
def test_an_altered_row_is_no_fault(game, table, column, value, is_over):
    if is_over:
        game.resign(GAME, "bob")
    with db.transaction(game.engine) as session:
        changed = update(table).values({column: value})
        changed = changed.where(Move.ply == 2) if table is Move else changed
        session.execute(changed)
    assert dict(faults(game, "ann")) == {}


@pytest.mark.parametrize("who", ["ann", ""])
def test_a_deal_that_was_not_made_while_nothing_is_written_is_no_fault(game, who):
    with db.transaction(game.engine) as session:
        session.execute(delete(DailySeed))
        read_only.begin(session, "We move house.", now=game.clock())
    assert dict(faults(game, who)) == {}
