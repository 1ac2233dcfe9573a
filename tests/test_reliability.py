"""Reliability: a year of finished games, forgiving, and told in words."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.core import db
from correspondence.models import Lateness, Player, Scope
from correspondence.outbound import suppressions
from correspondence.play import matches
from correspondence.ratings import reliability
from correspondence.ratings.reliability import YEAR, weigh_games
from tests.tables import START

DAY = timedelta(days=1)
LONG_AGO = START - 200 * DAY


def account(*latenesses, at=LONG_AGO, now=START):
    return weigh_games([(at, late) for late in latenesses], now=now)


OK, LATE = Lateness.NONE, Lateness.OWN


def test_of_few_games_nothing_is_said():
    assert account(OK, LATE).percent is None
    assert str(account()) == "No game ended within a year."


def test_games_lost_on_time_count_against_all():
    assert account(OK, OK, OK, LATE).percent == 75
    assert str(account(OK, OK, OK, LATE)) == "1 of 4 games within a year ended on time."


@pytest.mark.parametrize("hours_between", [1, 25])
def test_games_given_up_at_once_cost_reliability_beyond_three_a_day(hours_between):
    given_up = [(LONG_AGO + number * hours_between * DAY / 24, Lateness.GIVEN_UP) for number in range(15)]
    record = weigh_games([*[(LONG_AGO - DAY, OK)] * 12, *given_up], now=START)
    assert (record.given_up, record.percent) == ((12, 56) if hours_between == 1 else (0, 100))
    assert ("12 rated games were given up in their first moves" in str(record)) == (hours_between == 1)


@pytest.mark.parametrize("excuse", [Lateness.MAIL, Lateness.OUTAGE])
def test_what_was_not_his_doing_is_excused(excuse):
    record = account(OK, OK, OK, excuse)
    assert record.percent == 100
    assert str(record) == "1 of 4 games within a year ended on time. One of them is excused."


def test_the_first_miss_in_long_is_excused_and_the_next_is_not():
    assert account(*[OK] * 10, LATE).percent == 100
    assert account(*[OK] * 9, LATE).percent == 90
    twice = account(*[OK] * 10, LATE, LATE)
    assert (twice.late, twice.excused, twice.percent) == (2, 1, round(100 * 10 / 11))


def test_the_last_four_weeks_weigh_more():
    old = [(LONG_AGO, OK)] * 6
    lately = weigh_games([*old, (START - DAY, LATE)], now=START).percent
    before = weigh_games([(LONG_AGO, LATE), *old], now=START).percent
    assert (lately, before) == (67, 86)


@given(st.lists(st.tuples(st.integers(1, 360), st.sampled_from(list(Lateness))), max_size=40))
def test_a_percentage_is_one_and_a_good_game_never_lowers_it(games):
    ended = sorted((START - days * DAY, late) for days, late in games)
    record = weigh_games(ended, now=START)
    better = weigh_games([*ended, (START, OK)], now=START)
    assert record.games == len(games) and 0 <= record.excused <= record.late <= record.games
    if record.percent is not None:
        assert 0 <= record.percent <= (better.percent or 0) <= 100


@pytest.fixture
def table(town):
    town.join("ann", "bob")
    return town, town.match()


@pytest.fixture
def begun(table):
    """The same after a first move of each."""
    town, _number = table
    town.answer(town.letter("ann"), "c3/f2=B")
    town.answer(town.letter("bob"), "e6/d8=B")
    return table


def late_in(town, number, name):
    with db.reading(town.engine) as session:
        return Lateness(town.player(session, number, name).lateness)


def test_who_lets_time_run_out_is_late_and_the_other_is_not(begun):
    town, number = begun
    town.wait(days=10, seconds=1)
    assert town.stand(number).reason == "time"
    assert (late_in(town, number, "ann"), late_in(town, number, "bob")) == (LATE, OK)


def test_a_deadline_that_passed_while_the_service_was_down_is_excused(table):
    town, number = table
    town.wait(days=10, hours=2)
    assert late_in(town, number, "ann") == Lateness.OUTAGE


def test_who_could_not_be_reached_is_excused(begun):
    town, number = begun
    with db.transaction(town.engine) as session:
        suppressions.suppress(session, "ann@example.org", Scope.ALL, "bounced: gone", now=town.time)
    for _time in range(4):
        town.time = town.stand(number).deadline or town.time
        town.wait(seconds=1)
    assert town.stand(number).reason == "time"
    assert late_in(town, number, "ann") == Lateness.MAIL


def test_an_excuse_written_down_before_stays(table):
    town, number = table
    with db.transaction(town.engine) as session:
        player: Player = town.player(session, number, "ann")
        player.lateness = Lateness.OUTAGE
        session.add(player)
    town.wait(days=10, seconds=1)
    assert late_in(town, number, "ann") == Lateness.OUTAGE


def test_a_person_is_as_reliable_as_his_games_of_the_last_year(town):
    town.join("ann", "bob")
    for _game in range(3):
        number = town.match()
        with db.transaction(town.engine) as session:
            matches.resign(session, town.player(session, number, "bob"), now=town.time)
    town.match()
    town.wait(days=10, seconds=1)

    def percent(name):
        with db.reading(town.engine) as session:
            return reliability.reliability_details(session, town.person(session, name).id, now=town.time).percent

    assert (percent("ann"), percent("bob")) == (75, 100)
    town.time += YEAR
    assert percent("ann") is None
