"""What letters teach fits the phase, the options and the reader: every example can be played where it stands."""

from __future__ import annotations

import random
import re

import pytest

from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.models.loading import position_of
from correspondence.play.letter_context import PRACTISED
from engines import GAMES
from engines.base import CHANCE
from engines.options import choices_of, read_options
from engines.record import draw_lots
from tests.post import html_of, text_of
from tests.test_both_parts import words_of
from tests.test_letters_do_nothing import does_something
from tests.test_rules_by_mail import flat

PLIES = 60
FOLDED = "(how it is written: rules notation)"


def option_sets(game):
    """The usual options, each value of each option alone, and two random mixtures."""
    choices = choices_of(game.Options)
    rng = random.Random(3)
    mixed = [{one.name: rng.choice(one.values) for one in choices} for _ in range(2)] if choices else []
    return [{}, *({one.name: value} for one in choices for value in one.values if value != one.default), *mixed]


TABLES = [(key, options) for key, game in GAMES.items() for options in option_sets(game)]


def walk(key, options, seed, plies=PLIES):
    """The positions of a random game, and who is to act there."""
    rng, game = random.Random(seed), GAMES[key]
    position = game.start(read_options(game.Options, options))
    for _ply in range(plies):
        position, _lots = draw_lots(position, rng)
        if position.outcome is not None:
            return
        seat = rng.choice(position.to_act)
        yield position, seat
        position = position.play(seat, position.view(seat).random_move(seat, rng))


@pytest.mark.parametrize(("key", "options"), TABLES, ids=str)
def test_every_example_of_a_guide_can_be_played_where_it_is_shown(key, options):
    kinds = set()
    for seed in range(3):
        for position, seat in walk(key, options, seed):
            guide = position.view(seat).guide(seat)
            assert guide or not GAMES[key].presentation.package.startswith("engines.")
            for line in guide:
                assert line.words
                if line.example:
                    move = position.read(seat, line.example)
                    assert position.write(seat, move) == line.example and position.objection(seat, move) is None
                    kinds.add(re.sub(r"[^+@=/x-]", "", line.example)[:1])
    assert len(kinds) > (0 if GAMES[key].seats[1:] else -1)


@pytest.mark.parametrize(("key", "options"), TABLES, ids=str)
def test_a_guide_tells_each_player_what_that_player_may_know(key, options):
    for position, seat in walk(key, options, 9, 12):
        seen = position.view(seat)
        assert seen.guide(seat) == seen.view(seat).guide(seat)
        other = seen.imagine(seat, random.Random(4))
        assert other.view(seat).guide(seat) == seen.guide(seat)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "options"), TABLES, ids=str)
def test_no_line_of_a_guide_does_anything_when_it_is_quoted(key, options, language):
    with in_language(language):
        for position, seat in walk(key, options, 5, 8):
            lines = [f"{one.example} – {one.words}" if one.example else one.words
                     for one in position.view(seat).guide(seat)]  # fmt: skip
            assert [line for line in lines if does_something(line)] == []


def examples_in(letter):
    """What stands before a dash at the beginning of a line of teaching, and behind “Reply with:”."""
    text = text_of(letter).partition("To play, reply")[2].partition("You can also")[0]
    return re.findall(r"^ {2}(\S.*?) – ", text, re.M) + re.findall(r"^Reply with: (.+)$", text, re.M)


VARIANTS = [{}, {"warhorses": "yes"}, {"warhorses": "yes", "polarity": "yes", "trade_off": "yes"}, {"roulette": "before"},
            {"wall_street": "secret"}, {"wall_street": "open"}]  # fmt: skip


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_example_in_the_letters_of_proteus_is_legal_there(town, options):
    town.join("ann", "bob")
    number = town.match("proteus-dice", **options)
    rng, shown = random.Random(2), 0
    for _ply in range(10):
        position = position_of(town.stand(number))
        if not position.to_act or position.to_act == (CHANCE,):
            break
        seat = rng.choice(position.to_act)
        name = ("ann", "bob")[seat]
        examples = examples_in(town.letter(name))
        for text in examples:
            position.read(seat, text)
        shown += len(examples)
        move = position.write(seat, position.view(seat).random_move(seat, rng))
        assert town.answer(town.letter(name), move) == "done: played"
    assert shown > 15


def test_wall_street_letters_say_the_budget_the_prices_and_who_begins(town):
    town.join("ann", "bob")
    town.match("proteus-dice", wall_street="secret")
    letter = town.letter("ann")
    text = flat(text_of(letter))
    assert "You buy eight dice in secret, for 20 points at most. They cost: pawn P 2, bishop B 3, knight N 4" in text
    assert re.search(r"Both threw a die: White (\d), Black (\d)\. So (White|Black) begins\.", text)
    first = (
        "White"
        if re.search(r"White (\d), Black (\d)", text)[1] > re.search(r"White (\d), Black (\d)", text)[2]
        else "Black"
    )
    assert f"So {first} begins." in text and f"{first} threw more, and makes the first move." in text
    assert "roll" not in text
    assert "Chance" not in text
    assert "Lots" not in text
    for sentence in ("for 20 points at most", f"So {first} begins."):
        assert sentence in words_of(html_of(letter))


def test_prices_and_examples_follow_warhorses(town):
    town.join("ann", "bob")
    town.match("proteus-dice", wall_street="open", warhorses="yes")
    assert "pawn P 2, knight N 3, bishop B 4" in flat(text_of(town.letter("ann")))
    town.match("proteus-dice", warhorses="yes")
    assert "P pawn 2, N knight 3, B bishop 4" in flat(text_of(town.letter("ann")))


