"""Whole games on record: one for each case, replayed with its boards, its result and its end."""

from __future__ import annotations

import pytest

from engines import OURS
from engines.base import CHANCE
from engines.options import read_options
from engines.record import Entry, ReplayError, positions
from engines.text import render
from engines.verification.record_text import result_of
from tests.games import OUR_CASES
from tests.make_records import BOARD_EVERY, MOST, name_of, record_of
from tests.recorded import RECORDS, recorded

SAMPLES = [f"{game.key}-sample" for game in OURS if game.presentation.sample()]
NAMES = sorted([*SAMPLES, *(path.stem for path in RECORDS.glob("*.record"))])
MADE = [name_of(case) for case in OUR_CASES]

each_record = pytest.mark.parametrize("name", NAMES)


def other_move(position, entry):
    """A legal move of a player that is not the one on record; None if there is none."""
    if entry.seat == CHANCE:
        return None
    texts = (position.write(entry.seat, move) for move in position.legal_moves(entry.seat))
    return next((text for text in texts if text != entry.text), None)


def altered(game):
    """The record with another legal move in one place, for every place where there is one."""
    course = positions(game.game, game.options, game.entries)
    for at, (position, entry) in enumerate(zip(course, game.entries, strict=False)):
        text = other_move(position, entry)
        if text is not None:
            entries = (*game.entries[:at], Entry(entry.seat, text), *game.entries[at + 1 :])
            yield game._replace(entries=entries)


def boards_of(game):
    """The boards that the record must show where it shows any."""
    course = list(positions(game.game, game.options, game.entries))
    return {ply: render(course[ply].draw()) for ply in game.boards}


def refusal(game):
    """The sentence that refuses a record, and the entry that it names."""
    with pytest.raises(ReplayError) as refused:
        game.end()
    return str(refused.value), refused.value.ply


@each_record
def test_a_record_replays_with_its_boards_to_its_end(name):
    game = recorded(name)
    course = list(positions(game.game, game.options, game.entries))
    outcome = course[-1].outcome
    assert boards_of(game) == game.boards
    assert all(position.outcome is None for position in course[:-1])
    assert game.tags["Result"] == result_of(outcome)
    assert game.tags.get("Reason", outcome.reason) == outcome.reason
    assert game.tags.get("Scores", " ".join(map(str, outcome.scores))) == " ".join(map(str, outcome.scores))


@each_record
def test_a_record_is_of_these_rules_and_seats(name):
    game = recorded(name)
    assert game.tags["Version"] == str(game.game.version)
    assert game.tags["Seats"] == " ".join(game.game.seats)
    assert name.startswith(game.game.key)


@pytest.mark.parametrize("case", OUR_CASES, ids=str)
def test_every_game_and_option_set_has_a_record(case):
    game = recorded(name_of(case))
    assert game.game == case.game
    assert game.options == read_options(case.game.Options, case.options)
    assert len(game.entries) <= MOST
    assert set(game.boards) == {*range(BOARD_EVERY, len(game.entries), BOARD_EVERY), len(game.entries)}


def test_every_record_belongs_to_a_case_or_is_a_sample():
    assert [name for name in NAMES if name not in MADE and not name.endswith("-sample")] == []


@pytest.mark.parametrize("case", OUR_CASES, ids=str)
def test_the_script_writes_the_same_records_again(case):
    assert record_of(case).encode() == RECORDS.joinpath(f"{name_of(case)}.record").read_bytes()


@each_record
def test_what_follows_an_altered_move_is_refused_in_a_sentence(name):
    other = next(altered(recorded(name)))
    sentence, ply = refusal(other)
    assert sentence.startswith(f"Entry {ply} of the record, {other.entries[ply - 1].text}, cannot be played: ")
    assert sentence[-1] in ".?!"


@each_record
def test_a_move_altered_into_none_is_refused_in_its_place(name):
    game = recorded(name)
    at = max(at for at, entry in enumerate(game.entries) if entry.seat != CHANCE)
    sentence, ply = refusal(game._replace(entries=(*game.entries[:at], Entry(game.entries[at].seat, "z9/z9=Z"))))
    assert ply == at + 1
    assert sentence.startswith(f"Entry {ply} of the record, z9/z9=Z, cannot be played: ") and sentence[-1] in ".?!"
