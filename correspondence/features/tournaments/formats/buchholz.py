"""Tie-breaks of a Swiss tournament, with unplayed rounds as in FIDE C.07 article 16 (2026).

Each entrant has one `RoundOutcome` a round. An unplayed round counts for its entrant as one against a dummy opponent, and
for opponents as the points it gave, or as a draw if the entrant did not come back after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

__all__ = ["Kind", "RoundOutcome", "Tiebreaks", "tiebreaks"]


class Kind(Enum):
    """How a round ended for one entrant."""

    PLAYED = "played"
    BYE = "bye"
    """The bye of the pairing, or a game that was called off."""
    FORFEIT_WIN = "forfeit win"
    FORFEIT_LOSS = "forfeit loss"
    REQUESTED_BYE = "requested bye"
    """They sat the round out, came late or had left."""


RETURNS = (Kind.PLAYED, Kind.BYE, Kind.FORFEIT_WIN)
"""A requested bye before one of these was not the entrant's end."""

VOLUNTARY = (Kind.REQUESTED_BYE, Kind.FORFEIT_LOSS)
"""Unplayed rounds that Buchholz cut one cuts first."""


@dataclass(frozen=True)
class RoundOutcome:
    """One round of one entrant: points, and the opponent unless there was none."""

    round: int
    kind: Kind
    points: float
    opponent: int | None = None


@dataclass(frozen=True)
class Tiebreaks:
    """Tie-breaks of one entrant."""

    buchholz_cut_one: float
    buchholz: float
    sonneborn_berger: float


def tiebreaks(outcomes: Mapping[int, Sequence[RoundOutcome]], *, games: int, rounds: int) -> Mapping[int, Tiebreaks]:
    """Return the tie-breaks of each entrant from the outcomes of all, in the order of the rounds."""
    adjusted = {one: _adjusted(own, games) for one, own in outcomes.items()}
    return {one: _tiebreaks(own, adjusted, games * rounds / 2) for one, own in outcomes.items()}


def _adjusted(own: Sequence[RoundOutcome], games: int) -> float:
    """Return the score that opponents count: requested byes at the end are draws."""
    last = max((place for place, outcome in enumerate(own) if outcome.kind in RETURNS), default=-1)
    at_end = [outcome.kind is Kind.REQUESTED_BYE and place > last for place, outcome in enumerate(own)]
    return sum(games / 2 if is_at_end else o.points for o, is_at_end in zip(own, at_end, strict=True))


def _tiebreaks(own: Sequence[RoundOutcome], adjusted: Mapping[int, float], most: float) -> Tiebreaks:
    points = sum(outcome.points for outcome in own)
    scores = [_opponent_score(outcome, points, adjusted, most) for outcome in own]
    voluntary = [score for score, outcome in zip(scores, own, strict=True) if outcome.kind in VOLUNTARY]
    total = sum(scores)
    cut = min(voluntary or scores) if len(scores) > 1 else 0.0
    weighted = sum(score * outcome.points for score, outcome in zip(scores, own, strict=True))
    return Tiebreaks(total - cut, total, weighted)


def _opponent_score(outcome: RoundOutcome, points: float, adjusted: Mapping[int, float], most: float) -> float:
    """Return the opponent's score, or that of a dummy opponent.

    The dummy has the entrant's own score, but no more than `most` or the absent opponent's.
    """
    if outcome.kind is Kind.PLAYED and outcome.opponent is not None:
        return adjusted[outcome.opponent]
    if outcome.opponent is not None and outcome.kind in (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS):
        return min(points, adjusted[outcome.opponent])
    return min(points, most)
