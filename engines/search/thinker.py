"""A process that chooses moves for whoever started it: `python -m engines.search.thinker`.

It reads questions from its standard input and writes answers to its standard output, one JSON object a line. A
question holds `game`, the key of a game; `position`, as `engines.codec` writes what the seat can see; `seat`, `level`
and `seed`. Its answer holds `move`, in notation, and `outlook`, in percent or null; or `error`, the name of what went
wrong. The process ends when its input does, so it outlives nobody.
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
from engines.codec import load
from engines.search.choosing import choose
from engines.search.outlook import outlook

NICENESS = 10
"""How far it stands back behind pages and mail on a busy machine."""


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question; never raises."""
    try:
        return _answer(question)
    except Exception as error:  # whatever it is, the process goes on, and whoever asked tries again
        return {"error": type(error).__name__}


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    game, seat, rng = game_known(question["game"]), question["seat"], random.Random(question["seed"])
    position = load(type(game.start(game.Options())), question["position"])
    move = choose(game.key, position, seat, question["level"], rng)
    judged = outlook(game.key, position, seat, rng)
    return {
        "move": position.view(seat).write(seat, move),
        "outlook": None if judged is None else round(100 * judged),
    }


def main() -> None:
    """Answer questions until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started it
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
