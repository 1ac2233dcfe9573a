"""Contract tests that `flask doctor` and the start of the service also run.

They check names, words, options, chance, evaluation and hints.
"""

from __future__ import annotations

import io
import random

import pytest
from babel.messages.pofile import read_po

from correspondence.core.i18n import LANGUAGES, misfits
from correspondence.core.move_text import in_games, looks_like_move
from correspondence.testing.walks import Case, answer, looked_at, walk
from engines import GAMES, trial
from engines.base import CHANCE
from engines.chance import SEED_BYTES, ChanceStream
from engines.record import draw_lots
from engines.search import LEVELS, choose
from engines.typed import mistyped


def test_every_value_has_its_type(key: str) -> None:
    assert mistyped(GAMES[key]) == ""


def test_names_can_be_written_and_mean_nothing_else(key: str) -> None:
    trial.try_names(GAMES[key])


def test_patterns_can_be_read_and_take_no_talk_for_a_move(key: str) -> None:
    trial.try_vocabulary(GAMES[key].vocabulary)
    with in_games([key]):
        assert [line for line in trial.TALK if looks_like_move(line)] == []


def test_options_can_be_written_and_listed(key: str) -> None:
    trial.try_options(GAMES[key])


def test_rules_hold_with_each_set_of_options(case: Case) -> None:
    trial.try_rules(case.game, case.options)


def test_chance_draws_whole_numbers_and_the_same_from_the_same_seed(case: Case, seed: int) -> None:
    trial.try_chance(case.game)
    for position, seat, _move in looked_at(walk(case, seed)[0], seed):
        if seat == CHANCE:
            drawn = [position.random_move(CHANCE, ChanceStream(bytes(SEED_BYTES), seed)) for _time in range(2)]
            assert drawn[0] == drawn[1] and position.objection(CHANCE, drawn[0]) is None


def test_judge_has_a_budget_for_each_level_and_judges(key: str) -> None:
    trial.try_judge(GAMES[key])


def test_robots_choose_legal_moves_and_the_same_for_the_same_seed(case: Case) -> None:
    levels = range(1, len(LEVELS[case.key]) - 1 if case.game.judge is not None else 2)
    plies, _last = walk(case, 1)
    for position, seat, _move in [ply for ply in plies if ply[1] != CHANCE][:2]:
        for level in levels:
            chosen = [choose(case.key, position, seat, level, random.Random(1)) for _time in range(2)]
            assert chosen[0] == chosen[1] and position.objection(seat, chosen[0]) is None


def test_hint_is_a_legal_move_or_none(key: str) -> None:
    game = GAMES[key]
    if game.hint is None:
        pytest.skip("it has no hints")
    position, _lots = draw_lots(game.start(game.Options()), random.Random(1))
    hint = game.hint(position)
    assert hint is None or answer(position.objection, position.to_act[0], hint) is None


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translations_keep_the_placeholders(key: str, language: str) -> None:
    brought = GAMES[key].presentation.catalogue(language)
    assert misfits(read_po(io.BytesIO(brought.encode()), locale=language)) == []
