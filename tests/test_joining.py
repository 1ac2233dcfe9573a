"""Joining: whom the letter that asks about it reaches, and how often."""

from __future__ import annotations

import pytest

from tests.post import text_of

DOOR = "play@games.example"
CLEO = "cleo@example.org"


def flat_text(letter):
    return " ".join(text_of(letter).split())


def asking(town):
    """The letters that ask whether to join."""
    return [letter for letter in town.received if "please confirm your address" in str(letter["Subject"])]


def test_who_mistyped_their_handle_asks_again_and_joins_as_they_meant_to(town):
    town.mail(CLEO, DOOR, "join cloe")
    town.mail(CLEO, DOOR, "join cleo")
    assert len(asking(town)) == 2 and "cleo" in flat_text(asking(town)[-1])
    town.answer(asking(town)[-1], "yes")
    assert "Welcome" in flat_text(town.received[-1]) and "cleo" in flat_text(town.received[-1])


@pytest.mark.parametrize("handle", ["cleo", "CLEO"])
def test_who_asks_again_at_once_is_told_where_the_letter_is(town, handle):
    town.mail(CLEO, DOOR, "join cleo")
    town.mail(CLEO, DOOR, f"join {handle}")
    assert len(asking(town)) == 1
    assert "We've already sent a letter to cleo@example.org to ask whether you want to join" in flat_text(
        town.received[-1]
    )


def test_who_got_no_letter_gets_another_one_after_an_hour(town):
    town.mail(CLEO, DOOR, "join cleo")
    town.clock.go(minutes=61)
    town.mail(CLEO, DOOR, "join cleo")
    assert len(asking(town)) == 2


def test_no_mailbox_is_asked_more_than_three_times_a_day(town):
    for number in range(6):
        town.mail(f"cleo+{number}@example.org", DOOR, f"join cleo{number}")
    assert len(asking(town)) == 3
    town.clock.go(hours=24)
    town.mail(CLEO, DOOR, "join cleo")
    assert len(asking(town)) == 4


def test_the_page_says_the_same_however_often_it_is_asked(town):
    pages = [
        town.client().post("/join", data={"handle": "cleo", "mail": CLEO, "zone": "UTC"}).text for _twice in range(2)
    ]
    town.deliver()
    assert pages[0] == pages[1] and len(asking(town)) == 1
