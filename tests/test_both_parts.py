"""The two parts of a letter say the same: whoever reads only one of them misses nothing that can be written."""

from __future__ import annotations

import html
import re

import pytest

from correspondence.outbound.kinds import TEMPLATES
from tests.post import html_of, text_of

WHAT_CAN_BE_WRITTEN = (
    "You can also write:",
    "For a rematch,",
    "Per la rivincita",
    "Puoi anche scrivere:",
    "To play, write",
)


def flat(text):
    return " ".join(text.split())


def words_of(page):
    return flat(html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", page, flags=re.S)))


def offers_in(letter):
    """The sentences of the text part that say what can be written in reply."""
    return [flat(line) for line in text_of(letter).splitlines() if line.startswith(WHAT_CAN_BE_WRITTEN)]


def many_letters(town, language):
    """Two people play, talk, offer, refuse, ask and forget the time: the letters of all that."""
    town.join("ann", "bob", language=language)
    number = town.match()
    planned = "c3/f2=B\nif c6/a7=B then d4/f2=N"
    for body in ("I look forward to this!", "show", "zz9=Q", "takeback", "draw", "pause 3 days", planned, "open plans"):
        town.answer(town.letter("ann"), body)
    for body in ("decline", "c6/a7=B", "pause 2 days", "takeback", "hello", "away 5 days", "e6", "show 1"):
        town.answer(town.letter("bob"), body)
    town.wait(days=2)
    town.answer(town.letter("ann"), "resign")
    town.answer(town.letter("ann"), "yes")
    for name in ("ann", "bob"):
        town.answer(town.letter(name), "open plans")
        town.answer(town.letter(name), "show")
    return number


@pytest.mark.parametrize("language", ["en", "it"])
def test_both_parts_of_every_letter_say_what_one_can_write(town, language):
    many_letters(town, language)
    assert len([letter for letter in town.received if offers_in(letter)]) > 12
    missing = [(str(letter["Subject"]), offer) for letter in town.received for offer in offers_in(letter)
               if offer not in words_of(html_of(letter))]  # fmt: skip
    assert missing == []


def test_a_letter_between_members_names_the_way_to_a_game_in_both_parts(town):
    town.join("ann", "bob")
    town.agree("ann", "write bob: shall we play?")
    letter = town.letter("bob")
    assert offers_in(letter) == ["To play, write for example: challenge ann duel"]
    assert offers_in(letter)[0] in words_of(html_of(letter))


def test_a_page_says_what_can_be_written_exactly_where_the_text_does():
    for text in (path for folder in TEMPLATES for path in folder.glob("[a-z]*.txt")):
        page = text.with_suffix(".html").read_text()
        shows = "_answer.html" in page or (
            '"_match.html"' in page and ("block answer" not in page or "super()" in page)
        )
        assert shows == ("_answer.txt" in text.read_text()), text.name
