"""Contract tests of teaching: diagrams, examples, words, sample game and lessons."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.rulebook.blocks import RulesBlock
from correspondence.rulebook.chapters import CHAPTERS, Diagram, Example
from correspondence.rulebook.drawing import drawn, scene_of, targets
from correspondence.rulebook.examples import position_at, start_of
from correspondence.rulebook.pages import page_of, rendered_blocks
from correspondence.testing.sample_record import read_sample
from engines import GAMES
from engines.base import CHANCE, MoveError, Position, Seat
from engines.course import MOVES, CourseStep, course
from engines.options import choices_of
from engines.record import positions
from engines.verification.record_text import result_of

_WALKS = 3
_HEAVIEST_DIAGRAMS = 60_000
_LONGEST_LESSON = 4 * MOVES

each_language = pytest.mark.parametrize("language", LANGUAGES)


# -- diagrams and examples --------------------------------------------------------------


def test_names_and_captions_of_diagrams_are_unique(key: str) -> None:
    diagrams = CHAPTERS[key].diagrams
    assert len({one.name for one in diagrams}) == len({one.caption for one in diagrams}) == len(diagrams)


@each_language
def test_each_diagram_is_a_picture_with_words(diagram: tuple[str, Diagram], language: str) -> None:
    picture = drawn(*diagram, language)
    assert picture is not None and len(picture.alt) > 20
    root = ElementTree.fromstring(picture.document)
    assert all(root.findtext(f"{{http://www.w3.org/2000/svg}}{name}") for name in ("title", "desc"))


def test_diagrams_are_light(key: str) -> None:
    pictures = [drawn(key, one, "en") for one in CHAPTERS[key].diagrams]
    assert sum(len(one.gzipped) for one in pictures if one is not None) < _HEAVIEST_DIAGRAMS


def test_a_diagram_marks_what_the_engine_says(diagram: tuple[str, Diagram]) -> None:
    key, one = diagram
    hinted = [mark.cell for mark in scene_of(key, one).marks if mark.kind == "hint"]
    assert tuple(hinted) == (targets(position_at(key, one.moment), one) if one.reach is not None else ())
    assert bool(hinted) == (one.reach is not None)
    if one.squares:
        assert sorted(hinted) == sorted(one.squares.split())


def test_a_caption_keeps_its_promises(diagram: tuple[str, Diagram]) -> None:
    key, one = diagram
    position: Any = position_at(key, one.moment)
    assert (position.outcome and position.outcome.winners) == one.wins
    assert not one.becomes or position.to_text() == one.becomes
    for text in one.allows:
        position.read(position.to_act[0], text)
    for text in one.refuses:
        with pytest.raises(MoveError):
            position.read(position.to_act[0], text)


def test_a_position_text_is_written_as_it_was_read(diagram: tuple[str, Diagram]) -> None:
    key, one = diagram
    position: Any = start_of(key, one.moment)
    if one.moment.position and position.to_act:
        assert type(position).from_text(position.to_text()).to_text() == position.to_text()


def test_an_example_is_read_where_it_is_given(example: tuple[str, Example]) -> None:
    key, one = example
    position = position_at(key, one.moment)
    seat = position.to_act[0]
    move = position.read(seat, one.text)
    assert position.write(seat, move) == one.text
    assert [position.read(seat, text) for text in one.also] == [move] * len(one.also)


def test_the_sample_letter_shows_a_move_and_its_answer_can_be_played(key: str) -> None:
    chapter = CHAPTERS[key]
    position = position_at(key, chapter.letter)
    assert chapter.letter.played
    position.read(position.to_act[0], chapter.reply)


# -- the words of the page ----------------------------------------------------------------


def blocks(key: str, language: str) -> tuple[RulesBlock, ...]:
    """Return the blocks of a game's rules page, in order; raise what its template raises."""
    with in_language(language):
        return rendered_blocks(key, page_of(GAMES[key]))


@each_language
def test_a_page_has_its_sections_in_order_and_shows_each_diagram_once(key: str, language: str) -> None:
    found, chapter = blocks(key, language), CHAPTERS[key]
    anchors = [block.name for block in found if block.kind == "section"]
    assert anchors[: len(chapter.sections)] == list(chapter.sections)
    assert sorted(block.name for block in found if block.kind == "diagram") == sorted(
        one.name for one in chapter.diagrams
    )


