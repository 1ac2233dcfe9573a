"""Robots: whatever they are asked, they choose a legal move, the same from the same seed, from what they can see."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from engines import GAMES, OURS
from engines.base import CHANCE, MoveError, Outcome
from engines.judging import DECIDED
from engines.missing import UnknownGame
from engines.search import LEVELS, UnknownLevel, choose, choosing
from tests.games import OUR_CASES, Case
from tests.test_commands_of_flask import ROOT

FOR_TWO = [game.key for game in OURS if len(game.seats) == 2]
BASES = [case for case in OUR_CASES if not case.options and case.key in FOR_TWO]
SECRET = [
    Case("plateau", {}),
    Case("proteus-dice", {"wall_street": "open"}),
    Case("proteus-dice", {"wall_street": "secret"}),
]


def walk(case, seed, most=400):
    """The positions of a random game in which players are to act, each with the seat that is."""
    rng = random.Random(seed)
    position = case.start()
    for _ply in range(most):
        if not position.to_act:
            return
        seat = rng.choice(position.to_act)
        if seat != CHANCE:
            yield position, seat
        position = position.after(seat, position.random_move(seat, rng))


def some(case, seed, count, most=80):
    """Some positions of a random game, its first one among them."""
    reached = list(walk(case, seed, most))
    return reached[:1] + random.Random(seed).sample(reached[1:], min(count - 1, len(reached) - 1))


def wins(position, seat):
    """The moves with which the seat wins at once."""
    known = position.view(seat).imagine(seat, random.Random(1))
    ended = [(move, known.after(seat, move).outcome) for move in known.legal_moves(seat)]
    return [move for move, outcome in ended if outcome and seat in outcome.winners]


def losing(position, seat, move):
    """Whether the other side wins at once after this move."""
    then = position.after(seat, move)
    if then.outcome:
        return seat not in then.outcome.winners and bool(then.outcome.winners)
    return then.to_act == (1 - seat,) and bool(wins(then, 1 - seat))


# -- levels ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", list(GAMES))
def test_every_game_has_five_levels_with_a_name_and_a_budget(key):
    levels = LEVELS[key]
    assert len(levels) >= 5 and len({level.name for level in levels}) == len(levels)
    assert [level.budget for level in levels] == sorted(level.budget for level in levels)
    assert [level.lapse for level in levels] == sorted((level.lapse for level in levels), reverse=True)


# -- moves -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", OUR_CASES, ids=str)
def test_robots_choose_legal_moves_whatever_the_options(case):
    for number, (position, seat) in enumerate(some(case, 5, 4)):
        for level in (1, 2 + number % 2):
            move = choose(case.key, position, seat, level, random.Random(number))
            assert position.view(seat).objection(seat, move) is None


@pytest.mark.parametrize("case", BASES, ids=str)
def test_the_same_seed_gives_the_same_choice(case):
    position, seat = some(case, 8, 2)[-1]
    assert len({choose(case.key, position, seat, 4, random.Random(3)) for _time in range(2)}) == 1


@pytest.mark.parametrize("case", SECRET, ids=str)
def test_what_a_seat_cannot_see_changes_no_choice(case):
    differed = 0
    reached = list(walk(case, 2, 20))
    for number, (position, seat) in enumerate([*reached[1:3], reached[-1]]):
        others = [position.imagine(seat, random.Random(seed)) for seed in range(2)]
        alike = [position, *others, position.view(seat)]
        assert len({choose(case.key, each, seat, 3, random.Random(number)) for each in alike}) == 1
        differed += any(other != position for other in others)
    assert differed


@pytest.mark.parametrize("case", BASES, ids=str)
def test_every_level_but_the_lowest_takes_a_win_in_one_move(case):
    found = [(position, seat) for seed in range(12) for position, seat in walk(case, seed) if wins(position, seat)]
    assert found
    for position, seat in random.Random(4).sample(found, min(4, len(found))):
        for level in (2, 3, 4, 5):
            assert choose(case.key, position, seat, level, random.Random(level)) in wins(position, seat)


@pytest.mark.parametrize("case", [case for case in BASES if case.key != "proteus-dice"], ids=str)
def test_the_upper_levels_avoid_a_loss_in_one_move(case):
    met = 0
    for seed in range(8):
        for position, seat in list(walk(case, seed))[-6:]:
            if wins(position, seat) or position.view(seat) != position.view(seat).imagine(seat, random.Random(1)):
                continue
            lost = {move for move in position.legal_moves(seat) if losing(position, seat, move)}
            if lost and any(move not in lost for move in position.legal_moves(seat)):
                assert choose(case.key, position, seat, 4, random.Random(seed)) not in lost
                met += 1
        if met >= 3:
            return
    assert met or case.key == "plateau"


def test_a_unit_of_five_in_plateau_is_not_left_alone():
    position = GAMES["plateau"].from_text(
        "a1: Wxx Wrr; b2: Bxx Bxx Bxx Bbb Brr; a3: Wrr Wbb; W to move", GAMES["plateau"].Options()
    )
    for seed in range(3):
        move = choose("plateau", position, 1, 4, random.Random(seed))
        assert not wins(position.after(1, move), 0), position.write(1, move)


def test_a_queen_that_can_be_taken_is_taken():
    position = GAMES["proteus-dice"].from_text("7p/6p1/R7/4q3/8/8/P7/8 w", GAMES["proteus-dice"].Options())
    assert position.write(0, choose("proteus-dice", position, 0, 4, random.Random(1))).startswith("Re6^")


def test_the_puzzle_is_solved_by_its_solver():
    position = GAMES["duel-puzzle"].start(GAMES["duel-puzzle"].Options())
    position = position.after(CHANCE, position.random_move(CHANCE, random.Random(6)))
    for _move in range(8):
        if position.outcome:
            break
        position = position.play(0, choose("duel-puzzle", position, 0, 5, random.Random(1)))
    assert position.outcome


# -- judges ----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [case for case in OUR_CASES if GAMES[case.key].judge], ids=str)
def test_the_boards_of_a_judge_are_those_of_the_engine(case):
    judge = case.game.judge
    for position, seat in some(case, 11, 12):
        if judge.unsearched(position, seat, random.Random(1)) is not None:
            continue
        board = judge.board(position)
        legal = set(position.legal_moves(seat))
        first = {judge.move(board, move): (worth, move) for worth, move in judge.all_choices(board)}
        assert legal & first.keys()
        for written in random.Random(2).sample(
            sorted(legal & first.keys(), key=repr), min(25, len(legal & first.keys()))
        ):
            worth, move = first[written]
            then = position.after(seat, written)
            if then.outcome and then.outcome.winners:
                assert (worth >= DECIDED) == (seat in then.outcome.winners) and abs(worth) >= DECIDED
            elif not then.outcome:
                assert judge.after(board, move) == judge.board(then) or judge.mover(judge.after(board, move)) == CHANCE
                assert worth < DECIDED or then.to_act != (1 - seat,)


@pytest.mark.parametrize("key", ["duel", "proteus-tiles"])
def test_a_judge_lists_every_legal_move(key):
    case = Case(key, {})
    for position, seat in walk(case, 3, 60):
        board = case.game.judge.board(position)
        listed = [case.game.judge.move(board, move) for _worth, move in case.game.judge.all_choices(board)]
        assert set(position.legal_moves(seat)) <= set(listed) and len(set(listed)) == len(listed)


# -- what is refused ---------------------------------------------------------------------------


def test_what_cannot_be_asked_is_answered_in_a_sentence():
    duel = GAMES["duel"].start(GAMES["duel"].Options())
    rng = random.Random(1)
    for key, seat, level, error, says in [
        ("duel", 1, 3, MoveError, "not the turn"), ("duel", CHANCE, 3, MoveError, "not the turn"),
        ("duel", 7, 3, MoveError, "not the turn"), ("duel", 0, 0, UnknownLevel, "from 1 to 5"),
        ("duel", 0, 6, UnknownLevel, "from 1 to 5"), ("duel", 0, True, UnknownLevel, "from 1 to 5"),
        ("duel", 0, "3", UnknownLevel, "from 1 to 5"), ("chess", 0, 3, UnknownGame, "chess"),
        ("plateau", 0, 3, ValueError, "not a position of Plateau"),
    ]:  # fmt: skip
        with pytest.raises(error, match=says):
            choose(key, duel, seat, level, rng)


def test_a_game_that_is_over_is_not_played_on():
    position, seat = next((position, seat) for position, seat in walk(Case("duel", {}), 1) if wins(position, seat))
    over = position.after(seat, wins(position, seat)[0])
    with pytest.raises(MoveError, match="over"):
        choose("duel", over, seat, 3, random.Random(1))


# -- a game of another package ------------------------------------------------------------------


HEX = """\
import random
from engines import GAMES
from engines.search import LEVELS, choose
hex = GAMES["hex"]
position = hex.start(hex.Options())
assert len(LEVELS["hex"]) == 5
for level in (1, 2, 3, 2, 1):
    seat = position.to_act[0]
    move = choose("hex", position, seat, level, random.Random(level))
    assert move == choose("hex", position, seat, level, random.Random(level))
    position = position.play(seat, move)
