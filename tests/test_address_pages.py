"""Addresses on pages: the links of their letters act by a button alone, and the page tells and changes them."""

from __future__ import annotations

import re

import pytest
from sqlmodel import col, select

from correspondence.accounts import accounts, address_changes, addresses, web_sessions
from correspondence.core.db import reading, transaction
from correspondence.core.tokens import grouped, spell
from correspondence.models import Letter, LetterState
from correspondence.ops.sending_sweeps import sweep_letter_requests
from correspondence.outbound import compose, recovery_codes
from tests.operators import act, appoint
from tests.world import KEY

HOME, WORK = "ann@example.org", "ann@work.example"


@pytest.fixture
def club(world):
    world.join("ann")
    return world


def owned(club):
    with reading(club.runtime.engine) as session:
        ann = accounts.person_by_handle(session, "ann")
        return [one.mail for one in address_changes.addresses_of(session, ann)]


def code_told(club, kind):
    """To whom the letter of this kind goes, and the recovery code that it tells, once it has left."""
    with transaction(club.runtime.engine) as session:
        letter = session.exec(select(Letter).where(col(Letter.kind) == kind)).one()
        text = compose.fill(letter.text, letter, club.runtime.settings)
        letter.state = LetterState.SENT
        recovery_codes.settle(session, letter, KEY)
        return letter.recipient, re.search(r"\b(?:[a-z2-7]{5}-){5}[a-z2-7]\b", text)[0].replace("-", "")


def ask(club, mail=WORK):
    with transaction(club.runtime.engine) as session:
        addresses.ask_to_add(session, accounts.person_by_handle(session, "ann"), mail, now=club.clock())


def link_to(club, mail):
    """The path of the link in the last letter to an address."""
    sweep_letter_requests(club.runtime)
    with reading(club.runtime.engine) as session:
        query = select(Letter.link_token_id).where(
            col(Letter.recipient) == mail, col(Letter.link_token_id).is_not(None)
        )
        return f"/t/{spell(KEY, session.exec(query.order_by(col(Letter.id).desc())).first())}"


def test_a_link_only_asks_and_its_button_adds_the_address_once(club):
    ask(club)
    path, visitor = link_to(club, WORK), club.client()
    for _scanner in range(2):
        assert f"Add {WORK} for ann?" in visitor.get(path).text
    assert visitor.head(path).status_code == 200 and owned(club) == [HOME]
    assert visitor.post(path).status_code == 303 and owned(club) == [HOME, WORK]
    assert visitor.post(path).status_code == 404
    assert visitor.get("/games").status_code == 303  # the button signs nobody in


def test_the_link_of_an_old_address_undoes_the_change_and_signs_everybody_out(club):
    intruder = club.client("ann")
    ask(club)
    club.client().post(link_to(club, WORK))
    path, visitor = link_to(club, HOME), club.client()
    assert HOME in visitor.get(path).text and WORK not in visitor.get(path).text
    assert owned(club) == [HOME, WORK]
    assert visitor.post(path).status_code == 303 and owned(club) == [HOME]
    assert intruder.get("/games").status_code == 303
    with reading(club.runtime.engine) as session:
        assert web_sessions.find(session, club.keys["ann"], now=club.clock()) is None
    assert visitor.get(path).status_code == 404


def test_the_link_that_undoes_a_change_works_in_read_only_mode(club):
    club.join("olga")
    appoint(club, "olga")
    ask(club)
    club.client().post(link_to(club, WORK))
    path = link_to(club, HOME)
    act(club, "read-only", switch="on", reason="The disk is being replaced.")
    assert club.client().post(path).status_code == 303 and owned(club) == [HOME]


def test_a_link_to_undo_is_dead_after_a_week(club):
    ask(club)
    club.client().post(link_to(club, WORK))
    path = link_to(club, HOME)
    club.clock.go(days=7)
    assert club.client().get(path).status_code == club.client().post(path).status_code == 404
    assert owned(club) == [HOME, WORK]


def test_a_member_cannot_be_erased_on_the_page_while_a_change_can_be_undone(club):
    ask(club)
    club.client().post(link_to(club, WORK))
    answer = club.client("ann").post("/settings/mydata/forget", data={"confirmed": "yes"})
    assert "can be undone until" in answer.text and owned(club) == [HOME, WORK]


# -- the page -----------------------------------------------------------------------------

PAGE = "/settings/addresses"


