"""The shape of letters: lines that every mail program shows whole, headings, pictures with a size, no large letter."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from correspondence.commands import CommandError, Other, read_line
from correspondence.outbound.narrow_lines import LONGEST, narrowed
from correspondence.outbound.transcript import PageBlock, height_at
from tests.post import html_of, text_of
from tests.test_subjects import a_duel_with_everything

ASKED = (
    "help", "rules", "rules duel", "rules plateau", "partners", "seeks", "games", "settings", "letters", "ratings",
    "seek duel 3 days", "challenge bob duel", "export", "forget me", "invite zoe@example.net duel 3 days",
    "test letter", "puzzle", "history 1", "record 1", "show 1", "foo bar", "settings digest daily", "mute bob",
    "write bob: " + "hello there, my friend, " * 20,
)  # fmt: skip


@pytest.fixture(params=["en", "it"])
def letters(town, request):
    """A letter of almost every kind, in one language."""
    town.join("ann", "bob", language=request.param)
    a_duel_with_everything(town)
    for line in ASKED:
        town.agree("ann", line)
        town.wait(minutes=6)
    assert len({str(letter["Feedback-ID"]).partition(":")[0] for letter in town.received}) > 12
    return town.received


def test_no_line_of_a_letter_is_longer_than_78_characters_but_for_links_and_records(letters):
    rows = [row for letter in letters for row in text_of(letter).splitlines()]
    long_rows = [row for row in rows if len(row) > LONGEST and " " in row.strip()]
    assert [row for row in long_rows if not re.match(r'\[\w+ "|\d+\. \S+: ', row)] == []  # a record stays as it is


def test_each_page_has_one_heading_or_is_an_answer_and_its_pictures_have_their_size(letters):
    for letter in letters:
        page = html_of(letter)
        is_answer = str(letter["Feedback-ID"]).startswith("answer:")
        assert page.count("<h1") == (0 if is_answer else 1)
        for tag in re.findall(r"<img [^>]*>", page):
            assert re.search(r'width="\d+" height="\d+"', tag) and 'alt="' in tag


def test_no_letter_is_larger_than_60_kilobytes(letters):
    assert max(len(letter.as_bytes()) for letter in letters) <= 60_000


def test_a_picture_is_announced_in_the_proportions_that_it_has(town):
    town.join("ann", "bob")
    for number, game in enumerate(("plateau", "duel"), 1):
        town.match(game)
        letter = next(one for one in reversed(town.received) if f"[Game {number} " in str(one["Subject"]))
        width, height = map(int, re.search(r'<img [^>]*width="(\d+)" height="(\d+)"', html_of(letter)).groups())
        picture = next(part for part in letter.walk() if part.get_content_type() == "image/png")
        size = Image.open(BytesIO(picture.get_payload(decode=True))).size
        assert abs(size[0] / size[1] - width / height) < 0.02


def test_a_picture_without_a_view_box_is_square():
    assert height_at("", 440) == height_at("<svg/>", 440) == 440


WORDS = st.lists(st.sampled_from(["draw", "resign", "yes", "5@a2", "c3/f2=B", "and", "then", "you", "wrote", "a" * 20]))


@given(WORDS, st.sampled_from(["", "> ", "| ", "  ", "    ", "| | "]))
def test_a_line_that_is_broken_keeps_its_words_its_marks_and_is_short(words, mark):
    line = mark + " ".join(words)
    rows = narrowed(line).split("\n")
    assert all(row.startswith(mark) for row in rows)
    assert " ".join(row[len(mark) :] for row in rows).split() == words
    assert all(len(row) <= LONGEST for row in rows)


@given(WORDS.filter(bool), st.one_of(st.integers(20, 100).map(" ".__mul__), st.text(" >|·", min_size=20, max_size=120)))
@example(["hello"] * 12, " " * 28)
def test_no_mark_or_blank_before_a_line_loses_a_word_or_makes_it_long(words, marks):
    rows = narrowed(marks + " ".join(words)).split("\n")
    assert " ".join(rows).translate(dict.fromkeys(map(ord, ">|·"), " ")).split() == words
    assert all(len(row.rstrip()) <= LONGEST for row in rows) or len(max(marks.split(), key=len, default="")) > LONGEST


@given(st.lists(st.sampled_from(["Write", "draw", "to", "accept,", "decline", "resign", "or", "simply", "play", "on"])))
def test_no_part_of_a_broken_sentence_is_a_command(words):
    line = "Reply with one of these words: " + " ".join(words)
    if len(line) > LONGEST:
        assert not any(is_command(row) for row in narrowed(line).split("\n"))


def is_command(row):
    try:
        return not isinstance(read_line(row), Other)
    except CommandError:
        return False


def test_lines_of_a_record_stay_whole():
    line = "1. White: c3/f2=B ; [%ts 2026-11-21T10:00:00Z] [%emt 0:31:00] " + "Hello, how are you today? " * 3
    assert narrowed(line) == line


def test_a_link_is_counted_as_long_as_it_will_be_and_never_broken():
    rows = narrowed("The page on which the whole of it is, to replay and to keep it: %%base%%/games/12").split("\n")
    assert rows[-1].endswith("%%base%%/games/12") and len(rows) == 2


def test_links_among_words_have_the_colour_of_all_links_in_letters():
    block = PageBlock(
        "paragraph", "See https://x", 'See <a href="https://x">https://x</a> and <a href="https://y">y</a>'
    )
    assert str(block.words).count('<a style="color:#7a4a21" href=') == 2
