"""Seeks: open wishes to play, taken by whom they suit, paired where they are equal, renewed when they expire."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts.accounts import live_token, new_token, payload_of
from correspondence.core import time_control
from correspondence.core.game_options import options_text
from correspondence.matchmaking.candidates import Candidate, fellow
from correspondence.matchmaking.challenges import ChallengeError, game_called, must_have_room_to_ask, offered_already
from correspondence.matchmaking.conditions import USUAL_DAYS, ConditionError, Conditions, read_conditions
from correspondence.matchmaking.eligibility import reasons, suits
from correspondence.matchmaking.start import Agreement, begin_match, offered, terms_of_seek
from correspondence.models import Match, Pairing, Person, Purpose, Seek, SeekState
from correspondence.outbound import letters
from correspondence.play.analysis import split_analysis
from engines import GAMES
from engines.base import Game
from engines.options import read_options
from engines.wording import _

RENEW_WITHIN = timedelta(days=60)
"""How long after its end a seek can be renewed."""

EQUALS_LOOKED_AT = 50
"""How many equal seeks, oldest first, are tried before a new one is left to wait."""


def seek(
    session: Session,
    person: Person,
    key: str,
    options: Mapping[str, str],
    conditions: Mapping[str, str] | None = None,
    *,
    terms: time_control.TimeControl = time_control.DEFAULT_TERMS,
    rated: bool = True,
    now: datetime,
    rng: random.Random,
) -> Seek:
    """Look for anybody to play with; where an equal seek of somebody it suits is open, their match begins at once.

    `conditions` are words as conditions.py reads them. Raises PartnerError, OptionError or TermsError.
    """
    rest, analysis = split_analysis(options)
    game, chosen, wanted = checked_wish(key, rest, conditions or {}, terms)
    must_have_room_to_ask(session, person)
    mine = new_seek(person, game, chosen, wanted, terms, rated=rated, analysis=analysis, now=now)
    same = offered_already(session, mine, now=now)
    if same is not None:
        sentence = _("You are looking for just that already, with seek {number}; games=2 looks for two games.")
        raise ChallengeError(sentence.format(number=same.id))
    session.add(mine)
    session.flush()
    _pair_with_equals(session, mine, person, now=now, rng=rng)
    return mine


def checked_wish(
    key: str, options: Mapping[str, str], conditions: Mapping[str, str], terms: time_control.TimeControl
) -> tuple[Game, Any, Conditions]:
    """Game, typed options and conditions of a wish to play; raises PartnerError, OptionError or TermsError."""
    game = game_called(key)
    if len(game.seats) != 2:
        raise ChallengeError(_("{game} is a game for one: begin it whenever you like.").format(game=_(game.name)))
    chosen: Any = read_options(game.Options, options)
    time_control.checked(terms)
    return game, chosen, checked_conditions(conditions, game)


def checked_conditions(conditions: Mapping[str, str], game: Game) -> Conditions:
    """The conditions that these words say; raises PartnerError."""
    try:
        return read_conditions(conditions, game.seats)
    except ConditionError as error:
        raise ChallengeError(str(error)) from error


def new_seek(
    person: Person,
    game: Game,
    chosen: Any,
    wanted: Conditions,
    terms: time_control.TimeControl,
    *,
    rated: bool,
    analysis: bool,
    now: datetime,
) -> Seek:
    """The row of a seek that was checked."""
    return Seek(
        person_id=person.id,
        game=game.key,
        options=options_text(chosen),
        bank=int(terms.bank.total_seconds()),
        increment=int(terms.increment.total_seconds()),
        cap=int(terms.cap.total_seconds()),
        rated=rated,
        seat=wanted.seat,
        analysis=analysis,
        created_at=now,
        wanted=wanted.wanted,
        at_once=wanted.at_once,
        rating_low=wanted.rating_low,
        rating_high=wanted.rating_high,
        reliability=wanted.reliability,
        rest_days=wanted.rest_days,
        language=wanted.language,
        pair_me=wanted.pair_me,
        any_options=wanted.any_options,
        expires_at=now + wanted.lasts,
    )


def take(session: Session, person: Person, number: int, *, now: datetime, rng: random.Random) -> Match:
    """Take somebody's open seek: the match begins, and the seek counts down. Raises PartnerError that says why not."""
    wish = locked(session, number)
    if wish is None or wish.opponent_id is not None or wish.is_private:
        raise ChallengeError(_("There is no open seek number {number}.").format(number=number))
    return take_open(session, wish, session.get_one(Person, wish.person_id), person, now=now, rng=rng)


