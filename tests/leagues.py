"""Helpers for tests of leagues: enter, rest, leave, and how a season stands."""

from __future__ import annotations

from correspondence.core import db
from correspondence.features.tournaments import judging, league_views, leagues
from correspondence.robots.spare_work import due
from engines.search.thinker import answer


def _act(world, name, what, **chance):
    with db.transaction(world.engine) as session:
        getattr(leagues, what)(session, world.person(session, name), "duel", now=world.time, **chance)
    world._deliver_at_once()


def enter(world, *names):
    for name in names:
        _act(world, name, "enter", rng=world.rng)


def leave(world, name):
    _act(world, name, "leave", rng=world.rng)


def rest(world, name):
    _act(world, name, "rest")


def judge(world):
    """Let robots judge all games that wait for it; return how many."""
    count = 0
    with db.transaction(world.engine) as session:
        while (number := due(judging, session, now=world.time)) is not None:
            leased = judging.claim(session, number, now=world.time)
            if leased is not None:
                judging.keep(session, leased, answer({**leased.question, "budget": 60}), now=world.time)
                count += 1
    return count


def view(world, name="", season=None):
    """Return a season of the league as a member sees it, or a visitor if `name` is empty."""
    with db.reading(world.engine) as session:
        viewer_id = world.person(session, name).id if name else None
        return league_views.view_of(session, "duel", viewer_id, season=season, now=world.time)


def divisions(world, season=None):
    """Return the handles of each division, best first."""
    return [[row.handle for row in table.rows] for table in view(world, season=season).tables]
