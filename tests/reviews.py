"""Finished games, and quick second opinions on them."""

from __future__ import annotations

from correspondence.core import db
from correspondence.features.reviews import reviews, turns
from correspondence.features.reviews.tables import Review
from correspondence.models import Match
from engines.search.thinker import answer
from tests.robots import thinking_robots
from tests.test_judgements import DUEL, TILES

SMALL = 200
"""Number of positions searched for each judgement in tests."""

GAMES_PLAYED = {"duel": DUEL, "proteus-tiles": TILES}


def played(world, key="duel", texts=None, white="ann", black="bob"):
    """Play a game of ann, who moves first, and bob to its end; return its number."""
    moves = tuple(texts or GAMES_PLAYED[key])

    def play():
        number = world.match(key, white, black)
        for turn, text in enumerate(moves):
            world.play(number, (white, black)[turn % 2], text)
        return number

    return world.begin("played", (key, moves, white, black), play)


def resigned(world, key="duel", plies=5):
    """Play a game that ann resigns after some moves; return its number."""
    number = played(world, key, GAMES_PLAYED[key][:plies])
    world.resign(number, "ann")
    return number


def ask(world, name, number, *, budget=SMALL, **more):
    """Ask for a second opinion, with a small search."""
    with db.transaction(world.engine) as session:
        seen = reviews.ask(session, world.person(session, name), number, now=world.time, **more)
        row = session.get(Review, number)
        row.budget = min(budget, row.budget)
        session.add(row)
    return seen


def seen(world, number):
    with db.reading(world.engine) as session:
        return reviews.review_of(session, session.get(Match, number))


def make(world):
    """Let a worker make all waiting second opinions."""
    with thinking_robots(world) as robots:
        robots.sweep()


def make_here(world, number, *, budget=SMALL):
    """Make the second opinion on a game at once in this process, as if requested."""
    with db.transaction(world.engine) as session:
        session.add(Review(match_id=number, asked_at=world.time, due_at=world.time, budget=budget))
    while True:
        with db.transaction(world.engine) as session:
            leased = turns.claim(session, number, now=world.time)
        if leased is None:
            return
        with db.transaction(world.engine) as session:
            turns.keep(session, leased, answer(leased.question), now=world.time)
