"""The second opinion on a game's page: a chart, the turning points, and a table of moves."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from correspondence.features.reviews import reviews
from correspondence.features.reviews.reviews import JudgedMove, ReviewView
from correspondence.features.reviews.words import (
    drawn_sentence,
    fortune_sentence,
    percent,
    position_sentence,
    turning_sentence,
)
from correspondence.models import Match
from correspondence.models.loading import MatchError, game_of
from correspondence.render.charts import result_plot
from engines.base import CHANCE
from engines.wording import _


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that lost much; `best` is the better move."""

    ply: int
    seat: str
    text: str
    best: str
    sentence: str


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A move in the table.

    `expected` is the mover's expected result with the best move, `played` with this one, in percent. Both are None if
    the move was not judged.
    """

    ply: int
    seat: str
    text: str
    best: str
    expected: int | None
    played: int | None
    drawn: str = ""
    """The effect of chance, as a sentence; empty for moves, and if unknown."""


@dataclass(frozen=True, slots=True)
class ReviewPanel:
    """The second opinion as the page of a finished game shows it.

    `review` is None if no player asked for one.
    """

    review: ReviewView | None
    first_seat: str
    plot: str = ""
    points: tuple[TurningPoint, ...] = ()
    rows: tuple[JudgedRow, ...] = ()
    luck: str = ""
    """The effect of chance in the whole game, as a sentence; empty if unknown."""

    @property
    def has_chance(self) -> bool:
        """Whether chance had a part in the game."""
        return self.review is not None and any(move.seat == CHANCE for move in self.review.moves)


def panel_of(session: Session, match: Match) -> ReviewPanel | None:
    """The second opinion for a game's page; None if the game runs or cannot be reviewed."""
    try:
        reviews.must_be_possible(match)
    except MatchError:
        return None
    review = reviews.review_of(session, match)
    game = game_of(match)
    seats = {CHANCE: _(game.presentation.chance), **{seat: _(name) for seat, name in enumerate(game.seats)}}
    if review is None or not review.is_done:
        return ReviewPanel(review, seats[0])
    points = tuple(
        TurningPoint(move.ply, seats[move.seat], move.text, move.best, turning_sentence(move))
        for move in review.turning_points
    )
    luck = fortune_sentence(review.fortunes, [seats[seat] for seat in range(len(game.seats))])
    return ReviewPanel(review, seats[0], _plot(review, seats[0]), points, _rows(review, seats), luck)


def turning_points_in(shown: ReviewPanel) -> tuple[int, ...]:
    """The numbers of the moves that lost most."""
    return tuple(point.ply for point in shown.points)


def sentence_at(session: Session, match: Match, ply: int) -> str:
    """The second opinion on the position after `ply` entries, as a sentence; empty if none."""
    review = reviews.review_of(session, match)
    move = review.after(ply + 1) if review is not None else None
    if move is None:
        return ""
    heading = _("A second opinion:")
    return f"{heading} {position_sentence(move, _(game_of(match).seats[move.seat]))}"


def _plot(review: ReviewView, seat: str) -> str:
    course = [move.first for move in review.moves]
    known = [expected for expected in course if expected is not None]
    if not known:
        return ""
    turning = [move.ply for move in review.turning_points]
    summary = _("{seat} could expect {first}% after the first move and {last}% after the last one.").format(
        seat=seat, first=percent(known[0]), last=percent(known[-1])
    )
    return result_plot(course, turning, _("Expected result for {seat}").format(seat=seat), summary)


def _rows(review: ReviewView, seats: dict[int, str]) -> tuple[JudgedRow, ...]:
    return tuple(_row(move, seats) for move in review.moves)


def _row(move: JudgedMove, seats: dict[int, str]) -> JudgedRow:
    seat = seats[move.seat]
    if move.expected is None or move.played is None:
        return JudgedRow(move.ply, seat, move.text, "", None, None, drawn_sentence(move, seats[0]))
    best = move.best if move.best != move.text else ""
    return JudgedRow(move.ply, seat, move.text, best, percent(move.expected), percent(move.played))
