"""Hundreds of marks on one letter draw over the words of others: talk and fields keep as many as any script needs."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.core.stacked_marks import MOST_MARKS, without_stacks
from correspondence.play.matches import clean_talk
from correspondence.web.forms import plain

ACUTE = "\u0301"


@pytest.mark.parametrize("clean", [clean_talk, lambda text: plain(text, 1000)], ids=["talk", "field"])
def test_a_tower_of_marks_is_cut(clean):
    assert clean(f"a{ACUTE * 300}b") == f"a{ACUTE * MOST_MARKS}b"


@pytest.mark.parametrize(
    "words", ["perché no?", "Nguyê\u0303n", "שָׁלוֹם", "नमस्ते", "ཧཱུྃ", "e\u0301\u0302\u0304", "👍🏽", "plain words", ""]
)
def test_the_words_of_living_scripts_stay_as_they_are(words):
    assert clean_talk(words) == words and without_stacks(words) == words


@given(st.text(alphabet=st.sampled_from("ab \n" + ACUTE + "\u0308\u20dd")))
def test_no_letter_keeps_more_marks_and_nothing_else_is_lost(text):
    cleaned = without_stacks(text)
    run = longest = 0
    for char in cleaned:
        run = run + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        longest = max(longest, run)
    assert longest <= MOST_MARKS and without_stacks(cleaned) == cleaned
    assert [char for char in cleaned if char in "ab \n"] == [char for char in text if char in "ab \n"]
