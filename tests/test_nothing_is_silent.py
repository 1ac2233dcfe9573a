"""Every mail of a person has an effect or an answer: nothing that was typed vanishes without a word."""

from __future__ import annotations

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Remark
from tests.post import reply_address, text_of

DOOR = "play@games.example"


@pytest.fixture
def dice(town):
    """Ann is to move."""
    town.join("ann", "bob")
    town.number = town.match()
    town.turn = town.letter("ann")
    town.received.clear()
    return town


def talk_in(town):
    with db.reading(town.engine) as session:
        return [remark.text for remark in session.exec(select(Remark))]


@pytest.mark.parametrize("body", ["Thanks", "Thank you!", "Danke", "Thanks\nBest wishes"])
def test_thanks_alone_are_passed_on(dice, body):
    assert dice.answer(dice.turn, body).startswith("done: said") and talk_in(dice) == [body]


def test_a_subject_above_an_empty_body_is_passed_on_or_played(dice):
    dice.mail("ann@example.org", reply_address(dice.turn), "", subject="Good luck")
    assert talk_in(dice) == ["Good luck"]
    dice.mail("ann@example.org", reply_address(dice.turn), "", subject="c3/f2=B")
    assert dice.moves(dice.number) == ["c3/f2=B"]


def test_an_empty_answer_is_answered(dice):
    dice.answer(dice.turn, "\n\n", subject="Re: your turn")
    assert "no text of your own" in text_of(dice.letter("ann"))


def test_words_are_passed_on_although_a_second_act_was_not_carried_out(dice):
    dice.answer(dice.turn, "draw\nresign\nYou play well.\nc3/f2=B")
    answer = text_of(dice.letter("ann"))
    assert "> resign" in answer
    assert "> c3/f2=B" in answer
    assert answer.count("One mail can do only one thing") == 2
    assert talk_in(dice) == ["You play well."] and dice.moves(dice.number) == []


def test_a_test_letter_can_be_asked_for_by_mail_and_the_opponent_does_not_hear_of_it(dice):
    for body, to in (("test letter", reply_address(dice.turn)), ("Send me a test letter.", DOOR), ("test", DOOR)):
        dice.received.clear()
        dice.mail("ann@example.org", to, body)
        (letter,) = dice.letters("ann")
        assert "test" in str(letter["Subject"]).lower() and talk_in(dice) == []
    dice.mail("ann@example.org", DOOR, "test letter")
    assert "later" in text_of(dice.letter("ann")) or "hour" in text_of(dice.letter("ann"))


def test_a_link_to_sign_in_comes_by_mail_as_often_as_from_the_page(dice):
    for body in ("sign in", "Log in", "accedi", "login", "sign me in"):
        dice.received.clear()
        dice.mail("ann@example.org", DOOR, body)
        (letter,) = dice.letters("ann")
        assert "/t/" in text_of(letter)
        assert "sign in" in str(letter["Subject"])
        assert talk_in(dice) == []
    dice.mail("ann@example.org", DOOR, "sign in")
    assert "wait a little" in text_of(dice.letter("ann")) and "/t/" not in text_of(dice.letter("ann"))


def test_a_link_to_sign_in_goes_to_the_member_whoever_claims_to_write(dice):
    dice.answer(dice.turn, "sign in", sender="eve@elsewhere.example")
    assert "/t/" in text_of(dice.letter("ann")) and not [m for m in dice.received if "eve" in str(m["To"])]


def test_what_stands_above_a_letter_to_a_member_is_done_too(dice):
    dice.answer(dice.turn, "games\nwrite bob: hello\nsee you")
    dice.wait(minutes=6)
    assert "Your games" in text_of(dice.letter("ann")) and "see you" in text_of(dice.letter("bob"))


@pytest.mark.parametrize("body", ["show\nresign", "resign\nshow", "show\nexport\nforget me", "show\npuzzle"])
def test_a_command_with_a_letter_of_its_own_does_not_swallow_the_answers_to_the_others(dice, body):
    dice.answer(dice.turn, body)
    assert any("The board of game 1: Proteus with dice" in text_of(letter) for letter in dice.letters("ann"))
    assert len(dice.letters("ann")) > 1 or "Do you really resign" in text_of(dice.letter("ann"))


def test_when_the_game_is_over_its_letters_name_what_can_still_be_written(dice):
    dice.answer(dice.turn, "resign")
    dice.answer(dice.letter("ann"), "yes")
    dice.answer(dice.turn, "c3/f2=B")
    text = text_of(dice.letter("ann"))
    assert "rematch" in text and "draw, resign" not in text


@pytest.mark.parametrize("line", ["x" * 90, "https://example.org/" + "a" * 120, "\n" + "é" * 200])
def test_a_first_line_of_one_long_word_is_answered(dice, line):
    dice.received.clear()
    assert dice.mail("bob@example.org", DOOR, line).startswith("done")
    assert len(dice.letters("bob")) == 1
