"""Positions of notation examples, and a default chapter for games without one."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from engines import GAMES
from engines.base import CHANCE, Game, Position
from engines.options import options_from, read_options
from engines.presentation import Chapter, Diagram, Moment
from engines.record import draw_lots, playout
from engines.wording import N_

_BEGUN_PLIES, _SEED = 5, 7
"""The number of plies in a default sample letter, and the seed of its random game."""


@cache
def position_at(key: str, moment: Moment) -> Position[Any]:
    """Return the position after all moves of an example."""
    position = start_of(key, moment)
    for text in moment.played:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, text))
    return position


def start_of(key: str, moment: Moment) -> Position[Any]:
    """Return the position in which the moves of an example begin."""
    game = GAMES[key]
    options: Any = read_options(game.Options, options_from(moment.options))
    if not moment.position:
        return game.start(options)
    if game.from_text is None:
        raise ValueError(f"{key} has no texts of positions, so its diagrams begin at the beginning")
    return game.from_text(moment.position, options)


def chapter_of(game: Game) -> Chapter:
    """Return a game's own chapter, or a default: the board, and a letter after random moves."""
    if game.presentation.chapter is not None:
        return game.presentation.chapter
    letter, reply = begun_game(game)
    board = Diagram("board", N_("The board a few moves into a game."), letter, eyes=None)
    return Chapter((board,), (), letter, reply, {})


def begun_game(game: Game) -> tuple[Moment, str]:
    """Play random moves until a player is to act; return that position and a legal answer."""
    for seed in range(_SEED, _SEED + 20):
        rng = random.Random(seed)
        start, lots = draw_lots(game.start(game.Options()), rng)
        entries = (*lots, *playout(start, rng, _BEGUN_PLIES).entries)
        if found := _asking(game, tuple(entry.text for entry in entries), rng):
            return found
    raise ValueError(f"{game.key} ends before anybody has moved")


def _asking(game: Game, played: tuple[str, ...], rng: random.Random) -> tuple[Moment, str] | None:
    """Return the last position where a player must answer another's move, and a legal answer."""
    for plies in range(len(played), 0, -1):
        moment = Moment(played=played[:plies])
        position = _replayed(game, moment)
        if position.to_act and position.to_act != (CHANCE,):
            seat = position.to_act[0]
            return moment, position.write(seat, position.view(seat).random_move(seat, rng))
    return None


def _replayed(game: Game, moment: Moment) -> Position[Any]:
    position = game.start(game.Options())
    for text in moment.played:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, text))
    return position
