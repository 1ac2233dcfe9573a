"""Records of games: entries, replay, redaction for viewers, random draws and playouts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engines.base import CHANCE, Game, MoveError, Position, Seat, Viewer
from engines.wording import _

STEPS_KEPT = 1_024
"""Size of the cache of replay steps, so that replaying after a move repeats only new steps."""


class Entry(NamedTuple):
    """One line of a record: a seat or CHANCE, and the move in canonical notation.

    A tuple, because entries are cache keys and tuples compare fastest.
    """

    seat: Seat
    text: str


class Playout(NamedTuple):
    """A random game: its entries and its last position."""

    entries: tuple[Entry, ...]
    position: Position[Any]


class ReplayError(MoveError):
    """Raised if an entry of a record cannot be played; str() says why, `ply` counts from 1."""

    def __init__(self, ply: int, entry: Entry, why: MoveError) -> None:
        super().__init__(
            _("Entry {ply} of the record, {text}, cannot be played: {why}").format(ply=ply, text=entry.text, why=why)
        )
        self.ply = ply


@lru_cache(STEPS_KEPT)
def step(position: Position[Any], entry: Entry) -> tuple[Any, Position[Any]]:
    """Return the move of an entry and the position after it. Raises MoveError."""
    move = position.read(entry.seat, entry.text)
    return move, position.play(entry.seat, move)


def replay(game: Game, options: Any, entries: Iterable[Entry]) -> Position[Any]:
    """Return the position after all entries; raise ReplayError at the first illegal one."""
    *_before, last = positions(game, options, entries)
    return last


def positions(game: Game, options: Any, entries: Iterable[Entry]) -> Iterator[Position[Any]]:
    """Yield the start, then the position after each entry; raise ReplayError."""
    position = game.start(options)
    yield position
    for ply, entry in enumerate(entries, start=1):
        try:
            _move, position = step(position, entry)
        except MoveError as error:
            raise ReplayError(ply, entry, error) from error
        yield position


def transcript(game: Game, options: Any, entries: Iterable[Entry], viewer: Viewer) -> tuple[Entry, ...]:
    """Redact the entries for `viewer`, who sees what is public after the last of them."""
    listed = tuple(entries)
    return tuple(told(list(positions(game, options, listed)), listed, viewer))


def told(course: Sequence[Position[Any]], entries: Iterable[Entry], viewer: Viewer) -> Iterator[Entry]:
    """Redact the entries for `viewer`, who sees what is public in the last position.

    `course` holds the start and the position after each entry.
    """
    for before, entry in zip(course, entries, strict=False):
        move, _after = step(before, entry)
        yield Entry(entry.seat, before.tell(entry.seat, move, viewer, course[-1]))


def draw_lots(position: Position[Any], lots: random.Random) -> tuple[Position[Any], tuple[Entry, ...]]:
    """Make chance's draws until a player is to act; return the position and the new entries."""
    drawn: list[Entry] = []
    while position.to_act == (CHANCE,):
        move = position.random_move(CHANCE, lots)
        drawn.append(Entry(CHANCE, position.write(CHANCE, move)))
        position = position.after(CHANCE, move)
    return position, tuple(drawn)


def playout(position: Position[Any], rng: random.Random, most: int = 100_000) -> Playout:
    """Play random moves to the end, or at most `most` entries.

    If several seats can act, the first acts first.
    """
    entries: list[Entry] = []
    while position.to_act and len(entries) < most:
        seat = position.to_act[0]
        move = position.random_move(seat, rng)
        entries.append(Entry(seat, position.write(seat, move)))
        position = position.after(seat, move)
    return Playout(tuple(entries), position)
