"""Time the engines against python-chess on this machine, now: `python -m bench.engines [ROUNDS]`.

Prints three tables, one line for each game and option set; README.md beside this file says what they mean.
Times are of the processor, so that other programs disturb them less, and each round times python-chess
right before the game, so that both meet the same weather; a ratio above 1 says that ours is the faster.
"""

from __future__ import annotations

import gc
import itertools
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeVar

import chess

from engines import GAMES, codec
from engines.base import CHANCE, Position
from engines.options import read_options

ROUNDS = 7
"""Rounds, unless told: each times python-chess and then ours."""

SAMPLED = 200
"""Positions in the sample of one round, of python-chess's as of ours; the next round has others."""

SIZED_GAMES = 60
"""So many random games are searched for the largest position."""

MOST = 600
"""So many moves at most in a random game: puzzles may never be solved so."""

SPAN = 0.15
"""Seconds for which one round plays random games."""

LARGEST = 4096
"""Bytes below which every position is meant to stay."""

CASES = (
    "proteus-dice",
    "proteus-dice roulette=before wall_street=open polarity=yes",
    "proteus-dice trade_off=yes roulette=after wall_street=secret polarity=yes warhorses=yes pawn_double=first",
    "proteus-tiles",
    "proteus-tiles repetition=draw",
    "duel",
    "duel board=sun",
    "duel-puzzle",
    "duel-puzzle goal=3 board=sun",
    "plateau",
)
"""What is measured: each game's key, and options."""

Work = Callable[[int], int]
"""Does what is to be done in the round of this number, and says how many moves that was."""

P = TypeVar("P")


class Pair(NamedTuple):
    """Moves a second in each round, python-chess's and ours."""

    theirs: list[float]
    ours: list[float]

    @property
    def ratios(self) -> list[float]:
        return [ours / theirs for theirs, ours in zip(self.theirs, self.ours, strict=True)]


class Ply(NamedTuple):
    """A position of a random game as it is stored, and the move that was made in it."""

    kind: type[Position[Any]]
    stored: str
    seat: int
    text: str


# -- random games --------------------------------------------------------------------


def start_of(case: str) -> Position[Any]:
    """The first position of a case."""
    key, *words = case.split()
    options: Any = read_options(GAMES[key].Options, dict(word.split("=") for word in words))
    return GAMES[key].start(options)


def walk(start: Position[Any], rng: random.Random) -> Iterator[tuple[Position[Any], int, Any]]:
    """The plies of one random game: position, seat, move."""
    position = start
    for _count in range(MOST):
        if not position.to_act:
            return
        seat = position.to_act[0]
        move = position.random_move(seat, rng)
        yield position, seat, move
        position = position.after(seat, move)


def chess_walk(rng: random.Random) -> Iterator[tuple[chess.Board, chess.Move]]:
    """The plies of one random game of chess; the board is the same throughout."""
    board = chess.Board()
    while not board.is_game_over(claim_draw=False):
        move = rng.choice(list(board.legal_moves))
        yield board, move
        board.push(move)


# -- a move of the service ------------------------------------------------------------


def plies_of(case: str) -> Iterator[Ply]:
    """Positions of random games in which a player moves, with what was moved, without end."""
    rng = random.Random(case)
    while True:
        for position, seat, move in walk(start_of(case), rng):
            if seat != CHANCE:
                yield Ply(type(position), codec.dump(position), seat, position.write(seat, move))


def chess_plies() -> Iterator[tuple[str, str]]:
    """Positions of random games of chess, with what was moved, without end."""
    rng = random.Random("chess")
    while True:
        for board, move in chess_walk(rng):
            yield board.fen(), board.san(move)


def samples(plies: Iterator[P], rounds: int) -> list[list[P]]:
    """A sample for each round and for the one before them, out of twice as many plies."""
    wanted = SAMPLED * (rounds + 1)
    drawn = random.Random(0).sample(list(itertools.islice(plies, 2 * wanted)), wanted)
    return [drawn[at : at + SAMPLED] for at in range(0, wanted, SAMPLED)]


def serve(plies: list[Ply]) -> int:
    """What the service does with a move: fetch, read, play, see whether it is over, store."""
    for kind, stored, seat, text in plies:
        position = codec.load(kind, stored)
        position = position.play(seat, position.read(seat, text))
        _over = position.outcome
        codec.dump(position)
    return len(plies)


def chess_serve(plies: list[tuple[str, str]]) -> int:
    """The same with python-chess, a FEN being what is stored."""
    for fen, san in plies:
        board = chess.Board(fen)
        board.push(board.parse_san(san))
        board.is_game_over(claim_draw=False)
        board.fen()
    return len(plies)


# -- random games, as fast as may be ---------------------------------------------------


def play_out(start: Position[Any], rng: random.Random) -> int:
    """One random game; the number of moves, those of chance among them."""
    position, count = start, 0
    while (actors := position.to_act) and count < MOST:
        position = position.after(actors[0], position.random_move(actors[0], rng))
        count += 1
    return count


