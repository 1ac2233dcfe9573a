"""Helpers for tests of ladders: enter, challenge, answer, and who stands where."""

from __future__ import annotations

from correspondence.core import db
from correspondence.features.tournaments import ladder_views, ladders


def _act(world, name, what, *more, **chance):
    with db.transaction(world.engine) as session:
        person = world.person(session, name)
        done = getattr(ladders, what)(session, person, "duel", *more, now=world.time, **chance)
        number = getattr(done, "match_id", None)
    world._deliver_at_once()
    return number


def enter(world, *names):
    for name in names:
        _act(world, name, "enter")


def leave(world, name):
    _act(world, name, "leave")


def challenge(world, name, other):
    _act(world, name, "challenge", other)


def accept(world, name, other=""):
    """Accept a challenge and return the number of its game."""
    return _act(world, name, "accept", other, rng=world.rng)


def view(world, name="ann"):
    """Return the ladder as a member sees it, or a visitor if `name` is empty."""
    with db.reading(world.engine) as session:
        viewer_id = world.person(session, name).id if name else None
        return ladder_views.view_of(session, "duel", viewer_id, now=world.time)


def rungs(world):
    return [one.handle for one in view(world, "").rungs]
