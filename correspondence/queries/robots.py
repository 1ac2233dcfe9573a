"""The robots of every game, for a visitor who may challenge them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.core.robot_handles import USUAL_LEVEL
from correspondence.fairness import seeds
from correspondence.matchmaking import robot_games
from engines.base import Game


@dataclass(frozen=True, slots=True)
class RobotCard:
    """A robot: handle, level, its name, and the commitment to its next game's random seed."""

    handle: str
    level: int
    name: str
    commitment: str


@dataclass(frozen=True, slots=True)
class RobotGame:
    """A game with its robots, weakest first."""

    game: Game
    robots: tuple[RobotCard, ...]

    @property
    def has_chance(self) -> bool:
        """Whether chance can act in this game, with some of its options."""
        return seeds.may_have_chance(self.game.key)

    @property
    def usual(self) -> RobotCard:
        """The default robot."""
        return min(self.robots, key=lambda robot: abs(robot.level - USUAL_LEVEL))


def robots_by_game(session: Session, *, now: datetime) -> tuple[RobotGame, ...]:
    """Return every game with its robots; empty if no worker thinks for them."""
    if not robots.are_awake(session, now=now):
        return ()
    found = []
    for game in robots.robot_games():
        persons = robots.robots_of(session, game.key)
        promised = robot_games.commitments(session, [person.id for person in persons])
        cards = [
            RobotCard(person.handle, person.robot_level, robots.level_name(person), promised.get(person.id, ""))
            for person in persons
        ]
        if cards:
            found.append(RobotGame(game, tuple(cards)))
    return tuple(found)
