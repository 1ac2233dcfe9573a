"""Swiss: who meets whom, byes, late entrants, and rounds that end on their day."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.features.tournaments.formats import swiss
from correspondence.features.tournaments.formats.field import Entrant, Result
from tests.features.tournaments.formats.playing import (
    START,
    Narrowing,
    begin,
    change,
    end,
    later,
    leave,
    play,
    result,
    rows,
    running,
    seeds,
    tournament,
)


def seats(field, entrant):
    return [p.seats.index(entrant) for p in sorted(field.of_entrant(entrant), key=lambda p: p.round) if p.game]


def is_fair(own):
    differences = [abs(2 * sum(own[:n]) - n) for n in range(len(own) + 1)]
    return max(differences) <= 2 and not any(len(set(own[n : n + 3])) == 1 for n in range(len(own) - 2))


def is_without_rematch(field):
    return max(Counter((p.leg, *sorted(p.seats)) for p in field.pairings).values(), default=1) == 1


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 16), st.integers(1, 8), st.integers(1, 2), seeds)
def test_whole_swiss_is_fair(count, rounds, games, rng):
    field = play(tournament("swiss", count, rounds=rounds, games=games), rng, look=Narrowing())
    assert field.round == min(rounds, count // 2)
    assert is_without_rematch(field)
    assert max(Counter(bye.entrant for bye in field.byes).values(), default=0) <= 1
    assert games == 2 or all(is_fair(seats(field, e.id)) for e in field.entrants)
    assert all(row.best == row.rank == row.worst for row in rows(field).values())


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 14), seeds)
def test_swiss_with_leavers_ends_and_nobody_meets_twice(count, rng):
    field = tournament("swiss", count, rounds=count // 2)
    for _ in range(rng.randint(1, count - 1)):
        number = rng.randint(0, field.round + 1)
        field = play(field, rng, until=lambda f, number=number: f.round >= number and rng.random() < 0.3)
        field = leave(field, rng.choice(field.entrants).id)
    field = play(field, rng)
    assert is_without_rematch(field)
    paired = Counter(bye.entrant for bye in field.byes if not bye.requested)
    assert max(paired.values(), default=0) <= 1


def test_first_round_pairs_top_half_against_bottom_half():
    field = begin(tournament("swiss", 8, rounds=3))
    assert {frozenset(p.seats) for p in field.pairings} == {frozenset((101 + n, 105 + n)) for n in range(4)}


def test_bye_goes_to_the_lowest_score_without_one_then_the_lowest_seed():
    field = begin(tournament("swiss", 7, rounds=3))
    assert [(bye.entrant, bye.points) for bye in field.byes] == [(107, 1)]
    for pairing in running(field):
        field = result(field, *sorted(pairing.seats), 1)
    field = begin(field)
    assert [bye.entrant for bye in field.byes] == [107, 106]


def test_bye_is_worth_the_games_of_a_round():
    assert begin(tournament("swiss", 5, rounds=2, games=2)).byes[0].points == 2


def test_round_begins_on_its_day_with_running_games_as_draws():
    field = begin(tournament("swiss", 8, rounds=3))
    for pairing in running(field)[:3]:
        field = result(field, *sorted(pairing.seats), 1)
    assert begin(field).round == 1
    slow = running(field)[0]
    day = replace(field.rounds[0], ends_at=START + timedelta(days=60))
    field = begin(later(replace(field, rounds=(day,)), days=60))
    assert field.round == 2 and slow in field.pairings
    paired = {p.opponent(seat) for p in field.of_round(2) for seat in slow.seats if seat in p.seats}
    assert len(paired - set(slow.seats)) == 2
    field = end(field, slow, Result.FIRST_WINS)
    assert rows(field)[slow.seats[0]].points == 1


def test_entrants_who_avoid_each_other_meet_only_if_nothing_else_is_left():
    pairs = {frozenset(pairing.seats) for pairing in swiss.next_pairings(tournament("swiss", 6, rounds=3)).pairings}
    one, other = sorted(next(iter(pairs)))
    field = change(tournament("swiss", 6, rounds=3), one, avoids=frozenset({other}))
    field = change(field, other, avoids=frozenset({one}))
    found = {frozenset(pairing.seats) for pairing in swiss.next_pairings(field).pairings}
    assert len(found) == 3 and frozenset({one, other}) not in found
    everybody = frozenset(entrant.id for entrant in field.entrants)
    for entrant in field.entrants:
        field = change(field, entrant.id, avoids=everybody - {entrant.id})
    assert {frozenset(pairing.seats) for pairing in swiss.next_pairings(field).pairings} == pairs


def test_requested_bye_is_half_a_point_and_no_bye_of_the_pairing():
    field = begin(change(tournament("swiss", 8, rounds=3), 101, sits_out=frozenset({1})))
    assert {(bye.entrant, bye.points, bye.requested) for bye in field.byes} == {(101, 0.5, True), (108, 1, False)}


def test_late_entrant_gets_half_a_point_for_each_round_missed():
    field = begin(tournament("swiss", 6, rounds=3))
    field = replace(field, entrants=(*field.entrants, Entrant(id=200, seed=7, first_round=2)))
    field = begin(field)
    assert [(bye.round, bye.points) for bye in field.byes if bye.entrant == 200] == [(1, 0.5)]
    field = play(field, random.Random(1), until=lambda f: f.round == 2)
    assert swiss.round_count(field) == 3
    assert any(200 in p.seats for p in field.of_round(2)) or any(b.round == 2 and b.entrant == 200 for b in field.byes)


def test_barred_entrant_is_not_paired_and_gets_nothing():
    field = begin(change(tournament("swiss", 8, rounds=3), 101, barred_until=START + timedelta(days=30)))
    assert not field.of_entrant(101)
    assert (101, 0.0) in {(bye.entrant, bye.points) for bye in field.byes}


def test_swiss_ends_with_the_last_round_if_no_pairing_is_left():
    field = begin(tournament("swiss", 4, rounds=2))
    for pairing in running(field):
        field = result(field, *pairing.seats, 1)
    winner, loser = field.pairings[0].seats
    field = begin(leave(leave(field, field.pairings[1].seats[0]), field.pairings[1].seats[1]))
    assert {winner, loser}
    assert field.round == 1
    assert swiss.is_over(field)


def test_replacement_plays_the_round_of_whom_they_replace():
    field = begin(tournament("swiss", 4, rounds=2))
    pairing = next(p for p in field.pairings if 104 in p.seats)
    field = end(field, pairing, Result.VOID)
    newcomer = replace(field.by_id[104], id=105)
    field = change(field, 104, replaced_by=105)
    field = begin(replace(field, entrants=(*field.entrants, newcomer)))
    assert any(105 in p.seats for p in field.of_round(1)) and 104 not in rows(field)


def test_pairing_is_the_same_when_asked_again():
    field = tournament("swiss", 11, rounds=5)
    assert swiss.next_pairings(field) == swiss.next_pairings(replace(field))