@each_language
def test_a_page_explains_every_option_and_value(key: str, language: str) -> None:
    if not GAMES[key].presentation.page():
        pytest.skip("it brings no words for its page")
    headings = [block.name for block in blocks(key, language) if block.kind == "option"]
    wanted = set()
    for choice in choices_of(GAMES[key].Options):
        is_variant = choice.default in ("no", "none")
        wanted |= {f"{choice.name}={value}" for value in choice.values if not is_variant or value != choice.default}
    assert len(headings) == len(set(headings)) and set(headings) == wanted


@each_language
def test_code_on_a_page_is_a_move_that_an_example_or_a_diagram_tries(key: str, language: str) -> None:
    written = {code for block in blocks(key, language) for code in re.findall(r"<code>(.*?)</code>", block.markup)}
    assert {html.unescape(text) for text in written} <= set(tried_texts(key))


def tried_texts(key: str) -> Iterator[str]:
    """Yield the moves of a chapter's examples and diagrams, which other tests have parsed."""
    chapter = CHAPTERS[key]
    yield from (text for one in chapter.examples for text in (one.text, *one.also))
    yield from (text for one in chapter.diagrams for text in (*one.moment.played, *one.allows))


# -- the sample ----------------------------------------------------------------------------


def test_the_sample_replays_and_names_its_end(key: str) -> None:
    text = GAMES[key].presentation.sample()
    if not text:
        pytest.skip("it brings no sample")
    sample = read_sample(text)
    *course_of_game, last = positions(sample.game, sample.options, sample.entries)
    assert sample.game.key == key and sample.tags["Version"] == str(sample.game.version)
    assert sample.tags["Seats"] == " ".join(sample.game.seats)
    assert all(position.outcome is None for position in course_of_game) and last.outcome is not None
    assert (
        sample.tags["Result"] == result_of(last.outcome)
        and sample.tags.get("Reason", last.outcome.reason) == last.outcome.reason
    )


# -- the lessons -----------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [0, 1])
@pytest.mark.parametrize("lot", range(_WALKS))
def test_each_lesson_is_told_once_has_a_legal_example_and_ends_after_ten_moves(
    key: str, learner: Seat, lot: int
) -> None:
    lessons = GAMES[key].presentation.lessons
    if lessons is None:
        pytest.skip("it brings no lessons")
    steps, last = random_lesson(key, lot)
    found = list(course(lessons, steps, last, learner))
    keys = [lesson.key for one in found for lesson in one.lessons]
    assert len(keys) == len(set(keys))
    robots = [ply for ply, (_before, seat, _move) in enumerate(steps, start=1) if seat == 1 - learner]
    assert [one.ply for one in found if one.number] == robots[:MOVES]
    for one in found:
        must_be_playable(one, [*(step[0] for step in steps), last][one.ply], learner)


@pytest.mark.parametrize("learner", [0, 1])
def test_no_lesson_raises(key: str, learner: Seat) -> None:
    lessons = GAMES[key].presentation.lessons
    if lessons is None:
        pytest.skip("it brings no lessons")
    steps, last = random_lesson(key, 0)
    for (before, seat, move), after in zip(steps, [*(step[0] for step in steps[1:]), last], strict=True):
        if seat == 1 - learner:
            text = before.tell(seat, move, learner, after)
            list(lessons.shown(before.view(learner), text, after.view(learner), learner))
        if learner in before.to_act:
            list(lessons.possible(before.view(learner), learner))


def random_lesson(key: str, lot: int) -> tuple[list[tuple[Position[Any], Seat, Any]], Position[Any]]:
    """Play a random game: return its steps and the last position."""
    rng, game = random.Random(lot), GAMES[key]
    position, steps = game.start(game.Options()), list[tuple[Position[Any], Seat, Any]]()
    while position.to_act and len(steps) < _LONGEST_LESSON:
        seat = position.to_act[0]
        move = position.random_move(seat, rng)
        steps.append((position, seat, move))
        position = position.after(seat, move)
    return steps, position


def must_be_playable(one: CourseStep, position: Position[Any], learner: Seat) -> None:
    """Assert that each lesson is a whole sentence, or has an example that can be played now."""
    assert len(one.lessons) <= 2
    for lesson in one.lessons:
        assert ("{" not in lesson.words and lesson.words[-1] in ".✦") or lesson.example
        if lesson.example:
            seen = position.view(learner)
            assert seen.write(learner, seen.read(learner, lesson.example)) == lesson.example
            assert lesson.example in lesson.words
    assert CHANCE not in position.to_act or not one.lessons or all(not lesson.example for lesson in one.lessons)
