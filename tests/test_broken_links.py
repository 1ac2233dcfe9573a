"""A link to this site stays ours when a gateway wraps it into its own and a mail program breaks it."""

from __future__ import annotations

import textwrap
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.mime.replytext.links import broken_links

HOSTS = ("games.example",)
OURS = "https://games.example/t/k7q2m5zx3nb6v4wd2hj5"
FORMS = (
    "https://eur01.safelinks.example/?url={}&data=05%7C02%7Cann%40post.example",
    "https://urldefense.example/v3/__{}__;!!AbC3d-9xYzKq2w$",
)


@settings(deadline=None)
@given(
    form=st.sampled_from(FORMS), around=st.sampled_from(["{}", "<{}>", "[{}]", "({})"]), width=st.integers(20, 76),
    lead=st.sampled_from(["", "Play on the page ", "To stop these letters: "]), is_quoted=st.booleans(),
    is_loud=st.booleans(),
)  # fmt: skip
def test_every_line_of_a_broken_link_is_found_and_nothing_else(form, around, width, lead, is_quoted, is_loud):
    link = around.format(form.format(quote(OURS, safe="") if is_quoted else OURS))
    link = link.upper() if is_loud else link
    rows = textwrap.wrap(lead + link, width, break_on_hyphens=False)
    lines = ["Well played!", *rows, "", "e4", "bye"]
    parts = {number for number, row in enumerate(lines) if row in link and row not in ("", "e4", "bye")}
    found = broken_links(lines, HOSTS)
    first = lines.index(rows[0])
    assert found <= set(range(first, first + len(rows)))
    if len(rows[-1]) >= 5 and len(parts) > 1:
        assert parts <= found


@pytest.mark.parametrize("below", ["e4", "bye", "That was it.", "5@b3", "b1 xr"])
def test_words_below_a_whole_link_are_no_part_of_it(below):
    assert broken_links([f"look at {OURS}>", below], HOSTS) == frozenset()


@pytest.mark.parametrize("move", ["5@b3", "b1/1 xx", "5c4=W3"])
def test_a_move_below_a_whole_link_is_no_part_of_it(move):
    rows = [f"Play on the page {OURS}", move]
    assert broken_links(rows, HOSTS, acts=lambda row: row == move) == frozenset()


def test_a_link_to_another_site_is_not_ours():
    rows = textwrap.wrap("https://elsewhere.example/" + "a1b2" * 30, 40)
    assert broken_links(rows, HOSTS) == frozenset()


def test_without_letters_of_ours_no_link_is_ours():
    assert broken_links(textwrap.wrap(OURS * 3, 30), ()) == frozenset()
