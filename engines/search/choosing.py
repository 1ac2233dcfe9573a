"""Choose a robot's move: imagine hidden information, then search as the level allows."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

from engines import game_known
from engines.base import CHANCE, Game, MoveError, Position, Seat
from engines.judging import WON, Choice, Judge
from engines.refusal import Refusal
from engines.search.alphabeta import LookAhead
from engines.search.levels import CARELESS, Level, level_of
from engines.search.montecarlo import Playouts
from engines.search.worlds import best_over_worlds
from engines.wording import _

WORLDS = 12
"""Number of imagined positions in all of which a move must win at once to skip the search."""


def choose(game_key: str, position: Position[Any], seat: Seat, level: int, rng: random.Random) -> Any:
    """Choose a robot's move for `seat`, at a level from 1 (weakest) to `len(LEVELS[game_key])`.

    Only what `seat` can see matters: the full position and the seat's view give the same choice. The same seed gives
    the same choice. A solitaire game is solved by its `Game.hint`. Raises UnknownGame, UnknownLevel, or MoveError if
    the seat is not to act, all with a sentence.
    """
    game = game_known(game_key)
    strength = level_of(game, level)
    must_be_to_act(game, position, seat)
    seen = position.view(seat)
    few = list(islice(seen.legal_moves(seat), 2))
    if len(few) == 1:
        return few[0]
    imagined = seen.imagine(seat, rng)
    if level > 1 and (winning := certain_win(seen, imagined, seat, rng)) is not None:
        return winning
    if rng.random() < strength.lapse:
        return _careless(game, imagined, seat, rng) if level == CARELESS else imagined.random_move(seat, rng)
    return _considered(game, seen, imagined, seat, strength, rng)


def must_be_to_act(game: Game, position: Position[Any], seat: Seat) -> None:
    """Raise MoveError if the seat is not to act, or the position belongs to another game."""
    if not isinstance(position, type(game.start(game.Options()))):
        raise Refusal(_("That is not a position of {game}.").format(game=_(game.name)))
    if position.outcome is not None:
        raise MoveError(_("The game is over."))
    if seat == CHANCE or seat not in position.to_act:
        raise MoveError(_("It is not the turn of that seat, so there is nothing to choose."))


def certain_win(seen: Position[Any], imagined: Position[Any], seat: Seat, rng: random.Random) -> Any:
    """Return a move that wins at once, or None.

    With hidden information it must win in `WORLDS` imagined positions.
    """
    others = [] if imagined == seen else [seen.imagine(seat, rng) for _world in range(WORLDS - 1)]
    wins = (move for move in imagined.legal_moves(seat) if _wins(imagined, seat, move))
    return next((move for move in wins if all(_wins(other, seat, move) for other in others)), None)


def _wins(imagined: Position[Any], seat: Seat, move: Any) -> bool:
    outcome = imagined.after(seat, move).outcome
    return outcome is not None and seat in outcome.winners


def _careless(game: Game, imagined: Position[Any], seat: Seat, rng: random.Random) -> Any:
    """Draw two random moves and return the worse one; any move if they cannot be compared."""
    moves = [imagined.random_move(seat, rng) for _move in range(2)]
    judge = game.judge
    if judge is None or judge.unsearched(imagined, seat, rng) is not None:
        return moves[0]
    board = judge.board(imagined)
    worths = {judge.move(board, move): worth for worth, move in judge.all_choices(board)}
    return min(moves, key=lambda move: worths.get(move, 0.0))


def _considered(
    game: Game, seen: Position[Any], imagined: Position[Any], seat: Seat, level: Level, rng: random.Random
) -> Any:
    if len(game.seats) == 1 and game.hint:
        solution = game.hint(imagined)
        return imagined.random_move(seat, rng) if solution is None else solution
    judge = game.judge
    if judge is None:
        return Playouts(seen, seat, level.budget, rng).best()
    ready = judge.unsearched(seen, seat, rng)
    if ready is not None:
        return ready
    if imagined != seen:
        return best_over_worlds(judge, seen, seat, level.budget, rng)
    return _best(judge, imagined, seat, level.budget, rng)


def _best(judge: Judge, position: Position[Any], seat: Seat, budget: int, rng: random.Random) -> Any:
    board, choices, settled = first_choices(judge, position, seat, rng)
    if not choices:
        return position.random_move(seat, rng)
    ranked = LookAhead(judge, seat, budget, settled).deepened(board, choices)
    return judge.move(board, ranked[0][1])


def first_choices(
    judge: Judge, position: Position[Any], seat: Seat, rng: random.Random
) -> tuple[Any, list[Choice], dict[Any, float]]:
    """Return the board, the legal moves and the values of moves that end the game.

    The position has no hidden information. The moves are ordered by a quick estimate, best first. Illegal moves and
    ends of the game are determined by the engine, not the judge.
    """
    board = judge.board(position)
    legal = set(position.legal_moves(seat))
    choices, settled = [], {}
    for worth, move in judge.all_choices(board):
        written = judge.move(board, move)
        if written not in legal:
            continue
        outcome = position.after(seat, written).outcome
        if outcome is not None:
            worth = 0.0 if not outcome.winners else WON if seat in outcome.winners else -WON
            settled[move] = worth
        choices.append((worth, move))
    rng.shuffle(choices)
    choices.sort(key=lambda choice: -choice[0])
    return board, choices, settled
