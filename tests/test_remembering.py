"""What is remembered of pure functions is the same as what they would give."""

from __future__ import annotations

from correspondence.core.caching import MEMORY, WEIGHED_ONCE_IN, Memory, Scale, cached, clear_caches, weight
from correspondence.core.i18n import in_language
from correspondence.web.locale import sentence
from engines import GAMES, wording
from engines.options import read_options


def test_an_answer_is_remembered_for_each_language():
    asked = []

    @cached
    def sentence(word):
        asked.append(word)
        return wording._(word)

    for _again in range(2):
        assert sentence("Resign") == "Resign"
        with in_language("it"):
            assert sentence("Resign") != "Resign"
    assert asked == ["Resign", "Resign"]
    clear_caches()
    assert sentence("Resign") == "Resign" and len(asked) == 3


def test_a_sentence_of_a_page_is_kept_for_each_language_and_its_values_are_written_as_text():
    for _again in range(2):
        assert sentence("Resign") == "Resign"
        with in_language("it"):
            assert sentence("Resign") == wording._("Resign") != "Resign"
            assert sentence("") == ""
        assert sentence("100 %% for %(who)s", who="<b>") == "100 % for &lt;b&gt;"
        assert sentence("100 %%") == "100 %"


def test_no_more_bytes_are_remembered_than_was_said_however_large_each_result_is():
    asked = []
    memory = Memory(most=1_000)

    def text_of(length):
        return memory.get(("text", (length,), ()), lambda: asked.append(length) or "x" * length)

    for length in (400, 401, 400, 402, 401, 5_000, 402):
        assert text_of(length) == "x" * length
        assert memory.bytes <= memory.most
    assert asked == [400, 401, 402, 401, 5_000]


def test_results_that_are_no_text_are_weighed_now_and_then_and_texts_each_time():
    scale = Scale()
    many, few = tuple(range(1_000)), (1,)
    first = scale.weigh([many, "seven chars"])
    assert first == weight(many) + 11
    assert [scale.weigh([few, "x"]) for _again in range(WEIGHED_ONCE_IN)] == [
        *[weight(many) + 1] * (WEIGHED_ONCE_IN - 1), weight(few) + 1
    ]  # fmt: skip


def test_large_results_of_a_function_stay_within_what_is_remembered_in_all():
    @cached
    def numbers(first):
        return tuple(range(first, first + 10_000))

    clear_caches()
    for first in range(2_000):
        assert numbers(first)[0] == first
    assert 0 < MEMORY.bytes <= MEMORY.most


def test_what_cannot_be_written_is_remembered_all_the_same():
    asked = []

    @cached
    def doubling(factor):
        asked.append(factor)
        return lambda number: factor * number

    assert [doubling(factor)(3) for factor in (2, 2)] == [6, 6] and asked == [2]


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
