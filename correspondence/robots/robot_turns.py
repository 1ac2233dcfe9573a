"""Turns of robots: recorded when they begin, leased to one worker, and played if current."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, or_
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.core.robot_pace import RobotPace
from correspondence.models import By, Match, Person, Player, RobotTurn, ServiceState
from correspondence.models.loading import locked, person_of, players_of, position_of
from correspondence.models.operations import READ_ONLY
from correspondence.models.people import IS_ROBOT
from correspondence.models.robots import SEARCH_HAS_FAILED, TURN_IS_DUE, TURN_KEEPS_FAILING, SearchFailure
from correspondence.play import lessons, matches, talk_guard
from correspondence.robots import lines, offers_to_robots
from engines import GAMES
from engines.base import Position
from engines.codec import dump
from engines.search.choosing import choose

LEASE = timedelta(minutes=5)
"""Duration of a lease on a turn; a search takes seconds."""

LATER_DELAY = (600.0, 7200.0)
"""Minimum and maximum delay, in seconds, of robots that answer at a human pace."""

MOST_TRIES = 5
"""Number of failed attempts after which a move is made without a search process."""

MOST_LOST_LEASES = 10
"""Number of expired leases after which a move is made without a search process."""

AGAIN_AFTER = timedelta(seconds=10)
"""Delay before a failed turn is retried."""

SET_ASIDE = timedelta(hours=1)
"""Delay for a turn in which no move can be found."""

BEFORE_DEADLINE = timedelta(minutes=2)
"""Minimum time before the deadline at which a turn is due, whatever the delay."""

BATCH = 200
"""Maximum number of turns recorded at a time."""

UNNOTED = (
    select(Player.id)
    .join(Match, col(Match.id) == col(Player.match_id))
    .outerjoin(RobotTurn, col(RobotTurn.player_id) == col(Player.id))
    .where(
        col(Player.person_id).in_(select(Person.id).where(IS_ROBOT)),
        col(Player.since).is_not(None),
        col(Match.game).in_(bindparam("games", expanding=True)),
        or_(
            col(RobotTurn.player_id).is_(None),
            col(RobotTurn.ply) != col(Player.turn_ply),
            col(RobotTurn.takebacks) != col(Match.takebacks),
        ),
    )
)
"""Query: robots to move in one of the `games` whose turn is not recorded yet."""

DUE = select(RobotTurn.player_id).where(TURN_IS_DUE, col(RobotTurn.due_at) <= bindparam("now"))
"""Query: players whose turn can be leased at time `now`."""


_READ_ONLY = select(ServiceState.id).where(READ_ONLY)


@dataclass(frozen=True, slots=True)
class LeasedTurn:
    """A turn leased to this worker, with its request, which holds only what the seat sees."""

    match_id: int
    player_id: int
    ply: int
    takebacks: int
    lease: str
    tries: int
    question: dict[str, Any]
    needs_no_search: bool = False
    """Whether it has failed, or lost its lease, so often that a move is made at once."""


def unnoted(session: Session) -> list[int]:
    """Return the ids of robots to move whose turn is not recorded yet."""
    return [number for (number,) in db.rows(session, UNNOTED.order_by(col(Player.id)).limit(BATCH), games=list(GAMES))]


def note(session: Session, player_id: int, delay: timedelta, *, now: datetime) -> None:
    """Record that a robot is to move, after this delay."""
    player = session.get_one(Player, player_id)
    match = locked(session, player.match_id)
    if player.since is None:
        return
    row = session.get(RobotTurn, player_id, with_for_update=True) or RobotTurn(
        player_id=player_id, match_id=match.id, ply=0, takebacks=0
    )
    row.ply, row.takebacks, row.lease, row.tries, row.lost_leases = player.turn_ply, match.takebacks, "", 0, 0
    latest = player.deadline - BEFORE_DEADLINE if player.deadline is not None else now + delay
    row.due_at = max(min(now + delay, latest), now)
    session.add(row)
    session.flush()


def delay_for(session: Session, player_id: int, usual: tuple[float, float]) -> tuple[float, float]:
    """Return a robot's minimum and maximum delay in seconds, as its opponent has set.

    Without such a setting it is `usual`. In a lesson a robot answers at once unless its opponent wants it later.
    """
    player = session.get_one(Player, player_id)
    opponent = lines.opponent_of(session, player)
    if session.get_one(Match, player.match_id).teaches:
        usual = (0.0, 0.0)
    wished = RobotPace.USUAL if opponent is None else RobotPace(opponent.robot_pace)
    return {RobotPace.AT_ONCE: (0.0, 0.0), RobotPace.LATER: LATER_DELAY}.get(wished, usual)


def is_any_due(session: Session, *, now: datetime) -> bool:
    """Whether a turn can be leased now."""
    return db.value(session, DUE.limit(1), now=now) is not None


def claim(session: Session, *, now: datetime, rng: random.Random) -> LeasedTurn | None:
    """Lease the turn that has been due longest; None if none is due or it needs no search.

    An expired lease does not count as a failed attempt: the next search is as strong.
    """
    row = session.exec(
        select(RobotTurn).where(TURN_IS_DUE, col(RobotTurn.due_at) <= now, ~_READ_ONLY.exists())
        .order_by(col(RobotTurn.due_at)).limit(1).with_for_update(skip_locked=True)
    ).first()  # fmt: skip
    if row is None:
        return None
    was_lost = bool(row.lease)
    row.lost_leases += was_lost
    row.tries += not was_lost
    row.lease = secrets.token_hex(8)
    row.due_at = now + (LEASE if row.lost_leases < 2 * MOST_LOST_LEASES else SET_ASIDE)
    session.add(row)
    match, player = session.get_one(Match, row.match_id), session.get_one(Player, row.player_id)
    if not _is_current(row, match, player):
        close(session, row)
        return None
    robot, position = person_of(session, player), position_of(match)
    question = {
        "game": match.game,
        "position": dump(position.view(player.seat)),
        "seat": player.seat,
        "level": max(1, robot.robot_level + 1 - row.tries),
        "seed": rng.randrange(1 << 62),
    }
    if (known := lessons.known_keys(session, match)) is not None:
        question["known"] = known
    needs_no_search = row.tries > MOST_TRIES or row.lost_leases >= MOST_LOST_LEASES
    return LeasedTurn(
        match.id, player.id, row.ply, row.takebacks, row.lease, row.tries, question, needs_no_search=needs_no_search
    )


def _is_current(row: RobotTurn, match: Match, player: Player) -> bool:
    is_same = (row.ply, row.takebacks) == (player.turn_ply, match.takebacks)
    return is_same and player.since is not None and match.ended_at is None


def is_still_to_play(session: Session, turn: LeasedTurn) -> bool:
    """Whether this worker should still play a leased turn.

    False after a take-back, a resignation or another lease.
    """
    row, match = session.get(RobotTurn, turn.player_id), session.get_one(Match, turn.match_id)
    player = session.get_one(Player, turn.player_id)
    return row is not None and row.lease == turn.lease and _is_current(row, match, player)


def play(
    session: Session, turn: LeasedTurn, text: str, outlook: int | None, *, now: datetime, rng: random.Random
) -> bool:
    """Play the move that was found, unless this worker should no longer play the turn.

    Offers are answered first. Does nothing while the service is read-only; the lease then expires. Returns whether the
    move was played. Raises MoveError or MatchError if the move is not possible.
    """
    if db.value(session, _READ_ONLY) is not None:
        return False
    match = locked(session, turn.match_id)
    offers_to_robots.answer_all(session, match, now=now, rng=rng)
    row = session.get(RobotTurn, turn.player_id, with_for_update=True, populate_existing=True)
    player = next(one for one in players_of(session, match.id) if one.id == turn.player_id)
    if row is None or row.lease != turn.lease or not _is_current(row, match, player):
        return False
    line = lines.line_for(session, player, row.outlook, outlook, rng)
    _make(session, match, player, text, line if _may_be_said(match, player, line) else "", now)
    row.outlook = outlook
    close(session, row)
    return True


def _may_be_said(match: Match, player: Player, line: str) -> bool:
    """Whether a remark may accompany a move: it must not reveal hidden information."""
    try:
        talk_guard.refuse_disclosure(match, player.seat, line, is_meant=True)
    except ValueError:
        return False
    return True


def _make(session: Session, match: Match, player: Player, text: str, line: str, now: datetime) -> None:
    matches.make_move(
        session, player, text, now=now, by=By.ROBOT, comment=line, ply=player.turn_ply, takebacks=match.takebacks,
        is_meant=True,
    )  # fmt: skip


def of_late_robots(session: Session, match_ids: Sequence[int], *, now: datetime) -> frozenset[int]:
    """Return those of these matches in which a robot's time has run out."""
    late = (
        select(Player.match_id)
        .join(Person, col(Person.id) == col(Player.person_id))
        .where(col(Player.match_id).in_(match_ids), col(Player.deadline) <= now, col(Person.robot_level) != 0)
    )
    return frozenset(session.exec(late))


