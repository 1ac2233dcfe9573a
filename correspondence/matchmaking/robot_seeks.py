"""Seeks with `robots=yes`, which a robot takes if no person has for a while."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.accounts import robots
from correspondence.core.robot_handles import USUAL_LEVEL
from correspondence.matchmaking import robot_games, seeks
from correspondence.matchmaking.candidates import Candidate, candidate_of, candidates_of
from correspondence.matchmaking.conditions import RATED
from correspondence.matchmaking.eligibility import is_eligible
from correspondence.models import Match, Person, Seek, SeekState
from correspondence.models.locks import hold_person
from correspondence.models.matchmaking import OLDEST_FIRST

WAIT = timedelta(hours=6)
"""Time for which a seek is reserved for people before a robot takes it."""

BATCH = 200
"""Maximum number of seeks per sweep."""


def waiting(session: Session, *, now: datetime) -> list[int]:
    """Return the ids of the open seeks that robots may take now."""
    if not robots.are_awake(session, now=now):
        return []
    query = select(Seek.id).where(
        col(Seek.state) == SeekState.OPEN,
        col(Seek.opponent_id).is_(None),
        col(Seek.is_private).is_(False),
        col(Seek.robots) != "",
        col(Seek.created_at) <= now - WAIT,
    )
    return list(session.exec(query.order_by(*OLDEST_FIRST).limit(BATCH)))


def take(session: Session, seek_id: int, *, now: datetime, rng: random.Random) -> Match | None:
    """Let the best robot take a seek; None if it is no longer available or no robot fits.

    The robot nearest to the seeker in rating takes it, among those that meet the conditions. The game is rated if the
    seek has `robots=rated`, or the seeker's settings say so.
    """
    seek = seeks.locked(session, seek_id)
    if (
        seek is None
        or seek.state != SeekState.OPEN
        or seeks.is_past(seek, now)
        or _has_begun_lately(session, seek, now)
    ):
        return None
    person = session.get_one(Person, seek.person_id)
    robot_games.hold_offers(session, robots.robots_of(session, seek.game))
    hold_person(session, person)
    robot = _best(session, seek, person, now)
    if robot is None:
        return None
    wants_rated = seek.robots == RATED or person.rates_robots
    terms = replace(seek.terms, rated=wants_rated and not robot_games.is_choosing_dice(session, person, now=now))
    match = robot_games.begin(
        session, person, robot, terms, seat=seek.seat, words=seek.words, is_told=True, now=now, rng=rng
    )
    seeks.count_game(session, seek, match)
    session.flush()
    return match


def _has_begun_lately(session: Session, seek: Seek, now: datetime) -> bool:
    last = session.get(Match, seek.match_id) if seek.match_id is not None else None
    return last is not None and last.started_at > now - WAIT


def _best(session: Session, seek: Seek, person: Person, now: datetime) -> Person | None:
    """Return the best robot for a seek.

    None if no robot meets its conditions, or the seeker has left or has no room.
    """
    seeker = candidate_of(session, person, seek.game, now=now)
    if (
        seeker.game_limit_reason
        or seeker.has_left
        or robot_games.count_running(session, person) >= robot_games.MOST_GAMES
    ):
        return None
    playing = seeks.in_play(session, seek)
    known = {robot.id: robot for robot in robots.robots_of(session, seek.game)}
    facts = candidates_of(session, [(robot, seek.game) for robot in known.values()], now=now)
    suitable = [
        candidate
        for candidate in (_as_opponent(fact, seeker, seek) for fact in facts.values())
        if is_eligible(seek, seeker, candidate, now=now, in_play=playing)
    ]
    return known[min(suitable, key=lambda one: _distance(seeker, known[one.id], one)).id] if suitable else None


def _as_opponent(candidate: Candidate, seeker: Candidate, seek: Seek) -> Candidate:
    """Return a robot as an opponent: reliable, available, and reading the seeker's languages."""
    languages = seeker.languages | {seek.language}
    return replace(candidate, reliability=100, languages=languages, has_left=False, game_limit_reason="")


def _distance(seeker: Candidate, robot: Person, candidate: Candidate) -> tuple[int, int]:
    if seeker.rating is None or candidate.rating is None:
        return 0 if seeker.rating is None else 1, abs(robot.robot_level - USUAL_LEVEL)
    return 0, abs(seeker.rating - candidate.rating)
