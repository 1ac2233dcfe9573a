"""The terms that two seeks would agree on if the service paired them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from correspondence.core.time_control import TimeControl
from correspondence.matchmaking.candidates import Candidate
from correspondence.matchmaking.eligibility import is_eligible
from correspondence.matchmaking.seeks import equal_terms, is_past, seats_fit
from correspondence.matchmaking.start import Agreement
from correspondence.models import Seek, SeekState

PACE_RATIO = 2.0
"""Maximum ratio of the two paces for a person who asked to be paired."""

MOVES_OF_A_BANK = 30
"""Number of moves over which a bank is assumed to be spent."""


@dataclass(frozen=True, slots=True)
class PairableSeek:
    """An open seek and its seeker, as they were when the plan was made."""

    seek: Seek
    candidate: Candidate
    in_play: int = 0


def agreement(
    one: PairableSeek, other: PairableSeek, *, now: datetime, pace_ratio: float = PACE_RATIO
) -> Agreement | None:
    """Return what two seeks would play, if their paces differ at most by `pace_ratio`.

    None if they conflict, or if they are not equal and neither seeker asked to be paired.
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
    """Return the agreement if a seeker who asked to be paired adapts their pace or options.

    Options change only if their seeker allows any.
    """
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
        return max(mine, theirs, key=pace_of)  # neither gets less time than they asked for
    return theirs if one.pair_me else mine


def pace_of(time_control: TimeControl) -> timedelta:
    """Return the average time per move of this time control."""
    increment = time_control.increment
    return increment + max(time_control.bank - increment, timedelta(0)) / MOVES_OF_A_BANK
