"""Teaching games with a robot: which to offer to a person, and how to start one."""

from __future__ import annotations

import random
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts import robots
from correspondence.accounts.relations import ChallengeError
from correspondence.core.robot_handles import USUAL_LEVEL
from correspondence.core.terms import read_terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.matchmaking import robot_games
from correspondence.matchmaking.challenges import game_by_key
from correspondence.models import Match, Person, Player
from engines.base import Game
from engines.wording import _, listing

SEAT = 1
"""The seat of the learner: the robot moves first and shows how."""


class LessonRuns(ChallengeError):
    """Raised if a lesson in this game is not over yet; `match_id` is its match."""

    def __init__(self, sentence: str, match_id: int) -> None:
        super().__init__(sentence)
        self.match_id = match_id


def taught() -> tuple[Game, ...]:
    """Return the games that robots teach."""
    return tuple(game for game in robots.robot_games() if game.presentation.lessons is not None)


def learn(session: Session, person: Person, key: str, *, words: str = "", now: datetime, rng: random.Random) -> Match:
    """Start an unrated game with a robot that moves first and explains its first moves.

    Raises LessonRuns if one is not over yet, ChallengeError if no robot teaches this game, the robots are switched off
    or the person has no room, and WordsError.
    """
    game = game_by_key(key)
    if game not in taught():
        raise ChallengeError(_not_taught(game))
    running = _running(session, person, game)
    if running is not None:
        sentence = _("Your lesson in {game} is not over yet: it is game {number}.")
        raise LessonRuns(sentence.format(game=_(game.name), number=running), running)
    there = robots.robots_of(session, game.key)
    if not there:
        raise ChallengeError(_("Robots are switched off here at the moment, so none can be challenged."))
    robot = next((one for one in there if one.robot_level == USUAL_LEVEL), there[0])
    terms = read_terms(game, {}, DEFAULT_TIME_CONTROL, rated=False)
    seek = robot_games.challenge(session, person, robot, terms, seat=SEAT, words=words, now=now, rng=rng)
    match = session.get_one(Match, seek.match_id)
    match.teaches = True
    session.add(match)
    session.flush()
    return match


def _not_taught(game: Game) -> str:
    if len(game.seats) == 1:
        sentence = _(
            "{game} is played alone, so no robot can teach it by playing. The rules page explains it, and hint "
            "shows the next step of a solution."
        )
        return sentence.format(game=_(game.name))
    sentence = _("No robot teaches {game}. You can learn {games}.")
    return sentence.format(game=_(game.name), games=listing([one.key for one in taught()]))


def can_begin(session: Session, game: Game, *, now: datetime) -> bool:
    """Whether a robot teaches this game, and robots are awake."""
    return game in taught() and robots.are_awake(session, now=now)


def has_finished_none(session: Session, person_id: int) -> bool:
    """Whether this person has not finished any game yet."""
    query = select(Player.id).where(col(Player.person_id) == person_id, col(Player.ended_at).is_not(None))
    return session.exec(query.limit(1)).first() is None


def untried(session: Session, person_id: int) -> tuple[Game, ...]:
    """Return the games that robots teach and this person has neither finished nor is learning."""
    query = select(Match.game).join(Player, col(Player.match_id) == col(Match.id))
    query = query.where(col(Player.person_id) == person_id)
    query = query.where(col(Match.ended_at).is_not(None) | col(Match.teaches)).distinct()
    known = set(session.exec(query))
    return tuple(game for game in taught() if game.key not in known)


def _running(session: Session, person: Person, game: Game) -> int | None:
    """Return the number of this person's unfinished lesson in a game, or None."""
    query = select(Match.id).join(Player, col(Player.match_id) == col(Match.id))
    query = query.where(col(Player.person_id) == person.id, col(Match.game) == game.key, col(Match.teaches))
    return session.exec(query.where(col(Match.ended_at).is_(None)).limit(1)).first()