def play_quickly(session: Session, match_id: int, *, now: datetime, rng: random.Random, is_late: bool = False) -> int:
    """Let every robot to move in a match play a legal move at once; return the number.

    It is for turns whose searches failed and, with `is_late`, for those whose time has run out.
    """
    match, played = locked(session, match_id), 0
    for player in players_of(session, match_id):
        is_due = player.since is not None and (not is_late or (player.deadline is not None and player.deadline <= now))
        if not person_of(session, player).robot_level or not is_due or match.ended_at is not None:
            continue
        _make(session, match, player, quick_move(match.game, position_of(match), player.seat, rng), "", now)
        row = session.get(RobotTurn, player.id, with_for_update=True)
        if row is not None:
            close(session, row)
        played += 1
    return played


def quick_move(game: str, position: Position[Any], seat: int, rng: random.Random) -> str:
    """Find a legal move in notation, without a search, from what the seat can see."""
    seen = position.view(seat)
    try:
        return seen.write(seat, choose(game, seen, seat, 1, rng))
    except Exception:  # an exception in a search must not cost anybody a game
        return seen.write(seat, next(iter(seen.legal_moves(seat))))


def fail(session: Session, turn: LeasedTurn, how: SearchFailure = SearchFailure.CRASHED, *, now: datetime) -> None:
    """Retry a turn whose search failed, at a lower level, unless another worker has leased it.

    `how` is the failure to report to the operator.
    """
    row = session.get(RobotTurn, turn.player_id, with_for_update=True, populate_existing=True)
    if row is not None and row.lease == turn.lease:
        row.due_at, row.lease = now + (AGAIN_AFTER if turn.tries < 2 * MOST_TRIES else SET_ASIDE), ""
        row.failure = how
        session.add(row)


