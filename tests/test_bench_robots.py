"""Tournaments of robots: they go on where they were stopped, and say how sure their figures are."""

from __future__ import annotations

import random

import pytest

from bench.robots import MIXED, OPTION_SETS, Pairing, Share, kept, options_of, pairings_of, play, table, tournament

QUICK = Pairing("duel", "", 2, "random")


def test_a_tournament_goes_on_where_it_was_stopped(tmp_path):
    file = tmp_path / "games.jsonl"
    tournament(file, [QUICK], 2)
    file.write_text(file.read_text() + '{"game": "du')
    tournament(file, [QUICK], 4)
    assert sorted(row["number"] for row in kept(file)) == [0, 1, 2, 3]


def test_a_game_can_be_played_again_by_its_number():
    first, again = play(QUICK, 7), play(QUICK, 7)
    assert (first["points"], first["plies"]) == (again["points"], again["plies"])


@pytest.mark.parametrize("points, games, low, high", [(0, 0, 0, 1), (10, 10, 0.722, 1), (5, 10, 0.237, 0.763)])
def test_shares_come_with_the_interval_of_wilson(points, games, low, high):
    assert Share(points, games).interval == pytest.approx((low, high), abs=0.001)


def test_the_table_adds_up_the_games_of_a_pairing():
    rows = [play(QUICK, number) | {"points": 1.0, "longest": 0.2, "mean": 0.1} for number in range(2)]
    assert "| duel | 2 | random | 2 of 2 | 34% – 100% | 0.10 s | 0.20 s |" in table(rows)


def test_everybody_is_met_in_every_option_set():
    pairings = list(pairings_of([], ["random", "win-in-one", "uct", "below"], []))
    assert {(pairing.game, pairing.options) for pairing in pairings} == set(OPTION_SETS)
    for key, options in OPTION_SETS:
        assert options_of(Pairing(key, options, 1, "random"), random.Random(0))
    assert [p.level for p in pairings if p.game == "plateau" and p.against.isdigit()] == [2, 3, 4, 5]


def test_mixed_options_are_drawn_at_random_and_the_same_for_both_sides_of_a_beginning():
    mixed = Pairing("proteus-dice", MIXED, 1, "random")
    drawn = [options_of(mixed, random.Random(number)) for number in range(20)]
    assert len(set(drawn)) > 10
    assert drawn == [options_of(mixed, random.Random(number)) for number in range(20)]
    assert play(mixed, 4)["options"] == MIXED
