"""Games with robots, which start at once from a seed to which the robot has committed.

A robot has a standing offer, and its commitment is shown where it can be challenged. The challenger contributes words
to the randomness, the robot none. So the seed was fixed before those words were known, and the service that plays the
robot chooses nothing.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.accounts import relations, robots
from correspondence.accounts.relations import ChallengeError
from correspondence.core.terms import Terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.fairness.seeds import checked_words, commitment_of_offer, make_for_offer, renew_offer
from correspondence.matchmaking.repeats import repeated_offer
from correspondence.matchmaking.start import Agreement, begin_match
from correspondence.models import Match, Person, Player, Seek, SeekState
from correspondence.models.locks import hold
from correspondence.models.matchmaking import OLDEST_FIRST
from correspondence.models.people import IS_ROBOT
from correspondence.models.terms import terms_columns
from correspondence.ratings import ratings
from correspondence.ratings.reliability import GIVEN_UP_A_DAY
from engines import GAMES
from engines.wording import _

MOST_GAMES = 10
"""Maximum number of a person's simultaneous games with robots."""

LONGEST_MOVE, LONGEST_BANK = timedelta(days=30), timedelta(days=60)
"""Maximum time per move and maximum bank in games with robots."""


def challenge(
    session: Session,
    person: Person,
    robot: Person,
    terms: Terms,
    *,
    seat: int | None,
    words: str = "",
    now: datetime,
    rng: random.Random,
    after_match_id: int | None = None,
) -> Seek:
    """Challenge a robot, which accepts at once; `match_id` of the challenge is the game.

    Raises ChallengeError if the robot cannot play these terms or the person has no room, and WordsError.
    """
    hold_offers(session, [robot])
    seek = Seek(
        **terms_columns(terms),
        person_id=person.id,
        opponent_id=robot.id,
        seat=seat,
        created_at=now,
        state=SeekState.TAKEN,
        after_match_id=after_match_id,
        words=checked_words(words),
    )
    repeated = repeated_offer(session, seek, now=now)
    if repeated is not None:
        return repeated
    must_be_playable(session, person, robot, terms, now=now)
    seek.match_id = begin(session, person, robot, terms, seat=seat, words=seek.words, now=now, rng=rng).id
    session.add(seek)
    session.flush()
    return seek


def begin(
    session: Session,
    person: Person,
    robot: Person,
    terms: Terms,
    *,
    seat: int | None,
    words: str,
    is_told: bool = False,
    now: datetime,
    rng: random.Random,
) -> Match:
    """Start a game with a robot.

    With `is_told`, the person gets a letter about it if the robot moves first.
    """
    offer = _offer_of(session, robot, now=now, rng=rng)
    match = begin_match(
        session,
        Agreement(terms, None if seat is None else 1 - seat),
        robot,
        person,
        offer=offer,
        words={person.id: words},
        notify_ids={person.id} if is_told else set(),
        now=now,
        rng=rng,
    )
    renew_offer(session, offer, rng)
    return match


def must_be_playable(session: Session, person: Person, robot: Person, terms: Terms, *, now: datetime) -> None:
    """Raise ChallengeError if this person and this robot cannot start this game.

    The sentence says what is possible.
    """
    if person.robot_level:
        raise ChallengeError(_("Robots don't play robots."))
    if not robots.are_awake(session, now=now):
        raise ChallengeError(_("Robots are switched off here at the moment, so none can be challenged."))
    _must_know(robot, terms)
    if relations.is_blocked(session, person.id, robot.id):
        raise ChallengeError(_("You have blocked {handle}.").format(handle=robot.handle))
    relations.require_not_suspended(session, person)
    if count_running(session, person) >= MOST_GAMES:
        sentence = _(
            "You are playing {count} games with robots, the most you can have at once. Please finish one first."
        )
        raise ChallengeError(sentence.format(count=MOST_GAMES))
    if terms.rated and is_choosing_dice(session, person, now=now):
        sentence = _(
            "You gave up {count} rated games with robots within a day before they counted. Play an unrated one, "
            "or come back tomorrow."
        )
        raise ChallengeError(sentence.format(count=GIVEN_UP_A_DAY))


