"""Where people decide whether to play with somebody, they are told that a program plays for them; on pages and by mail."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from correspondence.core.db import transaction
from correspondence.core.time_control import per_move
from correspondence.ops.pairing_sweeps import sweep_near_pairs
from tests.club import seek
from tests.operators import plain_words
from tests.post import text_of

MARK, ITALIAN = "A program plays for ann.", "Per ann gioca un programma."


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo")
    town.join("dina", language="it")
    with transaction(town.engine) as session:
        person = town.person(session, "ann")
        person.is_program = True
        session.add(person)
    return town


def read(club, path, name="bob"):
    return plain_words(club.client(name).get(path).text)


def answer_to(club, name, line):
    club.received.clear()
    club.mail(f"{name}@example.org", "play@games.example", line)
    return " ".join(text_of(club.letter(name)).split())


def open_seek(club, name):
    assert club.client(name).post("/seeks/new", data={"game": "duel", "pace": "3"}).status_code == 303


def challenge(club, one, other):
    club.client(one).post("/challenge", data={"game": "duel", "handle": other})
    club.deliver()
    return club.letter(other)


def test_the_list_of_seeks_says_so_on_the_page_and_by_mail(club):
    open_seek(club, "ann")
    assert MARK in read(club, "/seeks") and MARK in read(club, "/seeks", "")
    assert MARK in answer_to(club, "bob", "seeks") and ITALIAN in answer_to(club, "dina", "seeks")
    assert MARK not in read(club, "/seeks", "ann"), "whose own seek it is knows it"


def test_a_seek_of_somebody_who_plays_themselves_says_nothing_of_it(club):
    open_seek(club, "cleo")
    assert "program plays for" not in read(club, "/seeks") + answer_to(club, "bob", "seeks")


def test_the_letter_of_a_challenge_says_so_in_both_parts_and_in_the_language_of_its_reader(club):
    for name, mark in (("bob", MARK), ("dina", ITALIAN)):
        letter = challenge(club, "ann", name)
        html = letter.get_body(("html",)).get_content()
        assert mark in " ".join(text_of(letter).split()) and mark in plain_words(html)
    assert "program plays for" not in text_of(challenge(club, "cleo", "bob"))


def test_the_pages_on_which_a_challenge_is_answered_say_so(club):
    challenge(club, "ann", "bob")
    assert MARK in read(club, "/games") and MARK in read(club, f"/challenges/{club.offer()}/counter")
    assert f"challenge {club.offer()}: ann asks you to play Duel. {MARK}" in answer_to(club, "bob", "games")
    assert MARK not in read(club, "/games", "ann")


def test_the_form_for_a_challenge_says_so_where_the_opponent_is_named(club):
    assert MARK in read(club, "/challenge?game=duel&handle=ANN")
    assert "program plays for" not in read(club, "/challenge?game=duel&handle=cleo") + read(
        club, "/challenge?game=duel"
    )
    refused = club.client("bob").post("/challenge", data={"game": "duel", "handle": "ann", "pace": "own", "days": "x"})
    assert refused.status_code == 422 and MARK in plain_words(refused.text)


def test_the_lists_of_partners_say_so_of_her_alone(club):
    for listing in (read(club, "/partners"), answer_to(club, "bob", "partners")):
        assert listing.count("A program plays for") == 1 and MARK in listing


def test_the_letter_about_a_partner_at_another_pace_says_so(club):
    seek(club, "ann", time_control=per_move(timedelta(days=1)), pair="yes")
    seek(club, "bob", time_control=per_move(timedelta(days=5)), rated=False, pair="yes")
    club.received.clear()
    club.wait(hours=2)
    sweep_near_pairs(club.runtime)
    club.deliver()
    assert MARK in " ".join(text_of(club.letter("bob")).split())


def test_an_invitation_says_so_on_its_page_and_in_its_letter(club):
    form = {"game": "duel", "pace": "3", "open-days": "60", "address": "eve@example.org"}
    page = club.client("ann").post("/invite", data=form).text
    path = re.search(r"(/i/[a-z2-7]{26})", page)[1]
    assert MARK in read(club, path)
    club.deliver()
    invited = [letter for letter in club.received if "eve@example.org" in str(letter["To"])]
    assert len(invited) == 1 and MARK in " ".join(text_of(invited[0]).split())
