"""Tournaments played to their end through the formats alone, with results drawn at random."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from correspondence.features.tournaments.formats import FORMATS
from correspondence.features.tournaments.formats.field import (
    Entrant,
    EntrantState,
    Field,
    Pairing,
    Result,
    Round,
    Settings,
    Upcoming,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
ENDS = (Result.FIRST_WINS, Result.DRAWN, Result.SECOND_WINS)
seeds = st.integers(0, 10**9).map(random.Random)


def tournament(key, count, **settings):
    entrants = tuple(Entrant(id=100 + n, seed=n, rating=2000 - 10 * n, entered_at=START) for n in range(1, count + 1))
    return Field(settings=Settings(format=key, **settings), entrants=entrants, now=START)


def change(field, entrant, **changes):
    return replace(field, entrants=tuple(replace(e, **changes) if e.id == entrant else e for e in field.entrants))


def leave(field, entrant):
    return change(field, entrant, state=EntrantState.WITHDRAWN, left_at=field.now)


def later(field, **time):
    return replace(field, now=field.now + timedelta(**time))


def recorded(field, upcoming: Upcoming):
    """The field with what begins, as the service records it."""
    number = max((p.game or 0 for p in field.pairings), default=0)
    pairings = {p.key: p for p in field.pairings}
    for place, pairing in enumerate(upcoming.pairings, 1):
        pairings[pairing.key] = replace(pairing, game=number + place) if pairing.is_running else pairing
    known = {r.number for r in field.rounds}
    new = {p.round for p in upcoming.pairings} - known
    rounds = field.rounds + tuple(Round(number=n, began_at=field.now) for n in sorted(new))
    return replace(field, pairings=tuple(pairings.values()), byes=field.byes + upcoming.byes, rounds=rounds)


def begin(field):
    """Start all that is due; a second question always finds nothing more."""
    form = FORMATS[field.settings.format]
    for _ in range(50):
        if not (upcoming := form.next_pairings(field)):
            return field
        field = recorded(field, upcoming)
    raise AssertionError("the format never stops beginning games")


def end(field, pairing: Pairing, result: Result, **changes):
    ended = replace(pairing, result=result, ended_at=field.now, **changes)
    return replace(field, pairings=tuple(ended if p is pairing else p for p in field.pairings))


def lose_on_time(field, pairing, loser):
    lost = pairing.lost_by(loser)
    return end(field, pairing, lost.result, timed_out=loser)


def result(field, one, other, points):
    """End the running game of two entrants; points are those of the first."""
    pairing = next(p for p in field.pairings if {one, other} == set(p.seats) and p.is_running)
    value = points if pairing.seats[0] == one else 1 - points
    return end(later(field, hours=1), pairing, {1: ENDS[0], 0.5: ENDS[1], 0: ENDS[2]}[value])


def running(field):
    return [p for p in field.pairings if p.is_running and p.game]


def play(field, rng, *, until=None, look=lambda field: None):
    """Play to the end, or until a condition holds, one random game after another; `look` sees every moment."""
    form = FORMATS[field.settings.format]
    for _ in range(20_000):
        field = begin(field)
        look(field)
        if form.is_over(field) or (until is not None and until(field)):
            return field
        assert running(field), "nothing runs, but it is not over"
        field = end(later(field, hours=1), rng.choice(running(field)), rng.choice(ENDS))
    raise AssertionError("the tournament never ends")


def rows(field):
    return {row.entrant: row for row in FORMATS[field.settings.format].standings(field)}


class Narrowing:
    """Sees the standings at every moment, and that `best` and `worst` only narrow and hold the rank."""

    def __init__(self):
        self.known = {}

    def __call__(self, field):
        for row in FORMATS[field.settings.format].standings(field):
            key = (row.round if field.settings.format == "round-robin" else 1, row.section, row.entrant)
            best, worst = self.known.get(key, (row.best, row.worst))
            assert best <= row.best <= row.worst <= worst, (row, best, worst)
            self.known[key] = (row.best, row.worst)
