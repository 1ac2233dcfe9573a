"""Challenges by handle: create, accept, decline, withdraw; and games for one player."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, or_, select

from correspondence.accounts import relations
from correspondence.accounts.accounts import command_token, new_token, nobody_called, person_by_handle, program_mark_for
from correspondence.accounts.letter_stops import stop_token
from correspondence.accounts.relations import ChallengeError as ChallengeError
from correspondence.clocks import vacations
from correspondence.core.i18n import weekday
from correspondence.core.terms import Terms, read_terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, UNHURRIED, TimeControl
from correspondence.fairness.seeds import SYSTEM_RNG, checked_words, make_for_offer, told_commitment
from correspondence.matchmaking import candidates, robot_games
from correspondence.matchmaking.repeats import identical_open_seek
from correspondence.matchmaking.start import agreement_of, begin_match
from correspondence.models import EventKind, Letter, Match, Person, Purpose, Seek, SeekState
from correspondence.models.locks import hold
from correspondence.models.matchmaking import OLDEST_FIRST
from correspondence.models.terms import terms_columns
from correspondence.outbound import events, kinds, letters
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.letters import Draft
from correspondence.play.matches import start_match
from correspondence.ratings import ratings
from engines import GAMES
from engines.base import Game
from engines.chance import SEED_BYTES
from engines.options import options_text, read_options
from engines.wording import _, listing

UNTAKEN_A_DAY = 20
"""Maximum number of challenges without a game from one person to another in 24 hours.

Each of them sends a letter.
"""

UNTAKEN_OF_ALL_A_DAY = 60
"""Maximum number of challenges without a game from one person to anybody in 24 hours."""

LASTS = timedelta(days=30)
"""Time for which a challenge can be answered."""

OPEN_CHALLENGES = 20
"""Maximum number of a person's open challenges and seeks."""


def game_by_key(key: str) -> Game:
    """Return the game with this key, ignoring case; raise ChallengeError if unknown."""
    normalised = key.strip().casefold()
    if normalised not in GAMES:
        raise ChallengeError(
            _("There is no game “{key}” here. We play {games}.").format(
                key=key.strip()[:40], games=listing(list(GAMES), _("and"))
            )
        )
    return GAMES[normalised]


def challenge(
    session: Session,
    person: Person,
    handle: str,
    key: str,
    options: Mapping[str, str],
    *,
    time_control: TimeControl = DEFAULT_TIME_CONTROL,
    rated: bool | None = None,
    seat: int | None = None,
    words: str = "",
    now: datetime,
    rng: random.Random = SYSTEM_RNG,
) -> Seek:
    """Challenge the person with this handle.

    A person gets a letter. A robot accepts at once, and the game starts.

    If `rated` is None, games with people are rated, and games with robots follow the challenger's setting. `seat` is
    the challenger's seat; None leaves it to chance. `options` may include `analysis`. `words` are the challenger's
    contribution to the game's randomness. Raises ChallengeError, OptionError, TimeControlError or WordsError.
    """
    opponent = person_by_handle(session, handle)
    usual = person.rates_robots if opponent is not None and opponent.robot_level else True
    terms = read_terms(game_by_key(key), options, time_control, rated=usual if rated is None else rated)
    if opponent is None:
        raise ChallengeError(nobody_called(handle))
    return propose(session, person, opponent, terms, seat=seat, words=words, now=now, rng=rng)


def propose(
    session: Session,
    person: Person,
    opponent: Person,
    terms: Terms,
    *,
    seat: int | None,
    words: str = "",
    now: datetime,
    rng: random.Random = SYSTEM_RNG,
    answers_id: int | None = None,
    after_match_id: int | None = None,
) -> Seek:
    """Challenge `opponent`; raise ChallengeError if that is not possible.

    A person gets a letter. A robot accepts at once, and `match_id` is the new game.

    `answers_id` is the challenge that this one answers, and `after_match_id` the game of which this is a rematch.
    """
    if opponent.robot_level:
        return robot_games.challenge(
            session, person, opponent, terms, seat=seat, words=words, now=now, rng=rng, after_match_id=after_match_id
        )
    _must_be_possible(session, person, opponent, GAMES[terms.game], now)
    terms = replace(terms, rated=terms.rated and not person.is_program and not opponent.is_program)
    seek = Seek(
        **terms_columns(terms),
        person_id=person.id,
        opponent_id=opponent.id,
        seat=seat,
        created_at=now,
        expires_at=now + LASTS,
        answers_id=answers_id,
        after_match_id=after_match_id,
        words=checked_words(words),
    )
    identical = identical_open_seek(session, seek, now=now)
    if identical is not None:
        sentence = _(
            "You have already asked {handle} for exactly this game: challenge {number} is waiting for an answer."
        )
        raise ChallengeError(sentence.format(handle=opponent.handle, number=identical.id))
    session.add(seek)
    session.flush()
    make_for_offer(session, seek, rng)
    _write(session, kinds.CHALLENGE, seek, opponent, person, now)
    events.note(session, [opponent], EventKind.CHALLENGE, about=seek.id, now=now)
    return seek


