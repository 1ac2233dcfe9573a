"""What two seeks would play if the service paired them, and how well they fit. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import log2

from correspondence.core.time_control import TimeControl
from correspondence.matchmaking.candidates import Candidate
from correspondence.matchmaking.eligibility import is_eligible
from correspondence.matchmaking.seeks import equal_terms, is_past, seats_fit
from correspondence.matchmaking.start import Agreement
from correspondence.models import Seek, SeekState

PACE_RATIO = 2.0
"""By what factor a partner's pace may differ for a person who asked to be paired."""

MOVES_OF_A_BANK = 30
"""Over how many moves a bank is assumed to be spent."""

BASE_WEIGHT = 6_000
"""The base weight of any pair; deductions stay below a third of it, so two pairs outweigh one better pair."""

MOST_FOR_PACE, MOST_FOR_TEMPO, MOST_FOR_RATING, MOST_FOR_STALENESS = 300, 500, 500, 600
"""The most that is deducted for each difference of two seeks or their people."""

LONGEST_WAIT = timedelta(days=14)
FRESH_AFTER = timedelta(days=180)
"""After this time an earlier opponent counts as a new one."""


@dataclass(frozen=True, slots=True)
class PairableSeek:
    """An open seek and its seeker, as they were when the plan was made."""

    seek: Seek
    candidate: Candidate
    in_play: int = 0


def agreement(
    one: PairableSeek, other: PairableSeek, *, now: datetime, pace_ratio: float = PACE_RATIO
) -> Agreement | None:
    """What two seeks would play, if their paces differ by a factor of at most `pace_ratio`.

    None where they do not fit, or where they are not equal and neither seeker asked to be paired.
    """
    if one.candidate.id == other.candidate.id or not _are_open(one, other, now=now):
        return None
    agreed = equal_terms(one.seek, other.seek) or _compromise(one.seek, other.seek, pace_ratio)
    if agreed is None:
        return None
    are_eligible = is_eligible(one.seek, one.candidate, other.candidate, now=now, in_play=one.in_play) and is_eligible(
        other.seek, other.candidate, one.candidate, now=now, in_play=other.in_play
    )
    return agreed if are_eligible else None


def _are_open(*both: PairableSeek, now: datetime) -> bool:
    return all(one.seek.state == SeekState.OPEN and not is_past(one.seek, now) for one in both)


def _compromise(one: Seek, other: Seek, pace_ratio: float) -> Agreement | None:
    """The agreement reached when a seeker who asked to be paired gives way in pace and, if allowed, in options."""
    fits, seat = seats_fit(one, other)
    differ = (one.game, one.rated, one.analysis) != (other.game, other.rated, other.analysis)
    if differ or not fits or not (one.pair_me or other.pair_me):
        return None
    options, time_control = _options(one, other), _time_control(one, other, pace_ratio)
    if options is None or time_control is None:
        return None
    return Agreement(replace(one.terms, options=options, time_control=time_control), seat)


def _options(one: Seek, other: Seek) -> str | None:
    if one.options == other.options or other.any_options:
        return one.options
    return other.options if one.any_options else None


def _time_control(one: Seek, other: Seek, pace_ratio: float) -> TimeControl | None:
    mine, theirs = one.time_control, other.time_control
    if mine == theirs:
        return mine
    if not 1 / pace_ratio <= pace_of(mine) / pace_of(theirs) <= pace_ratio:
        return None
    if one.pair_me and other.pair_me:
        return max(mine, theirs, key=pace_of)  # nobody gets less time than they asked for
    return theirs if one.pair_me else mine


def pace_of(time_control: TimeControl) -> timedelta:
    """The average time that this time control gives for a move."""
    increment = time_control.increment
    return increment + max(time_control.bank - increment, timedelta(0)) / MOVES_OF_A_BANK


def weight(one: PairableSeek, other: PairableSeek, *, now: datetime) -> int | None:
    """How well two seeks fit, always positive; None where they do not."""
    if agreement(one, other, now=now) is None:
        return None
    return worth(traits(one, now), traits(other, now))


@dataclass(frozen=True, slots=True)
class Traits:
    """What the weight of a pair depends on: of one seek, and of its seeker.

    `pace` and `tempo` are on a scale on which a factor of two is 200; `waited` is hours. `stale` holds the deductions
    for opponents of lately, by their ids.
    """

    person: int
    pace: float
    tempo: float | None
    rating: int | None
    waited: float
    stale: dict[int, int]


def traits(one: PairableSeek, now: datetime) -> Traits:
    """The traits of a seek."""
    waited = min(now - one.seek.created_at, LONGEST_WAIT) / timedelta(hours=1)
    met = (one.candidate.met or {}).items()
    stale = {person: _staleness(now - at) for person, at in met if now - at < FRESH_AFTER}
    tempo = _on_scale(one.candidate.tempo) if one.candidate.tempo else None
    pace = _on_scale(pace_of(one.seek.time_control))
    return Traits(one.candidate.id, pace, tempo, one.candidate.rating, waited, stale)


def worth(one: Traits, other: Traits) -> int:
    """The weight of a pair that may play: `BASE_WEIGHT` with the hours of waiting, without what speaks against it."""
    return BASE_WEIGHT + round(one.waited + other.waited) - against(one, other)


def against(one: Traits, other: Traits) -> int:
    """What speaks against a pair: how much pace, tempo and rating differ, and how lately the two have met."""
    pace = abs(one.pace - other.pace)
    total = round(pace) if pace < MOST_FOR_PACE else MOST_FOR_PACE
    if one.tempo is not None and other.tempo is not None:
        total += min(round(abs(one.tempo - other.tempo)), MOST_FOR_TEMPO)
    if one.rating is not None and other.rating is not None:
        total += min(abs(one.rating - other.rating), MOST_FOR_RATING)
    if one.stale or other.stale:
        total += max(one.stale.get(other.person, 0), other.stale.get(one.person, 0))
    return total


def _on_scale(length: timedelta) -> float:
    return 200 * log2(length.total_seconds())


def _staleness(since: timedelta) -> int:
    return round(MOST_FOR_STALENESS * (1 - since / FRESH_AFTER))
