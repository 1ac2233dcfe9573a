"""Hints: for puzzles, and in unrated games with robots; by what the player can see, and never where a person plays."""

from __future__ import annotations

import re

import pytest

from correspondence.accounts.robots import robot_games
from correspondence.core import db
from correspondence.models import Match
from correspondence.models.loading import MatchError, position_of
from correspondence.play import hints
from engines.search.levels import level_of
from tests.post import text_of
from tests.robots import challenge, play_random_move, robots_in, to_move
from tests.test_judgements import DUEL


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    robots_in(town).stop()
    return town


def hint(club, number, name="ann"):
    with db.reading(club.engine) as session:
        return hints.hint(session, club.player(session, number, name), now=club.time)


def refused(club, number, name="ann"):
    with pytest.raises(MatchError) as error:
        hint(club, number, name)
    return str(error.value)


def friendly(club, key="duel", **more):
    return challenge(club, "ann", f"{key}-robot-1", key, seat=0, rated=False, **more)


@pytest.mark.parametrize("key", ["duel", "plateau", "proteus-tiles", "proteus-dice"])
def test_a_hint_is_a_legal_move_and_the_same_when_it_is_asked_for_again(club, key):
    number = friendly(club, key)
    move = re.fullmatch(r"A robot would play (.+) here\.", hint(club, number))[1]
    with db.reading(club.engine) as session:
        position = position_of(session.get(Match, number)).view(0)
    assert position.write(0, position.read(0, move)) == move and hint(club, number).count(move) == 1


def test_a_hint_is_never_given_without_thinking():
    assert {level_of(game, hints.LEVEL).lapse for game in robot_games()} == {0.0}


def test_it_is_asked_for_on_the_page_and_by_mail(club):
    number = friendly(club)
    move = hint(club, number)
    page = club.client("ann").get(f"/games/{number}").text
    assert "Give me a hint" in page
    answer = club.client("ann").post(f"/games/{number}/hint", follow_redirects=True)
    assert move in answer.text
    assert club.answer(club.letter("ann"), "hint").startswith("done") and move in " ".join(
        text_of(club.letter("ann")).split()
    )


def test_there_are_none_against_people_in_rated_games_and_out_of_turn(club):
    with_bob = club.match("duel")
    assert "unrated games with robots" in refused(club, with_bob)
    assert "Give me a hint" not in club.client("ann").get(f"/games/{with_bob}").text
    rated = challenge(club, "ann", "duel-robot-1", seat=0, rated=True)
    assert "In a rated game" in refused(club, rated)
    assert "Give me a hint" not in club.client("ann").get(f"/games/{rated}").text
    number = friendly(club)
    play_random_move(club, number, "ann")
    assert to_move(club, number) != ["ann"] and "not your turn" in refused(club, number)
    club.resign(number, "ann")
    assert "is over" in refused(club, number)


def test_a_game_with_a_robot_says_nothing_about_one_with_a_person_that_stands_just_so(club):
    number, with_bob = friendly(club), club.match("duel")
    for turn, text in enumerate(DUEL[:6]):
        club.play(with_bob, ("ann", "bob")[turn % 2], text)
        club.play(number, ("ann", "duel-robot-1")[turn % 2], text)
    assert "A game in progress" in refused(club, number)
    club.resign(with_bob, "bob")
    assert "A robot would play" in hint(club, number)


OPTIONS = {
    "proteus-tiles": [{"repetition": "draw"}],
    "proteus-dice": [{"polarity": "yes"}, {"trade_off": "yes"}, {"pawn_double": "first"}],
}
"""Options with which a board can look as it does without them."""


@pytest.mark.parametrize(("key", "options"), [(key, one) for key, found in OPTIONS.items() for one in found])
@pytest.mark.parametrize("is_evading", [True, False])
def test_an_option_that_nobody_sees_on_the_board_evades_nothing(club, key, options, is_evading):
    mine, others = (options, {}) if is_evading else ({}, options)
    number, with_bob = friendly(club, key, options=mine), club.match(key, **others)
    while len(club.moves(number)) < 6:
        (mover,) = to_move(club, number)
        play_random_move(club, number, mover)
        club.play(with_bob, "ann" if mover == "ann" else "bob", club.moves(number)[-1])
    assert "A game in progress" in refused(club, number)
