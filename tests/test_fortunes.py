"""Luck in second opinions: what chance brought, beside all that could have come, and never mixed with the moves."""

from __future__ import annotations

import json
import random

import pytest

from correspondence.core import db
from correspondence.features.reviews.tables import Review
from correspondence.features.reviews.words import fortune_sentence
from correspondence.models import Match
from correspondence.models.loading import position_of
from engines import GAMES
from engines.base import CHANCE
from engines.options import read_options
from engines.proteus_dice import ProteusDice
from engines.search.fortune import judge_fortune
from tests.post import text_of
from tests.reviews import ask, make, make_here, seen
from tests.robots import robots_in

DICE = GAMES["proteus-dice"]
BUDGET = 400


def roulette(when="after", **more):
    return read_options(DICE.Options, {"roulette": when, **more})


def before_a_throw(when="after", seed=1):
    """A position in which a die is to be thrown."""
    rng = random.Random(seed)
    position = DICE.start(roulette(when))
    while position.to_act != (CHANCE,):
        seat = position.to_act[0]
        takes = [move for move in position.legal_moves(seat) if position.after(seat, move).to_act == (CHANCE,)]
        position = position.after(seat, takes[0] if takes else position.random_move(seat, rng))
        assert position.outcome is None
    return position


def fortunes(position, seed=1):
    texts = [position.write(CHANCE, lot) for lot in position.legal_moves(CHANCE)]
    return {text: judge_fortune("proteus-dice", position, text, BUDGET, random.Random(seed)) for text in texts}


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_came_is_compared_with_the_mean_of_all_that_could_have_come(when):
    found = fortunes(before_a_throw(when))
    assert len(found) == 6 and len({one.expected for one in found.values()}) == 1
    mean = sum(one.came for one in found.values()) / 6
    assert next(iter(found.values())).expected == pytest.approx(mean, abs=0.002)
    assert len({one.came for one in found.values()}) > 1


def test_the_same_throw_is_judged_alike_whatever_the_seed_of_the_search():
    position = before_a_throw()
    assert fortunes(position, 1) == fortunes(position, 2)


def test_a_throw_that_wins_is_worth_everything_to_the_first_seat():
    position = ProteusDice.from_text("7p/y7/8/8/4p3/8/8/P1P4R w 0-0 0 1 ?h1", roulette("after"))
    assert position.to_act == (CHANCE,)
    assert all(0 <= one.came <= 1 and 0 <= one.expected <= 1 for one in fortunes(position).values())


@pytest.mark.parametrize("street", ["open", "secret"])
def test_what_nobody_can_look_ahead_from_is_not_judged(street):
    position, rng = DICE.start(roulette("none", wall_street=street)), random.Random(1)
    while position.to_act != (CHANCE,):
        seat = position.to_act[0]
        position = position.after(seat, position.random_move(seat, rng))
    text = position.write(CHANCE, position.random_move(CHANCE, rng))
    assert judge_fortune("proteus-dice", position.view(None), text, BUDGET, rng) is None


def test_a_deal_of_the_puzzle_is_nobodys_luck():
    puzzle, rng = GAMES["duel-puzzle"].start(GAMES["duel-puzzle"].Options()), random.Random(1)
    text = puzzle.write(CHANCE, puzzle.random_move(CHANCE, rng))
    assert judge_fortune("duel-puzzle", puzzle, text, BUDGET, rng) is None


# -- in a second opinion ------------------------------------------------------------------------------------------------


def thrown(world, throws=2):
    """A game under Roulette in which dice were thrown, resigned by ann; its number."""
    number = world.match("proteus-dice", "ann", "bob", roulette="after")
    rng = random.Random(3)
    while world.stand(number).ended_at is None and sum(1 for _ in drawn(world, number)) < throws:
        with db.reading(world.engine) as session:
            position = position_of(session.get(Match, number))
        seat = position.to_act[0]
        takes = [move for move in position.legal_moves(seat) if position.after(seat, move).to_act == (CHANCE,)]
        move = takes[0] if takes else position.random_move(seat, rng)
        world.play(number, ("ann", "bob")[seat], position.write(seat, move))
    world.resign(number, "ann")
    return number


def drawn(world, number):
    return [text for text in world.moves(number) if text.startswith("{")]


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    return town


def test_luck_is_told_in_a_sentence_on_the_page_and_each_throw_in_its_row(club):
    number = thrown(club)
    make_here(club, number, budget=60)
    review = seen(club, number)
    throws = [move for move in review.moves if move.seat == CHANCE]
    assert len(review.fortunes) == len(throws) == len(drawn(club, number))
    page = club.client().get(f"/games/{number}").text.replace("\u00a0", " ")
    assert fortune_sentence(review.fortunes, ["White", "Black"]).replace("\u00a0", " ") in page
    assert "White could expect" in page and page.count("before it, and") == len(throws)
    assert all(move.first == move.fortune[1] and move.lost == 0.0 for move in throws)


def test_a_throw_is_never_a_turning_point(club):
    number = thrown(club)
    make_here(club, number, budget=60)
    assert all(move.seat != CHANCE for move in seen(club, number).turning_points)


def test_the_letter_tells_it_too(club):
    number = thrown(club)
    robots_in(club).stop()
    ask(club, "ann", number, budget=40, by_letter=True)
    make(club)
    club.deliver()
    text = " ".join(text_of(club.letter("ann")).split())
    assert "Luck: in" in text or "favoured nobody" in text


def test_second_opinions_from_before_say_nothing_of_luck(club):
    number = thrown(club)
    make_here(club, number, budget=40)
    with db.transaction(club.engine) as session:
        row = session.get(Review, number)
        entries = club.moves(number)
        found = json.loads(row.judgements)
        row.judgements = json.dumps(
            [None if text.startswith("{") else one for text, one in zip(entries, found, strict=True)]
        )
    assert seen(club, number).fortunes == ()
    assert "Luck:" not in club.client().get(f"/games/{number}").text


@pytest.mark.parametrize(("found", "sentence"), [
    ((), ""),
    ((0.12,), "Luck: in 1 draw chance gave White 12 percentage points of winning chance beyond the average, "
              "and took as many from Black."),
    ((0.1, -0.35), "Luck: in 2 draws chance gave Black 25 percentage points of winning chance beyond the average, "
                   "and took as many from White."),
    ((0.2, -0.2), "Chance, in 2 draws, favoured nobody overall."),
])  # fmt: skip
def test_the_sentence_names_who_was_lucky(found, sentence):
    assert fortune_sentence(found, ["White", "Black"]).replace("\u00a0", " ") == sentence
