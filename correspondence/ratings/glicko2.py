"""The Glicko-2 rating system, which tracks the uncertainty of each rating. Pure arithmetic.

Source: Mark E. Glickman, “Example of the Glicko-2 system” (glicko.net/glicko/glicko2.pdf). The steps in the comments
are the paper's. Ratings and deviations are on the familiar scale that starts at 1500.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

TAU = 0.5
"""The system constant tau.

The paper advises 0.3 to 1.2, and small values for games without upsets.
"""

LARGEST_DEVIATION = 350.0
"""The deviation of a new player, which is also the maximum."""

SMALLEST_DEVIATION = 30.0
"""The minimum deviation; below it, a rating could no longer follow changes in strength."""

_SCALE = 173.7178
_TOLERANCE = 1e-6
_MOST_STEPS = 100


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's rating, its standard deviation and its volatility."""

    rating: float = 1500.0
    deviation: float = LARGEST_DEVIATION
    volatility: float = 0.06


Result = tuple[Strength, float]
"""An opponent's strength before the game, and the score against them: 1, 0.5 or 0."""


def after_idle(player: Strength, periods: float) -> Strength:
    """Return the strength after rating periods without a game (end of step 6).

    The deviation grows.
    """
    phi = player.deviation / _SCALE
    grown = math.sqrt(phi**2 + max(periods, 0.0) * player.volatility**2) * _SCALE
    return Strength(player.rating, min(grown, LARGEST_DEVIATION), player.volatility)


def idle_periods_until(player: Strength, deviation: float) -> float:
    """Return the number of idle periods after which the deviation reaches `deviation`.

    Negative if it is higher already.
    """
    return ((deviation / _SCALE) ** 2 - (player.deviation / _SCALE) ** 2) / player.volatility**2


def after_games(
    player: Strength, results: Sequence[Result], *, periods: float = 1.0, tau: float = TAU, weight: float = 1.0
) -> Strength:
    """Return the strength after the games of one rating period.

    Opponents are as they were before it. `periods` is its length; the paper's step 6 adds the uncertainty of one
    period. A caller that has already applied `after_idle` up to the time of the game passes 0, so that time counts
    once. `weight`, above 0 and at most 1, is the weight of these games as evidence: with 0.5, two games count as one.
    """
    if not results:
        return after_idle(player, periods)
    mu, phi = _mu(player), player.deviation / _SCALE  # step 2
    weights = [_g(other.deviation / _SCALE) for other, _score in results]
    chances = [_expected(mu, _mu(other), other.deviation / _SCALE) for other, _score in results]
    variance = 1 / (weight * sum(g**2 * e * (1 - e) for g, e in zip(weights, chances, strict=True)))  # step 3
    surprise = weight * sum(g * (score - e) for g, e, (_other, score) in zip(weights, chances, results, strict=True))
    volatility = _volatility(player.volatility, phi, variance, variance * surprise, tau)  # steps 4 and 5
    before = phi**2 + periods * volatility**2  # step 6
    after = 1 / math.sqrt(1 / before + 1 / variance)  # step 7
    deviation = min(max(after * _SCALE, SMALLEST_DEVIATION), LARGEST_DEVIATION)
    return Strength((mu + after**2 * surprise) * _SCALE + 1500, deviation, volatility)  # step 8


def _mu(player: Strength) -> float:
    return (player.rating - 1500) / _SCALE


def _g(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _expected(mu: float, other_mu: float, other_phi: float) -> float:
    advantage = max(min(_g(other_phi) * (mu - other_mu), 35.0), -35.0)  # beyond this, 1 - E is 0 as a float
    return 1 / (1 + math.exp(-advantage))


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Return the new volatility (step 5): the root of f by the Illinois algorithm."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        """The paper's f, whose root is the logarithm of the new variance."""
        grown = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - a) / tau**2

    if delta**2 > phi**2 + variance:
        low = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * tau) < 0:
            steps += 1
        low = a - steps * tau
    return math.exp(_root(f, a, low) / 2)


def _root(f: Callable[[float], float], high: float, low: float) -> float:
    at_high, at_low = f(high), f(low)
    for _step in range(_MOST_STEPS):
        if abs(low - high) <= _TOLERANCE:
            break
        between = high + (high - low) * at_high / (at_low - at_high)
        at_between = f(between)
        if at_between * at_low <= 0:
            high, at_high = low, at_low
        else:
            at_high /= 2
        low, at_low = between, at_between
    return high
