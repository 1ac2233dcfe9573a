"""The legal moves as a list: asked for by mail, numbered where they are few, by piece where they are many."""

from __future__ import annotations

import random
import re

import pytest

from correspondence.commands import Legal, Other, read_line
from correspondence.commands.legal_answer import FEW
from correspondence.core.i18n import LANGUAGES
from correspondence.models.loading import position_of
from correspondence.play.legal_list import LISTED
from tests.games import CASES
from tests.post import text_of
from tests.test_letters_do_nothing import does_something

KEYS = sorted({case.key for case in CASES if len(case.game.seats) > 1})


@pytest.fixture
def pair(town):
    town.join("ann", "bob")
    return town


def game_letter(town, name):
    return next(one for one in reversed(town.letters(name)) if one["List-Id"])


def answer_to(town, line, name="ann"):
    town.answer(game_letter(town, name), line)
    return text_of(town.letter(name))


def listed_in(answer):
    """The moves that an answer lists, numbered or by piece."""
    rows = [line.removeprefix("· ").rstrip(";").split("; ") for line in answer.splitlines() if line.startswith("· ")]
    return [move for row in rows for move in row] + re.findall(r"^  \(\d+\) (.+?)\r?$", answer, re.MULTILINE)


def texts(position, seat):
    view = position.view(seat)
    return [view.write(seat, move) for move in view.legal_moves(seat)]


def test_few_moves_are_numbered_and_a_number_in_reply_plays_one(pair):
    number = pair.match("duel")
    answer = answer_to(pair, "legal hand:5")
    assert f"in game {number}. Reply with a number, or write the move:" in answer
    numbered = dict(re.findall(r"^  \((\d+)\) (\S+)", answer, re.MULTILINE))
    assert list(numbered.values()) == [f"5@{file}{rank}" for rank in "1234" for file in "abcd"]
    pair.answer(pair.letter("ann"), "3")
    assert pair.moves(number) == [numbered["3"]]


@pytest.mark.parametrize("key", KEYS)
def test_every_legal_move_is_listed_once_or_it_is_said_where_they_begin(pair, key):
    number, rng = pair.match(key), random.Random(3)
    for _ply in range(4):
        position = position_of(pair.stand(number))
        seat = position.to_act[0]
        answer = answer_to(pair, "legal", ("ann", "bob")[seat])
        every = texts(position, seat)
        assert f"You have {len(every)} legal move" in answer
        if len(every) <= LISTED:
            assert sorted(listed_in(answer)) == sorted(every)
        else:
            first = re.search(r"for example: (legal \S+)", answer)[1]
            assert "legal move" in answer_to(pair, first, ("ann", "bob")[seat])
        pair.play(number, ("ann", "bob")[seat], position.write(seat, position.view(seat).random_move(seat, rng)))


@pytest.mark.parametrize("key", KEYS)
def test_no_line_of_the_list_is_executable(pair, key):
    number = pair.match(key)
    answer_to(pair, "legal")
    start = position_of(pair.stand(number))
    first = next(iter(start.view(0).legal_moves(0)))
    answer_to(pair, f"legal {start.view(0).touches(0, first)[0]}")
    lines = {line for letter in pair.received for line in text_of(letter).splitlines()}
    assert [line for line in lines if does_something(line)] == []


def test_by_piece_many_moves_stand_below_the_piece_that_makes_them(pair):
    pair.match("proteus-dice")
    answer = answer_to(pair, "legal")
    assert FEW < int(re.search(r"You have (\d+) legal", answer)[1]) <= LISTED
    assert re.search(r"^a1, White pawn:\n· a2/", "\n".join(answer.splitlines()), re.MULTILINE)
    assert "(1)" not in answer
    assert "c1, White pawn:" not in answer_to(pair, "legal a1")


def test_the_list_tells_nothing_that_its_reader_does_not_see(pair):
    number = pair.match("plateau")
    pair.play(number, "ann", "+b1 xx,rb")
    position = position_of(pair.stand(number))
    answer = answer_to(pair, "legal", "bob")
    other = position.imagine(1, random.Random(5))
    assert texts(position, 1) == texts(other, 1) and "You have" in answer


def test_whoever_is_not_to_move_or_does_not_play_is_told_so(pair):
    pair.join("cleo")
    number = pair.match()
    pair.play(number, "ann", "c3/f2=B")
    assert f"It is not your turn in game {number}" in answer_to(pair, "legal")
    pair.mail("cleo@example.org", "play@games.example", f"legal {number}")
    assert f"You do not play in game {number}." in text_of(pair.letter("cleo"))
    pair.mail("bob@example.org", "play@games.example", f"legal {number}")
    assert "a7, Black pawn:" in text_of(pair.letter("bob")) and "(1)" not in text_of(pair.letter("bob"))
    assert "No move of yours begins with “h1”" in answer_to(pair, "legal h1", "bob")


def test_after_the_end_there_are_no_moves(pair):
    number = pair.match("duel")
    pair.wait(days=60)
    assert "over" in answer_to(pair, "legal") and pair.stand(number).ended_at is not None


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_the_answer_is_in_its_readers_language(town, language):
    town.join("ann", "bob", language=language)
    town.match()
    answer = answer_to(town, "mosse")
    assert ("legal moves" in answer) == (language == "en") and ("mosse possibili" in answer) == (language == "it")


@pytest.mark.parametrize(
    "line", ["legal advice is expensive", "mosse davvero belle", "legal matters", "Is that legal?"]
)
def test_talk_about_the_law_is_talk(line):
    assert isinstance(read_line(line), Other)


def test_a_place_may_follow_with_or_without_the_game():
    assert read_line("legal moves a2") == Legal(None, "a2") and read_line("legal game 7 k11") == Legal(7, "k11")
