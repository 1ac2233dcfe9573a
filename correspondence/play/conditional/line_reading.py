"""Check the lines of a plan by playing them as their planner sees the game. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from correspondence.models.loading import MatchError, Step
from correspondence.play.conditional.syntax import MOST_MOVES, Line, PlanError
from engines.base import CHANCE, Hidden, MoveError, Position, Seat
from engines.wording import _

SAMPLES = 6
"""Number of random guesses at hidden information that must agree before a reply is planned."""

MOST_READ = 16
"""Maximum moves read from the plan lines of one mail; enough for one line of maximum length."""


class TooManyMoves(PlanError):
    """Raised if lines hold more moves than may be read at once."""


class LineReader:
    """Plays lines from one position as the planner at `seat` sees it; shared beginnings once.

    The game reads at most `most` moves.
    """

    def __init__(self, position: Position[Any], seat: Seat, most: int = MOST_MOVES) -> None:
        self._seat, self._most, self._left = seat, most, most
        self._read: dict[Line, tuple[Line, Position[Any] | None]] = {(): ((), position.view(seat))}

    def checked(self, line: Line) -> Line:
        """Return a line in canonical notation.

        Raises PlanError, which names the first move that cannot be planned and explains why, or TooManyMoves.
        """
        for length in range(1, len(line) + 1):
            if line[:length] not in self._read:
                self._read[line[:length]] = self._longer(line[:length])
        return self._read[line][0]

    def _longer(self, line: Line) -> tuple[Line, Position[Any] | None]:
        (checked, view), (move, reply) = self._read[line[:-1]], line[-1]
        if view is None:
            raise _unplannable(move, hidden())
        self._spend()
        text, view = expected(view, self._seat, move)
        self._spend()
        answer, after = answered(view, self._seat, reply)
        return (*checked, (text, answer)), after

    def _spend(self) -> None:
        if self._left == 0:
            sentence = _(
                "At most {most} moves can be planned at a time, counting both sides; what comes after them "
                "was not entered."
            )
            raise TooManyMoves(sentence.format(most=self._most))
        self._left -= 1


def checked_lines(position: Position[Any], seat: Seat, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines in canonical notation, each played as the planner at `seat` sees it.

    Raises PlanError, which names the first move that cannot be planned and explains why.
    """
    reader = LineReader(position, seat)
    return tuple(map(reader.checked, lines))


def expected(view: Position[Any], seat: Seat, move: str) -> tuple[str, Position[Any]]:
    """Return an opponent's move in canonical notation, and what the planner at `seat` sees then.

    The planner must be able to answer it. `view` is what the planner sees before it. Raises PlanError.
    """
    obstacle = obstacle_to_go_on(view, seat)
    if obstacle:
        raise _unplannable(move, obstacle)
    text, after = _expected_move(view, seat, move)
    _must_answer(after, seat, text)
    return text, after


def obstacle_to_go_on(view: Position[Any], seat: Seat) -> str:
    """Explain why no opponent's move can be planned here; empty if only the opponent is to move."""
    if view.outcome is not None:
        return _("the game would be over before it.")
    if view.to_act == (CHANCE,):
        return _("chance decides something before it, and nobody knows the result.")
    if len(view.to_act) > 1:
        return _("both sides choose in secret there.")
    return _("it would be your own turn there.") if seat in view.to_act else ""


def _must_answer(view: Position[Any], seat: Seat, move: str) -> None:
    """Raise PlanError unless only the planner is to move after `move`."""
    if view.to_act == (seat,):
        return
    if view.outcome is not None:
        raise _unplannable(move, _("it would end the game, so there is nothing to answer."))
    if view.to_act == (CHANCE,):
        raise _unplannable(move, _("chance decides something after it, and nobody knows the result."))
    if len(view.to_act) > 1:
        raise _unplannable(move, _("both sides choose in secret after it."))
    raise _unplannable(move, _("it would still be your opponent's turn after it."))


def _expected_move(view: Position[Any], seat: Seat, text: str) -> tuple[str, Position[Any]]:
    """Return an opponent's move in canonical notation, and the planner's view after it."""
    opponent = view.to_act[0]
    try:
        move = view.read(opponent, text)
        written, after = view.write(opponent, move), view.after(opponent, move)
    except (MoveError, MatchError) as error:
        raise _unplannable(text, str(error)) from error
    if not _is_certain(view, seat, Step(view, opponent, move), written, after):
        raise _unplannable(text, hidden())
    return written, after


def _is_certain(view: Position[Any], seat: Seat, step: Step, text: str, after: Position[Any]) -> bool:
    """Whether the planner's view after a move is the same for all possible hidden information."""
    rng = random.Random(0)
    for _guess in range(SAMPLES):
        try:
            sample = view.imagine(seat, rng)
            if sample == view:
                return True
            now = sample.play(step.seat, step.move)
            if now.view(seat) != after or visible_text(Step(sample, step.seat, step.move), seat, now) != text:
                return False
        except Hidden:
            return False
        except MoveError:  # hidden facts forbid the move: the opponent will know, and not make it
            continue
    return True


def answered(view: Position[Any], seat: Seat, reply: str) -> tuple[str, Position[Any] | None]:
    """Return the planner's canonical reply and the position after it, None if unknown."""
    try:
        move = view.read(seat, reply)
        text = view.write(seat, move)
    except MoveError as error:
        raise _unplannable(reply, str(error)) from error
    try:
        return text, view.after(seat, move)
    except MoveError:
        return text, None


def hidden() -> str:
    """Return the reason a line ends: its planner cannot know what follows."""
    return _("its result depends on something that is hidden from you.")


def visible_text(step: Step, seat: Seat, now: Position[Any]) -> str:
    """Return a move as the planner sees it, without what it revealed."""
    return step.before.tell(step.seat, step.move, seat, now).partition(" {")[0]


def _unplannable(move: str, why: str) -> PlanError:
    return PlanError(_("{move} cannot be planned: {why}").format(move=move[:60], why=why))
