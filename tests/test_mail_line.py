"""A line of a mail is one value, normalised once."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from correspondence.core.mail_line import LONGEST_KEPT, mail_line


@given(st.text(max_size=60))
@example("  Ｓhow\u200b  “12”…")
def test_normalised_line_is_its_own_normal_form(raw):
    line = mail_line(raw)
    assert line.raw == raw and line.text == " ".join(line.tokens)
    assert mail_line(line.text).tokens == line.tokens


def test_same_line_gives_the_same_value_unless_it_is_too_long_to_keep():
    assert mail_line("show  12") is mail_line("show  12")
    assert mail_line("a" * (LONGEST_KEPT + 1)) is not mail_line("a" * (LONGEST_KEPT + 1))


def test_line_is_split_into_its_first_word_and_the_rest():
    line = mail_line("  SHOW \u2013  game\t12 ")
    assert (line.word, line.rest, line.text) == ("show", "- game 12", "SHOW - game 12")
    assert (mail_line(" ").word, mail_line("").rest) == ("", "")
