"""Round robin: who plays whom, how it stands, and what becomes of leavers."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.features.tournaments.formats import round_robin
from correspondence.features.tournaments.formats.field import Result
from correspondence.features.tournaments.formats.schedule import berger, section_sizes, snake
from tests.features.tournaments.formats.playing import (
    START,
    Narrowing,
    begin,
    change,
    end,
    later,
    leave,
    lose_on_time,
    play,
    result,
    rows,
    running,
    seeds,
    tournament,
)


def key(pairing):
    return frozenset(pairing.seats)


@given(st.integers(3, 40))
def test_berger_tables_pair_all_once_with_fair_seats(count):
    games = [game for of_round in berger(range(count)) for game in of_round]
    assert len({frozenset(game) for game in games}) == len(games) == count * (count - 1) // 2
    firsts, seconds = (Counter(game[seat] for game in games) for seat in (0, 1))
    assert all(abs(firsts[one] - seconds[one]) <= 1 for one in range(count))


@given(st.integers(10, 400))
def test_sections_are_equal_and_near_seven(count):
    sizes = section_sizes(count)
    assert sum(sizes) == count and max(sizes) - min(sizes) <= 1
    assert all(4 <= size <= 9 for size in sizes)
    assert all(
        abs(count / len(sizes) - 7) <= abs(count / k - 7)
        for k in range(1, count)
        if count // k >= 4 and -(-count // k) <= 9
    )


def test_sections_are_balanced_by_strength():
    assert snake(range(1, 13), [6, 6]) == [(1, 4, 5, 8, 9, 12), (2, 3, 6, 7, 10, 11)]


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 24), st.integers(1, 2), st.integers(0, 3), seeds)
def test_all_play_all_in_their_section(count, games, at_once, rng):
    field = play(tournament("round-robin", count, games=games, at_once=at_once), rng)
    met = Counter(key(p) for p in field.pairings)
    assert set(met.values()) == {games}
    table = rows(field)
    assert all(abs(row.seats[0] - row.seats[1]) <= (1 if games == 1 else 0) for row in table.values())
    for row in table.values():
        size = sum(other.section == row.section for other in table.values())
        assert row.played == (size - 1) * games and row.best == row.rank == row.worst


@settings(max_examples=15, deadline=None)
@given(st.integers(3, 12), st.integers(0, 2), st.booleans(), seeds)
def test_best_and_worst_only_narrow(count, at_once, final, rng):
    play(tournament("round-robin", count, at_once=at_once, final=final), rng, look=Narrowing())


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 9), st.integers(1, 2), st.integers(0, 2), seeds)
def test_best_and_worst_only_narrow_after_somebody_left(count, games, at_once, rng):
    field = begin(tournament("round-robin", count, games=games, at_once=at_once))
    stop = rng.randrange(count)
    field = play(field, rng, until=lambda f: sum(not p.is_running for p in f.pairings) >= stop)
    for leaver in rng.sample([e.id for e in field.entrants], rng.randint(1, 2)):
        field = leave(field, leaver)
    look = Narrowing()
    while running(field := begin(field)):
        look(field)
        pairing = rng.choice(running(field))
        loser = next((seat for seat in pairing.seats if field.by_id[seat].has_left), None)
        field = later(field, hours=1)
        is_lapse = loser is not None and rng.random() < 0.5
        field = lose_on_time(field, pairing, loser) if is_lapse else end(field, pairing, rng.choice(list(Result)[:3]))
    look(field)
    assert round_robin.is_over(field)
    assert all(row.best == row.worst == row.rank for row in rows(field).values())


def test_at_once_limits_running_games():
    def look(field):
        assert max(field.running().values(), default=0) <= 2

    play(tournament("round-robin", 7, at_once=2), random.Random(1), look=look)


@settings(max_examples=10, deadline=None)
@given(st.integers(10, 40), st.integers(1, 3), st.integers(0, 2), seeds)
def test_finals_are_played_until_one_section_is_left(count, advance, at_once, rng):
    field = play(tournament("round-robin", count, final=True, advance=advance, at_once=at_once), rng)
    last = field.of_round(field.round)
    assert field.round > 1 and {p.section for p in last} == {1}
    first = round_robin.standings(field)[0]
    assert first.round == field.round and first.rank == 1


def test_final_of_two_has_two_games():
    field = play(tournament("round-robin", 12, final=True), random.Random(3))
    assert [p.seats for p in field.of_round(2)] == [(p := field.of_round(2)[0].seats), p[::-1]]


def test_final_waits_only_for_games_that_can_alter_who_advances():
    field = begin(tournament("round-robin", 10, final=True))
    firsts = [101, 102]
    for pairing in [p for p in field.pairings if set(p.seats) & set(firsts)]:
        winner = next(seat for seat in pairing.seats if seat in firsts)
        field = result(field, winner, pairing.opponent(winner), 1)
    field = begin(field)
    assert len(running(field)) > 2 and {frozenset(p.seats) for p in field.of_round(2)} == {frozenset(firsts)}


def test_shared_place_that_advances_goes_to_the_higher_seed():
    field = begin(tournament("round-robin", 10, final=True))
    while running(field) and not field.of_round(2):
        pairing = running(field)[0]
        field = begin(end(later(field, hours=1), pairing, Result.DRAWN))
    assert {seat for p in field.of_round(2) for seat in p.seats} == {101, 102}


def test_finalist_who_leaves_later_stays_in_the_final():
    field = begin(tournament("round-robin", 10, final=True, at_once=1))
    while not field.of_round(2):
        field = begin(end(later(field, hours=1), running(field)[0], Result.DRAWN))
    field = begin(leave(later(field, hours=1), 101))
    assert {seat for p in field.of_round(2) for seat in p.seats} == {101, 102}


def half_way(count=5):
    """A section of five in which 101 has won two games of four and the rest run."""
    field = begin(tournament("round-robin", count))
    for other in (102, 103):
        field = result(field, 101, other, 1)
    return field


def lapse(field, leaver):
    for pairing in [p for p in running(field) if leaver in p.seats]:
        field = lose_on_time(later(field, days=1), pairing, leaver)
    return field


def test_leaver_with_exactly_half_completed_keeps_results():
    field = lapse(leave(half_way(), 101), 101)
    table = rows(field)
    assert not table[101].is_struck
    assert table[101].points == 2
    assert table[104].points == 1


def test_leaver_with_less_than_half_is_struck():
    field = begin(tournament("round-robin", 5))
    field = lapse(leave(result(field, 101, 102, 1), 101), 101)
    table = rows(field)
    assert table[101].is_struck and (table[101].points, table[101].played, table[101].rank) == (0, 0, 5)
    assert {p.result for p in round_robin.settled(field) if 101 in p.seats} == {Result.VOID}
    assert table[102].points == table[103].points == 0


def test_strike_waits_for_the_last_game():
    field = leave(result(begin(tournament("round-robin", 5)), 101, 102, 1), 101)
    assert rows(field)[101].points == 1
    assert rows(field)[102].worst == 5


def test_losing_on_time_before_leaving_is_completing():
    field = half_way()
    pairing = next(p for p in running(field) if set(p.seats) == {101, 104})
    field = leave(later(lose_on_time(field, pairing, 101), hours=1), 101)
    assert not rows(lapse(field, 101))[101].is_struck


def test_leaver_owes_games_that_had_not_begun():
    field = begin(tournament("round-robin", 5, at_once=1))
    while sum(not p.is_running for p in field.of_entrant(101)) < 2:
        pairing = next((p for p in running(field) if 101 in p.seats), running(field)[0])
        field = begin(end(later(field, hours=1), pairing, Result.DRAWN))
    field = leave(field, 101)
    for pairing in running(field):
        field = end(later(field, hours=1), pairing, Result.DRAWN)
    owed = [p for p in round_robin.settled(field) if 101 in p.seats and p.game is None]
    assert owed and all(p.points(101) == 0 and p.points(p.opponent(101)) == 1 for p in owed)
    assert {key(p) for p in owed}.isdisjoint(key(p) for p in begin(field).pairings)


def test_game_that_two_leavers_owe_is_void():
    field = play(tournament("round-robin", 5, at_once=1), random.Random(5))
    owing = field.pairings[-1].seats
    field = leave(leave(replace(field, pairings=field.pairings[:-1]), owing[0]), owing[1])
    assert next(p for p in round_robin.settled(field) if p.seats == owing).result is Result.VOID
    assert round_robin.is_over(begin(field))


def test_leaving_changes_no_points_among_the_others():
    field = half_way()
    for pairing in [p for p in running(field) if 101 not in p.seats]:
        field = end(later(field, hours=1), pairing, Result.FIRST_WINS)
    before = rows(field)
    after = rows(lapse(leave(change(field, 101), 101), 101))
    among = [p for p in field.pairings if 101 not in p.seats]
    for one in (102, 103, 104, 105):
        assert after[one].points - sum(p.points(one) for p in among) >= before[one].points - sum(
            p.points(one) for p in among
        )


def test_barred_entrant_loses_games_that_were_due():
    field = begin(change(tournament("round-robin", 4), 101, barred_until=START + timedelta(days=30)))
    own = [p for p in field.pairings if 101 in p.seats]
    assert len(own) == 3 and all(p.game is None and p.points(101) == 0 and not p.is_running for p in own)
    assert rows(field)[101].played == 3


def test_replacement_plays_in_the_section_of_whom_they_replace():
    field = begin(tournament("round-robin", 4))
    newcomer = replace(field.entrants[0], id=105)
    field = replace(
        change(field, 101, replaced_by=105), entrants=(*change(field, 101, replaced_by=105).entrants, newcomer)
    )
    field = begin(field)
    table = rows(field)
    assert 101 not in table and sum(105 in p.seats for p in field.pairings) == 3
    assert {p.result for p in round_robin.settled(field) if 101 in p.seats} == {Result.VOID}


def test_robots_stand_below_people_with_as_many_points():
    field = begin(tournament("round-robin", 3))
    field = change(field, 101, is_robot=True)
    for pairing in list(running(field)):
        field = result(field, *pairing.seats, 0.5)
    assert [(row.entrant, row.rank) for row in round_robin.standings(field)] == [(102, 1), (103, 1), (101, 3)]


@pytest.mark.parametrize("count", [1, 2])
def test_tiny_field_ends(count):
    play(tournament("round-robin", count), random.Random(1))
