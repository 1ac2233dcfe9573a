"""Addresses on pages: the links of their letters act by a button alone, and the page tells and changes them."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from correspondence.accounts import accounts, address_changes, addresses, web_sessions
from correspondence.core.db import reading, transaction
from correspondence.core.tokens import spell
from correspondence.models import Letter
from correspondence.ops.worker import sweep_letter_requests
from tests.world import KEY

HOME, WORK = "ann@example.com", "ann@work.example"


@pytest.fixture
def club(world):
    world.join("ann")
    return world


def owned(club):
    with reading(club.runtime.engine) as session:
        ann = accounts.person_by_handle(session, "ann")
        return [one.mail for one in address_changes.addresses_of(session, ann)]


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
