"""Robots: a move for any game, at levels from weak to strong.

`levels` says how strong they are, `choosing` what they choose; `alphabeta` looks ahead on boards that a game's judge
knows (`engines.judging`), `worlds` does so where something is hidden, and `montecarlo` plays on by lot where a game
brings no judge. `judgement` says what a move that was made was worth. `forced` proves wins, and `exercises` finds the
positions in which one move alone wins. Only the standard library is used, and no clock: budgets are counted in positions,
or in rounds.
"""

from __future__ import annotations

from engines.search.choosing import choose
from engines.search.exercises import find_exercise
from engines.search.judgement import Judgement, judge_move
from engines.search.levels import LEVELS, Level, UnknownLevel

__all__ = ["LEVELS", "Judgement", "Level", "UnknownLevel", "choose", "find_exercise", "judge_move"]
