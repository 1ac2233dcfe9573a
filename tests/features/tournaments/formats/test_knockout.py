"""Knockout: brackets, ties that are level, third place, and leavers."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.features.tournaments.formats import knockout
from correspondence.features.tournaments.formats.field import Result
from tests.features.tournaments.formats.playing import (
    START,
    Narrowing,
    begin,
    change,
    end,
    later,
    leave,
    play,
    rows,
    running,
    seeds,
    tournament,
)


def finish(field, winner_of):
    """End all running games, each for the winner of the two."""
    for pairing in running(field):
        winner = winner_of(pairing.seats)
        field = end(field, pairing, replace(pairing.lost_by(pairing.opponent(winner))).result)
    return begin(later(field, days=1))


def strongest(field):
    while running(field := begin(field)):
        field = finish(field, min)
    return field


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 20), seeds)
def test_knockout_ends_with_one_winner(count, rng):
    look = Narrowing()
    field = play(tournament("knockout", count), rng, look=look)
    table = rows(field)
    assert len(table) == count and sum(row.rank == 1 for row in table.values()) == 1
    assert all(row.best == row.rank == row.worst for row in table.values())
    if count >= 4:
        assert sorted(row.rank for row in table.values())[:4] == [1, 2, 3, 4]


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 12), st.integers(0, 4), seeds)
def test_knockout_with_leavers_and_robots_ends(count, leavers, rng):
    field = tournament("knockout", count)
    for entrant in rng.sample(field.entrants, count // 3):
        field = change(field, entrant.id, is_robot=True)
    for entrant in rng.sample(field.entrants, min(leavers, count)):
        field = play(field, rng, until=lambda f: rng.random() < 0.3)
        field = leave(field, entrant.id)
    field = play(field, rng, look=Narrowing())
    people = {row.rank for row in rows(field).values() if not field.by_id[row.entrant].is_robot}
    robots = {row.rank for row in rows(field).values() if field.by_id[row.entrant].is_robot}
    assert people.isdisjoint(robots)


def test_strongest_have_the_byes_and_meet_last():
    field = begin(tournament("knockout", 11))
    assert {bye.entrant for bye in field.byes} == {101, 102, 103, 104, 105}
    assert {frozenset(p.seats) for p in field.of_round(1)} == {
        frozenset(x) for x in ((108, 109), (107, 110), (106, 111))
    }
    field = strongest(field)
    assert [row.entrant for row in knockout.standings(field)][:4] == [101, 102, 103, 104]
    assert [row.rank for row in knockout.standings(field)] == [1, 2, 3, 4, 5, 5, 5, 5, 9, 9, 9]


def test_tie_has_two_games_with_seats_exchanged():
    field = begin(tournament("knockout", 2))
    assert [p.seats for p in field.pairings] == [(101, 102), (102, 101)]


def level(field):
    for pairing in running(field):
        field = end(later(field, hours=1), pairing, Result.DRAWN)
    return begin(field)


def test_level_tie_has_two_more_games_then_less_used_time_decides():
    field = level(begin(tournament("knockout", 2)))
    assert [p.leg for p in running(field)] == [3, 4]
    for pairing in running(field):
        used = (5.0, 4.0) if pairing.seats[1] == 102 else (4.0, 5.0)
        field = end(later(field, hours=1), pairing, Result.DRAWN, seconds=used)
    assert knockout.is_over(field) and knockout.standings(field)[0].entrant == 102


def test_level_tie_with_equal_time_goes_to_the_higher_seed():
    field = level(level(begin(tournament("knockout", 2))))
    assert knockout.standings(field)[0].entrant == 101


def test_next_tie_begins_without_waiting_for_others():
    field = begin(tournament("knockout", 8))
    for pair in ({101, 108}, {104, 105}):
        for pairing in [p for p in running(field) if set(p.seats) == pair]:
            field = end(field, pairing, pairing.lost_by(max(pairing.seats)).result)
    field = begin(field)
    assert [p.seats for p in field.of_round(2)] == [(101, 104), (104, 101)]


def test_who_has_no_opponent_advances():
    field = begin(leave(tournament("knockout", 4), 104))
    assert all(104 not in p.seats for p in field.pairings)
    field = finish(field, min)
    assert {p.seats for p in running(field)} == {(101, 102), (102, 101)}


def test_barred_entrant_loses_the_tie_without_a_game():
    field = begin(change(tournament("knockout", 2), 101, barred_until=START + timedelta(days=30)))
    assert [p.game for p in field.pairings] == [None, None] and knockout.is_over(field)
    assert knockout.standings(field)[0].entrant == 102


def test_replacement_plays_the_tie_anew():
    field = begin(tournament("knockout", 4))
    for pairing in [p for p in field.pairings if 104 in p.seats]:
        field = end(field, pairing, Result.VOID)
    newcomer = replace(field.by_id[104], id=105)
    field = begin(replace(field, entrants=(*change(field, 104, replaced_by=105).entrants, newcomer)))
    assert [p.seats for p in running(field) if 105 in p.seats] == [(101, 105), (105, 101)]
    assert 104 not in rows(strongest(field))


def test_two_leavers_still_leave_a_winner():
    field = leave(leave(tournament("knockout", 2), 101), 102)
    assert knockout.is_over(play(field, random.Random(1)))
