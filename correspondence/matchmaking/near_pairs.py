"""Notices to seekers whose best partner differs from them only in pace.

A letter names the nearest such partner at most once a day, and proposes a pace in the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import sqrt

from sqlmodel import Session

from correspondence.accounts.accounts import command_token, program_mark_for
from correspondence.accounts.letter_stops import stop_token
from correspondence.core.time_control import LONGEST, SHORTEST, Policy, TimeControl, per_move
from correspondence.matchmaking.agreements import PairableSeek, pace_of
from correspondence.models import Person, Seek, SeekState
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from engines import GAMES

WAITED = timedelta(hours=1)
"""Minimum age of a seek before its seeker is notified; another partner may come first."""

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class NearPair:
    """The id of a seek whose seeker to notify, and of the seek that differs only in pace."""

    seek: int
    other: int


def near_pairs(waiting: Sequence[PairableSeek], *, now: datetime) -> list[NearPair]:
    """Return the nearest seek in pace that only the pace excludes, for each waiting seek. Pure."""
    from correspondence.matchmaking.seek_columns import SeekColumns  # lazy: numpy is large

    oldest_first = sorted(waiting, key=lambda one: one.seek.id)
    columns = SeekColumns(oldest_first, now=now)
    places = [
        place for place, one in enumerate(oldest_first) if one.seek.pair_me and now - one.seek.created_at >= WAITED
    ]
    nearest = {place: columns.nearest_at_another_pace(place) for place in places}
    return [
        NearPair(oldest_first[place].seek.id, oldest_first[other].seek.id)
        for place, other in nearest.items()
        if other is not None
    ]


def middle(one: TimeControl, other: TimeControl) -> TimeControl:
    """Return a time per move at the geometric mean of two paces.

    It is in whole days from two days on, otherwise in whole hours.
    """
    seconds = sqrt(pace_of(one).total_seconds() * pace_of(other).total_seconds())
    length = timedelta(seconds=seconds)
    unit = _DAY if length >= 2 * _DAY else _HOUR
    policy = one.policy if one.policy == other.policy else Policy.AUTOMATIC
    return replace(per_move(min(max(round(length / unit) * unit, SHORTEST), LONGEST)), policy=policy)


def tell(session: Session, pair: NearPair, *, now: datetime) -> None:
    """Notify the seeker of a near pair, once a day and only while both seeks are open."""
    seek, other = session.get(Seek, pair.seek), session.get(Seek, pair.other)
    if seek is None or other is None or {seek.state, other.state} != {SeekState.OPEN}:
        return
    person, partner = session.get_one(Person, seek.person_id), session.get_one(Person, other.person_id)
    key = f"seek-near:s{seek.id}:{now:%Y%m%d}"
    if not kinds.SEEK_NEAR.is_wanted_by(person) or letters.is_written(session, key):
        return
    mine, theirs = seek.time_control, other.time_control
    letters.write_letter(
        session,
        letters.to_person(session, person),
        Draft(
            kinds.SEEK_NEAR,
            key,
            reply_token=command_token(session, person, now=now).id,
            stop_token=stop_token(session, person, kinds.SEEK_NEAR, now=now),
        ),
        now=now,
        seek=seek,
        partner=partner.handle,
        game=GAMES[seek.game],
        mine=mine,
        theirs=theirs,
        middle=middle(mine, theirs),
        line=_line(seek, other, partner, middle(mine, theirs)),
        program_mark=program_mark_for(person.language, partner),
    )


def _line(seek: Seek, other: Seek, partner: Person, terms: TimeControl) -> str:
    """Return the command that challenges the partner at a pace."""
    days, hours = terms.bank // _DAY, terms.bank // _HOUR
    length = f"{days} days" if not terms.bank % _DAY else f"{hours} hours"
    options = other.options if seek.any_options else seek.options
    policy = "" if terms.policy == Policy.AUTOMATIC else f"policy={terms.policy}"
    words = ["challenge", partner.handle, seek.game, *options.split(), policy, length, "" if seek.rated else "unrated"]
    return " ".join(filter(None, words))
