"""The judge of Proteus with dice knows each win at once, and takes nothing else for one, as the engine's rules show."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines import GAMES
from engines.base import CHANCE
from engines.judging import DECIDED
from engines.options import read_options
from engines.proteus_dice import Options, ProteusDice
from engines.proteus_dice.endings import QUIET_LIMIT

JUDGE = GAMES["proteus-dice"].judge
POLARITY, WARHORSES = {"polarity": "yes"}, {"polarity": "yes", "warhorses": "yes"}
BEFORE, AFTER = {"roulette": "before"}, {"roulette": "after"}

WON = [
    ({}, "4p3/3Py3/5Q2/1P6/8/8/8/8 w", "Qg7/d7=Y"), (AFTER, "5Q2/Y7/8/8/8/8/4p3/2p1NP2 w 1-1", "Qf7/f1=Y"),
    (POLARITY, "8/8/8/1R6/8/Q7/r7/p7 w 0-2", "Rb2/a3=R"), (WARHORSES, "8/8/7B/4y3/8/2p5/1N4RY/8 w 2-0", "Rc2/b2=B"),
    ({"warhorses": "yes"}, "2Y5/3br3/4P3/1b2P3/8/Y7/6r1/8 b 13-10", "Be8/g2=B"),
]  # fmt: skip
NOT_WON = [
    ({}, "8/8/8/1P1p4/2Y5/8/3y1QY1/8 w 2-3", "Qd4/c4=P"), (BEFORE, "8/2y4R/8/1B4P1/8/8/1Y6/b7 w 2-2", "Bc6/b2=P"),
    (POLARITY, "8/8/8/8/1P6/7y/6Y1/7b w 0-2", "b5/g2=P"), (WARHORSES, "8/8/4R3/R7/8/8/6B1/1y5b w 1-1", "Raa6/g2=N"),
    (BEFORE, "8/2Q1P3/4Q3/b4y2/5N2/8/8/3y2B1 w 22-12", "Qxa5"), (AFTER, "6Q1/8/8/1r1R4/8/8/8/2p1p3 w 21-17", "Rxb5/g8=R"),
]  # fmt: skip


def wins(position):
    """The moves with which the side in turn wins at once by the rules."""
    seat = position.turn
    ended = {move: position.after(seat, move).outcome for move in position.legal_moves(seat)}
    return {move for move, outcome in ended.items() if outcome and seat in outcome.winners}


def decided(choices):
    return {move for worth, move in choices if worth >= DECIDED}


def few_dice(seed, options):
    """A position with few dice drawn at random, where sides are often stuck and games end."""
    rng = random.Random(seed)
    own, other = rng.randint(2, 5), rng.randint(2, 3)
    letters = rng.choices("YPBNRQ", k=own) + rng.choices("yyyppbnrq", k=other)
    board = ["."] * 64
    for square, letter in zip(rng.sample(range(64), own + other), letters, strict=True):
        board[square] = letter
    white, black, quiet = rng.randint(0, 3), rng.randint(0, 3), rng.choice((0, QUIET_LIMIT - 1))
    return ProteusDice(options, "".join(board), white=white, black=black, quiet=quiet)


@pytest.mark.parametrize(("texts", "at", "move", "is_win"), [
    *((*row, True) for row in WON), *((*row, False) for row in NOT_WON),
])  # fmt: skip
def test_judge_knows_whether_a_turn_wins_at_once(texts, at, move, is_win):
    position = ProteusDice.from_text(at, read_options(Options, texts))
    turn, board, found = position.read(position.turn, move), JUDGE.board(position), wins(position)
    assert (turn in found) == (turn in decided(JUDGE.all_choices(board))) == is_win
    assert bool(decided(JUDGE.choices(board))) == bool(found)


def test_side_that_a_throw_leaves_stuck_has_lost():
    stuck = 0
    for seed in range(300):
        position = few_dice(seed, read_options(Options, AFTER))
        for move in position.legal_moves(0):
            thrown = position.after(0, move)
            for throw in thrown.legal_moves(CHANCE) if thrown.to_act == (CHANCE,) else ():
                ended = thrown.after(CHANCE, throw)
                then = JUDGE.board(replace(ended, stage="turn", ending=""))
                is_stuck = ended.ending == "immobile"
                assert is_stuck == (JUDGE.choices(then)[0][0] <= -DECIDED)
                assert then in [board for _share, board in JUDGE.lots(JUDGE.board(thrown))]
                stuck += is_stuck
    assert stuck


@pytest.mark.parametrize("texts", [{}, POLARITY, WARHORSES, BEFORE, AFTER, {"trade_off": "yes"}], ids=str)
def test_judge_knows_the_wins_at_once_and_no_others(texts):
    options, won = read_options(Options, texts), 0
    for seed in range(150):
        position = few_dice(seed, options)
        found, board = wins(position), JUDGE.board(position)
        assert decided(JUDGE.all_choices(board)) == found
        assert decided(JUDGE.choices(board)) <= found
        assert bool(decided(JUDGE.choices(board))) == bool(found)
        won += bool(found)
    assert won