def test_the_page_adds_chooses_and_removes_addresses_and_says_what_waits(club):
    client = club.client("ann")
    assert client.get(PAGE).text.count(f"<span>{HOME}") == 1
    answer = client.post(f"{PAGE}/add", data={"mail": WORK}, follow_redirects=True)
    assert f"ve sent a letter to {WORK}" in answer.text
    assert "waiting for confirmation" in answer.text
    assert owned(club) == [HOME]
    club.client().post(link_to(club, WORK))
    assert client.post(f"{PAGE}/main", data={"mail": WORK}).status_code == 303 and owned(club) == [WORK, HOME]
    assert client.post(f"{PAGE}/remove", data={"mail": HOME}).status_code == 303 and owned(club) == [WORK]
    with reading(club.runtime.engine) as session:
        recipients = session.exec(select(Letter.recipient).where(col(Letter.kind) == "address_changed")).all()
    assert recipients.count(HOME) == 3  # whoever holds a browser of ann's does nothing that she is not told of


def test_what_waits_can_be_cancelled_on_the_page(club):
    client = club.client("ann")
    client.post(f"{PAGE}/add", data={"mail": WORK})
    path = link_to(club, WORK)
    answer = client.post(f"{PAGE}/remove", data={"mail": WORK}, follow_redirects=True)
    assert "has not been added" in answer.text and "waiting for confirmation" not in answer.text
    assert club.client().post(path).status_code == 404 and owned(club) == [HOME]


@pytest.mark.parametrize(
    ("act", "mail", "refused"),
    [
        ("add", "no address", "is not a mail address"),
        ("add", HOME, "is already one of your addresses"),
        ("add", "", "is not a mail address"),
        ("main", HOME, "already go to ann@example.org"),
        ("main", "bob@example.org", "is not one of your addresses"),
        ("remove", HOME, "is your only address"),
        ("remove", "x" * 5_000, "is not one of your addresses"),
    ],
)
def test_a_form_that_cannot_be_obeyed_says_why(club, act, mail, refused):
    answer = club.client("ann").post(f"{PAGE}/{act}", data={"mail": mail})
    assert answer.status_code == 422
    assert refused in answer.text
    assert owned(club) == [HOME]


def test_the_page_says_the_same_of_a_members_address_and_of_any_other(club):
    club.join("bobby")
    answers = []
    for mail in ("bobby@example.org", "zoe12@example.org"):
        answer = club.client("ann").post(f"{PAGE}/add", data={"mail": mail})
        sweep_letter_requests(club.runtime)
        answers.append((answer.status_code, answer.headers["Location"], club.client("ann").get(PAGE).text.count(mail)))
    assert answers[0] == answers[1]
    assert club.client("ann").get(PAGE).text.count("bobby@") == club.client("ann").get(PAGE).text.count("zoe12@")


@pytest.mark.parametrize("act", ["", "/add", "/main", "/remove", "/code"])
def test_nobody_else_sees_or_changes_anything(club, act):
    stranger = club.client()
    assert stranger.get(PAGE).status_code == 303
    assert act == "" or stranger.post(f"{PAGE}{act}", data={"mail": HOME}).status_code == 403


def test_a_new_code_goes_to_the_main_address_and_no_page_shows_it(club):
    answer = club.client("ann").post(f"{PAGE}/code", follow_redirects=True)
    assert "ve sent a letter with your new recovery code" in answer.text
    recipient, code = code_told(club, "recovery")
    assert recipient == HOME
    assert code[:5] not in answer.text
    assert grouped(code)[:5] not in answer.text


def test_an_account_is_taken_back_on_the_page_by_its_code_and_a_letter_to_the_new_address(club):
    (_recipient, code), visitor, new = code_told(club, "welcome"), club.client(), "ann@new.example"
    assert "Recovery code" in visitor.get("/recover").text
    assert visitor.post("/recover", data={"code": "a" * 26, "mail": new}).status_code == 422
    assert visitor.post("/recover", data={"code": code, "mail": "nothing"}).status_code == 422
    assert visitor.post("/recover", data={"code": grouped(code), "mail": new}).status_code == 200
    assert owned(club) == [HOME]
    path = link_to(club, new)
    assert visitor.get(path).status_code == 200 and owned(club) == [HOME]
    visitor.post(path)
    assert owned(club) == [new, HOME] and club.client().get(link_to(club, HOME)).status_code == 200


def test_codes_cannot_be_tried_without_end(club):
    visitor = club.client()
    tries = [visitor.post("/recover", data={"code": f"{n:a>26}", "mail": WORK}).status_code for n in range(20, 40)]
    assert tries.count(422) == 10 and tries.count(429) == 10
