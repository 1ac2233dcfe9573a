"""Seeks: open offers to play that any eligible member may accept.

Two equal seeks are paired at once. How a seek ends is in seek_ends.py.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, exists, func, select

from correspondence.core.terms import Terms, read_terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, TimeControl
from correspondence.fairness.seeds import checked_words, commitment_of_offer, make_for_offer, renew_offer
from correspondence.matchmaking import robot_games
from correspondence.matchmaking.candidates import Candidate, candidate_of
from correspondence.matchmaking.challenges import (
    ChallengeError,
    game_by_key,
    must_have_room_to_ask,
)
from correspondence.matchmaking.conditions import NAMES, ConditionError, Conditions, read_conditions
from correspondence.matchmaking.eligibility import check_conditions, is_eligible
from correspondence.matchmaking.repeats import identical_open_seek, repeated_offer
from correspondence.matchmaking.start import Agreement, agreement_of, begin_match
from correspondence.models import Match, Move, Pairing, Person, Player, Seek, SeekState
from correspondence.models.locks import hold
from correspondence.models.matchmaking import OLDEST_FIRST
from correspondence.models.terms import terms_columns
from engines.base import Game
from engines.wording import _

ASKED_AFTER = 0.75
"""The part of its time after which the seeker of an open seek is asked whether to keep it."""

LIKENESS = 0.75
"""Minimum similarity (difflib) at which a word counts as a misspelt condition."""

MOST_EQUALS_TRIED = 50
"""Maximum number of equal seeks, oldest first, that are tried for a new seek."""


def seek(
    session: Session,
    person: Person,
    key: str,
    options: Mapping[str, str],
    conditions: Mapping[str, str] | None = None,
    *,
    time_control: TimeControl = DEFAULT_TIME_CONTROL,
    rated: bool = True,
    words: str = "",
    now: datetime,
    rng: random.Random,
) -> Seek:
    """Post a seek; if an equal seek by an eligible person is open, their game starts at once.

    If the seeker repeats it within a minute of such a game's start, the earlier seek is returned and no game starts.

    `words` are the seeker's contribution to the game's randomness. `conditions` are words for `read_conditions`. Raises
    ChallengeError, OptionError, TimeControlError or WordsError.
    """
    terms, criteria = checked_seek(key, options, conditions or {}, time_control, rated=rated)
    mine = new_seek(person, terms, criteria, now=now)
    mine.words = checked_words(words)
    equals = held_equals(session, mine)
    repeated = repeated_offer(session, mine, now=now)
    if repeated is not None:
        return repeated
    must_have_room_to_ask(session, person)
    identical = identical_open_seek(session, mine, now=now)
    if identical is not None:
        sentence = _("You are already looking for this same game with seek {number}; games=2 looks for two games.")
        raise ChallengeError(sentence.format(number=identical.id))
    session.add(mine)
    session.flush()
    make_for_offer(session, mine, rng)
    pair_with_equals(session, mine, equals, person, now=now, rng=rng)
    return mine


def checked_seek(
    key: str,
    options: Mapping[str, str],
    conditions: Mapping[str, str],
    time_control: TimeControl,
    *,
    rated: bool,
) -> tuple[Terms, Conditions]:
    """Return the terms and conditions of a seek.

    Raises ChallengeError, OptionError or TimeControlError.
    """
    game = game_by_key(key)
    if len(game.seats) != 2:
        raise ChallengeError(_("{game} is a game for one: start it whenever you like.").format(game=_(game.name)))
    _must_not_be_misspelt(options, game)
    terms = read_terms(game, options, time_control, rated=rated)
    criteria = checked_conditions(conditions, game)
    if criteria.robots:
        robot_games.must_be_known_to_robots(terms)
    return terms, criteria


def _must_not_be_misspelt(options: Mapping[str, str], game: Game) -> None:
    """Raise ChallengeError if an unknown option looks like a misspelt condition."""
    own = {field.name for field in fields(game.Options)}
    for name in options.keys() - own:
        near = difflib.get_close_matches(name.casefold(), NAMES, 1, LIKENESS)
        if near:
            sentence = _("A seek has no “{word}”. Did you mean {near}?")
            raise ChallengeError(sentence.format(word=name[:40], near=near[0]))


def checked_conditions(conditions: Mapping[str, str], game: Game) -> Conditions:
    """Parse conditions; raise ChallengeError if they are invalid."""
    try:
        return read_conditions(conditions, game.seats)
    except ConditionError as error:
        raise ChallengeError(str(error)) from error


def new_seek(person: Person, terms: Terms, criteria: Conditions, *, now: datetime) -> Seek:
    """Return a new row for a checked seek; unrated if a program plays for the person."""
    return Seek(
        **terms_columns(replace(terms, rated=terms.rated and not person.is_program)),
        person_id=person.id,
        seat=criteria.seat,
        created_at=now,
        games_wanted=criteria.games_wanted,
        games_at_once=criteria.games_at_once,
        rating_low=criteria.rating_low,
        rating_high=criteria.rating_high,
        reliability=criteria.reliability,
        rest_days=criteria.rest_days,
        language=criteria.language,
        pair_me=criteria.pair_me,
        any_options=criteria.any_options,
        robots=criteria.robots,
        expires_at=now + criteria.lasts,
        ask_at=now + criteria.lasts * ASKED_AFTER,
    )


def take(
    session: Session,
    person: Person,
    number: int,
    *,
    words: str = "",
    commitment: str = "",
    now: datetime,
    rng: random.Random,
) -> Match:
    """Accept a person's open seek: the game starts, and the seek counts down.

    `words` are this person's contribution to the game's randomness. `commitment` is the one that they have read, if
    known: a seek of several games has a new one after each. Raises ChallengeError or WordsError.
    """
    seek = locked(session, number)
    if seek is None or seek.opponent_id is not None or seek.is_private:
        raise ChallengeError(_("There is no open seek number {number}.").format(number=number))
    if commitment and seek.state == SeekState.OPEN and commitment != commitment_of_offer(session, seek.id):
        sentence = _(
            "A game has just begun from seek {number}, so the next one has another fingerprint: please check again."
        )
        raise ChallengeError(sentence.format(number=number))
    seeker = session.get_one(Person, seek.person_id)
    return take_open(session, seek, seeker, person, words=words, has_looked=bool(commitment), now=now, rng=rng)


def _must_not_be_begun(session: Session, seek: Seek, person: Person) -> None:
    """Raise ChallengeError if the person has a game from this seek in which they have not moved.

    They have probably taken the seek twice by mistake.
    """
    query = select(Match.id).join(Pairing, col(Pairing.match_id) == col(Match.id))
    query = query.join(Player, col(Player.match_id) == col(Match.id)).where(col(Pairing.seek_id) == seek.id)
    unmoved = ~exists().where(col(Move.match_id) == col(Match.id), col(Move.seat) == col(Player.seat))
    running = query.where(col(Player.person_id) == person.id, col(Player.ended_at).is_(None), unmoved)
    number = session.exec(running.limit(1)).first()
    if number is not None:
        sentence = _("You have already taken seek {number}: it is game {game}. Move there first.")
        raise ChallengeError(sentence.format(number=seek.id, game=number))


def take_open(
    session: Session,
    seek: Seek,
    seeker: Person,
    taker: Person,
    *,
    words: str = "",
    has_looked: bool = False,
    now: datetime,
    rng: random.Random,
) -> Match:
    """Start a game from a locked seek.

    Raises ChallengeError if it is closed or the taker is not eligible. Unless the taker `has_looked` at the offer of
    this very game, it also refuses a seek that they have just taken.
    """
    hold(session, persons=[seeker.id, taker.id])
    candidate, reader = (candidate_of(session, one, seek.game, now=now) for one in (seeker, taker))
    if reader.id in candidate.blocked:
        raise ChallengeError(_("There is no open seek number {number}.").format(number=seek.id))
    if seek.state != SeekState.OPEN or is_past(seek, now):
        raise ChallengeError(_("Seek {number} is no longer open.").format(number=seek.id))
    objections = [one.sentence for one in _conditions_for(session, seek, candidate, reader, now) if not one.is_met]
    if objections:
        raise ChallengeError(" ".join(objections))
    if not has_looked:
        _must_not_be_begun(session, seek, taker)
    spoken = checked_words(words)
    return begin(session, agreement_of(seek), seeker, taker, [seek], taker_words=spoken, now=now, rng=rng)


def begin(
    session: Session,
    agreement: Agreement,
    one: Person,
    other: Person,
    seeks: list[Seek],
    *,
    taker_words: str = "",
    now: datetime,
    rng: random.Random,
) -> Match:
    """Start the agreed game, count down its seeks, and notify the player who was waiting.

    `taker_words` are the words of a taker without a seek of their own. The seed is that of the older seek.
    """
    older = min(seeks, key=lambda seek: (seek.created_at, seek.id))
    if older.person_id != one.id:
        one, other = other, one
        agreement = replace(agreement, seat=None if agreement.seat is None else 1 - agreement.seat)
    words = {other.id: taker_words} | {seek.person_id: seek.words for seek in seeks}
    ids = {seek.person_id for seek in seeks}
    match = begin_match(session, agreement, one, other, offer=older, words=words, notify_ids=ids, now=now, rng=rng)
    for seek in seeks:
        count_game(session, seek, match)
        renew_offer(session, seek, rng)
    session.flush()
    return match


def count_game(session: Session, seek: Seek, match: Match) -> None:
    """Count a game that a seek has started; the seek is taken after its last wanted game."""
    seek.games_begun += 1
    seek.match_id = match.id
    if not seek.games_at_once:
        seek.games_wanted -= 1
        seek.state = SeekState.OPEN if seek.games_wanted else SeekState.TAKEN
    session.add(seek)
    session.add(Pairing(seek_id=seek.id, match_id=match.id))


def pair_with_equals(
    session: Session, mine: Seek, equals: Sequence[Seek], person: Person, *, now: datetime, rng: random.Random
) -> None:
    """Start a game from this seek and the first of its equals (`held_equals`) whose seeker fits."""
    me = candidate_of(session, person, mine.game, now=now)
    for seek in equals:
        if mine.state != SeekState.OPEN or seek.state != SeekState.OPEN or is_past(seek, now):
            continue
        other = session.get_one(Person, seek.person_id)
        they = candidate_of(session, other, seek.game, now=now)
        agreement = equal_terms(mine, seek)
        if agreement is not None and are_mutually_eligible(session, mine, me, seek, they, now=now):
            begin(session, agreement, person, other, [mine, seek], now=now, rng=rng)
            me = candidate_of(session, person, mine.game, now=now)


def held_equals(session: Session, mine: Seek) -> Sequence[Seek]:
    """Lock the equal open seeks, then the persons of all of them, in the common lock order."""
    found = session.exec(_equals(mine)).all()
    hold(session, seeks=[*found, *([mine.id] if mine.id else [])])
    as_it_stands = {"populate_existing": True}
    held = select(Seek).where(col(Seek.id).in_(found)).order_by(*OLDEST_FIRST)
    equals = session.exec(held, execution_options=as_it_stands).all() if found else []
    hold(session, persons={mine.person_id, *(seek.person_id for seek in equals)})
    return equals


def _equals(mine: Seek) -> Any:
    return (
        select(Seek.id)
        .where(
            Seek.has_terms(mine.terms),
            col(Seek.state) == SeekState.OPEN,
            col(Seek.opponent_id).is_(None),
            col(Seek.is_private).is_(False),
            col(Seek.person_id) != mine.person_id,
        )
        .order_by(*OLDEST_FIRST)
        .limit(MOST_EQUALS_TRIED)
    )


def equal_terms(one: Seek, other: Seek) -> Agreement | None:
    """Return the agreement of seeks with equal terms; None if they want the same seat or differ."""
    fits, seat = seats_fit(one, other)
    return Agreement(one.terms, seat) if fits and one.terms == other.terms else None


def seats_fit(one: Seek, other: Seek) -> tuple[bool, int | None]:
    """Return whether two seeks ask for different seats, and the first one's seat or None."""
    if one.seat is not None:
        return one.seat != other.seat, one.seat
    return True, None if other.seat is None else 1 - other.seat


