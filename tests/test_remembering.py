"""What is remembered of pure functions is the same as what they would give."""

from __future__ import annotations

from correspondence.core.caching import cached, clear_caches
from correspondence.core.i18n import in_language
from engines import GAMES, wording
from engines.options import read_options


def test_an_answer_is_remembered_for_each_language():
    asked = []

    @cached(8)
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


def test_no_more_is_remembered_than_was_said():
    asked = []

    @cached(2)
    def twice(number):
        asked.append(number)
        return 2 * number

    assert [twice(number) for number in (1, 2, 3, 3, 1)] == [2, 4, 6, 6, 2]
    assert asked == [1, 2, 3, 1]


def test_positions_and_pictures_of_every_game_can_be_remembered():
    for game in GAMES.values():
        one, other = (game.start(read_options(game.Options, {})) for _again in range(2))
        assert hash(one) == hash(other)
        assert hash(one.scene(None)) == hash(other.scene(None))
