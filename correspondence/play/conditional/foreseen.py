"""Unplayed plan lines of a finished game, placed in its replay.

A player reads their own lines, and the opponent's once both have agreed (see disclosure.py). Nobody else reads any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Any

from sqlmodel import Session

from correspondence.models import By, Match, Plan, Player
from correspondence.models.loading import MadeMove, MatchError, entries_of, game_of, moves_of, players_of
from correspondence.play.conditional import plans, syntax
from correspondence.play.conditional.syntax import Line
from correspondence.play.lookahead import try_step
from engines.base import CHANCE, MoveError, Position, Seat
from engines.options import options_from, read_options
from engines.record import positions


@dataclass(frozen=True, slots=True)
class ForeseenLine:
    """A planned line of `owner` after `ply` entries; `paths` are the squares each move touches."""

    ply: int
    owner: Seat
    text: str
    paths: tuple[tuple[str, ...], ...]


def foreseen_lines(session: Session, player: Player) -> tuple[ForeseenLine, ...]:
    """Return the unplayed lines that this player may read; empty while the game runs."""
    match = session.get_one(Match, player.match_id)
    if match.ended_at is None:
        return ()
    moves = moves_of(session, match.id)
    options: Any = read_options(game_of(match).Options, options_from(match.options))
    course = list(positions(game_of(match), options, entries_of(moves)))
    found = ((owner, plans.plan_of(session, match.id, owner.person_id)) for owner in _owners(session, player))
    return tuple(chain.from_iterable(_of_plan(owner.seat, plan, moves, course) for owner, plan in found if plan))


def _owners(session: Session, player: Player) -> list[Player]:
    """Return the players whose plans this player may read."""
    seated = players_of(session, player.match_id)
    are_open = all(one.plans_opened_at is not None for one in seated)
    return [one for one in seated if one.id == player.id or are_open]


def _of_plan(
    seat: Seat, plan: Plan, moves: Sequence[MadeMove], course: Sequence[Position[Any]]
) -> Iterator[ForeseenLine]:
    ply = _beginning(seat, plan, moves)
    view = course[ply].view(seat)
    for line in syntax.lines_of(syntax.load(plan.tree)):
        yield ForeseenLine(ply, seat, syntax.line_text(line), tuple(_paths(view, line)))


def _beginning(seat: Seat, plan: Plan, moves: Sequence[MadeMove]) -> int:
    """Return the number of entries at a plan's creation or last reply, whichever is later."""
    earlier = takewhile(lambda move: move.at < plan.at or (move.at == plan.at and move.seat in (seat, CHANCE)), moves)
    made = sum(1 for _move in earlier)
    answered = max((move.ply for move in moves if move.seat == seat and move.by == By.PLAN), default=0)
    ply = max(made, answered)
    while ply < len(moves) and moves[ply].seat == CHANCE:
        ply += 1
    return ply


def _paths(view: Position[Any], line: Line) -> Iterator[tuple[str, ...]]:
    """Return the squares each move of a line touches, as far as its owner could know them."""
    for text in chain.from_iterable(line):
        try:
            seat = view.to_act[0]
            touched = view.touches(seat, view.read(seat, text))
            _seat, _text, view = try_step(view, text)
        except (IndexError, MoveError, MatchError):
            return
        yield tuple(touched)
