"""How a seek ends: the question whether to keep it open, its end, and how it opens again."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import live_token, new_token, payload_of
from correspondence.fairness.seeds import renew_offer
from correspondence.matchmaking import challenges
from correspondence.matchmaking.challenges import ChallengeError, must_have_room_to_ask
from correspondence.matchmaking.conditions import USUAL_DAYS
from correspondence.matchmaking.seeks import ASKED_AFTER, held_equals, is_past, locked, pair_with_equals
from correspondence.models import Match, Pairing, Person, Purpose, Seek, SeekState
from correspondence.models.loading import BY_TIME, players_of, position_of
from correspondence.models.matchmaking import PAIRING_REOPENS
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from engines import GAMES
from engines.wording import _

RENEW_WITHIN = timedelta(days=60)
"""Time after its end within which a seek can be renewed."""

LEFT_AT_LEAST = timedelta(days=1)
"""Minimum time for which a seek is open when it opens again after a game that was called off."""


def ask(session: Session, seek_id: int, *, now: datetime) -> None:
    """Ask the seeker of a seek that ends soon, by one letter, whether to keep it open. Does nothing if not due."""
    seek = locked(session, seek_id)
    if seek is None or seek.state != SeekState.OPEN or seek.ask_at is None or seek.ask_at > now:
        return
    _ask(session, seek, now)


def _ask(session: Session, seek: Seek, now: datetime) -> None:
    seek.ask_at = None
    session.add(seek)
    person, ends = session.get_one(Person, seek.person_id), seek.expires_at or now
    lasts = ends - now + RENEW_WITHIN
    token = new_token(session, Purpose.RENEW, now=now, person=person, lasts=lasts, seek=seek.id)
    letters.write_letter(
        session,
        letters.to_person(session, person),
        Draft(
            kinds.SEEK_EXPIRED,
            f"seek-expired:s{seek.id}:{ends:%Y%m%d%H%M}",
            reply_token=token.id,
            link_token=token.id,
        ),
        now=now,
        seek=seek,
        game=GAMES[seek.game],
        ends=ends,
        until=token.expires_at,
    )


def expire(session: Session, seek_id: int, *, now: datetime) -> None:
    """Expire a seek; let an expired challenge lapse. Does nothing if it is not due.

    A seeker who was not asked before is asked now.
    """
    seek = locked(session, seek_id)
    if seek is None or seek.state != SeekState.OPEN or not is_past(seek, now):
        return
    if seek.opponent_id is not None:
        challenges.lapse(session, seek, now=now)
        return
    if seek.ask_at is not None:
        _ask(session, seek, now)
    seek.state = SeekState.EXPIRED
    session.add(seek)


def renew(session: Session, person: Person, number: int, *, now: datetime, rng: random.Random) -> Seek:
    """Renew a person's own seek for as long as it was open before. Raises ChallengeError."""
    seek = session.get(Seek, number)
    equals = held_equals(session, seek) if seek is not None and seek.person_id == person.id else []
    seek = locked(session, number)
    if seek is None or seek.person_id != person.id or seek.opponent_id is not None:
        raise ChallengeError(_("You have no seek number {number}.").format(number=number))
    if seek.state not in (SeekState.OPEN, SeekState.EXPIRED):
        raise ChallengeError(_("Seek {number} is over; please make a new one.").format(number=number))
    if seek.state == SeekState.EXPIRED:
        must_have_room_to_ask(session, person)
    _open(session, seek, _duration(seek), now)
    if not seek.is_private:
        pair_with_equals(session, seek, equals, person, now=now, rng=rng)
    return seek


def _open(session: Session, seek: Seek, lasts: timedelta, now: datetime) -> None:
    """Open a seek for this time."""
    seek.state, seek.created_at = SeekState.OPEN, now
    seek.expires_at, seek.ask_at = now + lasts, now + lasts * ASKED_AFTER
    session.add(seek)
    session.flush()


def _duration(seek: Seek) -> timedelta:
    return seek.expires_at - seek.created_at if seek.expires_at else timedelta(days=USUAL_DAYS)


def renew_by_token(session: Session, token_id: int | None, *, now: datetime, rng: random.Random) -> Seek:
    """Renew the seek of a letter's token, which works once.

    Raises PeopleError or ChallengeError.
    """
    token = live_token(session, token_id, Purpose.RENEW, now=now)
    person = session.get_one(Person, token.person_id)
    renewed = renew(session, person, int(payload_of(token)["seek"]), now=now, rng=rng)
    token.used_at = now
    session.add(token)
    return renewed


def reopen(session: Session, pairing_id: int, *, now: datetime, rng: random.Random) -> None:
    """Open a seek again whose game was called off before everybody had moved.

    Not that of the player who let the game lapse, nor that of somebody who has left or is suspended. It stays open
    until its old end, or for a day at least.
    """
    pairing = session.get(Pairing, pairing_id)
    if pairing is None or not pairing.reopens:
        return
    seek = locked(session, pairing.seek_id)
    pairing.reopens = False
    session.add(pairing)
    if seek is None or not _may_reopen(session, seek, session.get_one(Match, pairing.match_id)):
        return
    if not seek.games_at_once:
        seek.games_wanted += 1
    if seek.state == SeekState.TAKEN:
        left = (seek.expires_at or now) - now
        _open(session, seek, max(left, LEFT_AT_LEAST), now)
    renew_offer(session, seek, rng)


def _may_reopen(session: Session, seek: Seek, match: Match) -> bool:
    owner = session.get_one(Person, seek.person_id)
    if owner.departed_at is not None or owner.suspended_at is not None or seek.is_private:
        return False
    if seek.state not in (SeekState.OPEN, SeekState.TAKEN):
        return False
    if match.reason not in BY_TIME:
        return True
    late = {player.person_id for player in players_of(session, match.id) if player.seat in position_of(match).to_act}
    return seek.person_id not in late


TO_REOPEN = select(Pairing.id).where(PAIRING_REOPENS).order_by(col(Pairing.id))
"""Games from seeks that were called off, so that their seeks open again."""
