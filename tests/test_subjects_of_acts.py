"""The subject of a letter from the operators says what it is about, in its reader's language."""

from __future__ import annotations

import pytest

from correspondence.core import db
from correspondence.moderation import announcements
from correspondence.play import matches
from tests.operators import act, undo
from tests.post import html_of, text_of
from tests.reviews import resigned

WORDS = "You play like a fish."

ABOUT = {
    "warn": ({"handle": "bob"}, "A warning from the operator", "The operator has withdrawn a warning"),
    "suspend": ({"handle": "bob"}, "Your account has been suspended", "Your account has been restored"),
    "end-sessions": ({"handle": "bob"}, "You have been signed out everywhere", ""),
    "hide-talk": (
        {"handle": "bob", "game": "2"}, "Your words in game 2 have been hidden", "Your words in game 2 are shown again",
    ),
    "correct": (
        {"game": "1", "result": "1-0"}, "The result of game 1 has been corrected", "The result of game 1 has been restored",
    ),
    "annul": ({"game": "1"}, "Game 1 has been annulled", "The result of game 1 has been restored"),
    "change-address": (
        {"handle": "bob", "mail": "new@example.net"}, "A new address for your account", "No new address for your account",
    ),
    "merge": ({"handle": "bob", "other": "rob", "again": "rob"}, "Your accounts rob and bob have been merged", ""),
}  # fmt: skip
"""Acts with what they need, the subject of the letter to bob, and the one where they are reversed, if they can be."""

ITALIAN = {
    "warn": "Un avvertimento di chi gestisce il servizio",
    "annul": "La partita 1 è stata annullata",
    "merge": "I tuoi account rob e bob ora sono uno solo",
}


@pytest.fixture
def club(town):
    town.join("ann", "bob", "rob")
    resigned(town)
    number = town.match("duel")
    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, "bob"), WORDS, now=town.time)
    town.received.clear()
    return town


def subjects(club, name="bob"):
    """The subjects of the letters to somebody since the last look."""
    found = [str(letter["Subject"]) for letter in club.letters(name)]
    club.received.clear()
    return found


@pytest.mark.parametrize("kind", ABOUT)
def test_the_letter_of_an_act_says_in_its_subject_what_was_done(club, kind):
    given, subject, reversed_subject = ABOUT[kind]
    number = act(club, kind, **given)
    assert subject in subjects(club)
    if reversed_subject:
        undo(club, number)
        assert subjects(club) == [reversed_subject]


@pytest.mark.parametrize("kind", ITALIAN)
def test_italian_readers_read_it_in_italian(club, kind):
    with db.transaction(club.engine) as session:
        club.person(session, "bob").language = "it"
    act(club, kind, **ABOUT[kind][0])
    assert ITALIAN[kind] in subjects(club)


def test_a_member_who_is_restored_by_name_reads_the_same(club):
    act(club, "suspend", handle="bob")
    act(club, "restore", handle="bob")
    assert subjects(club) == ["Your account has been suspended", "Your account has been restored"]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Closed on Sunday.", "Announcement: Closed on Sunday."),
        (
            "On Sunday the 6th we move to another machine, and letters come an hour late.",
            "Announcement: On Sunday the 6th we move to another machine, …",
        ),
        ("W" * 80, f"Announcement: {'W' * 49}…"),
    ],
)
def test_an_announcement_begins_in_its_subject(club, text, subject):
    act(club, "announce", english=text, letter="yes")
    with db.transaction(club.engine) as session:
        announcements.write_letters(session, now=club.time)
    club.deliver()
    assert subjects(club) == [subject]


@pytest.mark.parametrize(("kind", "number"), [("annul", 1), ("correct", 1), ("hide-talk", 2)])
def test_the_letter_of_an_act_about_a_game_leads_to_it(club, kind, number):
    act(club, kind, **ABOUT[kind][0])
    letter = next(letter for letter in club.letters("bob") if str(letter["Subject"]) == ABOUT[kind][1])
    address = f"https://games.example/games/{number}"
    assert address in text_of(letter) and f'href="{address}"' in html_of(letter)


def test_the_letter_of_an_annulled_game_says_that_it_has_no_result(club):
    act(club, "annul", game="1")
    words = " ".join(text_of(club.letter("bob")).split())
    assert "It has no result, and counts for no rating." in words and "It now says" not in words


def test_a_letter_about_no_game_leads_to_none(club):
    act(club, "warn", handle="bob")
    assert "/games/" not in text_of(club.letter("bob")) + html_of(club.letter("bob"))


def test_a_long_address_in_a_reason_makes_no_letter_wider_than_a_phone(club):
    act(club, "warn", handle="bob", reason=f"See https://games.example/{'x' * 90}")
    letter = html_of(club.letter("bob"))
    assert "overflow-wrap:break-word" in letter[: letter.index("<h1")], "the box of all words breaks long ones"
