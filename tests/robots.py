"""Helpers for robot tests: running robots, games with them, and their moves."""

from __future__ import annotations

import random
from contextlib import contextmanager

from sqlmodel import select

from correspondence.core import db
from correspondence.matchmaking import challenges
from correspondence.models import Match, Move, RobotTurn
from correspondence.models.loading import entries_of, game_of, moves_of, options_of, persons_of, players_of, position_of
from correspondence.robots import RobotPool
from correspondence.robots.spare_work import work_of
from correspondence.robots.thinkers import COMMAND
from engines.record import replay


def robots_in(world, count=1, *, delay=(0.0, 0.0), command=COMMAND, exercise_budget=0):
    """Start the robots of a worker, with their accounts; the caller must stop them."""
    made = RobotPool(
        world.engine, count, delay, now=world.clock, rng=world.rng, command=command,
        work=work_of(world.runtime.settings), exercise_budget=exercise_budget,
    )  # fmt: skip
    world.begin("robots", count, lambda: made.prepare(exist=True))
    return made


@contextmanager
def thinking_robots(world, **more):
    """Context manager: run the robots of a worker."""
    made = robots_in(world, **more)
    try:
        yield made
    finally:
        made.stop()


def challenge(world, name, robot, key="duel", options=None, **more):
    """Challenge a robot; return the number of the game."""
    with db.transaction(world.engine) as session:
        person = world.person(session, name)
        more.setdefault("words", f"offer {world.rng.random()}")  # a second identical challenge would count as a repeat
        seek = challenges.challenge(session, person, robot, key, options or {}, now=world.time, rng=world.rng, **more)
    world.deliver()
    return seek.match_id


def seat_of(world, number, name):
    with db.reading(world.engine) as session:
        handles = [person.handle for person in persons_of(session, players_of(session, number))]
    return handles.index(name)


def to_move(world, number):
    """Return the handles of the players to move."""
    with db.reading(world.engine) as session:
        position = position_of(session.get(Match, number))
        return [persons_of(session, players_of(session, number))[seat].handle for seat in position.to_act]


def play_random_move(world, number, name, rng=None):
    """Make a random legal move on the page."""
    seat = seat_of(world, number, name)
    with db.reading(world.engine) as session:
        seen = position_of(session.get(Match, number)).view(seat)
    world.play(number, name, seen.write(seat, seen.random_move(seat, rng or random.Random(4))))


def made_by(world, number):
    """Return how each entry of the record was made."""
    with db.reading(world.engine) as session:
        return [
            (move.seat, move.by.value)
            for move in session.exec(select(Move).where(Move.match_id == number).order_by(Move.ply))
        ]


def turn_of(world, number):
    with db.reading(world.engine) as session:
        return session.exec(select(RobotTurn).where(RobotTurn.match_id == number)).first()


def replayed(world, number):
    """Replay the record of a game; return its last position."""
    with db.reading(world.engine) as session:
        match = session.get(Match, number)
        return replay(game_of(match), options_of(match), entries_of(moves_of(session, number)))
