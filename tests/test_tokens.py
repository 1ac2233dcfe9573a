"""Tokens: spelled from a number and the key, read back in any letter case, never guessed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from correspondence import tokens

NUMBERS = st.integers(0, 2**40 - 1)


@given(NUMBERS)
def test_a_token_names_its_row_in_any_letter_case(number):
    token = tokens.spell("key", number)
    assert len(token) == tokens.LENGTH and token == token.lower() and token.isalnum()
    assert tokens.read("key", token) == tokens.read("key", token.upper()) == number


@given(NUMBERS)
def test_a_token_of_another_key_is_nobodys(number):
    assert tokens.read("key", tokens.spell("other", number)) is None


@given(NUMBERS, st.integers(0, tokens.LENGTH - 2), st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_an_altered_token_is_nobodys(number, place, letter):
    token = tokens.spell("key", number)
    altered = token[:place] + letter + token[place + 1 :]
    assert altered == token or tokens.read("key", altered) is None


@given(st.text())
def test_any_other_text_is_no_token(text):
    assert tokens.read("key", text) is None
