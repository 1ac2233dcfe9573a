"""A plan being recorded on a board: its lines and the place where the next move goes.

Nothing is stored here: the recording page or program holds the draft, and saves it as the text of a plan. Everything
shown follows from the owner's view; moves are played on that view alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from correspondence.models import Match, Player
from correspondence.models.loading import game_of, must_go_on, position_of
from correspondence.play.conditional import line_reading, syntax
from correspondence.play.conditional.syntax import Line, PlanError, Tree
from engines.base import Position, Seat
from engines.wording import _


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """Recorded lines, and the place in them that the board shows.

    `path` holds the moves that lead there, the opponent's and the owner's in turn. `view` is what the owner would see
    there, `before` what they saw one move earlier. `to_move` is the next seat; it is None if the line cannot continue,
    and `end` explains why. `changes` are sentences about replaced replies.
    """

    seat: Seat
    lines: tuple[Line, ...]
    path: tuple[str, ...]
    view: Position[Any]
    before: Position[Any] | None
    to_move: Seat | None
    end: str = ""
    changes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The lines in the grammar of plans."""
        return "\n".join(map(syntax.line_text, self.lines))

    @property
    def is_mine(self) -> bool:
        """Whether the owner's own reply comes next."""
        return self.to_move == self.seat


def base(session: Session, match: Match, player: Player) -> Position[Any]:
    """Return the position from which a player plans, as they see it. Raises MatchError."""
    must_go_on(match)
    if len(game_of(match).seats) < 2:
        raise PlanError(_("You play alone here, so there is no opponent to plan against."))
    if not match.analysis:
        raise PlanError(
            _("The players agreed not to try moves on a board before this game is over; a plan can be written.")
        )
    position = position_of(match)
    if player.seat in position.to_act:
        raise PlanError(_("It is your turn: please move first, then plan."))
    return position.view(player.seat)


def draft(view: Position[Any], seat: Seat, text: str, path: Sequence[str], move: str = "") -> PlanDraft:
    """Return the draft at the end of `path`, after `move` if given.

    `text` holds the lines recorded so far; a reply is added to them. Raises PlanError, which names the first move that
    cannot be planned, and MoveError.
    """
    lines = line_reading.checked_lines(view, seat, syntax.read_lines(text)) if text.strip() else ()
    tree = _tree(lines)
    changes: tuple[str, ...] = ()
    texts, positions, end = _along(view, seat, [*path, *([move] if move else [])])
    if move and len(texts) % 2 == 0:
        tree, replaced = syntax.merged(tree, tuple(zip(texts[::2], texts[1::2], strict=True)))
        syntax.check_size(tree)
        changes = tuple(
            _("After {move} you now answer {reply} instead of {old}.").format(move=move, reply=reply, old=old)
            for move, old, reply in replaced
        )
    to_move = None if end else seat if len(texts) % 2 else positions[-1].to_act[0]
    before = positions[-2] if len(positions) > 1 else None
    return PlanDraft(seat, syntax.lines_of(tree), tuple(texts), positions[-1], before, to_move, end, changes)


def without(view: Position[Any], seat: Seat, text: str, number: int) -> PlanDraft:
    """Return the draft at its beginning, without line `number` (from 0). Raises PlanError."""
    lines = list(line_reading.checked_lines(view, seat, syntax.read_lines(text)))
    if not 0 <= number < len(lines):
        raise PlanError(_("There is no such line in this plan."))
    del lines[number]
    return draft(view, seat, "\n".join(map(syntax.line_text, lines)), ())


def _tree(lines: Sequence[Line]) -> Tree:
    tree: Tree = {}
    for line in lines:
        tree, _replaced = syntax.merged(tree, line)
    return tree


def _along(view: Position[Any], seat: Seat, moves: Sequence[str]) -> tuple[list[str], list[Position[Any]], str]:
    """Return canonical moves, the views before and after each, and why the line ends or ""."""
    texts: list[str] = []
    views, end = [view], ""
    for move in moves:
        if end:
            raise PlanError(end)
        if len(texts) % 2 == 0:
            text, after = line_reading.expected(views[-1], seat, move)
        else:
            text, known = line_reading.answered(views[-1], seat, move)
            after, end = (known, "") if known is not None else (views[-1], _line_end(line_reading.hidden()))
        texts.append(text)
        views.append(after)
    if not end and len(texts) % 2 == 0:
        obstacle = line_reading.obstacle_to_go_on(views[-1], seat)
        end = _line_end(obstacle) if obstacle else ""
    return texts, views, end


def _line_end(why: str) -> str:
    return _("No further move can be foreseen: {why}").format(why=why)