def accept(
    session: Session, person: Person, number: int | None, *, words: str = "", now: datetime, rng: random.Random
) -> Match:
    """Accept a challenge to this person and start the game.

    Without `number`, it accepts the only one. `words` are this person's contribution to the game's randomness. Raises
    ChallengeError or WordsError.
    """
    seek = open_challenge(session, person, number, now=now)
    challenger = session.get_one(Person, seek.person_id)
    hold(session, persons=[person.id, challenger.id])
    relations.require_room(session, person)
    relations.require_available(session, person, challenger)
    match = begin_match(
        session,
        agreement_of(seek),
        challenger,
        person,
        offer=seek,
        words={challenger.id: seek.words, person.id: checked_words(words)},
        notify_ids={challenger.id},
        now=now,
        rng=rng,
    )
    seek.state, seek.match_id = SeekState.TAKEN, match.id
    session.add(seek)
    events.note(session, [challenger], EventKind.CHALLENGE_ANSWERED, about=seek.id, now=now)
    return match


def decline(session: Session, person: Person, number: int | None, *, now: datetime) -> Seek:
    """Decline a challenge and notify the challenger by letter. Raises ChallengeError."""
    seek = open_challenge(session, person, number, now=now)
    seek.state = SeekState.DECLINED
    session.add(seek)
    challenger = session.get_one(Person, seek.person_id)
    _write(session, kinds.DECLINED, seek, challenger, person, now)
    events.note(session, [challenger], EventKind.CHALLENGE_ANSWERED, about=seek.id, now=now)
    return seek


def lapse(session: Session, seek: Seek, *, now: datetime) -> None:
    """Expire a locked challenge that was not answered in time, and notify both sides."""
    seek.state = SeekState.EXPIRED
    session.add(seek)
    challenger, opponent = (session.get_one(Person, number) for number in (seek.person_id, seek.opponent_id))
    _write(session, kinds.CHALLENGE_LAPSED, seek, challenger, opponent, now)
    if kinds.CHALLENGE.is_wanted_by(opponent):
        _write(session, kinds.CHALLENGE_LAPSED, seek, opponent, challenger, now)
    events.note(session, [challenger], EventKind.CHALLENGE_ANSWERED, about=seek.id, now=now)


def is_letter_gone(session: Session, letter: Letter) -> bool:
    """Whether the challenge in a letter is no longer open, so that the letter is obsolete."""
    number = letter.key.rpartition(":s")[2]
    if not number.isdecimal():
        return False
    seek = session.get(Seek, int(number))
    return seek is None or seek.state != SeekState.OPEN


def withdraw(session: Session, person: Person, number: int) -> Seek:
    """Withdraw a person's own open challenge, seek or invitation. Raises ChallengeError."""
    seek = session.get(Seek, number, with_for_update=True, populate_existing=True)
    if seek is None or seek.person_id != person.id or seek.state != SeekState.OPEN:
        raise ChallengeError(_("You have no open challenge or seek with the number {number}.").format(number=number))
    seek.state = SeekState.WITHDRAWN
    session.add(seek)
    return seek


