"""Lots follow from a seed: known answers, the same draws as CPython's, and fair frequencies."""

from __future__ import annotations

import hashlib
import hmac
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.play.record_moves import play_chance
from engines import GAMES
from engines.base import CHANCE
from engines.chance import ChanceStream
from engines.options import read_options
from tests.sizes import examples

SEED = bytes(range(32))
WORDS = ("a walk in the rain", "")


def stream(ply):
    return ChanceStream(SEED, ply, WORDS)


class ByCPython(random.Random):
    """The same bytes, drawn by the standard library of this Python."""

    def __new__(cls, *_given):
        return super().__new__(cls)

    def __init__(self, seed, ply):
        self.stream = ChanceStream(seed, ply)

    def getrandbits(self, k):
        return self.stream.getrandbits(k)


def test_the_known_answers_of_the_contract():
    assert stream(1).randbytes(16).hex() == "416d0a7729e42ff861ad618f44fa4d67"
    throws = [stream(ply).below(6) for ply in range(1, 21)]
    assert throws == [2, 5, 2, 4, 5, 2, 0, 2, 1, 0, 0, 5, 1, 5, 0, 4, 3, 5, 2, 0]
    one = stream(1)
    assert [one.below(6) for _ in range(20)] == [2, 3, 0, 3, 1, 1, 3, 5, 3, 4, 2, 2, 3, 4, 3, 0, 3, 3, 3, 0]
    assert stream(1).below(30) == 8
    assert stream(1).sample(range(16), 16) == [8, 6, 0, 7, 2, 11, 14, 9, 4, 10, 3, 12, 5, 13, 1, 15]
    assert ChanceStream(SEED, 0).below(2) == 0


def test_the_bytes_are_an_hmac_over_number_words_and_counter():
    words = "\n".join(hashlib.sha256(text.encode()).hexdigest() for text in WORDS)
    blocks = [hmac.digest(SEED, f"lots-1\n7\n{words}\n{count}".encode(), "sha256") for count in range(3)]
    assert stream(7).randbytes(80) == b"".join(blocks)[:80]


@settings(max_examples=examples(150))
@given(seed=st.binary(min_size=32, max_size=32), ply=st.integers(0, 10**6), n=st.integers(2, 3000), data=st.data())
def test_it_draws_as_the_standard_library_would_from_the_same_bytes(seed, ply, n, data):
    k = data.draw(st.integers(0, min(n, 60)))
    assert ChanceStream(seed, ply).sample(range(n), k) == ByCPython(seed, ply).sample(range(n), k)
    assert ChanceStream(seed, ply).choice(range(n)) == ByCPython(seed, ply).choice(range(n))
    assert ChanceStream(seed, ply).randrange(5, n + 6) == ByCPython(seed, ply).randrange(5, n + 6)
    ours, theirs = list(range(n % 50)), list(range(n % 50))
    ChanceStream(seed, ply).shuffle(ours)
    ByCPython(seed, ply).shuffle(theirs)
    assert ours == theirs


def test_what_has_one_outcome_draws_nothing_and_nothing_can_be_drawn_from_nothing():
    one = stream(3)
    assert one.below(1) == 0
    assert one.choice("x") == "x"
    assert one.randbytes(4) == stream(3).randbytes(4)
    for impossible in (lambda: one.below(0), lambda: one.choice(""), lambda: one.sample([1], 2)):
        with pytest.raises(ValueError):
            impossible()


def test_chance_has_no_floats_and_a_seed_has_32_bytes():
    with pytest.raises(TypeError):
        stream(1).random()
    with pytest.raises(TypeError):
        stream(1).uniform(0, 1)
    with pytest.raises(ValueError):
        ChanceStream(b"short", 1)


@pytest.mark.parametrize(
    ("key", "options", "outcomes"),
    [
        ("proteus-dice", {"wall_street": "open"}, 30),
        ("proteus-dice", {"wall_street": "secret"}, 30),
        ("proteus-dice", {"roulette": "after"}, 6),
        ("proteus-dice", {"roulette": "before", "warhorses": "yes"}, 6),
    ],
)
def test_ten_thousand_lots_of_a_kind_show_every_outcome_as_often(key, options, outcomes):
    position = until_chance(key, options)
    shown = [str(position.random_move(CHANCE, ChanceStream(SEED, ply))) for ply in range(10_000)]
    expected = 10_000 / outcomes
    squares = sum((shown.count(face) - expected) ** 2 / expected for face in set(shown))
    assert len(set(shown)) == outcomes
    assert squares < {6: 20.52, 30: 58.30}[outcomes]  # chi-square of 5 and 29 degrees, p = 0.001


@pytest.mark.parametrize("warhorses", [False, True])
def test_a_throw_counts_the_chain_from_its_cheapest_face(warhorses):
    position = until_chance("proteus-dice", {"roulette": "after", "warhorses": "yes" if warhorses else "no"})
    faces = "YPNBRQ" if warhorses else "YPBNRQ"
    for ply in range(1, 21):
        move = position.random_move(CHANCE, stream(ply))
        assert position.write(CHANCE, move) == f"{{{faces[stream(ply).below(6)]}}}"


def test_the_first_roll_of_wall_street_counts_pairs_with_white_outside():
    position = until_chance("proteus-dice", {"wall_street": "open"})
    pairs = [(white, black) for white in range(1, 7) for black in range(1, 7) if white != black]
    for ply in range(1, 40):
        text = position.write(CHANCE, position.random_move(CHANCE, stream(ply)))
        white, black = pairs[stream(ply).below(30)]
        assert f"{white}-{black}" in text


def test_two_matches_with_other_seeds_are_dealt_differently_and_one_seed_always_the_same():
    start = GAMES["duel-puzzle"].start(GAMES["duel-puzzle"].Options())
    deals = [play_chance(start, bytes([number]) * 32, 1)[1][0].entry.text for number in (1, 2, 1)]
    assert deals[0] == deals[2] != deals[1]


def until_chance(key, options):
    """The first position, played on by fixed lots, in which chance is to act."""
    game, rng = GAMES[key], random.Random(4)
    position = game.start(read_options(game.Options, options))
    while position.to_act != (CHANCE,):
        if position.outcome is not None:
            position = game.start(read_options(game.Options, options))
        seat = position.to_act[0]
        position = position.after(seat, position.random_move(seat, rng))
    return position
