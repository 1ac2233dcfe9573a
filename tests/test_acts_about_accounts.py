"""Acts about whole accounts: a new address for who lost theirs, and the end of spam accounts."""

from __future__ import annotations

import pytest
from sqlmodel import select

from correspondence.accounts.accounts import PeopleError, person_by_address
from correspondence.core import db
from correspondence.models import Address, RatingChange, Remark
from correspondence.moderation.acts import ActError
from correspondence.play import matches
from tests.operators import REASON, act, appoint, last_act, undo
from tests.post import text_of


@pytest.fixture
def club(town):
    town.join("ann", "bob", "olga", "otto")
    appoint(town, "olga")
    appoint(town, "otto")
    return town


def words(letter):
    return " ".join(text_of(letter).split())


def mails(club, name):
    with db.reading(club.engine) as session:
        rows = session.exec(select(Address).where(Address.person_id == club.person(session, name).id))
        return {row.mail: row.is_main for row in rows}


# -- a new address ---------------------------------------------------------------------


def test_a_new_address_becomes_main_by_its_own_yes_alone_and_ends_all_access(club):
    browser = club.client("bob")
    act(club, "change-address", by="olga", handle="bob", mail="new@example.net")
    assert mails(club, "bob") == {"bob@example.org": True} and browser.get("/games").status_code == 200
    assert "moving your account to a new address" in words(club.letters("bob")[-1])
    club.answer(club.letter("new"), "yes")
    assert mails(club, "bob") == {"bob@example.org": False, "new@example.net": True}
    assert browser.get("/games").status_code == 303
    assert "With the operator's help, new@example.net has been made your main address." in words(club.letter("bob"))


def test_the_old_address_undoes_it_within_a_week(club):
    act(club, "change-address", handle="bob", mail="new@example.net")
    club.answer(club.letter("new"), "yes")
    club.clock.go(days=6)
    club.answer(club.letter("bob"), "undo")
    assert mails(club, "bob") == {"bob@example.org": True}


def test_until_it_is_answered_the_act_can_be_undone_and_the_letter_then_does_nothing(club):
    number = act(club, "change-address", handle="bob", mail="new@example.net")
    question = club.letter("new")
    undo(club, number)
    club.answer(question, "yes")
    assert mails(club, "bob") == {"bob@example.org": True}
    number = act(club, "change-address", handle="bob", mail="new@example.net")
    club.answer(club.letter("new"), "yes")
    with pytest.raises(ActError, match="only the letter to the old addresses can undo it"):
        undo(club, number)


def test_the_address_stands_nowhere_in_the_list_of_acts(club):
    act(club, "change-address", handle="bob", mail="new@example.net")
    assert "example.net" not in club.client("olga").get("/desk/acts").text
    assert "example.net" not in f"{last_act(club)}"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"handle": "bob", "mail": "ann@example.org"}, "belongs to another account"),
        ({"handle": "bob", "mail": "bob@example.org"}, "bob@example.org is already an address of bob"),
        ({"handle": "bob", "mail": "nonsense"}, "is not a mail address"),
        ({"handle": "otto", "mail": "new@example.net"}, "use the command line"),
        ({"handle": "olga", "mail": "new@example.net"}, "use the command line"),
    ],
)
def test_no_operator_takes_another_operator_or_a_members_address(club, given, sentence):
    with pytest.raises((ActError, PeopleError), match=sentence):
        act(club, "change-address", by="olga", **given)
    assert last_act(club) is None


def test_the_command_line_helps_operators_too(club):
    act(club, "change-address", handle="otto", mail="new@example.net")
    assert "Add this address for otto?" in str(club.letter("new")["Subject"])


# -- spam accounts ---------------------------------------------------------------------


def test_a_spam_account_is_erased_and_its_running_games_end_without_a_result(club):
    running, over = club.match("duel", "bob", "ann"), club.match("duel", "bob", "ann")
    club.play(running, "bob", "3@a1")
    with db.transaction(club.engine) as session:
        matches.say(session, club.player(session, running, "bob"), "Buy my pills now!", now=club.time)
    club.resign(over, "ann")
    club.received.clear()
    act(club, "delete-spam", by="olga", handle="bob", again="BOB", reason="Advertises pills.")
    with db.reading(club.engine) as session:
        assert club.person(session, "bob") is None and person_by_address(session, "bob@example.org") is None
        assert session.exec(select(Remark)).all() == [] and session.exec(select(RatingChange)).all() == []
    assert (club.stand(running).result, club.stand(over).result) == ("*", "1-0")
    assert "annulled by the operator" in words(club.letter("ann")) and club.letters("bob") == []
    assert "Advertises pills." in club.client("ann").get(f"/games/{running}").text
    page = club.client("olga").get("/desk/acts").text
    assert "Delete a spam account" in page and "bob" not in page


def test_it_has_no_undo_and_says_so_before(club):
    browser = club.client("olga")
    page = browser.post("/desk/do/delete-spam", data={"handle": "bob", "again": "bob", "reason": REASON}).text
    assert "for good" in page and "This act cannot be undone." in page
    number = act(club, "delete-spam", handle="bob", again="bob")
    with pytest.raises(ActError, match="cannot be reversed"):
        undo(club, number)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"handle": "bob", "again": ""}, "a second time"),
        ({"handle": "bob", "again": "ann"}, "a second time"),
        ({"handle": "olga", "again": "olga"}, "That is you"),
        ({"handle": "otto", "again": "otto"}, "is an operator"),
    ],
)
def test_only_who_is_meant_and_no_operator_is_deleted(club, given, sentence):
    with pytest.raises(ActError, match=sentence):
        act(club, "delete-spam", by="olga", **given)
    assert last_act(club) is None


def test_while_a_change_of_addresses_can_be_undone_nobody_is_deleted(club):
    act(club, "change-address", handle="bob", mail="new@example.net")
    club.answer(club.letter("new"), "yes")
    with pytest.raises(ActError, match="Suspend the member until then"):
        act(club, "delete-spam", handle="bob", again="bob")


def test_what_cannot_be_reversed_wants_a_fresh_sign_in(club):
    browser, form = club.client("olga"), {"handle": "bob", "again": "bob", "reason": REASON, "sure": "yes"}
    club.clock.go(hours=12, seconds=1)
    stale = browser.post("/desk/do/delete-spam", data=form)
    assert stale.status_code == 422 and "within the last 12 hours" in stale.text
    assert browser.post("/desk/do/warn", data=form).status_code == 303
    club.keys.pop("olga")
    assert club.client("olga").post("/desk/do/delete-spam", data=form).status_code == 303
    with db.reading(club.engine) as session:
        assert club.person(session, "bob") is None
