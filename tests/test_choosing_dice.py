"""Nobody chooses their dice: rated games with robots are not begun again and again until one begins well."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from correspondence.core import db
from correspondence.matchmaking import robot_seeks, seeks
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.matchmaking.robot_games import GIVEN_UP_A_DAY
from correspondence.models import RatingChange
from tests.robots import challenge, play_random_move, thinking_robots, to_move

ROBOT = "proteus-dice-robot-5"
KEY = "proteus-dice"


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    with thinking_robots(town) as town.robots:
        yield town


def give_up(club, name="ann", robot=ROBOT, key=KEY, **more):
    """A game with a robot that somebody begins and gives up at once; its number."""
    number = challenge(club, name, robot, key, **{"rated": True, **more})
    club.resign(number, name)
    return number


def changes(club):
    with db.reading(club.engine) as session:
        return session.exec(select(RatingChange).order_by(col(RatingChange.id))).all()


def test_rated_games_with_robots_are_given_up_before_they_count_a_few_times_a_day(club):
    for _time in range(GIVEN_UP_A_DAY):
        give_up(club)
    assert not changes(club), "none of them counted"
    with pytest.raises(ChallengeError, match=f"You gave up {GIVEN_UP_A_DAY} rated games with robots within a day"):
        challenge(club, "ann", ROBOT, KEY, rated=True)
    assert challenge(club, "bob", ROBOT, KEY, rated=True), "others may"


def test_another_robot_is_no_way_around_it_and_an_unrated_game_is_always_possible(club):
    for robot in (1, 2, 3):
        give_up(club, robot=f"duel-robot-{robot}", key="duel")
    with pytest.raises(ChallengeError, match="Play an unrated one"):
        challenge(club, "ann", ROBOT, KEY, rated=True)
    assert challenge(club, "ann", ROBOT, KEY, rated=False)


def test_the_next_day_it_is_possible_again(club):
    for _time in range(GIVEN_UP_A_DAY):
        give_up(club)
    club.clock.go(hours=25)
    club.robots.sweep()
    assert challenge(club, "ann", ROBOT, KEY, rated=True)


def test_unrated_games_may_be_given_up_as_often_as_one_likes(club):
    for _time in range(GIVEN_UP_A_DAY + 1):
        give_up(club, rated=False)
    assert challenge(club, "ann", ROBOT, KEY, rated=True)


def test_a_game_that_counts_when_it_is_given_up_is_none_of_them(club):
    number = challenge(club, "ann", "duel-robot-1", "duel", rated=True)
    while len(club.moves(number)) < 8:
        play_random_move(club, number, *to_move(club, number))
    club.resign(number, "ann")
    assert len(changes(club)) == 2
    for _time in range(GIVEN_UP_A_DAY - 1):
        give_up(club)
    assert challenge(club, "ann", ROBOT, KEY, rated=True)


def test_a_seek_that_a_robot_takes_is_not_rated_then(club):
    for _time in range(GIVEN_UP_A_DAY):
        give_up(club)
    with db.transaction(club.engine) as session:
        ann = club.person(session, "ann")
        seek = seeks.seek(session, ann, "duel", {}, conditions={"robots": "rated"}, now=club.time, rng=club.rng)
        match = robot_seeks.take(session, seek.id, now=club.time, rng=club.rng)
        assert match is not None and not match.rated
