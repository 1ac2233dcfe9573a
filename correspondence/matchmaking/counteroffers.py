"""Answers that are challenges themselves: a counter-offer to a challenge, and a rematch after a game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from correspondence.core import time_control
from correspondence.core.game_options import options_from
from correspondence.matchmaking.challenges import ChallengeError, accept, open_for, propose
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
    """Answer a challenge with another one, which goes to the challenger; what is not named stays as it was.

    `options` may name a `seat`, the one that the person would take. Raises PartnerError, OptionError or TermsError.
    """
    seek = open_for(session, person, number)
    game = GAMES[seek.game]
    changed = {name.casefold(): text for name, text in options.items()}
    seat = _seat(seek, changed.pop("seat", None))
    before = {"analysis": "on" if seek.analysis else "off", **options_from(seek.options)}
    rest, analysis = split_analysis({**before, **changed})
    chosen: Any = read_options(game.Options, rest)
    terms = time_control.checked(terms or terms_of_seek(seek))
    rated = seek.rated if rated is None else rated
    if analysis == seek.analysis and _same(seek, chosen, terms, rated, seat):
        raise ChallengeError(_("That is just what challenge {number} says: accept it.").format(number=seek.id))
    challenger = session.get_one(Person, seek.person_id)
    seek.state = SeekState.DECLINED
    session.add(seek)
    return propose(
        session, person, challenger, game, chosen, terms,
        rated=rated, analysis=analysis, seat=seat, now=now, answers_id=seek.id,
    )  # fmt: skip


def _seat(seek: Seek, wanted: str | None) -> int | None:
    """The seat that the other side would take."""
    if wanted is None:
        return None if seek.seat is None else 1 - seek.seat
    try:
        return read_conditions({"seat": wanted}, GAMES[seek.game].seats).seat
    except ConditionError as error:
        raise ChallengeError(str(error)) from error


def _same(seek: Seek, chosen: Any, terms: time_control.TimeControl, rated: bool, seat: int | None) -> bool:
    offered: Any = read_options(GAMES[seek.game].Options, options_from(seek.options))
    as_before = None if seek.seat is None else 1 - seek.seat
    return (offered, terms_of_seek(seek), seek.rated, as_before) == (chosen, terms, rated, seat)


def rematch(session: Session, person: Person, number: int, *, now: datetime, rng: random.Random) -> Match | None:
    """Challenge the opponent of a finished match to play it again, seats exchanged.

    Returns the match that begins at once where the opponent has asked already. Raises PartnerError.
    """
    match = session.get(Match, number, with_for_update=True)  # held, so that two who ask at once meet
    players = players_of(session, number) if match is not None else []
    mine = next((player for player in players if player.person_id == person.id), None)
    if match is None or mine is None:
        raise ChallengeError(_("You played no game {number}.").format(number=number))
    if match.ended_at is None:
        raise ChallengeError(_("Game {number} is still in play.").format(number=number))
    if len(players) != 2:
        raise ChallengeError(_("There is no opponent to ask for a rematch."))
    other = session.get_one(Person, players[1 - mine.seat].person_id)
    asked = _asked_for(session, number)
    if asked is not None and asked.person_id == person.id:
        raise ChallengeError(_("You have asked {handle} for a rematch already.").format(handle=other.handle))
    if asked is not None:
        return accept(session, person, asked.id, now=now, rng=rng)
    propose(
        session, person, other, GAMES[match.game], options_of(match), time_control_of(match),
        rated=match.rated, analysis=match.analysis, seat=1 - mine.seat, now=now, after_match_id=number,
    )  # fmt: skip
    return None


def _asked_for(session: Session, number: int) -> Seek | None:
    found = select(Seek).where(col(Seek.after_match_id) == number, col(Seek.state) == SeekState.OPEN)
    return session.exec(found.with_for_update()).first()