def test_a_throw_is_told_in_a_sentence(town):
    town.join("ann", "bob")
    number = town.match("proteus-dice", roulette="before")
    rng = random.Random(6)
    for _ply in range(200):
        position = position_of(town.stand(number))
        seat = position.to_act[0]
        moves = [position.random_move(seat, rng) for _try in range(12)]
        move = next((one for one in moves if "x" in position.write(seat, one)), moves[0])
        name, text = ("ann", "bob")[seat], position.write(seat, move)
        if "x" in text:
            town.answer(town.letter(name), text)
        else:
            town.play(number, name, text)
        if position_of(town.stand(number)).stage == "rotate":
            break
    assert re.search(r"The die on \w\d was thrown, and its upper face is now: \w+\.", flat(text_of(town.letter(name))))


def test_after_three_finished_games_of_a_kind_the_teaching_is_one_line(town):
    town.join("ann", "bob", "cleo")
    for _game in range(PRACTISED):
        number = town.match("duel", white="ann", black="bob")
        assert FOLDED not in flat(text_of(town.letter("ann"))) and "places your" in text_of(town.letter("ann"))
        town.answer(town.letter("ann"), "resign")
        town.answer(town.letter("ann"), "yes")
        assert town.stand(number).ended_at is not None
    town.match("duel", white="ann", black="cleo")
    letter = town.letter("ann")
    assert FOLDED in flat(text_of(letter)) and FOLDED in words_of(html_of(letter))
    assert "places your" not in text_of(letter) and "your move on the first line" in text_of(letter)
    town.match("plateau", white="ann", black="cleo")
    assert FOLDED not in flat(text_of(town.letter("ann")))
    town.match("duel", white="cleo", black="ann")
    assert FOLDED not in flat(text_of(town.letter("cleo")))
    town.answer(letter, "rules notation")
    assert "A button is written as its number" in flat(text_of(town.letter("ann")))


def test_half_a_turn_is_asked_about_and_no_other_half_is_invented(town):
    town.join("ann", "bob")
    number = town.match()
    first = town.letter("ann")
    assert town.answer(first, "c3") == "done: asked"
    question = town.letter("ann")
    text = flat(text_of(question))
    assert (
        "c3 is fine; which other die do you turn? Write c3/, followed without a space by one of these, or that alone:"
        in text
    )
    assert "(1)" not in text
    assert "f2=B" in text
    assert "c3/f2" not in text.partition("You can also")[0].partition("Reply with")[0]
    assert "f2=B" in words_of(html_of(question))
    assert town.answer(question, "1") == "done: asked" and town.moves(number) == []
    assert "which other die do you turn?" in flat(text_of(town.letter("ann")))
    assert town.answer(question, "c3/f2=B") == "done: played" and town.moves(number) == ["c3/f2=B"]


@pytest.mark.parametrize("half", ["f2=B", "f2=b", "/f2=B", "c3/f2=B"])
def test_the_other_half_alone_completes_the_move_that_was_asked_about(town, half):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), "c3")
    assert town.answer(town.letter("ann"), half) == "done: played" and town.moves(number) == ["c3/f2=B"]


def test_a_half_that_leaves_two_ways_is_asked_about_and_a_number_plays_the_whole(town):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), "c3")
    assert town.answer(town.letter("ann"), "f2") == "done: asked"
    assert "(2) c3/f2=B" in text_of(town.letter("ann"))
    assert town.answer(town.letter("ann"), "2") == "done: played" and town.moves(number) == ["c3/f2=B"]


def test_who_writes_another_move_instead_of_the_other_half_has_changed_their_mind(town):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), "c3")
    assert town.answer(town.letter("ann"), "e3/b2=B") == "done: played" and town.moves(number) == ["e3/b2=B"]


def test_half_of_a_turn_at_duel_is_completed_by_the_square_and_by_no_number(town):
    town.join("ann", "bob")
    number = town.match("duel")
    town.answer(town.letter("ann"), "5")
    question = town.letter("ann")
    assert town.answer(question, "3") == "done: asked" and town.moves(number) == []
    assert town.answer(question, "b3") == "done: played" and town.moves(number) == ["5@b3"]


def test_the_other_half_in_answer_to_an_old_letter_plays_nothing(town):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), "c3")
    question = town.letter("ann")
    town.play(number, "ann", "e3/b2=B")
    assert town.answer(question, "f2=B") != "done: played" and town.moves(number) == ["e3/b2=B"]


def test_a_die_that_cannot_go_there_is_offered_its_moves_without_a_die_to_turn(town):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), "c5/f2=B")
    text = text_of(town.letter("ann"))
    assert "(2) c3/f2=B" in text  # the half that was written is kept
    town.answer(town.letter("ann"), "c5")
    text = text_of(town.letter("ann"))
    assert "(1) c2" in text and "=Y" not in text.partition("To play")[0]
    assert town.answer(town.letter("ann"), "1") == "done: asked" and town.moves(number) == []
    assert "which other die do you turn?" in text_of(town.letter("ann"))


def test_the_nearest_move_of_plateau_differs_by_a_sign_where_one_does(town):
    town.join("ann", "bob")
    number = town.match("plateau")
    assert town.answer(town.letter("ann"), "+b1 xx rb") == "done: refused"
    letter = town.letter("ann")
    assert "(1) +b1 xx,rb" in text_of(letter) and "(2)" not in text_of(letter)
    assert town.answer(letter, "1") == "done: played" and town.moves(number) == ["+b1 xx,rb"]
