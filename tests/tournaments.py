"""Helpers for tests of tournaments: make them, enter, play games to their end, and look at how they stand."""

from __future__ import annotations

from sqlmodel import col, select

from correspondence.core import db
from correspondence.features.tournaments import entering, fields, organiser, sweep, tournaments
from correspondence.features.tournaments.tables import Tournament, TournamentEntrant, TournamentPairing
from correspondence.models import Match, Person
from correspondence.models.loading import persons_of, players_of
from correspondence.play import matches


def make(world, by="ann", kind="round-robin", game="duel", **words):
    """Make a tournament and return its number."""
    with db.transaction(world.engine) as session:
        words = {key: str(value) for key, value in words.items()}
        return tournaments.make(session, world.person(session, by), kind, game, words, now=world.time).id


def enter(world, number, *names, **more):
    for name in names:
        with db.transaction(world.engine) as session:
            person = world.person(session, name)
            entering.enter(session, person, number, now=world.time, rng=world.rng, **more)
    world._deliver_at_once()


def begun(world, *names, **words):
    """Return the number of a tournament that these people have filled."""
    number = make(world, names[0], players=len(names), **words)
    enter(world, number, *names)
    return number


def withdraw(world, number, name):
    with db.transaction(world.engine) as session:
        entering.withdraw(session, world.person(session, name), number, now=world.time, rng=world.rng)
    world._deliver_at_once()


def act(world, number, name, what, *more):
    """Let an organiser act: announce, close, remove, extend, admit or call_off."""
    chance = {"rng": world.rng} if what in ("close", "remove") else {}
    with db.transaction(world.engine) as session:
        getattr(organiser, what)(session, world.person(session, name), number, *more, now=world.time, **chance)
    world._deliver_at_once()


def run_sweep(world):
    done = sweep.sweep(world.runtime)
    world._deliver_at_once()
    return done


def stand(world, number):
    with db.reading(world.engine) as session:
        return session.get(Tournament, number)


def games(world, number, *, running=True):
    """Return the games of a tournament: number, first and second handle."""
    query = select(TournamentPairing.match_id).where(col(TournamentPairing.tournament_id) == number)
    with db.reading(world.engine) as session:
        found = []
        for match_id in session.exec(query.order_by(col(TournamentPairing.id))):
            match = session.get(Match, match_id) if match_id else None
            if match is not None and (match.ended_at is None or not running):
                handles = [person.handle for person in persons_of(session, players_of(session, match_id))]
                found.append((match_id, *handles))
        return found


def results(world, number):
    """Return how every pairing counts: first and second handle, result, and whether there is a game."""
    with db.reading(world.engine) as session:
        field = fields.field_of(session, session.get_one(Tournament, number), now=world.time)
        names = handles(session, number)
        return [
            (*(names[seat] for seat in one.seats), str(one.result), one.game is not None)
            for one in fields.settled_of(field)
        ]


def table(world, number):
    """Return the standings: handle, rank, points, and games played."""
    with db.reading(world.engine) as session:
        field = fields.field_of(session, session.get_one(Tournament, number), now=world.time)
        names = handles(session, number)
        return [(names[row.entrant], row.rank, row.points, row.played) for row in fields.standings_of(field)]


def handles(session, number):
    query = select(TournamentEntrant.id, Person.handle).join(Person, col(Person.id) == col(TournamentEntrant.person_id))
    return dict(session.exec(query.where(col(TournamentEntrant.tournament_id) == number)).all())


def lose(world, match_id, name):
    """Let somebody resign a game."""
    with db.transaction(world.engine) as session:
        matches.resign(session, world.player(session, match_id, name), now=world.time)
    world._deliver_at_once()


def play_out(world, number, strength=str, sweeps=True):
    """Play all games that run, and those that follow, to the end: the stronger by `strength` (lower is better) wins."""
    for _round in range(50):
        found = games(world, number)
        for match_id, *both in found:
            lose(world, match_id, max(both, key=strength))
        if sweeps:
            run_sweep(world)
        if not found:
            return
