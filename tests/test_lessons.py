"""Lessons: what a robot's moves teach is true of the position, is told once, and ends after ten moves."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import GAMES
from engines.base import CHANCE
from engines.bridges import NUMBERS, SIDE
from engines.buttons import SIDES, VALUES
from engines.course import MOVES, course
from engines.plateau.pieces import OWNER, longest_unit
from engines.proteus_dice.dice import SQUARES, own_squares
from engines.search.choosing import choose
from engines.search.judgement import judge_move
from engines.search.teaching import GIVEN_AWAY, choose_to_show
from engines.wording import using_translations
from tests.sizes import examples

TAUGHT = ("duel", "plateau", "proteus-dice", "proteus-tiles")
BOARDS = {"duel": ("ring", "sun")}


def play(key, seed, plies=2 * MOVES + 4, mover=None, options=None):
    """A random game: the steps, and where they lead; `mover` chooses for seat 0, the robot's."""
    rng, game = random.Random(seed), GAMES[key]
    position, steps = game.start(options or game.Options()), []
    while position.to_act and len(steps) < plies:
        seat = position.to_act[0]
        move = mover(position, steps) if mover and seat == 0 else position.random_move(seat, rng)
        steps.append((position, seat, move))
        position = position.after(seat, move)
    return steps, position


def lessons_of(key, steps, now, learner=1):
    return list(course(GAMES[key].presentation.lessons, steps, now, learner))


def positions_of(steps, now):
    return [*(step[0] for step in steps), now]


@given(seed=st.integers(0, 10**6), mixed=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(25))
def test_a_lesson_of_plateau_is_the_same_whatever_is_hidden_from_the_learner(seed, mixed):
    steps, now = play("plateau", seed)
    if now.outcome is not None:
        return
    for ply, (before, seat, move) in enumerate(steps, start=1):
        if seat != 0 or ply < 2:
            continue
        other = before.imagine(1, mixed)
        twin = other.view(1)
        assert twin == before.view(1)
        after = positions_of(steps, now)[ply]
        seen, news = after.view(1), before.tell(0, move, 1, after)
        lessons = GAMES["plateau"].presentation.lessons
        possible_there = list(lessons.possible(after.imagine(1, mixed).view(1), 1)) if 1 in after.to_act else []
        possible_here = list(lessons.possible(seen, 1)) if 1 in after.to_act else []
        assert list(lessons.shown(twin, news, seen, 1)) == list(lessons.shown(before.view(1), news, seen, 1))
        assert possible_there == possible_here


def test_a_whole_course_of_plateau_names_no_underside_of_the_robot_that_was_not_shown():
    for seed in range(6):
        steps, now = play("plateau", seed)
        if now.outcome is not None:
            continue
        words = " ".join(lesson.words for one in lessons_of("plateau", steps, now) for lesson in one.lessons)
        own = {one.example for message in lessons_of("plateau", steps, now) for one in message.lessons}
        for example in sorted(own - {""}, key=len, reverse=True):
            words = words.replace(example, "")
        assert not re.search(r"\b(?:xx|xb|xr|xo|bx|bb|rx|rr|rb|br|ox)\b", words)


# -- truth, lesson by lesson: each claim is held against the position by other means than those that made it --------


def wins_at_once(position, seat):
    return [
        move
        for move in position.legal_moves(seat)
        if (then := position.after(seat, move)).outcome and seat in then.outcome.winners
    ]


def held_by_wins(before, news, after, lesson):
    if lesson.key == "you-win":
        assert wins_at_once(after, 1)
    if lesson.key == "you-defend":
        thens = [after.after(1, move) for move in after.legal_moves(1)]
        lost = [bool(then.outcome and 0 in then.outcome.winners) or bool(wins_at_once(then, 0)) for then in thens]
        assert 2 * sum(lost) > len(lost)
        assert not wins_at_once(after.after(1, after.read(1, lesson.example)), 0)


