"""Second opinions: a robot's judgement of every move of a finished game, on request, stored.

A worker makes them, one move at a time (`robots.review_turns`). A running game has none, and none is shown. None is
started if it would reveal what to do in another running game.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts import robots
from correspondence.features.reviews.tables import REVIEW_IS_DUE, Review, ReviewReader, ReviewState
from correspondence.models import Match, Person
from correspondence.models.loading import (
    MatchError,
    entries_of,
    game_of,
    moves_of,
    persons_of,
    players_of,
)
from correspondence.models.locks import hold_name, hold_person
from correspondence.play import same_boards
from correspondence.play.viewer_games import viewer_game_of
from engines import GAMES
from engines.base import CHANCE, Seat
from engines.record import Entry
from engines.search.judgement import budget_of
from engines.wording import _, ngettext

MOST_A_DAY = 5
"""Maximum number of second opinions per person and day; existing ones do not count."""

MOST_WAITING = 50
"""Maximum number of second opinions waiting for a worker."""

FEWEST_MOVES = 4
"""Minimum number of players' moves in a game that can be judged."""

TURNING = 0.2
"""Minimum loss of expected result at a turning point."""

MOST_TURNING = 8
"""Maximum number of turning points; the largest ones are listed."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One entry of a record with a robot's judgement.

    `ply` counts entries from 1. `best`, `expected` and `played` are
    as in `engines.search.Judgement`, for the seat that moved; None and "" for chance, and for choices that cannot be
    judged.
    """

    ply: int
    seat: Seat
    text: str
    best: str = ""
    expected: float | None = None
    played: float | None = None
    fortune: tuple[float, float] | None = None
    """For chance, if judged: the first seat's expected result before and after it."""

    @property
    def lost(self) -> float:
        """The loss of expected result by the move."""
        return 0.0 if self.expected is None or self.played is None else self.expected - self.played

    @property
    def first(self) -> float | None:
        """The first seat's expected result after the move or chance result."""
        if self.fortune is not None:
            return self.fortune[1]
        return self.played if self.played is None or self.seat == 0 else 1 - self.played


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A second opinion as everyone may see it; `moves` are judged so far, of `plies` in total.

    `budget` is the number of positions searched for each judgement.
    """

    number: int
    state: ReviewState
    plies: int
    budget: int
    moves: tuple[JudgedMove, ...]

    @property
    def is_done(self) -> bool:
        """Whether all moves are judged."""
        return self.state == ReviewState.DONE

    @property
    def is_waiting(self) -> bool:
        """Whether the second opinion is still in progress."""
        return self.state in (ReviewState.QUEUED, ReviewState.RUNNING)

    @property
    def turning_points(self) -> tuple[JudgedMove, ...]:
        """The moves that lost most, in game order; empty until all moves are judged."""
        turning = [move for move in self.moves if move.lost >= TURNING] if self.is_done else []
        most = sorted(turning, key=lambda move: (-move.lost, move.ply))[:MOST_TURNING]
        return tuple(sorted(most, key=lambda move: move.ply))

    @property
    def fortunes(self) -> tuple[float, ...]:
        """The first seat's gain from each judged chance draw; empty until all moves are judged."""
        drawn = [move.fortune for move in self.moves if move.fortune is not None] if self.is_done else []
        return tuple(came - expected for expected, came in drawn)

    def after(self, ply: int) -> JudgedMove | None:
        """Return the judged move that led to the position after `ply` entries, or None."""
        move = self.moves[ply - 1] if 0 < ply <= len(self.moves) else None
        return move if move is not None and move.played is not None else None


def review_of(session: Session, match: Match) -> ReviewView | None:
    """Return the second opinion on a game so far; None if there is none or the game runs."""
    if match.ended_at is None:
        return None
    row = session.get(Review, match.id)
    if row is None:
        return None
    entries = entries_of(moves_of(session, match.id))
    found = json.loads(row.judgements)
    judged = enumerate(zip(entries, found, strict=False), 1)
    moves = tuple(_judged(ply, entry, one) for ply, (entry, one) in judged)
    return ReviewView(match.id, row.state, len(entries), row.budget, moves)


