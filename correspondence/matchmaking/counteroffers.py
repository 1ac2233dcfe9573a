"""Challenges that answer something: a counter-offer to a challenge, a rematch after a game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.terms import read_terms
from correspondence.core.time_control import TimeControl
from correspondence.fairness.seeds import SYSTEM_RNG
from correspondence.matchmaking.challenges import ChallengeError, accept, open_challenge, propose
from correspondence.matchmaking.conditions import ConditionError, read_conditions
from correspondence.models import EventKind, Match, Person, Seek, SeekState
from correspondence.models.loading import players_of
from correspondence.outbound import events
from engines import GAMES
from engines.options import options_from
from engines.wording import _


def counter(
    session: Session,
    person: Person,
    number: int | None,
    options: Mapping[str, str],
    *,
    time_control: TimeControl | None = None,
    rated: bool | None = None,
    words: str = "",
    now: datetime,
    rng: random.Random = SYSTEM_RNG,
) -> Seek:
    """Answer a challenge with a counter-offer; terms that are not given stay unchanged.

    `options` may include `seat`, the seat that this person would take. `words` are their contribution to the game's
    randomness. Raises ChallengeError, OptionError, TimeControlError or WordsError.
    """
    seek = open_challenge(session, person, number, now=now)
    changed = {name.casefold(): text for name, text in options.items()}
    seat = _seat(seek, changed.pop("seat", None))
    chosen = {**options_from(seek.terms.option_words), **changed}
    rated = seek.rated if rated is None else rated
    terms = read_terms(GAMES[seek.game], chosen, time_control or seek.time_control, rated=rated)
    if (terms, seat) == (seek.terms, _seat(seek, None)):
        raise ChallengeError(_("That is exactly what challenge {number} offers: accept it.").format(number=seek.id))
    challenger = session.get_one(Person, seek.person_id)
    seek.state = SeekState.DECLINED
    session.add(seek)
    events.note(session, [challenger], EventKind.CHALLENGE_ANSWERED, about=seek.id, now=now)
    return propose(session, person, challenger, terms, seat=seat, words=words, now=now, rng=rng, answers_id=seek.id)


def _seat(seek: Seek, text: str | None) -> int | None:
    """Return this person's seat, parsed from `text` or else as in the challenge."""
    if text is None:
        return None if seek.seat is None else 1 - seek.seat
    try:
        return read_conditions({"seat": text}, GAMES[seek.game].seats).seat
    except ConditionError as error:
        raise ChallengeError(str(error)) from error


def rematch(
    session: Session, person: Person, match_id: int, *, words: str = "", now: datetime, rng: random.Random
) -> Match | None:
    """Challenge the opponent of a finished game to a rematch with seats exchanged.

    If the opponent has already asked for it, the game starts and is returned; otherwise returns None. A robot accepts
    at once. `words` are this person's contribution to the game's randomness. Raises ChallengeError or WordsError.
    """
    match = session.get(Match, match_id, with_for_update=True)  # lock, so that two simultaneous requests start one game
    players = players_of(session, match_id) if match is not None else []
    mine = next((player for player in players if player.person_id == person.id), None)
    if match is None or mine is None:
        raise ChallengeError(_("You did not play game {number}.").format(number=match_id))
    if match.ended_at is None:
        raise ChallengeError(_("Game {number} is still in play.").format(number=match_id))
    if len(players) != 2:
        raise ChallengeError(_("There is no opponent to ask for a rematch."))
    other = session.get_one(Person, players[1 - mine.seat].person_id)
    request = _rematch_request(session, match_id)
    if request is not None and request.person_id == person.id:
        raise ChallengeError(_("You have already asked {handle} for a rematch.").format(handle=other.handle))
    if request is not None:
        return accept(session, person, request.id, words=words, now=now, rng=rng)
    begun = _running_rematch(session, match_id)
    if begun is not None:
        return begun
    seat = 1 - mine.seat
    proposed = propose(
        session, person, other, match.terms, seat=seat, words=words, now=now, rng=rng, after_match_id=match_id
    )
    return session.get(Match, proposed.match_id) if proposed.match_id is not None else None


def _running_rematch(session: Session, match_id: int) -> Match | None:
    """Return the running rematch of a game, so that asking again does not start a second one."""
    query = select(Match).join(Seek, col(Seek.match_id) == col(Match.id))
    return session.exec(query.where(col(Seek.after_match_id) == match_id, col(Match.ended_at).is_(None))).first()


def _rematch_request(session: Session, match_id: int) -> Seek | None:
    query = select(Seek).where(col(Seek.after_match_id) == match_id, col(Seek.state) == SeekState.OPEN)
    return session.exec(query.with_for_update()).first()