def chess_play_out(rng: random.Random) -> int:
    """One random game of chess; the number of moves."""
    board, count = chess.Board(), 0
    while not board.is_game_over(claim_draw=False):
        board.push(rng.choice(list(board.legal_moves)))
        count += 1
    return count


def for_a_while(game: Callable[[], int]) -> int:
    """Play again until the time of a round is over; the number of moves."""
    count, until = 0, time.process_time() + SPAN
    while time.process_time() < until:
        count += game()
    return count


# -- sizes ---------------------------------------------------------------------------


def size_of(value: Any, known: set[int] | None = None) -> int:
    """Bytes of a value and all that it holds, each object once; what the whole program shares is not counted."""
    known = set() if known is None else known
    if id(value) in known or value is None or isinstance(value, bool | Enum):
        return 0
    known.add(id(value))
    return sys.getsizeof(value) + sum(size_of(part, known) for part in _parts(value))


def _parts(value: Any) -> Iterator[Any]:
    if is_dataclass(value):
        yield from (getattr(value, field.name) for field in fields(value))
    elif isinstance(value, tuple | list | frozenset):
        yield from value


def sizes(case: str) -> tuple[int, int]:
    """The largest of the positions that are stored and fetched, in memory and as JSON."""
    rng = random.Random(case)
    stored = [
        (type(position), codec.dump(position))
        for _game in range(SIZED_GAMES)
        for position, _seat, _move in walk(start_of(case), rng)
    ]
    return max(size_of(codec.load(*each)) for each in stored), max(len(json.encode()) for _kind, json in stored)


# -- rounds and tables ------------------------------------------------------------------


def rate(work: Work, number: int) -> float:
    """Moves a second of processor time."""
    gc.collect()
    began = time.process_time()
    count = work(number)
    return count / (time.process_time() - began)


def compared(theirs: Work, ours: Work, rounds: int) -> Pair:
    """Both in turn, round after round, after round 0, which is not counted."""
    both = [(rate(theirs, number), rate(ours, number)) for number in range(rounds + 1)][1:]
    return Pair([their for their, _our in both], [our for _their, our in both])


def service_moves(case: str, rounds: int) -> Pair:
    """Moves as the service makes them."""
    theirs, ours = samples(chess_plies(), rounds), samples(plies_of(case), rounds)
    return compared(lambda number: chess_serve(theirs[number]), lambda number: serve(ours[number]), rounds)


def playouts(case: str, rounds: int) -> Pair:
    """Moves of random games."""
    rng, chess_lots, start = random.Random(case), random.Random("chess"), start_of(case)
    return compared(
        lambda _number: for_a_while(lambda: chess_play_out(chess_lots)),
        lambda _number: for_a_while(lambda: play_out(start, rng)),
        rounds,
    )


def service_goal(case: str) -> float:
    """The ratio that moves of the service are meant to reach."""
    return 1.8 if case.split()[0] == "proteus-dice" else 2.0


def playout_goal(case: str) -> float:
    """The ratio that random games are meant to reach."""
    return 4.5 if case.split()[0] == "proteus-dice" else 1.0


def spread(values: list[float], places: int = 0) -> str:
    """Least, median and greatest."""
    return " ".join(f"{value:>7.{places}f}" for value in (min(values), statistics.median(values), max(values)))


def table(title: str, measure: Callable[[str, int], Pair], goal: Callable[[str], float], rounds: int) -> None:
    """Print one comparison, a line for each case as it is measured."""
    print(f"\n{title}: least, median, greatest of {rounds} rounds")
    print(f"{'python-chess /s':^23} | {'ours /s':^23} | {'ratio':^23} | goal")
    for case in CASES:
        pair = measure(case, rounds)
        is_met = statistics.median(pair.ratios) >= goal(case)
        aim = f"{goal(case):.1f} {'met' if is_met else 'MISSED'}"
        columns = spread(pair.theirs), spread(pair.ours), spread(pair.ratios, 2), f"{aim:<10}", case
        print(" | ".join(columns), flush=True)


def size_table() -> None:
    """Print the sizes."""
    print(f"\nThe largest position of {SIZED_GAMES} random games, in bytes")
    print(" memory |   JSON | goal")
    for case in CASES:
        memory, stored = sizes(case)
        aim = f"{LARGEST} {'met' if memory < LARGEST else 'MISSED'}"
        print(f"{memory:>7} | {stored:>6} | {aim:<11} | {case}", flush=True)


def main(rounds: str = "") -> None:
    """Print where this runs, and the tables."""
    count = int(rounds or ROUNDS)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{time.strftime('%Y-%m-%d')}: Python {platform.python_version()}, chess {chess.__version__}, {machine}")
    table("Moves of the service", service_moves, service_goal, count)
    table("Random games", playouts, playout_goal, count)
    size_table()


if __name__ == "__main__":
    main(*sys.argv[1:])
