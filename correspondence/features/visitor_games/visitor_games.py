"""Begin, play and keep a visitor's game against a robot.

Robots play visitors only games in which nothing is hidden or drawn at random. So the record of a game can be replayed
as a match when the visitor joins, and no seed has to be committed to before that.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts import robots
from correspondence.core.robot_handles import USUAL_LEVEL
from correspondence.core.terms import read_terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.features.visitor_games.tables import VisitorGame
from correspondence.matchmaking import robot_games
from correspondence.models import By, Match, Person
from correspondence.models.loading import players_of
from correspondence.models.locks import hold_name
from correspondence.play.matches import make_move
from engines import GAMES, game_known
from engines.base import Game, Position
from engines.record import Entry, replay, step
from engines.refusal import Refusal
from engines.wording import _

LASTS = timedelta(days=1)
"""Time after which a visitor's game is deleted."""

MOST = 300
"""Maximum number of visitors' games at the same time."""

MOST_FROM_ONE_SITE = 5
"""Maximum number of simultaneous games from one network address."""

MOST_ENTRIES = 400
"""Maximum number of moves in a visitor's game."""

SEAT, LEVEL = 0, USUAL_LEVEL
"""The visitor's seat, which moves first, and the level of the robot."""

_LOCK = "visitor games"


class VisitorGameError(Refusal):
    """Raised if a visitor cannot begin or go on with a game; str() is a sentence."""


@cache
def offered() -> tuple[Game, ...]:
    """Return the games that robots play with visitors: nothing in them is hidden or drawn at random."""
    return tuple(game for game in robots.robot_games() if _is_open(game))


def _is_open(game: Game) -> bool:
    options = game.Options()
    return not game.has_chance(options) and not game.start(options).keeps_secrets


def site_digest(key: str, site: str) -> str:
    """Return a short keyed hash of a network address, so that the address itself is not stored."""
    return hashlib.blake2b(site.encode(), key=hashlib.sha256(key.encode()).digest(), digest_size=12).hexdigest()


def begin(session: Session, game_key: str, site: str, *, now: datetime) -> str:
    """Begin a game; return the key for the visitor's cookie, which is not stored.

    Raises VisitorGameError if robots do not play this game with visitors, or there are too many games.
    """
    if game_key not in {game.key for game in offered()}:
        raise VisitorGameError(_("Robots don't play this game with visitors. Please choose another one."))
    if not robots.are_awake(session, now=now):
        raise VisitorGameError(_("Robots are switched off here at the moment, so none can be challenged."))
    hold_name(session, _LOCK)
    if _count(session, now, site) >= MOST_FROM_ONE_SITE:
        raise VisitorGameError(
            _("Too many games have been begun from your network today. Join, and you can play as many as members do.")
        )
    if _count(session, now) >= MOST:
        raise VisitorGameError(
            _("All robots that play with visitors are busy. Join to play at once, or come back later.")
        )
    key = secrets.token_urlsafe(24)
    session.add(VisitorGame(digest=_digest(key), site=site, game=game_key, ends_at=now + LASTS))
    session.flush()
    return key


def find(session: Session, key: str, *, now: datetime, is_locked: bool = False) -> VisitorGame | None:
    """Return the game of a cookie's key; None if there is none, or its day is over."""
    query = select(VisitorGame).where(col(VisitorGame.digest) == _digest(key), col(VisitorGame.ends_at) > now)
    row = session.exec(query.with_for_update() if is_locked else query).first() if key else None
    return row if row is not None and row.game in GAMES else None


def drop(session: Session, key: str, *, now: datetime) -> None:
    """Delete the game of a cookie's key, if there is one."""
    row = find(session, key, now=now, is_locked=True)
    if row is not None:
        session.delete(row)
        session.flush()


def entries_of(row: VisitorGame) -> tuple[Entry, ...]:
    """Return the record of a game."""
    return tuple(Entry(seat, text) for seat, text in json.loads(row.entries))


def position_of(row: VisitorGame) -> Position[Any]:
    """Return the current position of a game."""
    game = game_known(row.game)
    return replay(game, game.Options(), entries_of(row))


def move(session: Session, key: str, text: str, ply: int, *, now: datetime) -> None:
    """Play the visitor's move in the position after `ply` entries.

    Raises MoveError, or VisitorGameError if there is no game, or it has moved on.
    """
    row = find(session, key, now=now, is_locked=True)
    if row is None:
        raise VisitorGameError(_("This game is no longer here. Please begin another one."))
    if len(entries_of(row)) != ply:
        raise VisitorGameError(_("The game has moved on since you opened this page. Here is the position now."))
    if ply >= MOST_ENTRIES:
        raise VisitorGameError(_("A visitor's game ends here. Join to keep it and play on."))
    position = position_of(row)
    add_entry(session, row, Entry(SEAT, position.write(SEAT, position.read(SEAT, text))), now=now)


def add_entry(session: Session, row: VisitorGame, entry: Entry, *, now: datetime) -> None:
    """Play a move of either side; the robot's turn becomes due at once. Raises MoveError."""
    _move, after = step(position_of(row), entry)
    row.entries = json.dumps([*entries_of(row), entry])
    row.due_at = now if after.to_act and SEAT not in after.to_act else None
    row.lease, row.tries = "", 0
    session.add(row)
    session.flush()


def keep(session: Session, person: Person, key: str, *, now: datetime, rng: random.Random) -> Match | None:
    """Replay a visitor's game as a match of the member who has joined or signed in, and delete it.

    Returns None if there is no game, or nothing was played. Raises ChallengeError if the member cannot have another
    game with a robot.
    """
    row = find(session, key, now=now, is_locked=True)
    if row is None or len(entries_of(row)) == 0:
        return None
    robot = next((one for one in robots.robots_of(session, row.game) if one.robot_level == LEVEL), None)
    if robot is None:
        return None
    terms = read_terms(game_known(row.game), {}, DEFAULT_TIME_CONTROL, rated=False)
    robot_games.hold_offers(session, [robot])
    robot_games.must_be_playable(session, person, robot, terms, now=now)
    match = robot_games.begin(session, person, robot, terms, seat=SEAT, words="", now=now, rng=rng)
    _replay(session, match, entries_of(row), now)
    session.delete(row)
    session.flush()
    return match


def _replay(session: Session, match: Match, entries: Sequence[Entry], now: datetime) -> None:
    for entry in entries:
        player = players_of(session, match.id)[entry.seat]
        make_move(session, player, entry.text, now=now, by=By.WEB if entry.seat == SEAT else By.ROBOT)


def _count(session: Session, now: datetime, site: str = "") -> int:
    query = select(func.count()).select_from(VisitorGame).where(col(VisitorGame.ends_at) > now)
    return session.exec(query.where(col(VisitorGame.site) == site) if site else query).one()


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
