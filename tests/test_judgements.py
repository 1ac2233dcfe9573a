"""Judging a move that was made: by what its mover could see, the same each time, and low where it gave something away."""

from __future__ import annotations

import random

import pytest

from engines import GAMES
from engines.base import CHANCE, MoveError
from engines.codec import dump
from engines.record import Entry, positions
from engines.search import judge_move
from engines.search.judgement import budget_of, worths_of
from engines.search.thinker import answer
from tests.games import Case
from tests.test_robots import BASES, SECRET, walk, wins

DUEL = "2@c3 5@d3 6@d2 1@d1 8@c1 3@b3 3@b2 7@a2 4@a3 4@b1 5@a1 3b2=B3 8a3=B4 2@c4 5d3=W5#".split()
"""A game of Duel that Black wins; with the twelfth entry White gives up all defence."""

TILES = (
    "Tt@b3 o@b3 Ms@c2 s@c2+Ms To@c3 Gt@c1 t@c1+Gt Ts@b1 Go@b2 t@b1 s@b2 Gs@a2 o@c3+To Mt@a1 Mo@a3 c2=c3 oa3+Mo "
    "b1=b2+Ts oa2 oa3#"
).split()
"""A game of tiles that White wins: Black allows it with entry 11, White does not see it, Black allows it again."""


def course(key, texts):
    """Each position of a game in which somebody moved, with who and what, from the texts of a record."""
    game, entries, position = GAMES[key], [], GAMES[key].start(GAMES[key].Options())
    for text in texts:
        entries.append(Entry(position.to_act[0], text))
        position = position.play(position.to_act[0], position.read(position.to_act[0], text))
    before = positions(game, game.Options(), entries)
    return list(zip(before, entries, strict=False))


def judged(key, position, seat, text, budget=200, seed=1):
    return judge_move(key, position, seat, text, budget, random.Random(seed))


@pytest.mark.parametrize(("key", "texts", "turning"), [("duel", DUEL, [12]), ("proteus-tiles", TILES, [11, 12, 19])])
def test_the_moves_that_gave_a_game_away_lose_most(key, texts, turning):
    lost = {}
    for ply, (position, entry) in enumerate(course(key, texts), start=1):
        found = judged(key, position, entry.seat, entry.text, budget=1_000)
        lost[ply] = found.expected - found.played
    assert [ply for ply in lost if lost[ply] >= 0.3] == turning


@pytest.mark.parametrize("case", BASES, ids=str)
def test_a_judgement_is_a_share_of_the_game_and_the_best_move_is_never_worse_than_the_one_that_was_made(case):
    met = 0
    for number, (position, seat) in enumerate(list(walk(case, 3, 40))[-3:]):
        text = position.view(seat).write(seat, position.random_move(seat, random.Random(number)))
        found = judged(case.key, position, seat, text, budget=60)
        assert 0 <= found.played <= found.expected <= 1
        assert position.view(seat).objection(seat, position.view(seat).read(seat, found.best)) is None
        met += 1
    assert met == 3


@pytest.mark.parametrize("case", BASES, ids=str)
def test_the_same_seed_gives_the_same_judgement(case):
    position, seat = list(walk(case, 8, 30))[-1]
    text = position.view(seat).write(seat, position.random_move(seat, random.Random(2)))
    assert len({judged(case.key, position, seat, text, 40, seed=5) for _time in range(2)}) == 1


@pytest.mark.parametrize("case", SECRET, ids=str)
def test_what_the_mover_could_not_know_changes_no_judgement(case):
    differed = 0
    for position, seat in list(walk(case, 2, 30))[2::6]:
        if len(position.to_act) > 1:
            continue
        text = position.view(seat).write(seat, position.view(seat).random_move(seat, random.Random(1)))
        others = [position.imagine(seat, random.Random(seed)) for seed in range(2)]
        alike = [position, *others, position.view(seat)]
        assert len({judged(case.key, each, seat, text, 40) for each in alike}) == 1
        differed += any(other != position for other in others)
    assert differed or case.key != "plateau"


@pytest.mark.parametrize("case", [case for case in BASES if case.key != "proteus-dice"], ids=str)
def test_a_win_at_once_is_worth_all(case):
    position, seat = next(
        (position, seat) for seed in range(20) for position, seat in walk(case, seed) if wins(position, seat)
    )
    won = judged(case.key, position, seat, position.write(seat, wins(position, seat)[0]), 60)
    assert (won.expected, won.played) == (1.0, 1.0)


