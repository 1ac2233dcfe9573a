"""Ask a robot what it expects of a position on one's analysis board, once the game is over.

An evaluation belongs to the member who asked. It is refused where it would help in a running game, as second opinions
are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts import robots
from correspondence.features.evaluations.tables import EVALUATION_IS_DUE, Evaluation
from correspondence.models import Match, Person
from correspondence.models.loading import MatchError, game_of, persons_of, players_of
from correspondence.models.locks import hold_name, hold_person
from correspondence.play import same_boards
from correspondence.play.analysis import AnalysisBoard, analysis_board
from correspondence.play.lookahead import try_step
from correspondence.play.viewer_games import viewer_game_of
from engines.base import CHANCE, Position, Seat
from engines.wording import _

MOST_A_DAY = 60
"""Maximum number of evaluations per person and day; existing ones do not count."""

MOST_WAITING = 100
"""Maximum number of evaluations waiting for a worker."""

MOVES_AHEAD = 5
"""Maximum length of the best line."""


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """A robot's evaluation: the mover's expected result in percent, and the best line so far, as (seat, text)."""

    seat: Seat
    expected: int | None
    line: tuple[tuple[Seat, str], ...]
    is_waiting: bool


def must_be_possible(match: Match) -> None:
    """Raise MatchError if a game is still running, or no robot plays its kind."""
    game = game_of(match)
    if match.ended_at is None:
        raise MatchError(_("A robot evaluates positions only when the game is over."))
    if len(game.seats) < 2 or game.judge is None:
        raise MatchError(_("No robot plays this kind of game, so none can evaluate its positions."))


def evaluation_of(session: Session, match: Match, person_id: int, ply: int, line: str) -> EvaluationView | None:
    """Return a member's evaluation of a position; None if they asked for none, or it failed."""
    row = _row(session, match.id, person_id, ply, line)
    found = json.loads(row.found) if row is not None else []
    if row is None or (not found and row.due_at is None):
        return None
    moves = tuple((seat, text) for seat, text, _expected in found)
    seat = found[0][0] if found else 0
    return EvaluationView(seat, round(100 * found[0][2]) if found else None, moves, row.due_at is not None)


def ask(session: Session, person: Person, number: int, ply: int, at: int | None, *, now: datetime) -> None:
    """Ask for the evaluation of a position on the member's analysis board; do nothing if it is there.

    Raises MatchError with a sentence: while the game runs, if nobody is to move, beyond the limits, and if a running
    game of the member or a player has the same board.
    """
    match = session.get(Match, number)
    board = analysis_board(session, number, person.id, ply, at) if match is not None else None
    if match is None or board is None:
        raise MatchError(_("There's no such position to try moves from."))
    must_be_possible(match)
    if board.seat is None or board.seat == CHANCE:
        raise MatchError(_("Nobody is to move in this position, so there is nothing to evaluate."))
    hold_person(session, person)
    line = line_of(board)
    row = _row(session, number, person.id, ply, line)
    if row is not None and (row.due_at is not None or row.found != "[]"):
        return
    _must_be_within_limits(session, person, now)
    people = [one.id for one in persons_of(session, players_of(session, number)) if not one.robot_level]
    same_boards.must_help_in_no_other_game(session, match, {person.id, *people}, [board.position])
    row = row or Evaluation(match_id=number, person_id=person.id, ply=ply, line=line, asked_at=now)
    row.asked_at, row.due_at, row.tries, row.lease = now, now, 0, ""
    session.add(row)
    session.flush()


def line_of(board: AnalysisBoard) -> str:
    """Return the tried moves that led to a board, as `Evaluation.line`."""
    return ";".join(branch.text for branch in board.line)


def position_of(session: Session, match: Match, row: Evaluation) -> Position[Any]:
    """Return the position at the end of the best line so far. Raises MoveError or MatchError."""
    texts = [*filter(None, row.line.split(";")), *(text for _seat, text, _expected in json.loads(row.found))]
    return _after(viewer_game_of(session, match).at(row.ply), texts)


def _after(position: Position[Any], texts: Sequence[str]) -> Position[Any]:
    for text in texts:
        _seat, _text, position = try_step(position, text)
    return position


def _row(session: Session, number: int, person_id: int, ply: int, line: str) -> Evaluation | None:
    mine = select(Evaluation).where(col(Evaluation.match_id) == number, col(Evaluation.person_id) == person_id)
    return session.exec(mine.where(col(Evaluation.ply) == ply, col(Evaluation.line) == line)).first()


def _must_be_within_limits(session: Session, person: Person, now: datetime) -> None:
    if not robots.are_awake(session, now=now):
        raise MatchError(_("No robots are running on this server at present, so none evaluates positions."))
    today = col(Evaluation.person_id) == person.id, col(Evaluation.asked_at) > now - timedelta(days=1)
    if session.exec(select(func.count()).select_from(Evaluation).where(*today)).one() >= MOST_A_DAY:
        sentence = _("You have asked for {count} evaluations within a day. Ask again tomorrow.")
        raise MatchError(sentence.format(count=MOST_A_DAY))
    hold_name(session, "evaluations")
    if session.exec(select(func.count()).select_from(Evaluation).where(EVALUATION_IS_DUE)).one() >= MOST_WAITING:
        raise MatchError(_("Too many evaluations are waiting to be made. Ask again in a few minutes."))
