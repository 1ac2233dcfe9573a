"""Ladders: who may challenge whom, and how rungs change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.features.tournaments.formats import ladder
from correspondence.features.tournaments.formats.field import Entrant, EntrantState, Result
from correspondence.features.tournaments.formats.ladder import Refusal
from tests.features.tournaments.formats.playing import ENDS, START, begin, change, end, later, leave, seeds, tournament


def names(field):
    return [one - 100 for one in ladder.order(field)]


def challenged(field, one, other, *, accept=True):
    """The field after a challenge by rung numbers at the start, accepted unless said."""
    made = ladder.challenge(field, 100 + one, 100 + other, lapses_at=field.now + ladder.ANSWER_WITHIN)
    if accept:
        made = replace(made, game=1000 + made.round, lapses_at=None)
    return replace(field, pairings=(*field.pairings, made))


def ended(field, points):
    """End the latest challenge; points are the challenger's."""
    pairing = field.pairings[-1]
    if points == 0.5:
        return end(later(field, hours=1), pairing, Result.DRAWN)
    loser = pairing.opponent(pairing.challenger) if points else pairing.challenger
    return end(later(field, hours=1), pairing, pairing.lost_by(loser).result)


def after(one, other, points, count=5):
    return names(ended(challenged(tournament("ladder", count), one, other), points))


def test_newcomers_enter_at_the_bottom():
    field = later(tournament("ladder", 3), days=1)
    field = replace(field, entrants=(*field.entrants, Entrant(id=90, seed=1, entered_at=field.now)))
    assert ladder.order(field) == (101, 102, 103, 90)


@pytest.mark.parametrize(("points", "expected"), [(1, [1, 4, 2, 3, 5]), (0.5, [1, 2, 4, 3, 5]), (0, [1, 2, 3, 4, 5])])
def test_winner_stands_above_and_a_draw_puts_right_below(points, expected):
    assert after(4, 2, points) == expected


def test_challenger_who_already_stands_above_does_not_move():
    field = challenged(challenged(tournament("ladder", 5), 4, 3), 4, 1)
    field = ended(field, 1)
    assert names(field) == [4, 1, 2, 3, 5]
    first = field.pairings[0]
    assert names(end(later(field, hours=1), first, first.lost_by(103).result)) == [4, 1, 2, 3, 5]


def test_rungs_count_when_the_game_ends():
    field = challenged(tournament("ladder", 5), 4, 2)
    assert names(field) == [1, 2, 3, 4, 5]


def test_one_challenges_at_most_ten_rungs_up():
    field = tournament("ladder", 13)
    assert ladder.refusal(field, 112, 101) is Refusal.TOO_FAR
    assert ladder.refusal(field, 111, 101) is None
    assert ladder.refusal(field, 101, 102) is Refusal.NOT_ABOVE
    assert ladder.refusal(field, 101, 101) is Refusal.NOT_ABOVE
    assert ladder.refusal(field, 99, 101) is Refusal.NOT_ON_LADDER


def test_three_challenges_are_the_most():
    field = tournament("ladder", 9)
    for other in (6, 7, 8):
        field = challenged(field, 9, other)
    assert ladder.refusal(field, 109, 105) is Refusal.TOO_MANY_OUTGOING


def test_first_five_defend_five_times_and_others_three_times():
    field = tournament("ladder", 14)
    for one in (10, 11, 12):
        field = challenged(field, one, 6)
    assert ladder.refusal(field, 113, 106) is Refusal.TOO_MANY_DEFENCES
    for one in (10, 11, 12):
        field = challenged(field, one, 5)
    assert ladder.refusal(field, 113, 105) is None


def test_same_two_play_once_and_rest_seven_days():
    field = challenged(tournament("ladder", 5), 4, 2)
    assert ladder.refusal(field, 104, 102) is Refusal.PLAYING
    field = ended(field, 0)
    assert ladder.refusal(later(field, days=6), 104, 102) is Refusal.TOO_SOON
    assert ladder.refusal(later(field, days=7), 104, 102) is None


def test_unanswered_challenge_is_lost_after_seven_days():
    field = challenged(tournament("ladder", 5), 4, 2, accept=False)
    assert not ladder.next_pairings(later(field, days=6))
    field = begin(later(field, days=7))
    assert names(field) == [1, 4, 2, 3, 5] and field.pairings[0].game is None


@pytest.mark.parametrize("accept", [True, False])
def test_who_leaves_loses_their_rung_to_the_challenger(accept):
    field = later(challenged(tournament("ladder", 5), 4, 2, accept=accept), days=1)
    assert names(begin(leave(field, 102))) == [1, 4, 3, 5]


def test_reentering_at_the_bottom_moves_nobody_else():
    field = ended(challenged(tournament("ladder", 5), 4, 2), 1)
    field = later(field, days=1)
    field = change(leave(field, 104), 104, state=EntrantState.IN, earlier_stays=((START, field.now),), left_at=None)
    field = later(field, days=1)
    assert names(change(field, 104, entered_at=field.now)) == [1, 2, 3, 5, 4]


def test_sixty_idle_days_end_it():
    field = ended(challenged(later(tournament("ladder", 4), days=30), 4, 2), 0)
    assert ladder.idle(later(field, days=29)) == ()
    assert ladder.idle(later(field, days=30)) == (101, 103)
    assert ladder.idle(later(change(field, 101, active_at=field.now), days=30)) == (103,)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 20), seeds)
def test_nobody_goes_down_by_their_own_challenge(count, rng):
    field = tournament("ladder", count)
    for _ in range(60):
        one, other = rng.sample(range(101, 101 + count), 2)
        if ladder.refusal(field, one, other) is None:
            field = challenged(field, one - 100, other - 100)
        running = [p for p in field.pairings if p.is_running]
        if running and rng.random() < 0.6:
            before, pairing = ladder.order(field), rng.choice(running)
            field = end(later(field, hours=30), pairing, rng.choice(ENDS))
            now = ladder.order(field)
            assert sorted(now) == sorted(before)
            assert now.index(pairing.challenger) <= before.index(pairing.challenger)
            moved = [o for o in before if now.index(o) < before.index(o)]
            assert set(moved) <= {pairing.challenger}
    counts = [ladder.standings(field)[n].rank for n in range(count)]
    assert counts == list(range(1, count + 1))