def _judged(ply: int, entry: Entry, found: Sequence[Any] | None) -> JudgedMove:
    if found is None:
        return JudgedMove(ply, entry.seat, entry.text)
    best, expected, played = found
    if entry.seat == CHANCE:
        return JudgedMove(ply, entry.seat, entry.text, fortune=(expected, played))
    return JudgedMove(ply, entry.seat, entry.text, best, expected, played)


def ask(session: Session, person: Person, number: int, *, now: datetime, by_letter: bool = False) -> ReviewView:
    """Request the second opinion on a game, or return the existing one.

    With `by_letter` the person gets a letter when it is done, unless it is done already. Raises MatchError with a
    sentence: while the game runs, if there is nothing to judge or no robot to judge it, and beyond the limits.
    """
    match = session.get(Match, number, with_for_update=True)
    if match is None:
        raise MatchError(_("There is no game {number}.").format(number=number))
    must_be_possible(match)
    row = session.get(Review, number)
    if row is None or row.state == ReviewState.FAILED:
        _must_be_judgeable(session, match)
        _must_be_within_limits(session, person, now)
        _must_help_in_no_game(session, person, match)
        row = _begun(session, row or Review(match_id=number, asked_at=now, budget=0), person, match, now)
    if by_letter and row.state != ReviewState.DONE and session.get(ReviewReader, (number, person.id)) is None:
        session.add(ReviewReader(match_id=number, person_id=person.id))
    session.flush()
    seen = review_of(session, match)
    assert seen is not None
    return seen


def _begun(session: Session, row: Review, person: Person, match: Match, now: datetime) -> Review:
    row.asked_by_id, row.asked_at, row.due_at = person.id, now, now
    row.state, row.tries, row.lease, row.budget = ReviewState.QUEUED, 0, "", budget_of(game_of(match))
    session.add(row)
    session.flush()
    return row


def must_be_possible(match: Match) -> None:
    """Raise MatchError if a game is still running or its kind cannot be judged."""
    game = GAMES.get(match.game)
    if game is not None and len(game.seats) < 2:
        raise MatchError(_("Puzzles get no second opinion: all that counts is how many moves you need."))
    if game is None or game.judge is None:
        raise MatchError(_("No robot plays this kind of game, so there's no second opinion on game {number}.").format(
            number=match.id))  # fmt: skip
    if match.ended_at is None:
        sentence = _("Game {number} isn't over yet. Second opinions are only given on finished games.")
        raise MatchError(sentence.format(number=match.id))


def _must_be_judgeable(session: Session, match: Match) -> None:
    if sum(move.seat != CHANCE for move in moves_of(session, match.id)) < FEWEST_MOVES:
        sentence = _("Game {number} is too short to be judged: a second opinion needs at least {fewest} moves.")
        raise MatchError(sentence.format(number=match.id, fewest=FEWEST_MOVES))


def _must_be_within_limits(session: Session, person: Person, now: datetime) -> None:
    if not robots.are_awake(session, now=now):
        raise MatchError(_("No robots are running on this server at present, so it gives no second opinions."))
    hold_person(session, person)
    mine = select(Review).where(col(Review.asked_by_id) == person.id)
    waiting = session.exec(mine.where(REVIEW_IS_DUE)).first()
    if waiting is not None:
        sentence = _(
            "The second opinion you asked for on game {number} is still being made. Ask again when it is done."
        )
        raise MatchError(sentence.format(number=waiting.match_id))
    if len(session.exec(mine.where(col(Review.asked_at) > now - timedelta(days=1))).all()) >= MOST_A_DAY:
        sentence = ngettext(
            "You have asked for {count} second opinion within a day. Ask again tomorrow.",
            "You have asked for {count} second opinions within a day. Ask again tomorrow.",
            MOST_A_DAY,
        )
        raise MatchError(sentence.format(count=MOST_A_DAY))
    hold_name(session, "reviews")
    if session.exec(select(func.count()).select_from(Review).where(REVIEW_IS_DUE)).one() >= MOST_WAITING:
        raise MatchError(_("Too many second opinions are waiting to be made. Ask again in an hour."))


def _must_help_in_no_game(session: Session, person: Person, match: Match) -> None:
    people = [one for one in persons_of(session, players_of(session, match.id)) if not one.robot_level]
    course = viewer_game_of(session, match)
    stood = (course.at(ply) for ply in range(same_boards.OPENING, len(course.entries) + 1))
    same_boards.must_help_in_no_other_game(session, match, {person.id, *(one.id for one in people)}, stood)