def is_choosing_dice(session: Session, person: Person, *, now: datetime) -> bool:
    """Whether this person has abandoned too many rated games with robots in the last 24 hours.

    Only games that ended before they counted are included. The person then gets no more rated games, so that they
    cannot choose their dice.
    """
    theirs = select(Player.match_id).where(col(Player.person_id).in_(select(Person.id).where(IS_ROBOT)))
    query = select(Match).join(Player, col(Player.match_id) == col(Match.id))
    query = query.where(col(Player.person_id) == person.id, col(Player.ended_at) > now - timedelta(days=1))
    query = query.where(col(Match.rated), col(Match.id).in_(theirs))
    return sum(ratings.was_too_short(session, match) for match in session.exec(query)) >= GIVEN_UP_A_DAY


def _must_know(robot: Person, terms: Terms) -> None:
    if robot.robot_game not in GAMES:
        raise ChallengeError(_("{handle}’s game is not installed here.").format(handle=robot.handle))
    if terms.game != robot.robot_game:
        sentence = _("{handle} only plays {game}. Write for example: challenge {handle} {key}")
        game = GAMES[robot.robot_game]
        raise ChallengeError(sentence.format(handle=robot.handle, game=_(game.name), key=game.key))
    must_be_pace_of_robots(terms)


def must_be_pace_of_robots(terms: Terms) -> None:
    """Raise ChallengeError if robots do not play at this pace."""
    time_control = terms.time_control
    if time_control.increment > LONGEST_MOVE or time_control.bank > LONGEST_BANK:
        sentence = _(
            "Games with robots have at most {bank} days at the start and {days} days for each move. Write for example: "
            "3 days"
        )
        raise ChallengeError(sentence.format(bank=LONGEST_BANK.days, days=LONGEST_MOVE.days))


def must_be_known_to_robots(terms: Terms) -> None:
    """Raise ChallengeError if no robot plays this game or this pace."""
    if terms.game not in {game.key for game in robots.robot_games()}:
        raise ChallengeError(_("No robot plays {game}.").format(game=_(GAMES[terms.game].name)))
    must_be_pace_of_robots(terms)


def count_running(session: Session, person: Person) -> int:
    """Return the number of games with robots that this person plays now."""
    mine = select(Player.match_id).where(col(Player.person_id) == person.id, col(Player.ended_at).is_(None))
    theirs = select(func.count()).select_from(Player).where(col(Player.match_id).in_(mine))
    return session.exec(theirs.where(col(Player.person_id).in_(select(Person.id).where(IS_ROBOT)))).one()


def commitments(session: Session, robot_ids: list[int]) -> dict[int, str]:
    """Return the commitments of robots for their next games, by robot id.

    A robot without an offer is missing.
    """
    query = select(Seek).where(col(Seek.person_id).in_(robot_ids), col(Seek.state) == SeekState.OPEN)
    return {seek.person_id: commitment_of_offer(session, seek.id) for seek in session.exec(query)}


def prepare_offers(session: Session, *, now: datetime, rng: random.Random) -> None:
    """Create the missing standing offers of robots."""
    for game in robots.robot_games():
        for robot in robots.robots_of(session, game.key):
            _offer_of(session, robot, now=now, rng=rng)


def hold_offers(session: Session, some: Collection[Person]) -> None:
    """Lock the standing offers of these robots, before the person: in the common lock order."""
    query = select(Seek.id).where(col(Seek.person_id).in_([robot.id for robot in some]))
    hold(session, seeks=session.exec(query.where(col(Seek.state) == SeekState.OPEN)).all())


def _offer_of(session: Session, robot: Person, *, now: datetime, rng: random.Random) -> Seek:
    """Return the standing offer of a robot, locked; create it if needed."""
    query = select(Seek).where(col(Seek.person_id) == robot.id, col(Seek.state) == SeekState.OPEN)
    offer = session.exec(query.order_by(*OLDEST_FIRST).with_for_update()).first()
    if offer is None:
        terms = Terms(robot.robot_game, "", DEFAULT_TIME_CONTROL, rated=False)
        offer = Seek(**terms_columns(terms), person_id=robot.id, created_at=now, is_private=True)
        session.add(offer)
        session.flush()
        make_for_offer(session, offer, rng)
    return offer