def start_alone(
    session: Session,
    person: Person,
    key: str,
    options: Mapping[str, str],
    *,
    now: datetime,
    rng: random.Random,
    time_control: TimeControl = UNHURRIED,
) -> Match:
    """Start a game for one player, such as the Puzzle. Raises ChallengeError or OptionError."""
    game = game_by_key(key)
    if len(game.seats) != 1:
        raise ChallengeError(_("{game} needs an opponent: challenge somebody.").format(game=_(game.name)))
    typed_options: Any = read_options(game.Options, options)
    relations.require_room_alone(session, person)
    seed = rng.randbytes(SEED_BYTES)
    terms = Terms(game.key, options_text(typed_options), time_control, rated=False)
    return start_match(session, terms, [person], now=now, seed=seed)


def challenges_to(session: Session, person: Person, *, now: datetime) -> list[Seek]:
    """Return the open challenges to a person, oldest first."""
    query = select(Seek).where(col(Seek.opponent_id) == person.id, col(Seek.state) == SeekState.OPEN)
    lasting = query.where(or_(col(Seek.expires_at).is_(None), col(Seek.expires_at) > now))
    return list(session.exec(lasting.order_by(*OLDEST_FIRST)))


def hold_offers(session: Session, person: Person) -> None:
    """Lock all open challenges to a person and their own open offers, then the person.

    Nobody can take one of them meanwhile.
    """
    either = or_(col(Seek.opponent_id) == person.id, col(Seek.person_id) == person.id)
    hold(session, seeks=session.exec(select(Seek.id).where(either, col(Seek.state) == SeekState.OPEN)).all())
    hold(session, persons=[person.id])


def end_offers(session: Session, person: Person, *, now: datetime) -> None:
    """Decline the open challenges to a person and withdraw their own offers.

    The caller has locked them with `hold_offers`.
    """
    for seek in challenges_to(session, person, now=now):
        decline(session, person, seek.id, now=now)
    query = select(Seek).where(col(Seek.person_id) == person.id, col(Seek.state) == SeekState.OPEN)
    for seek in session.exec(query):
        seek.state = SeekState.WITHDRAWN
        session.add(seek)


def away_notice(session: Session, seek: Seek, reader: Person, *, now: datetime) -> str:
    """Return a sentence that the challenged person is away; empty if they are not."""
    return away_notices(session, [seek], reader, now=now)[seek.id]


def away_notices(session: Session, seeks: Collection[Seek], reader: Person, *, now: datetime) -> dict[int, str]:
    """Return `away_notice` for each of these challenges, by id, in at most two queries."""
    challenged = {seek.opponent_id for seek in seeks if seek.opponent_id is not None}
    until = vacations.absences_until(session, challenged, now) if challenged else {}
    query = select(Person.id, Person.handle).where(col(Person.id).in_(list(until)))
    names: dict[int, str] = dict(session.exec(query).all()) if until else {}
    sentence = _("{handle} is away until {when}; your challenge waits.")
    notices = {
        person_id: sentence.format(handle=names[person_id], when=weekday(back, reader.zone, reader.language))
        for person_id, back in until.items()
    }
    return {seek.id: notices.get(seek.opponent_id or 0, "") for seek in seeks}


def own_away_notice(session: Session, person: Person, *, now: datetime) -> str:
    """Return a sentence that a person's seeks are paused while they are away; empty if not."""
    until = candidates.away_until(session, person.id, now=now)
    if until is None:
        return ""
    when = weekday(until, person.zone, person.language)
    return _("You are away until {when}; your seeks are paused until then.").format(when=when)


def must_have_room_to_ask(session: Session, person: Person) -> None:
    """Lock a person; raise ChallengeError at their limit of open offers or games."""
    relations.require_room(session, person)
    query = select(func.count()).select_from(Seek)
    query = query.where(col(Seek.person_id) == person.id, col(Seek.state) == SeekState.OPEN)
    if session.exec(query).one() >= OPEN_CHALLENGES:
        sentence = _("{count} of your challenges and seeks are waiting for an answer; please withdraw one first.")
        raise ChallengeError(sentence.format(count=OPEN_CHALLENGES))


def _must_be_possible(session: Session, person: Person, opponent: Person, game: Game, now: datetime) -> None:
    if opponent.id == person.id:
        raise ChallengeError(_("You cannot challenge yourself."))
    if len(game.seats) != 2:
        raise ChallengeError(_("{game} is a game for one: nobody can be challenged to it.").format(game=_(game.name)))
    if candidates.has_left(session, opponent.id):
        raise ChallengeError(_("{handle} no longer plays here.").format(handle=opponent.handle))
    relations.require_available(session, person, opponent)
    must_have_room_to_ask(session, person)
    _must_not_press(session, person, opponent, now)


