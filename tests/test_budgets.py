"""What one mailbox gets in a day: letters that anybody can ask for are bounded, and forged mail uses up no others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.accounts.accounts import PeopleError
from correspondence.accounts.delivery_checks import TESTS, request_test_letter
from correspondence.community import erasure
from correspondence.core import db
from correspondence.inbound.mailbox import answering
from correspondence.models import Address
from tests.post import at_once, text_of
from tests.reviews import played
from tests.robots import robots_in

DOOR, BOB = "play@games.example", "bob@example.org"
ASKED = ["help", "games", "test", "sign in", "export", "resign", "settings digest daily", "no such line at all"]
"""Lines that anybody can write with a forged From line; each is answered in its own way."""


@pytest.fixture
def club(town):
    """ann and bob at a game, where bob is to move."""
    town.join("ann", "bob")
    town.match()
    town.play(1, "ann", "c3/f2=B")
    return town


def forge(town, line):
    """Somebody writes this with From bob all day; how many letters bob gets."""
    town.received.clear()
    for number in range(answering.ANSWERS_A_DAY_TO_PLAYERS):
        town.mail(BOB, DOOR, f"{line}\n", subject=f"letter {number}")
        town.time += timedelta(minutes=15)
    return len(town.letters("bob"))


@pytest.mark.parametrize("line", ASKED)
def test_forged_mail_uses_up_no_answers_to_replies(club, line):
    turn = club.letter("bob")
    assert forge(club, line) <= answering.ANSWERS_A_DAY_TO_FROM_LINES
    for own in ("legal", "games", "test", "sign in", "export", "settings board", "history"):
        club.received.clear()
        club.answer(turn, own)
        assert len(club.letters("bob")) == 1, own


def test_answers_to_replies_use_up_no_answers_to_forged_mail_either(club):
    turn = club.letter("bob")
    club.received.clear()
    for _number in range(answering.ANSWERS_A_DAY_TO_PLAYERS + 5):
        club.answer(turn, "games")
        club.time += timedelta(minutes=15)
    assert len(club.letters("bob")) == answering.ANSWERS_A_DAY_TO_PLAYERS
    club.received.clear()
    club.mail(BOB, DOOR, "help")
    assert len(club.letters("bob")) == 1
    assert club.letter("bob")["Auto-Submitted"] == "auto-replied"


@pytest.mark.parametrize("budget", [accounts.SIGN_INS, erasure.LINKS, TESTS])
def test_from_lines_use_up_only_a_part_of_a_budget(budget):
    assert 0 < budget.unproven_per_hour < budget.per_hour
    assert 0 < budget.unproven_per_day < budget.per_day


def test_forged_requests_leave_second_opinions_to_replies(club):
    robots_in(club).stop()
    turn, number = club.letter("bob"), played(club)
    for line in (f"review {number}", "test", "export"):
        for _time in range(8):
            club.mail(BOB, DOOR, line)
    for line, answer in (
        (f"review {number}", "it has judged 0 of 15 moves"),
        ("test", "reach you"),
        ("export", "download your letters"),
    ):
        club.received.clear()
        club.answer(turn, line)
        assert answer in "".join(text_of(letter) for letter in club.letters("bob")), line


@pytest.mark.parametrize("line", ["games", "resign", "no such line at all"])
def test_the_same_words_forged_a_moment_ago_do_not_silence_a_reply(club, line):
    desk = club.letter("bob") if line == "resign" else None
    club.mail(BOB, DOOR, "games")
    desk = desk or club.letter("bob")
    for _number in range(5):
        club.mail(BOB, DOOR, line)
    club.received.clear()
    club.answer(desk, line)
    assert len(club.letters("bob")) == 1


def test_forged_proposals_use_up_none_of_those_to_replies(club):
    turn = club.letter("bob")
    for number in range(12):
        club.mail(BOB, DOOR, f"address add b{number}@example.net")
    club.received.clear()
    club.answer(turn, "address add bob@work.example")  # a letter of a game: people pass these on, so a yes is asked for
    assert "address add bob@work.example" in text_of(club.letter("bob"))
    club.answer(club.letter("bob"), "yes")
    assert any(str(letter["To"]) == "bob@work.example" for letter in club.received)


def a_day_of(town, ask):
    """What is asked for every ten minutes of a day; how many letters leave."""
    town.received.clear()
    for _number in range(144):
        ask()
        town.deliver()
        town.time += timedelta(minutes=10)
    return len(town.received)


def give_bobby_the_same_mailbox(town):
    """Another member reads the mail of bob under an address with a plus."""
    town.join("bobby")
    with db.transaction(town.engine) as session:
        address = session.exec(select(Address).where(Address.mail == "bobby@example.org")).one()
        address.mail = address.mail_key = "bob+again@example.org"


@pytest.mark.parametrize("who", ["bob", BOB, "Bob+again@Example.org"])
def test_sign_in_links_to_a_mailbox_are_bounded_a_day(club, who):
    give_bobby_the_same_mailbox(club)

    def ask():
        with db.transaction(club.engine) as session:
            accounts.ask_to_sign_in(session, who, now=club.time)
            accounts.ask_to_sign_in(session, "bob", now=club.time)

    assert a_day_of(club, ask) == accounts.SIGN_INS.unproven_per_day
    club.received.clear()
    with db.transaction(club.engine) as session:
        accounts.mail_link(session, club.person(session, "bob"), is_proven=True, now=club.time)
    club.deliver()
    assert len(club.letters("bob")) == 1


def test_test_letters_to_a_mailbox_are_bounded_a_day(club):
    def ask():
        with db.transaction(club.engine) as session:
            try:
                request_test_letter(session, club.person(session, "bob"), now=club.time)
            except PeopleError as error:
                assert "wait" in str(error)

    assert a_day_of(club, ask) == TESTS.per_day


def test_requests_at_the_same_moment_are_counted_one_after_the_other(anywhere):
    anywhere.join("bob")

    def ask():
        with db.transaction(anywhere.engine) as session:
            request_test_letter(session, anywhere.person(session, "bob"), now=anywhere.time)

    results = at_once(*[ask] * 8, refusals=(PeopleError,))
    assert results.count("done") == TESTS.per_hour
