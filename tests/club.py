"""Helpers for matchmaking tests: seeks, taken seeks and pairings in a world."""

from __future__ import annotations

from sqlmodel import select

from correspondence.core import db
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.matchmaking import challenges, pairing, seeks
from correspondence.matchmaking.candidates import candidate_of
from correspondence.matchmaking.eligibility import check_conditions
from correspondence.models import Match, Seek
from correspondence.models.loading import persons_of, players_of
from correspondence.ops.pairing_sweeps import sweep_pairing


def seek(town, name, game="duel", options=None, time_control=DEFAULT_TIME_CONTROL, rated=True, **conditions):
    """Post a seek with conditions as typed; return its number."""
    words = (name, game, options, time_control, rated, conditions)
    return town.begin("seek", words, lambda: _seek(town, *words))


def _seek(town, name, game, options, time_control, rated, conditions):
    words = {key: str(text) for key, text in conditions.items()}
    with db.transaction(town.engine) as session:
        person = town.person(session, name)
        made = seeks.seek(
            session,
            person,
            game,
            options or {},
            words,
            time_control=time_control,
            rated=rated,
            now=town.time,
            rng=town.rng,
        )
    town.deliver()
    return made.id


def take(town, name, number):
    with db.transaction(town.engine) as session:
        match = seeks.take(session, town.person(session, name), number, now=town.time, rng=town.rng)
    town.deliver()
    return match.id


def row(town, number):
    with db.reading(town.engine) as session:
        return session.get(Seek, number)


def why(town, name, number):
    """Return why a person may or may not take a seek: sentences, each with a sign in front."""
    with db.reading(town.engine) as session:
        wish = session.get(Seek, number)
        seeker, reader = (
            candidate_of(session, one, wish.game, now=town.time)
            for one in (session.get(pairing.Person, wish.person_id), town.person(session, name))
        )
        judged = check_conditions(wish, seeker, reader, now=town.time, in_play=seeks.in_play(session, wish))
    return [f"{'+' if one.is_met else '-'} {one.sentence}" for one in judged]


def matches_of(town):
    """Return every match: its game, and the handles in seat order."""
    with db.reading(town.engine) as session:
        found = session.exec(select(Match).order_by(Match.id)).all()
        return [(m.game, *(p.handle for p in persons_of(session, players_of(session, m.id)))) for m in found]


def pair(town):
    begun = sweep_pairing(town.runtime)
    town.deliver()
    return begun


def challenge(town, one, other, game="duel", **options):
    return town.begin("challenge", (one, other, game, options), lambda: _challenge(town, one, other, game, options))


def _challenge(town, one, other, game, options):
    with db.transaction(town.engine) as session:
        number = challenges.challenge(
            session, town.person(session, one), other, game, options, now=town.time, rng=town.rng
        ).id
    town.deliver()
    return number


__all__ = ["challenge", "matches_of", "pair", "row", "seek", "take", "why"]
