"""Exercises: positions from games in which exactly one move provably wins by force.

One search proves the win. A second, independent search proves for every other move that it does not win within as many
moves. The result is a tree of JSON values, with every choice of the solver and what follows it, so checking an attempt
needs no search. A node holds

- `moves`: the number of own moves within which the solver wins;
- `wins`: each move that wins in time, with `line`, the replies of others and chance, and `then`, the next node, or
  null if the game is over. The first node has exactly one;
- `fails`: each other move with a line that avoids the win; omitted at the last move.

Moves that lead to the same position count as one move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engines import game_known
from engines.base import MoveError, Position, Seat
from engines.budget import BudgetSpent
from engines.search.forced import Forced, Line, wins_at_once

FEWEST_CHOICES = 4
"""Minimum number of legal moves for an exercise."""

Node = dict[str, Any]
"""A node of the tree, as described above."""


def find_exercise(
    game_key: str, position: Position[Any], seat: Seat, played: str, most_moves: int, budget: int, rng: random.Random
) -> Node | None:
    """Return the exercise tree of this position for the seat; None if it is not an exercise.

    None also if the budget ends. Only what the seat can see matters: with hidden information only an immediate win is
    proved, valid in every position that looks the same. `played` is the move played here, or "": a win by a single move
    is an exercise only if the player missed it. About `budget` moves are tried. Raises UnknownGame.
    """
    game_known(game_key)
    if position.to_act != (seat,):
        return None
    seen = position.view(seat)
    try:
        return _at_once(seen, seat, played, rng) if _has_blanks(seen, seat, rng) else _by_force(
            seen, seat, played, most_moves, budget
        )  # fmt: skip
    except BudgetSpent:
        return None


def _has_blanks(seen: Position[Any], seat: Seat, rng: random.Random) -> bool:
    return seen.imagine(seat, rng) != seen


def _at_once(seen: Position[Any], seat: Seat, played: str, rng: random.Random) -> Node | None:
    """Return the one-move exercise of a position with hidden information.

    None if a move wins only in some of the possible positions.
    """
    found = {move: wins_at_once(seen, seat, move, rng) for move in seen.legal_moves(seat)}
    winning = {seen.after(seat, move): move for move, wins in found.items() if wins}
    if len(found) < FEWEST_CHOICES or None in found.values() or len(winning) != 1:
        return None
    (then, move), *_none = winning.items()
    return _single(seen, seat, move, then, played)


def _by_force(seen: Position[Any], seat: Seat, played: str, most_moves: int, budget: int) -> Node | None:
    choices = _distinct(Forced(seat, budget), seen)
    if len(choices) < FEWEST_CHOICES:
        return None
    left = budget - len(choices)
    for moves in range(1, most_moves + 1):
        search = Forced(seat, left)
        answers = {text: search.wins(then, moves - 1) for text, then in choices.items()} if moves == 1 else (
            _first_win(search, choices, moves)
        )  # fmt: skip
        winning = [text for text, wins in answers.items() if wins]
        if winning:
            if len(winning) > 1:
                return None
            if moves == 1:
                return _single(seen, seat, seen.read(seat, winning[0]), choices[winning[0]], played)
            return _alone(Forced(seat, search.left), seen, choices, winning[0], moves)
        if None in answers.values():
            return None
        left = search.left
    return None


def _first_win(search: Forced, choices: dict[str, Position[Any]], moves: int) -> dict[str, bool | None]:
    """Search these moves up to the first one that wins."""
    found: dict[str, bool | None] = {}
    for text, then in choices.items():
        found[text] = search.wins(then, moves - 1)
        if found[text]:
            break
    return found


def _single(seen: Position[Any], seat: Seat, move: Any, then: Position[Any], played: str) -> Node | None:
    """Return a one-move exercise if the player missed the win."""
    try:
        missed = bool(played) and seen.after(seat, seen.read(seat, played)) != then
    except MoveError:  # hidden, or no longer legal
        missed = bool(played)
    return {"moves": 1, "wins": {seen.write(seat, move): _OVER}} if missed else None


_OVER: Node = {"line": [], "then": None}


def _alone(search: Forced, seen: Position[Any], choices: dict[str, Position[Any]], key: str, moves: int) -> Node | None:
    """Return the tree if a second search confirms the winning move and refutes all others."""
    if any(search.wins(then, moves - 1) is not (text == key) for text, then in choices.items()):
        return None
    return _node(search, seen, choices, moves)


def _distinct(search: Forced, position: Position[Any]) -> dict[str, Position[Any]]:
    """Map moves by text to the resulting position, keeping only the first move to each position."""
    found: dict[Position[Any], str] = {}
    for move, then in search.children(position, search.seat):
        found.setdefault(then, position.write(search.seat, move))
    return {text: then for then, text in found.items()}


def _node(search: Forced, position: Position[Any], choices: dict[str, Position[Any]], moves: int) -> Node:
    answers = {text: search.wins(then, moves - 1) for text, then in choices.items()}
    node: Node = {
        "moves": moves,
        "wins": {text: _after_win(search, choices[text], moves - 1) for text, wins in answers.items() if wins},
    }
    if moves > 1:
        node["fails"] = {
            text: _escape(search, choices[text], moves - 1) for text, wins in answers.items() if wins is False
        }
    return node


def _after_win(search: Forced, then: Position[Any], moves: int) -> Node:
    """Return the continuation of a winning move: the longest, most restrictive defence.

    That is the defence with the fewest winning replies.
    """
    if then.outcome is not None:
        return _OVER
    best: tuple[tuple[int, int], Line, Position[Any]] | None = None
    for line, position in _lines(search, then):
        if position.outcome is not None:
            continue
        needed = next(few for few in range(1, moves + 1) if search.wins(position, few))
        ways = sum(
            wins is True for wins in (search.wins(one, needed - 1) for one in _distinct(search, position).values())
        )
        if best is None or (needed, -ways) > best[0]:
            best = (needed, -ways), line, position
    if best is None:
        return _OVER
    (needed, _ways), line, position = best
    return {"line": _written(line), "then": _node(search, position, _distinct(search, position), needed)}


def _lines(search: Forced, position: Position[Any]) -> Iterator[tuple[Line, Position[Any]]]:
    """Yield all replies of other seats and chance until the seat chooses again or the game ends."""
    if position.outcome is not None or position.to_act == (search.seat,):
        yield (), position
        return
    seat = position.to_act[0]
    for move, then in search.children(position, seat):
        text = position.write(seat, move)
        for line, last in _lines(search, then):
            yield ((seat, text), *line), last


def _escape(search: Forced, then: Position[Any], moves: int) -> list[list[Any]]:
    """Return a line after which the seat no longer wins in time; empty if none is needed."""
    line: list[tuple[Seat, str]] = []
    while then.outcome is None and then.to_act != (search.seat,):
        seat = then.to_act[0]
        for move, after in search.children(then, seat):
            if search.wins(after, moves) is False:
                line.append((seat, then.write(seat, move)))
                then = after
                break
        else:
            break
    return _written(tuple(line))


def _written(line: Line) -> list[list[Any]]:
    return [[seat, text] for seat, text in line]