def held_in_duel(before, news, after, lesson):
    held_by_wins(before, news, after, lesson)
    if lesson.key == "walked":
        value, start, space = re.search(r"My (\d) has walked from (\w\d) to (\w\d)", lesson.words).groups()
        assert news.startswith(f"{value}{space}") and "=" not in news
        assert VALUES[before.cells[NUMBERS[start]]] == int(value) and before.cells[NUMBERS[space]] == "."
    if lesson.key in ("exchanged", "exchanged-own"):
        value, other = re.search(r"My (\d).+? (?:your|my own) (\d)", lesson.words).groups()
        mark = re.search(r"=([BW])(\d)", news)
        assert news[0] == value
        assert mark[2] == other
        assert (mark[1] == "W") == (lesson.key == "exchanged")
    if lesson.key == "exchanged":
        back = [move for move in after.legal_moves(1) if after.write(1, move).endswith(f"=B{news[0]}")]
        assert all(not after.write(1, move).startswith(other) for move in back)
    if lesson.key == "three":
        line, gap = re.search(r"(row \d|column \w): one more on (\w\d)", lesson.words).groups()
        spaces = [space for space in NUMBERS if space[1 if line[:3] == "row" else 0] == line[-1]]
        mine = [space for space in spaces if SIDES.get(after.cells[NUMBERS[space]]) == 0]
        assert len(spaces) == SIDE
        assert sorted([*mine, gap]) == sorted(spaces)
        assert gap not in mine
    if lesson.key == "you-walk":
        value, ends, start = re.search(r"your (\d) reaches (.+) from (\w\d)\.", lesson.words).groups()
        reached = {space for space in NUMBERS if can_play(after, f"{value}{start}-{space}")}
        assert set(re.findall(r"[a-d]\d", ends)) == reached
    if lesson.key == "you-place":
        named = set(re.findall(r"[a-d]\d", lesson.words.partition("For example")[0]))
        assert named == {space for space in NUMBERS if can_play(after, f"{lesson.example[0]}@{space}")}


def can_play(position, text):
    try:
        position.read(1, text)
    except Exception:
        return False
    return True


def held_in_tiles(before, news, after, lesson):
    held_by_wins(before, news, after, lesson)
    if lesson.key in ("woken", "awoke"):
        tile = re.search(r"([MTG][ost]) \(", lesson.words)[1]
        assert f"+{tile}" in news
    if lesson.key == "put":
        assert "+" not in news and before.pieces != after.pieces
    if lesson.key == "laid":
        assert before.tiles != after.tiles and before.lit == after.lit
    if lesson.key == "you-wake":
        assert "+" in lesson.example
    if lesson.key == "exchanged":
        assert before.pieces == after.pieces and before.tiles != after.tiles


def held_in_dice(before, news, after, lesson):
    if lesson.key == "you-win":
        assert wins_at_once(after, 1)
    if lesson.key == "turn":
        square, face = re.search(r"/(\w\d)=(\w)", news).groups()
        assert f"the die on {square} was turned" in lesson.words and after.board[SQUARES[square]] == face
    if lesson.key in ("captured", "backstab"):
        assert f"{after.white}–{after.black}" in lesson.words and after.white > before.white
    if lesson.key == "pyramid":
        assert re.search(r"=Y", news)
    if lesson.key == "attack":
        start, to = re.search(r"on (\w\d) attacks your \w+ on (\w\d)", lesson.words).groups()
        assert SQUARES[start] in own_squares(after.board, 0) and SQUARES[to] in own_squares(after.board, 1)
        assert any(
            move.origin == SQUARES[start] and move.target == SQUARES[to]
            for move in replace(after, turn=0).legal_moves(0)
        )
    if lesson.key == "you-capture":
        square = re.search(r"on (\w\d), which", lesson.words)[1]
        assert SQUARES[square] in own_squares(after.board, 0) and f"x{square}" in lesson.example
    if lesson.key == "double":
        start, to = re.search(r"from (\w\d) to (\w\d)", lesson.words).groups()
        assert start[0] == to[0] and int(to[1]) - int(start[1]) == 2


def held_in_plateau(before, news, after, lesson):
    if lesson.key in ("captured", "stomp"):
        assert "takes" in news or after.outcome is not None
        assert f"now: {len(after.prisoners[0])};" in lesson.words
    if lesson.key == "high":
        count = int(re.search(r"I have (\d) pieces", lesson.words)[1])
        assert count in {longest_unit(stack, 0) for stack in after.stacks}
    if lesson.key == "pinned":
        assert any(
            OWNER[stack[-1]] == 0 and any(OWNER[piece] == 1 for piece in stack) for stack in after.stacks if stack
        )
    if lesson.key == "flip":
        assert "~" in news
    if lesson.key.startswith("moved-"):
        to = re.findall(r"-(\w\d)", news)[-1]
        assert f" to {to} with" in lesson.words
    if lesson.key == "you-capture":
        assert re.search(r"x\d$", lesson.example)
    if lesson.key == "you-win":
        assert any(
            then.outcome and 1 in then.outcome.winners
            for then in (after.after(1, move) for move in after.legal_moves(1))
        )


