"""What is remembered of pure functions is the same as what they would give."""

from __future__ import annotations

import random

import pytest

from correspondence.core import db
from correspondence.core.caching import (
    MEMORY,
    WEIGHED_ONCE_IN,
    Memory,
    Scale,
    cached,
    clear_caches,
    known_result,
    weight,
)
from correspondence.core.i18n import in_language
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES, wording
from engines.options import read_options
from engines.record import Entry, ReplayError, playout, positions


def test_an_answer_is_remembered_for_each_language():
    calls = []

    @cached
    def sentence(word):
        calls.append(word)
        return wording._(word)

    for _again in range(2):
        assert sentence("Resign") == "Resign"
        with in_language("it"):
            assert sentence("Resign") != "Resign"
    assert calls == ["Resign", "Resign"]
    clear_caches()
    assert sentence("Resign") == "Resign" and len(calls) == 3


def test_no_more_bytes_are_remembered_than_was_said_however_large_each_result_is():
    calls = []
    memory = Memory(most=1_100)

    def text_of(length):
        return memory.get(("text", (length,), ()), lambda: calls.append(length) or "x" * length)

    for length in (400, 401, 400, 402, 401, 5_000, 402):
        assert text_of(length) == "x" * length
        assert memory.bytes <= memory.most
    assert calls == [400, 401, 402, 401, 5_000]


def test_results_that_are_no_text_are_weighed_now_and_then_and_texts_each_time():
    scale = Scale()
    many, few = tuple(range(1_000)), (1,)
    first = scale.weigh([many, "seven chars"])
    assert first == weight(many) + weight("seven chars")
    assert [scale.weigh([few, "x"]) for _again in range(WEIGHED_ONCE_IN)] == [
        *[weight(many) + weight("x")] * (WEIGHED_ONCE_IN - 1), weight(few) + weight("x")
    ]  # fmt: skip


def test_a_text_is_weighed_by_its_bytes_which_are_twice_as_many_where_a_letter_is_no_latin_one():
    assert 1_000 < weight("é" * 1_000) < 1_100
    assert 1_000 < weight(b"x" * 1_000) < 1_100
    assert 2_000 < weight("”" + "x" * 999) < 2_100


def test_large_results_of_a_function_stay_within_what_is_remembered_in_all():
    @cached
    def numbers(first):
        return tuple(range(first, first + 10_000))

    clear_caches()
    for first in range(2_000):
        assert numbers(first)[0] == first
    assert 0 < MEMORY.bytes <= MEMORY.most


def test_what_cannot_be_written_is_remembered_all_the_same():
    calls = []

    @cached
    def doubling(factor):
        calls.append(factor)
        return lambda number: factor * number

    assert [doubling(factor)(3) for factor in (2, 2)] == [6, 6] and calls == [2]


def test_functions_of_one_name_do_not_answer_for_each_other():
    def remembered(factor):
        @cached
        def times(number):
            return factor * number

        return times

    assert (remembered(2)(3), remembered(5)(3)) == (6, 15)


def test_positions_and_pictures_of_every_game_can_be_remembered():
    for game in GAMES.values():
        one, other = (game.start(read_options(game.Options, {})) for _again in range(2))
        assert hash(one) == hash(other)
        assert hash(one.scene(None)) == hash(other.scene(None))


def test_games_that_differ_in_an_early_move_alone_are_remembered_apart():
    one, other = (ViewerGame("duel", "", (Entry(0, first), Entry(1, "5@c3"))) for first in ("5@b3", "5@d3"))
    assert hash(one) == hash(other) and one != other
    for _again in range(2):
        assert one.unmarked(2, None, opened=False) != other.unmarked(2, None, opened=False)


def test_a_game_that_goes_on_or_takes_another_way_has_the_positions_of_its_own_entries():
    rules, options = GAMES["duel"], read_options(GAMES["duel"].Options, {})
    begun = playout(rules.start(options), random.Random(1), 4)
    one_way, other_way = (begun.entries + playout(begun.position, random.Random(seed), 6).entries for seed in (2, 3))
    assert one_way != other_way
    for course in (begun.entries, one_way[:6], other_way[:6], one_way, other_way, one_way[:5], begun.entries[:1]):
        game = ViewerGame("duel", "", course)
        expected = list(positions(rules, options, course))
        assert [game.at(ply) for ply in range(len(course) + 1)] == expected


@pytest.mark.parametrize("known", [0, 1, 2])
def test_an_entry_that_cannot_be_played_is_named_by_its_number_however_much_of_its_game_is_known(known):
    clear_caches()
    entries = (Entry(0, "5@b3"), Entry(1, "5@c3"), Entry(0, "5@c3"))
    ViewerGame("duel", "", entries[:known]).at(known)
    with pytest.raises(ReplayError) as refused:
        ViewerGame("duel", "", entries).at(3)
    assert refused.value.ply == 3


def test_what_is_known_of_a_function_is_said_for_the_same_arguments_and_language_alone():
    @cached
    def twice(word):
        return word * 2

    twice("a")
    assert known_result(twice, "a") == "aa" and known_result(twice, "b") is None
    with in_language("it"):
        assert known_result(twice, "a") is None


def test_what_a_version_says_is_asked_once_by_each_database_and_only_where_nothing_is_written(tmp_path):
    one, other = (db.make_engine(f"sqlite:///{tmp_path / name}") for name in ("one.db", "other.db"))
    questions = []

    def ask(session, version):
        return db.remembered(session, version, lambda: questions.append(version) or len(questions))

    for engine in (one, one, other):
        with db.reading(engine) as session:
            ask(session, "first")
    with db.reading(one) as session:
        assert [ask(session, version) for version in ("first", "second", "first")] == [1, 3, 1]
    with db.transaction(one) as session:
        assert ask(session, "first") == 4
    for engine in (one, other):
        engine.dispose()
