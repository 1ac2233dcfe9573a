"""Robots: search for a move in any game, at levels from weak to strong.

`levels` defines their strength, `choosing` picks the move. `alphabeta` searches boards that a game's judge evaluates
(`engines.judging`), `worlds` does so with hidden information, and `montecarlo` uses random playouts if a game has no
judge. `judgement` evaluates moves already made, `forced` proves wins, and `exercises` finds positions in which only one
move wins. Only the standard library is used. Budgets count positions or rounds, not time.
"""

from __future__ import annotations

from engines.search.choosing import choose
from engines.search.exercises import find_exercise
from engines.search.judgement import Judgement, judge_move
from engines.search.levels import LEVELS, Level, UnknownLevel

__all__ = ["LEVELS", "Judgement", "Level", "UnknownLevel", "choose", "find_exercise", "judge_move"]