HELD = {
    "duel": held_in_duel, "plateau": held_in_plateau, "proteus-dice": held_in_dice, "proteus-tiles": held_in_tiles,
}  # fmt: skip


@pytest.mark.parametrize("key", TAUGHT)
@given(seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=examples(40))
def test_what_a_lesson_says_is_true_of_the_position(key, seed):
    steps, now = play(key, seed)
    stands = positions_of(steps, now)
    for one in lessons_of(key, steps, now):
        if one.ply:
            before, seat, move = steps[one.ply - 1]
            after = stands[one.ply]
            for lesson in one.lessons:
                HELD[key](before, before.tell(seat, move, 1, after), after, lesson)


@pytest.mark.parametrize("board", ["ring", "sun"])
def test_lessons_of_duel_hold_on_both_boards(board):
    options = GAMES["duel"].Options(board=type(GAMES["duel"].Options().board)(board))
    steps, now = play("duel", 3, options=options)
    stands = positions_of(steps, now)
    for one in lessons_of("duel", steps, now):
        for lesson in one.lessons if one.ply else ():
            held_in_duel(
                steps[one.ply - 1][0], steps[one.ply - 1][0].write(0, steps[one.ply - 1][2]), stands[one.ply], lesson
            )


def test_with_options_of_its_dice_proteus_teaches_nothing_rather_than_something_wrong():
    game = GAMES["proteus-dice"]
    steps, now = play("proteus-dice", 1, options=game.Options(polarity=True))
    assert all(one.lessons == () for one in lessons_of("proteus-dice", steps, now))


# -- the robot that teaches -------------------------------------------------------------------------------------------


def shown_by(key, mover, seed=4):
    steps, now = play(key, seed, mover=mover)
    return [lesson for one in lessons_of(key, steps, now) for lesson in one.lessons[:1] if not lesson.is_general]


@pytest.mark.parametrize("key", ["duel", "proteus-tiles"])
def test_a_robot_that_teaches_shows_more_than_one_that_just_plays(key):
    def teacher(position, steps):
        known = {lesson.key for one in lessons_of(key, steps, position) for lesson in one.lessons}
        return choose_to_show(key, position, 0, 2, known, random.Random(len(steps)))

    def player(position, steps):
        return choose(key, position, 0, 2, random.Random(len(steps)))

    taught, played = (sum(len(shown_by(key, mover, seed)) for seed in (4, 5)) for mover in (teacher, player))
    assert taught > played


def test_a_robot_that_teaches_gives_nothing_away():
    _steps, now = play("duel", 8, plies=8)
    move = choose_to_show("duel", now, now.to_act[0], 2, set(), random.Random(1))
    judged = judge_move("duel", now, now.to_act[0], now.write(now.to_act[0], move), 2_000, random.Random(1))
    assert judged.expected - judged.played <= GIVEN_AWAY + 0.15


def test_a_robot_that_teaches_does_not_win_while_it_can_go_on():
    for seed in range(30):
        _steps, now = play("duel", seed, plies=14)
        if now.to_act and wins_at_once(now, now.to_act[0]):
            seat = now.to_act[0]
            move = choose_to_show("duel", now, seat, 2, set(), random.Random(1))
            assert now.after(seat, move).outcome is None
            return
    raise AssertionError("no game in which a robot could win was found")


def test_a_game_without_lessons_is_played_as_usual():
    position = GAMES["duel-puzzle"].start(GAMES["duel-puzzle"].Options())
    position = position.after(CHANCE, position.random_move(CHANCE, random.Random(1)))
    assert GAMES["duel-puzzle"].presentation.lessons is None
    mine, usual = (f("duel-puzzle", position, 0, 5, *more) for f, more in
                   ((choose_to_show, (set(), random.Random(1))), (choose, (random.Random(1),))))  # fmt: skip
    assert mine == usual


def test_lessons_speak_the_language_of_the_reader():
    class Marked:
        @staticmethod
        def gettext(text):
            return f"{text}✦"

        @staticmethod
        def ngettext(one, many, count):
            return one if count == 1 else many

    for key in TAUGHT:
        steps, now = play(key, 2)
        with using_translations(Marked()):
            spoken = [lesson.words for one in lessons_of(key, steps, now) for lesson in one.lessons]
        assert spoken and all("✦" in words for words in spoken)