def stuck(session: Session) -> list[tuple[int, int]]:
    """Return the games in which a robot's turn has failed at least twice, with the number."""
    query = select(RobotTurn).where(TURN_KEEPS_FAILING).order_by(col(RobotTurn.match_id)).limit(BATCH)
    return [(row.match_id, row.tries - bool(row.lease)) for row in session.exec(query)]


def take_failures(session: Session) -> list[tuple[int, SearchFailure]]:
    """Return the games with failed searches since the last call, with the last reason."""
    query = select(RobotTurn).where(SEARCH_HAS_FAILED).order_by(col(RobotTurn.match_id)).with_for_update()
    found = session.exec(query).all()
    failures = [(row.match_id, SearchFailure(row.failure)) for row in found]
    for row in found:
        row.failure = ""
        session.add(row)
    return failures


def give_back(session: Session, turn: LeasedTurn, *, now: datetime) -> None:
    """Release a turn for another worker without counting an attempt."""
    row = session.get(RobotTurn, turn.player_id, with_for_update=True, populate_existing=True)
    if row is not None and row.lease == turn.lease:
        row.due_at, row.lease, row.tries = now, "", row.tries - 1
        session.add(row)


def close(session: Session, row: RobotTurn) -> None:
    """Close a turn that is played, or no longer to be played."""
    row.due_at, row.lease = None, ""
    session.add(row)
    session.flush()
