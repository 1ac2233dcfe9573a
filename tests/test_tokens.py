"""Tokens: spelled from a number and the key, read back in any letter case, never guessed."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.core import tokens

NUMBERS = st.integers(0, 2**40 - 1)


@given(NUMBERS)
def test_a_token_names_its_row_in_any_letter_case(number):
    token = tokens.spell("key", number)
    assert len(token) == tokens.LENGTH
    assert token == token.lower()
    assert token.isalnum()
    assert tokens.read("key", token) == tokens.read("key", token.upper()) == number


KNOWN = {
    ("a key", 1, "token"): "mmrhc3cuh3ydol37ddddj3ra5e",
    ("a key", 1, "bounce"): "26q757ylvvdo2pq5fdbekrmnxi",
    ("another key", 2**40 - 1, "token"): "txl2abdzhrnb4m5s7cnb3wxs24",
}
"""Tokens as they are spelled for ever: whoever holds a letter of years ago is still known."""


@pytest.mark.parametrize(("key", "number", "kind"), KNOWN)
def test_a_token_is_spelled_as_ever(key, number, kind):
    assert tokens.spell(key, number, kind) == KNOWN[key, number, kind]


@given(NUMBERS, st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_the_last_letter_has_one_spelling(number, letter):
    token = tokens.spell("key", number)
    assert (tokens.read("key", token[:-1] + letter) == number) is (letter == token[-1])


@given(NUMBERS)
def test_a_token_of_another_key_is_nobodys(number):
    assert tokens.read("key", tokens.spell("other", number)) is None


@given(NUMBERS, st.integers(0, tokens.LENGTH - 1), st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_an_altered_token_is_nobodys(number, place, letter):
    token = tokens.spell("key", number)
    altered = token[:place] + letter + token[place + 1 :]
    assert altered == token or tokens.read("key", altered) is None


@given(st.text())
def test_any_other_text_is_no_token(text):
    assert tokens.read("key", text) is None


@given(st.integers(0, 2**39))
def test_tokens_do_not_tell_whose_row_came_first_nor_how_many_came_between(number):
    one, other = (int.from_bytes(_raw(tokens.spell("key", n))[:5], "big") for n in (number, number + 1))
    assert other - one != 1 and one != number


@given(NUMBERS)
def test_a_number_that_is_not_hidden_makes_no_token(number):
    guessed = number.to_bytes(5, "big") + _raw(tokens.spell("key", number))[5:]
    assert tokens.read("key", base64.b32encode(guessed).decode().rstrip("=").lower()) is None


def _raw(token):
    return base64.b32decode(token.upper() + "======")
