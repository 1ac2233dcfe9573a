"""Leagues: divisions, going up and down, coming back, seats, and the last day of a season."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.features.tournaments.formats import league
from correspondence.features.tournaments.formats.divisions import Returner, next_divisions
from correspondence.features.tournaments.formats.field import Entrant, EntrantState, Result
from correspondence.features.tournaments.formats.schedule import berger
from correspondence.features.tournaments.formats.season_seats import orient
from tests.features.tournaments.formats.playing import (
    ENDS,
    START,
    Narrowing,
    begin,
    change,
    end,
    later,
    leave,
    lose_on_time,
    recorded,
    rows,
    running,
    seeds,
    tournament,
)


def season(field, rng, look=lambda field: None):
    """Play the running season to its end, without beginning the next one."""
    while running(field):
        field = end(later(field, hours=1), rng.choice(running(field)), rng.choice(ENDS))
        look(field)
    return field


def members(field, number):
    found = {}
    for pairing in field.of_round(number):
        found.setdefault(pairing.section, set()).update(pairing.seats)
    return [found[place] for place in sorted(found)]


def check_divisions(field):
    sizes = [len(own) for own in members(field, field.round)]
    assert all(size <= 9 for size in sizes) and all(size >= 5 for size in sizes[:-1]), sizes
    for row in rows(field).values():
        assert abs(row.seats[0] - row.seats[1]) <= 1


def changed(field, rng, new):
    """The league between two seasons: some leave, rest, return or enter."""
    for entrant in field.entrants:
        chance = rng.random()
        if entrant.has_left and chance < 0.4:
            field = change(field, entrant.id, state=EntrantState.IN, left_at=None)
        elif not entrant.has_left and chance < 0.12:
            field = leave(field, entrant.id)
        elif chance < 0.2:
            field = change(field, entrant.id, sits_out=entrant.sits_out | {field.round + 1})
    count = len(field.entrants)
    extra = [Entrant(id=101 + n, seed=n + 1, entered_at=field.now) for n in range(count, count + rng.randint(0, new))]
    return replace(field, entrants=(*field.entrants, *extra))


@settings(max_examples=12, deadline=None)
@given(st.integers(3, 40), st.integers(0, 5), seeds)
def test_divisions_keep_their_sizes_over_many_seasons(count, new, rng):
    field = begin(tournament("league", count))
    for _ in range(6):
        check_divisions(field)
        field = begin(changed(season(field, rng), rng, new))


@settings(max_examples=10, deadline=None)
@given(st.integers(3, 12), seeds)
def test_best_and_worst_only_narrow_in_a_season(count, rng):
    look = Narrowing()
    field = season(begin(tournament("league", count)), rng, look)
    assert all(row.best == row.rank == row.worst for row in rows(field).values())


def test_three_found_a_league_and_two_wait():
    assert not begin(tournament("league", 2)).pairings
    assert len(begin(tournament("league", 3)).pairings) == 3


def test_two_who_are_left_play_two_games():
    field = season(begin(tournament("league", 3)), random.Random(1))
    field = begin(leave(field, 103))
    assert [p.seats for p in field.of_round(2)] == [(p := field.of_round(2)[0].seats), p[::-1]]


def groups(*sizes):
    ids = iter(range(1, 200))
    return [[next(ids) for _ in range(size)] for size in sizes]


def everybody(last, *absent):
    return frozenset(one for division in last for one in division) - set(absent)


def test_best_goes_up_and_last_goes_down():
    last = groups(7, 7)
    top, bottom = next_divisions(last, everybody(last), [], [])
    assert set(top) == {1, 2, 3, 4, 5, 6, 8} and set(bottom) == {7, 9, 10, 11, 12, 13, 14}


def test_leaver_makes_room_so_nobody_goes_down():
    last = groups(7, 7)
    top, _bottom = next_divisions(last, everybody(last, 3), [], [])
    assert set(top) == {1, 2, 4, 5, 6, 7, 8}


def test_division_below_seven_is_filled_from_below():
    last = groups(7, 9)
    top, bottom = next_divisions(last, everybody(last, 1, 2, 3), [], [])
    assert set(top) == {4, 5, 6, 7, 8, 9, 10} and len(bottom) == 6


def test_newcomers_join_the_bottom_up_to_nine():
    last = groups(7, 7)
    assert len(next_divisions(last, everybody(last), [], [91, 92])[1]) == 9
    assert [len(d) for d in next_divisions(last, everybody(last), [], [91, 92, 93, 94])] == [7, 9]
    assert [len(d) for d in next_divisions(last, everybody(last), [], [91, 92, 93, 94, 95])] == [7, 9, 3]


@pytest.mark.parametrize(("missed", "division"), [(1, 1), (2, 1), (3, 2), (7, 2)])
def test_three_seasons_away_cost_one_division(missed, division):
    last = groups(7, 7, 7)
    found = next_divisions(last, everybody(last), [Returner(99, 1, missed)], [])
    assert 99 in found[division - 1]


def test_returner_to_a_full_division_goes_to_the_next_with_room():
    last = groups(9, 9, 7)
    found = next_divisions(last, everybody(last), [Returner(99, 1, 1)], [])
    assert 99 in found[2]


def test_one_left_at_the_bottom_joins_the_division_above():
    last = groups(7, 3)
    found = next_divisions(last, everybody(last, 9, 10), [], [])
    assert len(found) == 1 and len(found[0]) == 8


@settings(max_examples=100, deadline=None)
@given(st.integers(3, 9), seeds)
def test_seats_are_fair_and_mostly_other_than_last_season(count, rng):
    games = [game for of_round in berger(range(count)) for game in of_round]
    last = [rng.choice([game, game[::-1]]) for game in games if rng.random() < 0.7]
    found = orient(games, {game[::-1] for game in last})
    first = Counter(game[0] for game in found)
    assert {frozenset(g) for g in found} == {frozenset(g) for g in combinations(range(count), 2)}
    assert all(abs(2 * first[one] - (count - 1)) <= 1 for one in range(count))


def test_seats_are_exchanged_if_the_same_play_again():
    field = season(begin(tournament("league", 7)), random.Random(2))
    field = begin(field)
    before = {p.seats for p in field.of_round(1)}
    assert {p.seats[::-1] for p in field.of_round(2)} == before


def test_season_waits_for_its_last_day_and_for_judgements():
    field = begin(tournament("league", 5))
    for pairing in running(field)[:4]:
        field = end(later(field, hours=1), pairing, Result.DRAWN)
    days = replace(field.rounds[0], ends_at=START + timedelta(days=120))
    field = replace(field, rounds=(days,))
    assert league.to_judge(field) == () and begin(field).round == 1
    field = later(field, days=120)
    to_judge = league.to_judge(field)
    assert len(to_judge) == 6 and begin(field).round == 1
    for pairing in to_judge:
        field = end(field, pairing, Result.FIRST_WINS, judged=True)
    assert begin(field).round == 2


def test_new_season_does_not_wait_for_games_that_alter_no_rank():
    field = begin(tournament("league", 4))
    for pairing in running(field)[:-1]:
        field = end(later(field, hours=1), pairing, pairing.lost_by(max(pairing.seats)).result)
    open_game = running(field)[0]
    is_certain = all(row.best == row.worst for row in rows(field).values())
    assert begin(field).round == (2 if is_certain else 1) and open_game.is_running


def test_strike_stays_in_the_table_after_coming_back():
    field = begin(tournament("league", 5))
    field = leave(later(field, hours=1), 101)
    for pairing in [p for p in running(field) if 101 in p.seats]:
        field = lose_on_time(later(field, days=1), pairing, 101)
    field = begin(season(field, random.Random(3)))
    assert field.round == 2 and all(p.result is Result.VOID for p in field.of_round(1) if 101 in p.seats)
    field = change(field, 101, state=EntrantState.IN, left_at=None)
    assert next(r for r in league.standings(field.until(1)) if r.entrant == 101).is_struck


def test_resting_skips_one_season_and_costs_nothing():
    rng = random.Random(4)
    field = season(begin(tournament("league", 14)), rng)
    top = members(field, 1)[0]
    one = next(iter(top))
    field = season(begin(change(field, one, sits_out=frozenset({2}))), rng)
    assert not any(one in p.seats for p in field.of_round(2))
    field = begin(field)
    assert one in members(field, 3)[0]


def test_leaving_later_changes_no_earlier_season():
    rng = random.Random(5)
    field = begin(change(tournament("league", 5), 101, barred_until=None))
    field = season(field, rng)
    before = league.standings(field)
    field = begin(later(field, hours=1))
    field = later(leave(later(field, hours=1), 101), hours=1)
    assert [(r.entrant, r.rank) for r in league.standings(field.until(1))] == [(r.entrant, r.rank) for r in before]


def test_asking_twice_begins_one_season():
    field = tournament("league", 6)
    field = recorded(field, league.next_pairings(field))
    assert not league.next_pairings(field)
