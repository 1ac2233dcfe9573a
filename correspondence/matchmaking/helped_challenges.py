"""Challenges of a postal player, accepted, declined or made by their helper.

A helper acts for the postal player, but not against them: a rated game between the two never starts through the helper
alone.
"""

from __future__ import annotations

import random
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import postal_members
from correspondence.accounts.suspensions import refuse_suspended
from correspondence.core.time_control import by_post
from correspondence.matchmaking import challenges
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import Match, Person, Seek
from engines.wording import _


def accept(
    session: Session,
    helper: Person,
    handle: str,
    number: int,
    *,
    words: str = "",
    now: datetime,
    rng: random.Random,
) -> Match:
    """Accept a challenge to a postal player whom this member helps.

    `words` are the postal player's contribution to the game's randomness. Raises PeopleError, ChallengeError,
    WordsError or SuspendedError.
    """
    refuse_suspended(helper)
    person = postal_members.helped_person(session, helper, handle)
    seek = challenges.open_challenge(session, person, number, now=now)
    if seek.person_id == helper.id and seek.rated:
        raise _against_oneself(person)
    return challenges.accept(session, person, number, words=words, now=now, rng=rng)


def decline(session: Session, helper: Person, handle: str, number: int, *, now: datetime) -> Seek:
    """Decline a challenge to a postal player whom this member helps.

    Raises PeopleError or ChallengeError.
    """
    person = postal_members.helped_person(session, helper, handle)
    return challenges.decline(session, person, number, now=now)


def challenge(
    session: Session, helper: Person, handle: str, opponent: str, key: str, *, words: str = "", now: datetime
) -> Seek:
    """Challenge somebody on behalf of a postal player, at the default pace for the post.

    Raises PeopleError, ChallengeError, OptionError, TimeControlError, WordsError or SuspendedError.
    """
    refuse_suspended(helper)
    person = postal_members.helped_person(session, helper, handle)
    seek = challenges.challenge(session, person, opponent, key, {}, time_control=by_post(), words=words, now=now)
    if seek.opponent_id == helper.id:
        raise _against_oneself(person)
    return seek


def _against_oneself(person: Person) -> ChallengeError:
    sentence = _("You help {handle}, so you can't start a rated game between you two. Challenge them unrated.")
    return ChallengeError(sentence.format(handle=person.handle))