def take_open(
    session: Session, wish: Seek, seeker: Person, taker: Person, *, now: datetime, rng: random.Random
) -> Match:
    """Begin a match from a seek that is held; raises PartnerError where it is over or does not suit the taker."""
    theirs, mine = (fellow(session, one, wish.game, now=now) for one in (seeker, taker))
    if theirs.id in mine.blocked or mine.id in theirs.blocked:
        raise ChallengeError(_("There is no open seek number {number}.").format(number=wish.id))
    if wish.state != SeekState.OPEN or is_past(wish, now):
        raise ChallengeError(_("Seek {number} is no longer open.").format(number=wish.id))
    against = [one.sentence for one in _judged(session, wish, theirs, mine, now) if not one.suits]
    if against:
        raise ChallengeError(" ".join(against))
    return begin(session, offered(wish), seeker, taker, [wish], now=now, rng=rng)


def begin(
    session: Session,
    agreed: Agreement,
    one: Person,
    other: Person,
    wishes: list[Seek],
    *,
    now: datetime,
    rng: random.Random,
) -> Match:
    """Begin the match that two agreed on, count down the seeks it came of, and tell whoever has to wait."""
    told = {wish.person_id for wish in wishes}
    match = begin_match(session, agreed, one, other, told=told, now=now, rng=rng)
    for wish in wishes:
        wish.taken += 1
        wish.match_id = match.id
        if not wish.at_once:
            wish.wanted -= 1
            wish.state = SeekState.OPEN if wish.wanted else SeekState.TAKEN
        session.add(wish)
        session.add(Pairing(seek_id=wish.id, match_id=match.id))
    session.flush()
    return match


def _pair_with_equals(session: Session, mine: Seek, person: Person, *, now: datetime, rng: random.Random) -> None:
    me = fellow(session, person, mine.game, now=now)
    for number in session.exec(_equals(mine)).all():
        wish = locked(session, number)
        if wish is None or mine.state != SeekState.OPEN or wish.state != SeekState.OPEN or is_past(wish, now):
            continue
        other = session.get_one(Person, wish.person_id)
        they = fellow(session, other, wish.game, now=now)
        agreed = equal_terms(mine, wish)
        if agreed is not None and suit_each_other(session, mine, me, wish, they, now=now):
            begin(session, agreed, person, other, [mine, wish], now=now, rng=rng)
            me = fellow(session, person, mine.game, now=now)


def _equals(mine: Seek) -> Any:
    return (
        select(Seek.id)
        .where(
            col(Seek.game) == mine.game,
            col(Seek.state) == SeekState.OPEN,
            col(Seek.opponent_id).is_(None),
            col(Seek.is_private).is_(False),
            col(Seek.person_id) != mine.person_id,
            col(Seek.options) == mine.options,
            col(Seek.rated) == mine.rated,
            col(Seek.bank) == mine.bank,
            col(Seek.increment) == mine.increment,
            col(Seek.cap) == mine.cap,
            col(Seek.policy) == mine.policy,
            col(Seek.analysis) == mine.analysis,
        )
        .order_by(col(Seek.id))
        .limit(EQUALS_LOOKED_AT)
    )


_AGREED = ("game", "options", "rated", "bank", "increment", "cap", "policy", "analysis")


def equal_terms(one: Seek, other: Seek) -> Agreement | None:
    """What two equal seeks agree on; None where they are not equal, or both want the same seat."""
    alike = all(getattr(one, field) == getattr(other, field) for field in _AGREED)
    fits, seat = seats_fit(one, other)
    return (
        Agreement(one.game, one.options, terms_of_seek(one), one.rated, seat, one.analysis) if alike and fits else None
    )


