"""Games that contain exercises, and the search for exercises in this process."""

from __future__ import annotations

from sqlmodel import col, select

from correspondence.core import db
from correspondence.models import Exercise
from correspondence.play import exercises
from correspondence.robots import exercise_turns
from engines.search.thinker import answer
from tests.reviews import played

BUDGET = 4_000


def search_all(world, budget=BUDGET):
    """Search every finished game, as workers do; return the numbers of all exercises."""
    while True:
        with db.transaction(world.engine) as session:
            leased = exercise_turns.claim(session, budget, now=world.time)
        if leased is None:
            break
        with db.transaction(world.engine) as session:
            exercise_turns.keep(session, leased, answer(leased.question), now=world.time)
    with db.reading(world.engine) as session:
        return list(session.exec(select(Exercise.id).order_by(col(Exercise.id))))


def found_in(world, key="duel", texts=None, **players):
    """Play a game of ann and bob to its end and search it; return its exercise's number, or None."""
    number = played(world, key, texts, **players)
    world.clock.go(hours=2)
    world.begin("search", BUDGET, lambda: search_all(world))
    with db.reading(world.engine) as session:
        return session.exec(select(Exercise.id).where(Exercise.match_id == number)).first()


def exercise_of(world, number):
    with db.reading(world.engine) as session:
        return session.get(Exercise, number)


def attempt_of(world, name, number):
    with db.reading(world.engine) as session:
        return exercises.attempt_of(session, world.person(session, name).id, number)