def _must_not_press(session: Session, person: Person, opponent: Person, now: datetime) -> None:
    """Raise ChallengeError at a daily limit of challenges without a game.

    Otherwise repeated challenges, withdrawn at once, could flood people with letters.
    """
    idle = select(func.count()).select_from(Seek).where(
        col(Seek.person_id) == person.id, col(Seek.opponent_id).is_not(None), col(Seek.state) != SeekState.TAKEN,
        col(Seek.created_at) > now - timedelta(days=1),
    )  # fmt: skip
    if session.exec(idle.where(col(Seek.opponent_id) == opponent.id)).one() >= UNTAKEN_A_DAY:
        sentence = _(
            "You have challenged {handle} {count} times within a day, and no game has come of it. Ask again tomorrow."
        )
        raise ChallengeError(sentence.format(handle=opponent.handle, count=UNTAKEN_A_DAY))
    if session.exec(idle).one() >= UNTAKEN_OF_ALL_A_DAY:
        sentence = _("You have made {count} challenges within a day that led to no game. Ask again tomorrow.")
        raise ChallengeError(sentence.format(count=UNTAKEN_OF_ALL_A_DAY))


def open_challenge(session: Session, person: Person, number: int | None, *, now: datetime) -> Seek:
    """Return the challenge to a person with this number, or the only one, locked.

    Raises ChallengeError.
    """
    challenges = challenges_to(session, person, now=now)
    if number is None and len(challenges) > 1:
        numbers = listing([str(seek.id) for seek in challenges], _("and"))
        raise ChallengeError(
            _("Several challenges are waiting for you: {numbers}. Please name one.").format(numbers=numbers)
        )
    matching = [seek.id for seek in challenges if number in (None, seek.id)]
    locked = session.get(Seek, matching[0], with_for_update=True, populate_existing=True) if matching else None
    if locked is None or locked.state != SeekState.OPEN:
        _must_not_be_answered(session, person, number)
        raise ChallengeError(
            _("No challenge is waiting for you.")
            if number is None
            else _("No challenge number {number} is waiting for you.").format(number=number)
        )
    return locked


def _must_not_be_answered(session: Session, person: Person, number: int | None) -> None:
    """Raise ChallengeError with the outcome if the challenge was accepted or has lapsed."""
    seek = session.get(Seek, number) if number is not None else None
    if seek is None or seek.opponent_id != person.id:
        return
    if seek.state == SeekState.TAKEN:
        sentence = _("You have already accepted challenge {number}: it is game {game}.")
        raise ChallengeError(sentence.format(number=number, game=seek.match_id))
    if seek.state in (SeekState.EXPIRED, SeekState.OPEN):
        sentence = _("Challenge {number} has lapsed: it was open for {days} days.")
        raise ChallengeError(sentence.format(number=number, days=LASTS.days))


def _write(session: Session, kind: LetterKind, seek: Seek, reader: Person, other: Person, now: datetime) -> None:
    if not kind.is_wanted_by(reader):
        return
    token = (
        new_token(session, Purpose.SEEK, now=now, person=reader, seek=seek.id)
        if kind is kinds.CHALLENGE
        else command_token(session, reader, now=now)
    )
    context: dict[str, Any] = {
        "game": GAMES[seek.game],
        "seek": seek,
        "other": other.handle,
        "terms": seek.terms,
        "commitment": told_commitment(session, seek),
        "rating": ratings.rating_of(session, other.id, seek.game, now=now).in_words,
        "program_mark": program_mark_for(reader.language, other),
        "is_own": reader.id == seek.person_id,
        "days": LASTS.days,
    }
    stop = stop_token(session, reader, kind, now=now) if kind.stops else None
    key = f"{kind.name}:s{seek.id}" if kind is not kinds.CHALLENGE_LAPSED else f"{kind.name}:u{reader.id}:s{seek.id}"
    if kind is kinds.DECLINED and letters.is_written(session, key):  # reopened and declined a second time
        key = f"{key}:again"
    draft = Draft(kind, key, reply_token=token.id, stop_token=stop, member=other.handle)
    letters.write_letter(session, letters.to_person(session, reader), draft, now=now, **context)