chain = "; ".join((" ".join(f"f{n}" for n in range(1, 11)), " ".join(f"a{n}" for n in range(1, 11)), "B to move"))
assert choose("hex", hex.from_text(chain, hex.Options()), 0, 2, random.Random(1)) in ("e11", "f11")
print("played")
"""

TRIED = """\
import random
from engines import GAMES
from engines.search import LEVELS
from engines.search.montecarlo import Playouts
position = GAMES["hex"].start(GAMES["hex"].Options())
for level, least in ((3, 1), (4, 2)):
    search = Playouts(position, 0, LEVELS["hex"][level - 1].budget, random.Random(1))
    search.best()
    visits = [node.visits for node in search.root.then.values()]
    assert len(visits) == 121 and min(visits) >= least, (level, len(visits), min(visits))
print("played")
"""


@pytest.mark.parametrize("script", [HEX, TRIED], ids=["every level moves", "every move is tried"])
def test_a_game_of_another_package_has_a_robot_without_bringing_anything(tmp_path, script):
    about = tmp_path / "hex_game-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hex_game\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[correspondence.games]\nhex = hex_game:GAME\n")
    path = os.pathsep.join((str(tmp_path), str(ROOT / "examples" / "hex"), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.strip() == "played", done.stderr


class Guess:
    """A fake position: the seat guesses which of four cups hides the ball, and may also take a ball that it sees."""

    def __init__(self, cup=None, outcome=None, *, has_sight=False):
        self.cup, self.outcome, self.has_sight = cup, outcome, has_sight

    def imagine(self, _seat, rng):
        return Guess(rng.randrange(4), has_sight=self.has_sight)

    def legal_moves(self, _seat):
        yield from (0, 1, 2, 3, *(["seen"] if self.has_sight else []))

    def after(self, _seat, move):
        return Guess(self.cup, Outcome((0,), "found") if move in (self.cup, "seen") else None)


@pytest.mark.parametrize(("has_sight", "found"), [(False, None), (True, "seen")])
def test_a_win_in_one_imagined_position_alone_is_not_taken_for_certain(has_sight, found):
    for seed in range(40):
        rng, seen = random.Random(seed), Guess(has_sight=has_sight)
        assert choosing.certain_win(seen, seen.imagine(0, rng), 0, rng) == found
