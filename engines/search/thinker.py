"""Worker process that chooses moves for its parent: `python -m engines.search.thinker`.

It reads requests from standard input and writes responses to standard output, one JSON object per line. A request holds
`game`, the key of a game; `position`, the seat's view encoded by `engines.codec`; `seat`, `level` and `seed`. Its
response holds `move`, in notation, and `outlook`, in percent or null; or `error`, the name of the exception. A request
with `played`, a move in notation, and `budget` instead of `level` rates that move; its response holds `best`,
`expected` and `played` as in `Judgement`, or `unjudged`. If `seat` is CHANCE, `expected` and `played` are those of a
`Fortune`. A request with `most_moves`, `played` and `budget` asks for an exercise; its response holds `exercise`, a
tree as in `exercises`, or null. A request with `known`, the keys of lessons already shown, asks for a move that shows a
new one. The process exits at end of input, so it never outlives its parent.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from contextlib import suppress
from typing import Any

from engines import game_known
from engines.base import CHANCE, Game, Position
from engines.codec import load
from engines.search.choosing import choose
from engines.search.exercises import find_exercise
from engines.search.fortune import judge_fortune
from engines.search.judgement import judge_move
from engines.search.outlook import outlook
from engines.search.teaching import choose_to_show

NICENESS = 10
"""The niceness of the process, so that pages and mail have priority."""


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Answer a request; never raises."""
    try:
        return _answer(question)
    except Exception as error:  # the process must continue, and the caller retries
        return {"error": type(error).__name__}


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    game, seat, rng = game_known(question["game"]), question["seat"], random.Random(question["seed"])
    position = load(type(game.start(game.Options())), question["position"])
    if "most_moves" in question:
        played, most, budget = question["played"], question["most_moves"], question["budget"]
        return {"exercise": find_exercise(game.key, position, seat, played, most, budget, rng)}
    if seat == CHANCE:
        return _drawn(game, position, question["played"], question["budget"], rng)
    if "played" in question:
        return _judged(game, position, seat, question["played"], question["budget"], rng)
    move = _chosen(game, position, seat, question, rng)
    judged = outlook(game.key, position, seat, rng)
    return {
        "move": position.view(seat).write(seat, move),
        "outlook": None if judged is None else round(100 * judged),
    }


def _chosen(game: Game, position: Position[Any], seat: int, question: dict[str, Any], rng: random.Random) -> Any:
    if "known" in question:
        return choose_to_show(game.key, position, seat, question["level"], question["known"], rng)
    return choose(game.key, position, seat, question["level"], rng)


def _drawn(game: Game, position: Position[Any], text: str, budget: int, rng: random.Random) -> dict[str, Any]:
    fortune = judge_fortune(game.key, position, text, budget, rng)
    if fortune is None:
        return {"unjudged": True}
    return {"best": "", "expected": fortune.expected, "played": fortune.came}


def _judged(
    game: Game, position: Position[Any], seat: int, text: str, budget: int, rng: random.Random
) -> dict[str, Any]:
    judgement = judge_move(game.key, position, seat, text, budget, rng)
    if judgement is None:
        return {"unjudged": True}
    return {"best": judgement.best, "expected": judgement.expected, "played": judgement.played}


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
