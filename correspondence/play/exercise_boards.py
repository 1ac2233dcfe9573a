"""Which exercises would be advice in a game that goes on: nobody is shown one that stands like a running game of theirs.

A guest is nobody whose games are known, so guests are shown every exercise.
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
    """Tells of an exercise whether a running game of this person stands like its beginning, or further on to its win.

    What people tried wrongly leads elsewhere and does not count. Each kind of game is read once, when it is first asked for.
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
    """The position of an exercise, as whoever is to move could see it."""
    return loaded(row.game, row.options, row.position)


def loaded(game: str, options: str, text: str) -> Position[Any]:
    """A position that was stored as this text."""
    typed: Any = read_options(GAMES[game].Options, options_from(options))
    position: Position[Any] = load(type(GAMES[game].start(typed)), text)
    return position


@cached(128)
def _looks(game: str, options: str, seat: int, position: str, tree: str) -> frozenset[Hashable]:
    found = _on_the_way(loaded(game, options, position), seat, json.loads(tree))
    return frozenset(same_boards.look(one) for one in found)


def _on_the_way(position: Position[Any], seat: int, node: dict[str, Any]) -> Iterator[Position[Any]]:
    """This position of an exercise, and those that every way to win leads through."""
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
