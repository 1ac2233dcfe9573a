"""Exercises that would be advice in a running game: never shown to that game's players.

Guests' games are unknown, so guests see every exercise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import Any

from sqlmodel import Session

from correspondence.core.caching import cached
from correspondence.models import Exercise
from correspondence.play import same_boards
from engines import GAMES
from engines.base import Hidden, Position
from engines.codec import load
from engines.options import options_from, read_options


def helps(session: Session, person_id: int | None) -> Callable[[Exercise], bool]:
    """Return a predicate: whether an exercise would help this person in a running game.

    An exercise helps if a running game's board looks like its start or a position on its winning lines. Wrong tries
    lead elsewhere and do not count. The person's games of each kind are loaded once, on first use.
    """
    if person_id is None:
        return lambda row: False

    @cache
    def standing(game: str) -> frozenset[Hashable]:
        return same_boards.standing(session, (person_id,), game)

    def is_helping(row: Exercise) -> bool:
        boards = standing(row.game)
        return bool(boards) and not boards.isdisjoint(_looks(row.game, row.options, row.seat, row.position, row.tree))

    return is_helping


def start_of(row: Exercise) -> Position[Any]:
    """Return the position of an exercise, as the seat to move could see it."""
    return loaded(row.game, row.options, row.position)


def loaded(game: str, options: str, text: str) -> Position[Any]:
    """Load a position stored as text."""
    typed: Any = read_options(GAMES[game].Options, options_from(options))
    position: Position[Any] = load(type(GAMES[game].start(typed)), text)
    return position


@cached(128)
def _looks(game: str, options: str, seat: int, position: str, tree: str) -> frozenset[Hashable]:
    found = _on_the_way(loaded(game, options, position), seat, json.loads(tree))
    return frozenset(same_boards.look(one) for one in found)


def _on_the_way(position: Position[Any], seat: int, node: dict[str, Any]) -> Iterator[Position[Any]]:
    """Yield this position of an exercise and all positions on its winning lines."""
    yield position
    for text, found in node["wins"].items():
        try:
            reached = position.after(seat, position.read(seat, text))
            for other, answer in found["line"]:
                yield reached
                reached = reached.after(other, reached.read(other, answer))
        except Hidden:
            continue
        if found["then"] is not None:
            yield from _on_the_way(reached, seat, found["then"])
