"""Glicko-2: the paper's example to its printed digits, an independent root, and what must hold for any players."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from correspondence.ratings.glicko2 import (
    LARGEST_DEVIATION,
    SMALLEST_DEVIATION,
    TAU,
    Strength,
    after_games,
    after_idle,
)

SCALE = 173.7178

strengths = st.builds(
    Strength, st.floats(100, 3500), st.floats(SMALLEST_DEVIATION, LARGEST_DEVIATION), st.floats(0.03, 0.12)
)
scores = st.sampled_from([0.0, 0.5, 1.0])
results = st.lists(st.tuples(strengths, scores), min_size=1, max_size=8)


def g(player):
    """The paper's g: how much the result against this opponent counts."""
    return 1 / math.sqrt(1 + 3 * (player.deviation / SCALE) ** 2 / math.pi**2)


def expected_score(player, opponent):
    """The paper's E: the score that a player can expect against an opponent."""
    return 1 / (1 + math.exp(-g(opponent) * (player.rating - opponent.rating) / SCALE))


def test_the_example_of_the_paper_comes_out_to_its_printed_digits():
    player = Strength(1500, 200, 0.06)
    games = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    after = after_games(player, games, tau=0.5)
    assert f"{(after.rating - 1500) / SCALE:.4f}" == "-0.2069"
    assert f"{after.deviation / SCALE:.4f}" == "0.8722"
    assert f"{round((after.rating - 1500) / SCALE, 4) * SCALE + 1500:.2f}" == "1464.06"  # the paper rounds first
    assert f"{after.deviation:.2f}" == "151.52"
    assert f"{after.volatility:.6f}".startswith("0.05999")
    chances = [round(expected_score(player, other), 3) for other, _score in games]
    assert chances == [0.639, 0.432, 0.303]


def test_a_period_without_games_only_makes_a_player_less_certain():
    player = Strength(1500, 200, 0.06)
    assert after_games(player, []) == after_idle(player, 1)
    assert after_idle(player, 1).deviation == pytest.approx(math.hypot(200, 0.06 * SCALE))
    assert after_idle(player, -3) == player
    assert after_idle(player, 1e9).deviation == LARGEST_DEVIATION


@given(strengths, results)
def test_the_volatility_is_the_root_that_bisection_finds(player, games):
    after = after_games(player, games)
    mu, phi = (player.rating - 1500) / SCALE, player.deviation / SCALE
    weights = [g(o) for o, _s in games]
    e = [expected_score(player, o) for o, _s in games]
    assume(all(1e-9 < one < 1 - 1e-9 for one in e))
    v = 1 / sum(w * w * p * (1 - p) for w, p in zip(weights, e, strict=True))
    delta = v * sum(w * (s - p) for w, p, (_o, s) in zip(weights, e, games, strict=True))

    def slope(x):
        grown = phi * phi + v + math.exp(x)
        return math.exp(x) * (delta * delta - grown) / (2 * grown**2) - (x - 2 * math.log(player.volatility)) / TAU**2

    low, high = -60.0, 20.0
    for _step in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    assert after.volatility == pytest.approx(math.exp(low / 2), rel=1e-5)
    assert mu == pytest.approx((player.rating - 1500) / SCALE)


@given(strengths, results, st.floats(0, 60))
def test_deviations_stay_within_their_bounds_and_volatilities_positive(player, games, periods):
    after = after_games(player, games, periods=periods)
    assert SMALLEST_DEVIATION <= after.deviation <= LARGEST_DEVIATION
    assert 0 < after.volatility < 1
    assert math.isfinite(after.rating)


@given(strengths, results, st.randoms())
def test_the_order_of_results_within_a_period_does_not_matter(player, games, rng):
    shuffled = list(games)
    rng.shuffle(shuffled)
    one, other = after_games(player, games), after_games(player, shuffled)
    assert one.rating == pytest.approx(other.rating)
    assert one.deviation == pytest.approx(other.deviation)
    assert one.volatility == pytest.approx(other.volatility)


@given(strengths, strengths)
def test_a_win_never_lowers_and_a_loss_never_raises_a_rating(player, other):
    won, drawn, lost = (after_games(player, [(other, score)], periods=0).rating for score in (1.0, 0.5, 0.0))
    assert lost <= player.rating <= won
    assert lost <= drawn <= won


@given(st.floats(SMALLEST_DEVIATION, LARGEST_DEVIATION), st.floats(500, 2500), scores)
def test_between_equals_what_one_wins_the_other_loses(deviation, rating, score):
    one = Strength(rating, deviation)
    here, there = after_games(one, [(one, score)], periods=0), after_games(one, [(one, 1 - score)], periods=0)
    assert here.rating + there.rating == pytest.approx(2 * rating)
    assert here.deviation == pytest.approx(there.deviation)


@given(strengths, strengths, scores)
def test_a_game_never_makes_a_player_less_certain(player, other, score):
    assert after_games(player, [(other, score)], periods=0).deviation <= player.deviation + 1e-9
