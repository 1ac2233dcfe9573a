"""Games and option sets to try, and random walks through them."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from hypothesis import settings

from engines import GAMES, game_known
from engines.base import CHANCE, Game, MoveError, Position, Seat, Viewer
from engines.chance import ChanceStream
from engines.options import read_options
from engines.trial import option_sets

WALKS = 3
"""Number of random games for each set of options, unless a test module sets `SEEDS`."""

MOST_PLIES = 160
"""Maximum length of a walk, in moves."""

LOOKED_AT = 12
"""Number of positions of a walk that are tested, besides the first four."""

MOST_LISTED = 3_000
"""Maximum number of legal moves listed in a position."""

Ply = tuple[Position[Any], Seat, Any]
"""A position, the seat that acts in it, and its move."""


class Case(NamedTuple):
    """A game's key, with options as texts."""

    key: str
    options: dict[str, str]

    @property
    def game(self) -> Game:
        """The game."""
        return GAMES[self.key]

    def start(self) -> Position[Any]:
        """Return the first position."""
        return self.game.start(read_options(self.game.Options, self.options))

    def __str__(self) -> str:
        return " ".join([self.key, *(f"{name}={value}" for name, value in self.options.items())])


def cases_of(key: str) -> list[Case]:
    """Return a case for each option of a game, and one with all; raises UnknownGame."""
    return [Case(key, texts) for texts in option_sets(game_known(key).Options)]


def walk(case: Case, seed: int) -> tuple[list[Ply], Position[Any]]:
    """Return the plies of a random game, and the position after them."""
    return _walked(case.key, tuple(case.options.items()), seed)


@functools.cache
def _walked(key: str, options: tuple[tuple[str, str], ...], seed: int) -> tuple[list[Ply], Position[Any]]:
    """Play a random game.

    Sealed choices of several seats are made in random order; chance draws from a seed, as in the service.
    """
    rng, chance = random.Random(seed), ChanceStream(seed.to_bytes(32), seed)
    position, plies = Case(key, dict(options)).start(), list[Ply]()
    while position.to_act and len(plies) < MOST_PLIES:
        seat = rng.choice(position.to_act)
        move = position.random_move(seat, chance if seat == CHANCE else rng)
        plies.append((position, seat, move))
        position = position.after(seat, move)
    return plies, position


def looked_at(plies: list[Ply], seed: int) -> list[Ply]:
    """Return the first plies and a random sample of the others."""
    rng = random.Random(seed)
    return plies[:4] + rng.sample(plies[4:], min(LOOKED_AT, len(plies[4:])))


def moves_of(position: Position[Any], seat: Seat, rng: random.Random, most: int = 40) -> list[Any]:
    """Return all legal moves if there are at most `most`, otherwise a random sample."""
    listed = []
    for move in position.legal_moves(seat):
        listed.append(move)
        if len(listed) > MOST_LISTED:
            break
    return listed if len(listed) <= most else rng.sample(listed, most)


def seats_of(case: Case) -> range:
    """Return the seats of a game."""
    return range(len(case.game.seats))


def viewers(case: Case) -> list[Viewer]:
    """Return all viewers of a game: an onlooker (None) and each seat."""
    return [None, *seats_of(case)]


def moments(
    case: Case, seed: int, most: int = 6
) -> Iterator[tuple[Position[Any], dict[Seat, list[Any]], list[Ply], random.Random]]:
    """Yield some positions of a random game, with their legal moves, its plies and an RNG."""
    plies, last = walk(case, seed)
    rng = random.Random(seed)
    for position in [*(p for p, _s, _m in plies[:4] + rng.sample(plies, min(most, len(plies)))), last]:
        truth = {seat: moves_of(position, seat, rng, 12) for seat in position.to_act}
        yield position, truth, plies, rng


def answer(ask: Callable[..., Any], *arguments: Any) -> Any:
    """Return what `ask` returns, or the MoveError that it raises."""
    try:
        return ask(*arguments)
    except MoveError as refusal:
        assert str(refusal)[-1] in ".?!", str(refusal)
        return refusal


def refusal(position: Position[Any], seat: Seat, text: str) -> str | tuple[str, Sequence[str]]:
    """Return a text as a move in notation, or the error message with its suggestions."""
    try:
        return position.write(seat, position.read(seat, text))
    except MoveError as error:
        return str(error), error.suggestions


def examples(most: int) -> int:
    """Scale a number of hypothesis examples from a thorough run to the current profile."""
    return max(3, most * settings().max_examples // 100)
