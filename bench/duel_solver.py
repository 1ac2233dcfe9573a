"""Time the solver of the Puzzle on random deals: `python -m bench.duel_solver [BOARD [GOAL [DEALS]]]`.

Prints, for each board and goal, how many deals need how many moves, whether every solution was proved
shortest, and the mean and the longest time in seconds.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

from engines.base import CHANCE
from engines.buttons import Layout
from engines.duel_puzzle import GOALS, Puzzle
from engines.duel_solver import solve

DEALS = 100


def deal(layout: str, goal: int, seed: int) -> Puzzle:
    """The deal that belongs to a seed."""
    bag = Puzzle.start(layout, goal)
    return bag.after(CHANCE, bag.random_move(CHANCE, random.Random(seed)))


def measure(layout: str, goal: int, deals: int) -> str:
    """One line of results."""
    lengths, times, proved = Counter[int](), [], 0
    for seed in range(deals):
        position = deal(layout, goal, seed)
        began = time.perf_counter()
        solution = solve(position)
        times.append(time.perf_counter() - began)
        lengths[len(solution.moves) if solution else -1] += 1
        proved += bool(solution and solution.shortest)
    moves = ", ".join(f"{length}: {count}" for length, count in sorted(lengths.items()))
    mean = sum(length * count for length, count in lengths.items()) / deals
    return (
        f"{layout} goal {goal}: {moves}; mean {mean:.2f}; {proved} of {deals} proved shortest; "
        f"{sum(times) / deals:.4f} s, at most {max(times):.3f} s"
    )


def main(layout: str = "", goal: str = "", deals: str = "") -> None:
    """Measure the boards and goals that are asked for; all of them if none is."""
    for each in [layout] if layout else [member.value for member in Layout]:
        for number in [int(goal)] if goal else GOALS:
            print(measure(each, number, int(deals or DEALS)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
