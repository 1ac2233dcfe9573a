"""What people type on phones and in a hurry: nearly a move is a move or a question, and a sentence is never a move."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.commands import looks_like_move, resembles_move
from correspondence.core import db
from correspondence.models import Move, Remark
from correspondence.play import near_moves
from correspondence.play.matches import clean_talk
from engines import GAMES
from tests.post import text_of
from tests.sizes import examples

NUMBERS = [char for char in map(chr, range(sys.maxunicode)) if unicodedata.category(char) in ("Nd", "Nl", "No")]


@pytest.fixture
def duel(town):
    """Ann is to place a die."""
    return _table(town, "duel")


@pytest.fixture
def dice(town):
    """Ann is to move a die and to turn another."""
    return _table(town, "proteus-dice")


def _table(town, game):
    town.join("ann", "bob")
    town.number = town.match(game)
    town.turn = town.letter("ann")
    town.received.clear()
    return town


def talk_in(town):
    with db.reading(town.engine) as session:
        comments = [move.comment for move in session.exec(select(Move)) if move.comment]
        return comments + [remark.text for remark in session.exec(select(Remark))]


@pytest.mark.parametrize("line", [
    "“5@a2”", "*5@a2*", "«5@a2»", "`5@a2`", "(5@a2)", "5@a2.", "5@a2!", "5 @ a2", "５＠ａ２", "mvoe 5@a2", "5@A2",
    "٥@a٢", "५@a२", "⚄@a2",
])  # fmt: skip
def test_a_move_in_quotes_in_bold_or_with_a_full_stop_is_that_move(duel, line):
    duel.answer(duel.turn, line)
    assert duel.moves(duel.number) == ["5@a2"] and talk_in(duel) == []


@pytest.mark.parametrize("line", [
    "c3 / f2 = B", "c1 – c3 ⁄ f2 = Ｂ", "“C3/f2=b”", "1) c3/f2=B", "c3/f2→B", "c3/f2=bishop",
])  # fmt: skip
def test_blanks_dashes_and_other_slashes_change_nothing(dice, line):
    dice.answer(dice.turn, line)
    assert dice.moves(dice.number) == ["c3/f2=B"]


@pytest.mark.parametrize(("line", "choice"), [
    ("I play 5@a2", "5@a2"),
    ("My move: 5@a2", "5@a2"),
    ("5@a2 - your turn!", "5@a2"),
    ("5@a2 :-)", "5@a2"),
    ("5@a2?", "5@a2"),
    ("6@b2 is bad, so 5@a2", "5@a2"),
])  # fmt: skip
def test_a_sentence_that_names_a_move_is_asked_about_and_a_number_plays_it(duel, line, choice):
    duel.answer(duel.turn, line)
    question = text_of(duel.letter("ann"))
    assert duel.moves(duel.number) == []
    assert talk_in(duel) == []
    assert duel.letters("bob") == []
    number = next(row.strip()[1] for row in question.splitlines() if row.strip()[4:] == choice)
    duel.answer(duel.letter("ann"), number)
    assert duel.moves(duel.number) == [choice]


@pytest.mark.parametrize("number", ["2", "2.", "(2)", "#2", "２", " 2) "])
def test_a_choice_may_be_written_as_it_stands_in_the_letter(duel, number):
    duel.answer(duel.turn, "Perhaps 5@a2, perhaps 6@b2")
    duel.answer(duel.letter("ann"), number)
    assert duel.moves(duel.number) == ["6@b2"]


def test_what_begins_with_say_goes_to_the_opponent_whatever_it_names(duel):
    duel.answer(duel.turn, "say: 5@a2 is bad, so 6@b2")
    assert talk_in(duel) == ["5@a2 is bad, so 6@b2"] and duel.moves(duel.number) == []


@pytest.mark.parametrize("line", ["مستعد يوم ٣", "तीन दिन, ३ बजे", "See you at ๙!"])
def test_numbers_of_all_scripts_are_talk_by_mail(duel, line):
    duel.answer(duel.turn, line)
    assert duel.moves(duel.number) == [] and talk_in(duel) == [line]


@settings(max_examples=examples(400))
@given(
    text=st.text(st.sampled_from(NUMBERS) | st.sampled_from("abh123x+@= "), max_size=12),
    game=st.sampled_from(sorted(GAMES)),
)
def test_words_of_all_scripts_are_looked_at_and_none_stops_the_look(text, game):
    found = near_moves.words(text, GAMES[game].vocabulary)
    assert all(word.text for word in found) and bool(found) >= any(char.isascii() and char.isalnum() for char in text)


def test_a_sentence_that_holds_a_square_is_talk_and_its_writer_learns_that_nothing_was_played(dice):
    dice.answer(dice.turn, "a4 is bad, so e4")
    assert dice.moves(dice.number) == [] and talk_in(dice) == ["a4 is bad, so e4"]
    assert "Did you mean a move?" in " ".join(text_of(dice.letter("ann")).split())


def test_talk_without_a_square_needs_no_answer(dice):
    dice.answer(dice.turn, "Let me think about it.")
    assert talk_in(dice) == ["Let me think about it."] and dice.letters("ann") == []


@pytest.mark.parametrize("line", ["c3 f2 B", "c3-f2=B", "c3 and f2=B"])
def test_what_can_only_be_meant_as_a_move_is_answered_and_never_passed_on(dice, line):
    dice.answer(dice.turn, line)
    assert dice.moves(dice.number) == [] and talk_in(dice) == []
    assert "Reply with a number" in text_of(dice.letter("ann"))


@pytest.mark.parametrize(
    "line",
    [
        "see a4",
        "b4 or c5",
        "the e-file",
        "on to b4 then",
        "my h1 rook",
        "hello",
        "2nd",
        "ann@example.org",
        "ann@b2.example",
        "covid-19",
        "hello@b9",
    ],
)
def test_prose_does_not_resemble_a_move(line):
    assert not resembles_move(line) and not looks_like_move(line)


@pytest.mark.parametrize("line", ["9@z9", "R@j12", "k1-z9", "K@b9"])
def test_a_move_to_no_square_is_meant_as_a_move(line):
    assert resembles_move(line)


@pytest.mark.parametrize("line", [
    "preview: c3/f2=B c6/a7=B", "preview 1. c3/f2=B c6/a7=B", "preview 1.c3/f2=B 1...c6/a7=B",
    "perview c3/f2=B, c6/a7=B",
    "preview c3/f2=B then c6/a7=B", "Preview: c3/f2=B; c6/a7=B", "preview c3/f2=B and then c6/a7=B",
])  # fmt: skip
def test_a_line_to_be_tried_may_be_numbered_and_parted_in_any_way(dice, line):
    dice.answer(dice.turn, line)
    assert "The board after c3/f2=B c6/a7=B; nothing was played." in text_of(dice.letter("ann"))
    assert dice.moves(dice.number) == [] and talk_in(dice) == []


@pytest.mark.parametrize("line", ["preview e4 by way of c9/f2=B", "preview if c3/f2=B"])
def test_what_is_to_be_tried_is_never_told_to_the_opponent_even_where_it_is_wrong(dice, line):
    dice.answer(dice.turn, line)
    assert talk_in(dice) == [] and dice.letters("bob") == []


@pytest.mark.parametrize(("line", "sentence"), [
    ("“draw”", "Your offer of a draw"), ("*draw*", "Your offer of a draw"), ("Draw, please", "Your offer of a draw"),
    ("(resign)", "Do you really resign"), ("show: 1", "The board of game 1"), ("rules: duel", "Duel"),
])  # fmt: skip
def test_a_command_may_stand_in_quotes_in_bold_or_with_a_colon(dice, line, sentence):
    dice.answer(dice.turn, line)
    assert sentence in text_of(dice.letter("ann")) and talk_in(dice) == []


def test_the_misspelt_word_before_a_move_is_not_told_with_the_talk_below_it(duel):
    duel.answer(duel.turn, "mvoe 5@a2\nGood luck!")
    assert duel.moves(duel.number) == ["5@a2"] and talk_in(duel) == ["Good luck!"]


# -- what is passed on ---------------------------------------------------------------


@pytest.mark.parametrize(("text", "passed"), [
    ("5@a2, then 6@b3?", "5@a2, then 6@b3?"),
    ("write to ann@example.org, please", "write to …@…, please"),
    ("ann+duel@mail.example.org!", "…@…!"),
    ("(ann@localhost)", "(…@…)"),
    ("ann＠example.org", "…@…"),
    ("<r.k7q2m5zx3nb6v4wd2hj5ty7pae@games.example>", "<…@…>"),
    ("r.k7q2m5zx3nb6v4wd2hj5ty7pae", "…"),
    ("look: https://games.example/t/k7q2m5zx3nb6v4wd2hj5ty7pae", "look: https://games.example/t/…"),
    ("k7q2m5zx3nb6v4wd2hj5ty7pae", "…"),
    ("Rechtsschutzversicherungen", "Rechtsschutzversicherungen"),
])  # fmt: skip
def test_what_is_passed_on_holds_moves_but_neither_addresses_nor_tokens(text, passed):
    assert clean_talk(text) == passed