def test_a_queen_that_is_not_taken_is_missed():
    position = GAMES["proteus-dice"].from_text("7p/6p1/R7/4q3/8/8/P7/8 w", GAMES["proteus-dice"].Options())
    found = judged("proteus-dice", position, 0, "Rb6/a2=B", 300)
    assert found.best.startswith("Re6^") or "e5" in found.best
    assert found.expected - found.played > 0.2


def test_a_throw_that_follows_is_no_matter_of_the_move():
    game = Case("proteus-dice", {"roulette": "after"})
    thrown = next(
        (before, seat, move) for seed in range(9) for before, seat in walk(game, seed, 60)
        for move in list(before.legal_moves(seat))[:40] if before.after(seat, move).to_act == (CHANCE,)
    )  # fmt: skip
    position, seat, move = thrown
    assert 0 < judged("proteus-dice", position, seat, position.write(seat, move), 200).played < 1


def test_puzzles_and_sealed_choices_are_not_judged():
    puzzle = GAMES["duel-puzzle"].start(GAMES["duel-puzzle"].Options())
    puzzle = puzzle.after(CHANCE, puzzle.random_move(CHANCE, random.Random(6)))
    assert judged("duel-puzzle", puzzle, 0, puzzle.write(0, puzzle.random_move(0, random.Random(1)))) is None
    street = Case("proteus-dice", {"wall_street": "secret"}).start()
    while street.to_act == (CHANCE,):
        street = street.after(CHANCE, street.random_move(CHANCE, random.Random(1)))
    text = street.view(0).write(0, street.random_move(0, random.Random(1)))
    assert judged("proteus-dice", street, 0, text) is None


def test_of_moves_that_are_compared_the_one_that_gives_a_game_away_is_worth_least_and_a_win_all():
    position, entry = course("duel", DUEL)[11]
    lost = position.read(entry.seat, entry.text)
    moves = [lost, *(move for move in position.legal_moves(entry.seat) if move != lost)][:4]
    worths = worths_of("duel", position, entry.seat, moves, 400, random.Random(1))
    assert len(worths) == 4 and worths[0] == min(worths) < max(worths) - 0.3
    position, entry = course("duel", DUEL)[-1]
    assert worths_of("duel", position, entry.seat, [position.read(entry.seat, entry.text)], 60, random.Random(1)) == [1]


def test_what_cannot_be_known_or_judged_changes_nothing_when_moves_are_compared():
    position, seat = list(walk(Case("plateau", {}), 2, 30))[10]
    moves = list(position.view(seat).legal_moves(seat))[:3]
    others = [position.imagine(seat, random.Random(seed)) for seed in range(3)]
    alike = [worths_of("plateau", each, seat, moves, 60, random.Random(1)) for each in (*others, position)]
    assert any(other != position for other in others) and all(worths == alike[0] for worths in alike)
    puzzle = GAMES["duel-puzzle"].start(GAMES["duel-puzzle"].Options())
    assert worths_of("duel-puzzle", puzzle, 0, [1, 2], 60, random.Random(1)) == [0.5, 0.5]


def test_a_move_that_cannot_be_made_is_refused_with_a_sentence():
    position, entry = course("duel", DUEL)[3]
    with pytest.raises(MoveError):
        judged("duel", position, entry.seat, "nonsense")
    with pytest.raises(MoveError):
        judged("duel", position, 1 - entry.seat, entry.text)


@pytest.mark.parametrize("key", [case.key for case in BASES])
def test_every_game_for_two_has_a_budget_for_judgements(key):
    assert budget_of(GAMES[key]) >= 100


def test_a_process_that_thinks_also_judges():
    position, entry = course("duel", DUEL)[11]
    question = {"game": "duel", "position": dump(position.view(entry.seat)), "seat": entry.seat, "played": entry.text}
    found = answer({**question, "budget": 300, "seed": "7 11"})
    assert found["best"] != entry.text and found["expected"] - found["played"] > 0.3
    assert answer({**question, "played": "nonsense", "budget": 300, "seed": 1})["error"]
