"""The course of an exercise: the solver's moves, the answers from its tree, and the state."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from correspondence.models import Exercise
from correspondence.play import exercise_boards
from engines.base import Hidden, MoveError, Position, Seat
from engines.wording import _

LONGEST_LINE = 12
"""Maximum number of moves in an attempt."""


class Verdict(StrEnum):
    """The state of an attempt."""

    OPEN = "open"
    SOLVED = "solved"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class SolverStep:
    """A move of the solver as written, and the answers of the others and chance by seat."""

    text: str
    answers: tuple[tuple[Seat, str], ...]


@dataclass(frozen=True, slots=True)
class Course:
    """An exercise after some moves of the solver.

    `before` is the position before the last move and `position` the one after it and its answers, both as the solver
    may see them. `left` is the number of moves left to win; after a wrong move, the number before it.
    """

    steps: tuple[SolverStep, ...]
    before: Position[Any]
    position: Position[Any]
    verdict: Verdict
    left: int

    @property
    def line(self) -> tuple[str, ...]:
        """The solver's moves as written."""
        return tuple(step.text for step in self.steps)


def course(row: Exercise, line: Sequence[str]) -> Course:
    """Return the exercise after these moves; raise MoveError if one is not possible."""
    position = exercise_boards.start_of(row)
    now = Course((), position, position, Verdict.OPEN, row.moves)
    node = json.loads(row.tree)
    for text in line[:LONGEST_LINE]:
        if now.verdict is not Verdict.OPEN:
            raise MoveError(_("The exercise is already over."))
        now, node = _further(row, now, node, text)
    return now


def solution(row: Exercise) -> tuple[SolverStep, ...]:
    """Return the winning moves, with the longest defence."""
    node, steps = json.loads(row.tree), []
    while node is not None:
        text, found = next(iter(node["wins"].items()))
        steps.append(SolverStep(text, _answers(found["line"])))
        node = found["then"]
    return tuple(steps)


def _further(row: Exercise, now: Course, node: dict[str, Any], text: str) -> tuple[Course, dict[str, Any] | None]:
    position = now.position
    move = position.read(row.seat, text)
    written = position.write(row.seat, move)
    then = _after(position, row.seat, move)
    known = _same(position, row.seat, {**node["wins"], **node.get("fails", {})}, written, then)
    found = node["wins"].get(known)
    line = _answers(found["line"] if found is not None else node.get("fails", {}).get(known, ()))
    reached = position if then is None else _answered(then, line)
    verdict = Verdict.WRONG if found is None else Verdict.OPEN if found["then"] is not None else Verdict.SOLVED
    left = found["then"]["moves"] if found is not None and found["then"] is not None else node["moves"]
    steps = (*now.steps, SolverStep(written, line))
    return Course(steps, position, reached, verdict, left), None if found is None else found["then"]


def _answered(position: Position[Any], line: tuple[tuple[Seat, str], ...]) -> Position[Any]:
    for seat, text in line:
        position = position.after(seat, position.read(seat, text))
    return position


def _same(position: Position[Any], seat: Seat, known: dict[str, Any], written: str, then: Position[Any] | None) -> str:
    """Return a move's key in the tree: its own text or that of a move to the same position."""
    if written in known or then is None:
        return written
    same = (text for text in known if _after(position, seat, position.read(seat, text)) == then)
    return next(same, written)


def _after(position: Position[Any], seat: Seat, move: Any) -> Position[Any] | None:
    try:
        then: Position[Any] = position.after(seat, move)
    except Hidden:
        return None
    return then


def _answers(line: Sequence[Sequence[Any]]) -> tuple[tuple[Seat, str], ...]:
    return tuple((int(seat), str(text)) for seat, text in line)
