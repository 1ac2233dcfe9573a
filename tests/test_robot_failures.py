"""The operator is told, once a day at most, in which games robots failed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.features.reviews import turns
from correspondence.features.reviews.tables import Review
from correspondence.models import By, Letter
from correspondence.models.robots import SearchFailure
from correspondence.ops.worker import sweep_robot_failures
from correspondence.queries.metrics import measures
from correspondence.robots import robot_turns, thinking
from tests.post import html_of, text_of
from tests.robots import challenge, made_by, robots_in, thinking_robots
from tests.test_robot_turns import CRASHER, SLEEPER, claim
from tests.world import mail_world

OPERATOR = "operator@club.example"
DAY = timedelta(days=1)


@pytest.fixture
def club(any_database, tmp_path):
    town = mail_world(tmp_path, database_url=any_database, operator=OPERATOR)
    town.join("ann", "bob")
    yield town
    town.close()


def tell(town):
    """What the operator is written, if anything, by two workers that look."""
    town.received.clear()
    written = [sweep_robot_failures(town.runtime) for _worker in range(2)]
    town.deliver()
    letters = town.letters("operator")
    assert len(letters) == sum(written)
    return [" ".join(text_of(letter).split()) for letter in letters]


def fail(town, handle="duel-robot-2", name="ann", how=SearchFailure.CRASHED):
    """A game in which a robot's search fails; its number."""
    robots_in(town).stop()
    number = challenge(town, name, handle, seat=1)
    with db.transaction(town.engine) as session:
        for player_id in robot_turns.unnoted(session):
            robot_turns.note(session, player_id, timedelta(0), now=town.time)
    turn = claim(town)
    with db.transaction(town.engine) as session:
        robot_turns.fail(session, turn, how, now=town.time)
    return number


def test_a_crash_and_an_overrun_are_told_with_the_numbers_of_their_games(club):
    crashed, overran = fail(club), fail(club, how=SearchFailure.OVERRAN)
    [notice] = tell(club)
    assert f"could not be played, in these games: {crashed} " in notice
    assert f"more than two minutes and was stopped in these games: {overran} " in notice
    assert "flask doctor" in notice
    assert "ann" not in notice
    assert "duel-robot" not in notice
    assert f"games: {crashed}<" in html_of(club.letter("operator"))


def test_a_process_that_ends_is_a_crash_and_one_that_is_killed_is_an_overrun(club, monkeypatch):
    with thinking_robots(club, command=CRASHER) as robots:
        crashed = challenge(club, "ann", "duel-robot-2", seat=1)
        robots.sweep()
    [notice] = tell(club)
    assert f"could not be played, in these games: {crashed} " in notice and "two minutes" not in notice
    club.time += DAY
    monkeypatch.setattr(thinking, "MOST_SECONDS", 0.1)
    with thinking_robots(club, command=SLEEPER) as robots:
        robots.sweep()
    [notice] = tell(club)
    assert f"was stopped in these games: {crashed} " in notice and "could not be played" not in notice


def test_where_no_robot_failed_nothing_is_written(club):
    with thinking_robots(club) as robots:
        number = challenge(club, "ann", "duel-robot-2", seat=1)
        robots.sweep()
    assert made_by(club, number)[0][1] == By.ROBOT.value and tell(club) == []


def test_one_letter_a_day_and_what_failed_meanwhile_comes_with_the_next(club):
    fail(club)
    assert len(tell(club)) == 1
    second, third = fail(club), fail(club, name="bob")
    assert tell(club) == []
    club.time += DAY + timedelta(minutes=1)
    [notice] = tell(club)
    assert f"in these games: {second}, {third} " in notice
    club.time += DAY + timedelta(minutes=1)
    assert tell(club) == [], "what was told is not told again"


def test_a_robot_that_has_moved_since_is_told_of_all_the_same(club):
    number = fail(club)
    club.time += timedelta(hours=1)
    with thinking_robots(club) as robots:
        robots.sweep()
    assert made_by(club, number) != []
    [notice] = tell(club)
    assert f"in these games: {number} " in notice


def give_up(town, number):
    """A second opinion on a game that was given up."""
    with db.transaction(town.engine) as session:
        session.add(Review(match_id=number, asked_at=town.time, budget=60, due_at=town.time))
        session.flush()
        turns.give_up(session, number, now=town.time)


def test_second_opinions_that_were_given_up_are_told_once(club):
    number = club.match("duel")
    club.resign(number, "ann")
    give_up(club, number)
    [notice] = tell(club)
    assert f"given up after five failures in these games: {number} " in notice
    assert "Games since you were last told: 1." in notice and "could not be played" not in notice
    club.time += DAY + timedelta(minutes=1)
    assert tell(club) == [], "what was told is not told again"
    failed = fail(club)
    club.time += DAY + timedelta(minutes=1)
    [notice] = tell(club)
    assert f"in these games: {failed} " in notice and "given up" not in notice


def test_a_second_opinion_that_was_given_up_long_ago_is_no_news(club):
    number = club.match("duel")
    club.resign(number, "ann")
    give_up(club, number)
    club.time += 8 * DAY
    assert tell(club) == []


def test_doctor_and_numbers_count_a_robot_as_failing_by_the_same_rule(club):
    number = fail(club)
    for failures in (1, 2, 3):
        with db.transaction(club.engine) as session:
            found = robot_turns.stuck(session)
            counted = {one.name: one.value for one in measures(session, club.settings, now=club.time)}
        assert [game for game, _times in found] == ([number] if failures > 2 else [])
        assert counted["robot_turns_failing"] == len(found)
        assert all(times == failures for _game, times in found)
        club.time += timedelta(minutes=1)
        turn = claim(club)
        with db.transaction(club.engine) as session:
            robot_turns.fail(session, turn, now=club.time)


def test_many_games_are_cut_short(club):
    numbers = [fail(club, name=name) for name in ("ann", "bob") for _game in range(10)]
    club.join("cleo", "dan")
    numbers += [fail(club, name=name) for name in ("cleo", "dan") for _game in range(8)]
    [notice] = tell(club)
    assert f", {numbers[29]} …" in notice
    assert f"Robots that failed: {len(numbers)}" in club.letter("operator")["Subject"]


def test_without_an_operator_nothing_is_written_and_nothing_forgotten(tmp_path):
    town = mail_world(tmp_path)
    town.join("ann")
    number = fail(town)
    assert sweep_robot_failures(town.runtime) == 0
    with db.transaction(town.engine) as session:
        assert robot_turns.take_failures(session) == [(number, SearchFailure.CRASHED)]
        assert session.exec(select(Letter).where(Letter.kind == "robots_failed")).all() == []
    town.close()