def are_mutually_eligible(
    session: Session, mine: Seek, me: Candidate, theirs: Seek, they: Candidate, *, now: datetime
) -> bool:
    """Whether each person meets the conditions of the other's seek, and both seeks have room."""
    return is_eligible(mine, me, they, now=now, in_play=in_play(session, mine)) and is_eligible(
        theirs, they, me, now=now, in_play=in_play(session, theirs)
    )


def _conditions_for(session: Session, seek: Seek, seeker: Candidate, reader: Candidate, now: datetime) -> Any:
    return check_conditions(seek, seeker, reader, now=now, in_play=in_play(session, seek))


def in_play(session: Session, seek: Seek) -> int:
    """Return how many games of a standing seek are in play; 0 for other seeks."""
    return counts_in_play(session, [seek])[seek.id]


def counts_in_play(session: Session, seeks: Collection[Seek]) -> dict[int, int]:
    """Return `in_play` for each of these seeks, by id, in at most one query."""
    counts = {seek.id: 0 for seek in seeks}
    standing = [seek.id for seek in seeks if seek.games_at_once]
    if standing:
        query = select(Pairing.seek_id, func.count()).join(Match, col(Match.id) == col(Pairing.match_id))
        found = query.where(col(Pairing.seek_id).in_(standing), col(Match.ended_at).is_(None))
        counts.update(session.exec(found.group_by(col(Pairing.seek_id))).all())
    return counts


def is_past(seek: Seek, now: datetime) -> bool:
    """Whether a seek has expired."""
    return seek.expires_at is not None and seek.expires_at <= now


def locked(session: Session, number: int) -> Seek | None:
    """Return the current row of a seek, locked, or None."""
    return session.get(Seek, number, with_for_update=True, populate_existing=True)
