"""Proven wins: what one search proves and another checks, in positions written as text and in games of the record."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import GAMES
from engines.budget import BudgetSpent
from engines.codec import dump
from engines.record import playout
from engines.search import find_exercise
from engines.search.forced import Forced
from engines.search.thinker import answer
from tests.test_judgements import DUEL, TILES

BUDGET = 200_000


def course(key, texts):
    """Each position of a game, from the texts of its record."""
    position = GAMES[key].start(GAMES[key].Options())
    found = [position]
    for text in texts:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, text))
        found.append(position)
    return found


def exercise(key, texts, ply, *, played=None, moves=3, budget=BUDGET):
    """The exercise that the position after so many entries of a record is for whoever is to move."""
    position = course(key, texts)[ply]
    played = texts[ply] if played is None else played
    return find_exercise(key, position, position.to_act[0], played, moves, budget, random.Random(1))


def wins_by_brute_force(position, seat, moves):
    """The same question, asked without memory, order or budget."""
    if position.outcome is not None:
        return seat in position.outcome.winners
    if moves == 0:
        return False
    mover = position.to_act[0]
    thens = (position.after(mover, move) for move in position.legal_moves(mover))
    if mover == seat:
        return any(wins_by_brute_force(then, seat, moves - 1) for then in thens)
    return all(wins_by_brute_force(then, seat, moves) for then in thens)


# -- what is an exercise -----------------------------------------------------------------------


def test_a_win_by_one_move_is_an_exercise_where_the_player_missed_it():
    assert exercise("duel", DUEL, 12) == {"moves": 1, "wins": {"5d3=W5#": {"line": [], "then": None}}}


@pytest.mark.parametrize("played", ["5d3=W5#", "5d3", ""])
def test_a_win_by_one_move_that_was_played_is_trivial_and_no_exercise(played):
    assert exercise("duel", DUEL, 12, played=played) is None


def test_a_win_within_three_moves_is_told_with_the_longest_defence():
    node = exercise("proteus-tiles", TILES, 11)
    assert (node["moves"], list(node["wins"])) == (3, ["Gs@a3"])
    assert node["wins"]["Gs@a3"]["line"] == [[0, "Mo@a1"]]
    assert node["wins"]["Gs@a3"]["then"]["wins"]["Mt@a2"]["then"]["moves"] == 1


def test_every_other_move_is_told_with_what_refutes_it():
    node = exercise("proteus-tiles", TILES, 11)
    position = course("proteus-tiles", TILES)[11]
    others = {position.write(1, move) for move in position.legal_moves(1)} - {"Gs@a3"}
    assert set(node["fails"]) == others and all(node["fails"].values())
    for text, line in node["fails"].items():
        then = position.play(1, position.read(1, text))
        for seat, reply in line:
            then = then.play(seat, then.read(seat, reply))
        assert not wins_by_brute_force(then, 1, 2), text


def test_two_moves_that_win_are_no_exercise():
    twofold = [ply for ply in range(len(TILES)) if ply not in (11,)]
    assert all(exercise("proteus-tiles", TILES, ply) is None for ply in twofold if ply >= 10)


def test_what_needs_more_moves_than_are_allowed_is_none():
    assert exercise("proteus-tiles", TILES, 11, moves=2) is None


def test_a_budget_that_ends_proves_nothing():
    assert exercise("proteus-tiles", TILES, 11, budget=40) is None
    with pytest.raises(BudgetSpent):
        Forced(1, 3).wins(course("proteus-tiles", TILES)[11], 3)


def test_a_process_answers_with_the_same_tree():
    position = course("duel", DUEL)[12]
    question = {"game": "duel", "position": dump(position), "seat": 0, "played": DUEL[12], "most_moves": 3, "seed": 1}
    assert answer({**question, "budget": BUDGET}) == {"exercise": exercise("duel", DUEL, 12)}
    assert answer({**question, "budget": 1}) == {"exercise": None}


# -- what a position hides ---------------------------------------------------------------------


def plateau_games(count):
    for seed in range(count):
        rng = random.Random(seed)
        start = GAMES["plateau"].start(GAMES["plateau"].Options())
        entries = playout(start, rng).entries
        yield rng, course("plateau", [entry.text for entry in entries]), entries


def test_what_the_mover_could_not_know_changes_nothing():
    """In Plateau much is hidden: an exercise follows from the view alone, so other secrets give the same one."""
    for rng, positions, entries in plateau_games(6):
        for position, entry in list(zip(positions, entries, strict=False))[-6:]:
            if len(position.to_act) != 1:
                continue
            seat = position.to_act[0]
            twin = position.imagine(seat, rng)
            found = [
                find_exercise("plateau", one, seat, entry.text, 3, 20_000, random.Random(2))
                for one in (position, position.view(seat), twin)
            ]
            assert found[0] == found[1] == found[2]
            for text in (found[0] or {"wins": ()})["wins"]:
                for _world in range(10):
                    world = position.imagine(seat, rng)
                    outcome = world.play(seat, world.read(seat, text)).outcome
                    assert outcome is not None and seat in outcome.winners


def test_sealed_choices_and_games_that_are_over_are_left_out():
    options = GAMES["proteus-dice"].Options
    street = GAMES["proteus-dice"].start(options(**{"wall_street": next(
        value for value in type(options().wall_street) if value.value == "secret"
    )}))  # fmt: skip
    assert find_exercise("proteus-dice", street, 0, "", 3, 1_000, random.Random(1)) is None
    over = course("duel", DUEL)[-1]
    assert over.outcome and find_exercise("duel", over, 0, "", 3, 1_000, random.Random(1)) is None


# -- against another search ---------------------------------------------------------------------


@given(seed=st.integers(0, 10_000), back=st.integers(1, 6), key=st.sampled_from(["duel", "proteus-tiles"]))
def test_the_search_agrees_with_one_that_tries_everything(seed, back, key):
    rng = random.Random(seed)
    entries = playout(GAMES[key].start(GAMES[key].Options()), rng, 60).entries
    positions = course(key, [entry.text for entry in entries])
    position = positions[max(len(entries) - back, 0)]
    if not position.to_act:
        return
    seat, moves = position.to_act[0], 2 if key == "proteus-tiles" else 1
    assert Forced(seat, 10**6).wins(position, moves) is wins_by_brute_force(position, seat, moves)


def test_games_with_chance_win_whatever_it_brings():
    """In Proteus with roulette every throw is answered for: chance never helps a solver."""
    game = GAMES["proteus-dice"]
    before = next(value for value in type(game.Options().roulette) if value.value == "before")
    for seed in range(4):
        entries = playout(game.start(game.Options(roulette=before)), random.Random(seed), 400).entries
        position, last = game.start(game.Options(roulette=before)), []
        for entry in entries:
            last.append(position)
            position = position.play(entry.seat, position.read(entry.seat, entry.text))
        for one, then in pairwise(last[-4:]):
            if one.to_act[0] < 0:
                seat = then.to_act[0]
                faces = [one.after(-1, move) for move in one.legal_moves(-1)]
                search = Forced(seat, 300_000)
                assert search.wins(one, 1) is all(search.wins(face, 1) for face in faces)