def seats_fit(one: Seek, other: Seek) -> tuple[bool, int | None]:
    """Whether the seats that two seeks want are not the same one; and the seat of the first, None for either."""
    if one.seat is not None:
        return one.seat != other.seat, one.seat
    return True, None if other.seat is None else 1 - other.seat


def suit_each_other(
    session: Session, mine: Seek, me: Candidate, theirs: Seek, they: Candidate, *, now: datetime
) -> bool:
    """Whether each of two meets the conditions of the other's seek, and both seeks have room."""
    return suits(mine, me, they, now=now, in_play=in_play(session, mine)) and suits(
        theirs, they, me, now=now, in_play=in_play(session, theirs)
    )


def _judged(session: Session, wish: Seek, seeker: Candidate, reader: Candidate, now: datetime) -> Any:
    return reasons(wish, seeker, reader, now=now, in_play=in_play(session, wish))


def in_play(session: Session, wish: Seek) -> int:
    """How many games of a standing seek are in play; 0 for any other."""
    if not wish.at_once:
        return 0
    counted = select(func.count()).select_from(Pairing).join(Match, col(Match.id) == col(Pairing.match_id))
    return session.exec(counted.where(col(Pairing.seek_id) == wish.id, col(Match.ended_at).is_(None))).one()


def is_past(wish: Seek, now: datetime) -> bool:
    """Whether a seek's time is over."""
    return wish.expires_at is not None and wish.expires_at <= now


def locked(session: Session, number: int) -> Seek | None:
    """The seek, held until the transaction ends, as it stands now."""
    return session.get(Seek, number, with_for_update=True, populate_existing=True)


def expire(session: Session, number: int, *, now: datetime) -> None:
    """Close a seek whose time is over and ask the seeker whether to renew it; nothing where it is not due."""
    wish = locked(session, number)
    if wish is None or wish.state != SeekState.OPEN or not is_past(wish, now):
        return
    wish.state = SeekState.EXPIRED
    session.add(wish)
    person = session.get_one(Person, wish.person_id)
    token = new_token(session, Purpose.RENEW, now=now, person=person, lasts=RENEW_WITHIN, seek=wish.id)
    letters.write_letter(
        session,
        "seek_expired",
        letters.to_person(session, person),
        f"seek-expired:s{wish.id}:{wish.expires_at:%Y%m%d%H%M}",
        now=now,
        reply_token=token.id,
        link_token=token.id,
        seek=wish,
        game=GAMES[wish.game],
        terms=terms_of_seek(wish),
        until=token.expires_at,
    )


def renew(session: Session, person: Person, number: int, *, now: datetime, rng: random.Random) -> Seek:
    """Open one's own expired seek once more, for as long as it was open; raises PartnerError."""
    wish = locked(session, number)
    if wish is None or wish.person_id != person.id or wish.opponent_id is not None:
        raise ChallengeError(_("You have no seek number {number}.").format(number=number))
    if wish.state not in (SeekState.OPEN, SeekState.EXPIRED):
        raise ChallengeError(_("Seek {number} is over; please make a new one.").format(number=number))
    if wish.state == SeekState.EXPIRED:
        must_have_room_to_ask(session, person)
    wish.expires_at = now + _length(wish)
    wish.state, wish.created_at = SeekState.OPEN, now
    session.add(wish)
    session.flush()
    if not wish.is_private:
        _pair_with_equals(session, wish, person, now=now, rng=rng)
    return wish


def _length(wish: Seek) -> timedelta:
    return wish.expires_at - wish.created_at if wish.expires_at else timedelta(days=USUAL_DAYS)


def renew_by_token(session: Session, number: int | None, *, now: datetime, rng: random.Random) -> Seek:
    """Renew the seek that a letter's token names, which works once; raises PeopleError or PartnerError."""
    token = live_token(session, number, Purpose.RENEW, now=now)
    person = session.get_one(Person, token.person_id)
    renewed = renew(session, person, int(payload_of(token)["seek"]), now=now, rng=rng)
    token.used_at = now
    session.add(token)
    return renewed
