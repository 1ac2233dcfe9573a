"""Answers that are challenges themselves: a counter-offer to a challenge, and a rematch after a game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from correspondence.core import time_control
from correspondence.core.game_options import options_from
from correspondence.matchmaking.challenges import ChallengeError, accept, open_challenge, propose
from correspondence.matchmaking.conditions import ConditionError, read_conditions
from correspondence.matchmaking.start import terms_of_seek
from correspondence.models import Match, Person, Seek, SeekState
from correspondence.models.loading import options_of, players_of, time_control_of
from correspondence.play.analysis import split_analysis
from engines import GAMES
from engines.options import read_options
from engines.wording import _


def counter(
    session: Session,
    person: Person,
    number: int | None,
    options: Mapping[str, str],
    *,
    terms: time_control.TimeControl | None = None,
    rated: bool | None = None,
    now: datetime,
) -> Seek:
    """Answer a challenge with another one, which goes to the challenger; what is not given stays as it was.

    `options` may include `seat`, the seat that this person would take. Raises ChallengeError, OptionError or
    TimeControlError.
    """
    seek = open_challenge(session, person, number)
    game = GAMES[seek.game]
    changed = {name.casefold(): text for name, text in options.items()}
    seat = _seat(seek, changed.pop("seat", None))
    current = {"analysis": "on" if seek.analysis else "off", **options_from(seek.options)}
    game_words, analysis = split_analysis({**current, **changed})
    typed_options: Any = read_options(game.Options, game_words)
    terms = time_control.checked(terms or terms_of_seek(seek))
    rated = seek.rated if rated is None else rated
    if analysis == seek.analysis and _same(seek, typed_options, terms, rated, seat):
        raise ChallengeError(_("That is exactly what challenge {number} offers: accept it.").format(number=seek.id))
    challenger = session.get_one(Person, seek.person_id)
    seek.state = SeekState.DECLINED
    session.add(seek)
    return propose(
        session, person, challenger, game, typed_options, terms,
        rated=rated, analysis=analysis, seat=seat, now=now, answers_id=seek.id,
    )  # fmt: skip


def _seat(seek: Seek, text: str | None) -> int | None:
    """The seat that this person would take, read from `text` or left as in the challenge."""
    if text is None:
        return None if seek.seat is None else 1 - seek.seat
    try:
        return read_conditions({"seat": text}, GAMES[seek.game].seats).seat
    except ConditionError as error:
        raise ChallengeError(str(error)) from error


def _same(seek: Seek, typed_options: Any, terms: time_control.TimeControl, rated: bool, seat: int | None) -> bool:
    current: Any = read_options(GAMES[seek.game].Options, options_from(seek.options))
    current_seat = None if seek.seat is None else 1 - seek.seat
    return (current, terms_of_seek(seek), seek.rated, current_seat) == (typed_options, terms, rated, seat)


def rematch(session: Session, person: Person, match_id: int, *, now: datetime, rng: random.Random) -> Match | None:
    """Challenge the opponent of a finished game to play again with seats exchanged.

    Returns the game that starts at once where the opponent has already asked for it, else None. Raises ChallengeError.
    """
    match = session.get(Match, match_id, with_for_update=True)  # locked, so that two requests at the same time meet
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
        return accept(session, person, request.id, now=now, rng=rng)
    propose(
        session, person, other, GAMES[match.game], options_of(match), time_control_of(match),
        rated=match.rated, analysis=match.analysis, seat=1 - mine.seat, now=now, after_match_id=match_id,
    )  # fmt: skip
    return None


def _rematch_request(session: Session, match_id: int) -> Seek | None:
    query = select(Seek).where(col(Seek.after_match_id) == match_id, col(Seek.state) == SeekState.OPEN)
    return session.exec(query.with_for_update()).first()
