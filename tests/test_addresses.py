"""A person may have several addresses: each is confirmed from there, changes are told, and can be undone for a week."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import col, select

from correspondence.accounts import access, accounts, address_changes, addresses, delivery_checks, joining
from correspondence.accounts.access import Ending
from correspondence.commands import AddressAdd, Addresses, AddressMain, AddressRemove, CommandError, Other, read_line
from correspondence.community import erasure
from correspondence.core import db
from correspondence.models import Address, LetterRequest, Purpose, Suppression, Token
from tests.post import at_once, reply_address, text_of

DOOR, HOME, WORK, SPARE = "play@games.example", "ann@example.org", "ann@work.example", "ann@spare.example"


@pytest.fixture
def ann(town):
    town.join("ann")
    return town


def flat_text(letter):
    return " ".join(text_of(letter).split())


def to(town, mail):
    return [letter for letter in town.received if str(letter["To"]) == mail]


def owned(town, handle="ann"):
    """The addresses of somebody, the main one first."""
    with db.reading(town.engine) as session:
        return [one.mail for one in address_changes.addresses_of(session, town.person(session, handle))]


def desk(town):
    """A letter of the account, in reply to which lines are obeyed at once."""
    town.mail(HOME, DOOR, "games")
    return to(town, HOME)[-1]


def ask(town, line, **headers):
    """What somebody says in reply to a letter of the account; the letters that it causes."""
    letter = desk(town)
    town.received.clear()
    town.answer(letter, line, **headers)


def add(town, mail=WORK):
    ask(town, f"address add {mail}")
    town.answer(to(town, mail)[-1], "yes")


def link_of(letter):
    return re.search(r"/t/(\w{26})", text_of(letter))[1]


# -- what can be written ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("address", Addresses()),
        ("addresses", Addresses()),
        ("i miei indirizzi", Addresses()),
        ("address add ann@work.example", AddressAdd(WORK)),
        ("Address: add ann@work.example.", AddressAdd(WORK)),
        ("address add <ann@work.example>", AddressAdd(WORK)),
        ("address add ann@work.example<mailto:ann@work.example>", AddressAdd(WORK)),
        ("address add ann@work.example [mailto:Ann@work.example]", AddressAdd(WORK)),
        ("indirizzo aggiungi ann@work.example", AddressAdd(WORK)),
        ("address remove ann@work.example", AddressRemove(WORK)),
        ("indirizzo togli ann@work.example", AddressRemove(WORK)),
        ("address main ann@work.example", AddressMain(WORK)),
        ("indirizzo principale ann@work.example", AddressMain(WORK)),
        ("address the threat on the left first", Other("address the threat on the left first")),
        ("address add ann@work.example <mailto:eve@evil.example>",
         Other("address add ann@work.example <mailto:eve@evil.example>")),
    ],
)  # fmt: skip
def test_a_line_about_addresses_is_read(line, command):
    assert read_line(line) == command


@pytest.mark.parametrize("line", ["address add", "address main", "address remove bob"])
def test_a_line_without_an_address_says_what_is_missing(line):
    with pytest.raises(CommandError, match="address"):
        read_line(line)


@given(st.text(max_size=80))
def test_whatever_follows_the_word_is_read_or_refused_in_a_sentence(text):
    try:
        read_line(f"address {text}")
    except CommandError as error:
        assert str(error).endswith((".", "example.org"))


# -- adding -------------------------------------------------------------------------------


def test_a_new_address_is_added_by_its_own_yes_and_the_old_ones_are_told(ann):
    ask(ann, f"address add {WORK}")
    assert f"We've sent a letter to {WORK}" in flat_text(to(ann, HOME)[-1])
    assert owned(ann) == [HOME]
    ann.answer(to(ann, WORK)[-1], "yes")
    assert owned(ann) == [HOME, WORK]
    assert f"{WORK} has been added to your addresses." in flat_text(to(ann, HOME)[-1])
    assert f"· {HOME}\n· {WORK}" in text_of(to(ann, WORK)[-1]).replace("\r\n", "\n")
    assert "undo" in flat_text(to(ann, HOME)[-1]) and "undo" not in flat_text(to(ann, WORK)[-1])


def test_every_address_of_a_person_is_theirs_to_write_and_sign_in_from_and_letters_go_to_the_main_one(ann):
    add(ann)
    ann.received.clear()
    ann.mail(WORK, DOOR, "addresses")
    listed = text_of(to(ann, HOME)[-1]).replace("\r\n", "\n")
    assert f"· {HOME}  (main)\n· {WORK}" in listed and not to(ann, WORK)
    ann.answer(to(ann, HOME)[-1], "settings digest daily", sender=WORK)
    with db.transaction(ann.engine) as session:
        assert ann.person(session, "ann").digest == "daily"
        accounts.ask_to_sign_in(session, WORK, now=ann.time)
        accounts.ask_to_sign_in(session, "ann", now=ann.time)
    ann.received.clear()
    ann.deliver()
    assert [str(letter["To"]) for letter in ann.received] == [WORK, HOME]


def test_without_a_letter_of_the_account_a_change_waits_for_a_yes_from_the_address_it_came_from(ann):
    add(ann)
    ann.received.clear()
    ann.mail(WORK, DOOR, f"address main {WORK}")  # as one who has lost the main address
    assert owned(ann) == [HOME, WORK] and not to(ann, HOME)
    ann.answer(to(ann, WORK)[-1], "yes")
    assert owned(ann) == [WORK, HOME]
    assert f"Your letters now go to {WORK}." in flat_text(to(ann, HOME)[-1])


def test_a_letter_of_a_game_that_was_passed_on_adds_nothing_in_anothers_name(ann):
    ann.join("bob")
    ann.match()
    turn = ann.letter("ann")
    ann.received.clear()
    ann.answer(turn, "address add eve@evil.example")
    assert not to(ann, "eve@evil.example")
    assert "Reply with yes" in flat_text(ann.letter("ann"))
    ann.answer(ann.letter("ann"), "yes")
    assert to(ann, "eve@evil.example")


def test_a_forged_from_line_is_asked_about_even_with_the_token(ann, tmp_path):
    from dataclasses import replace

    letter = desk(ann)
    ann.settings = replace(ann.settings, mail_authserv_id="mx.games.example")
    ann.received.clear()
    forged = {"Authentication_Results": "mx.games.example; dmarc=fail header.from=example.org"}
    ann.answer(letter, "address add eve@evil.example", **forged)
    assert not to(ann, "eve@evil.example")
    assert "Reply with yes" in flat_text(ann.letter("ann"))
    ann.answer(ann.letter("ann"), "yes", **forged)
    assert to(ann, "eve@evil.example")


@pytest.mark.parametrize("body", ["no", "hello", "stop", "thanks"])
def test_whatever_is_not_a_yes_adds_nothing(ann, body):
    ask(ann, f"address add {WORK}")
    assert ann.answer(to(ann, WORK)[-1], body) == "done: not confirmed"
    assert owned(ann) == [HOME]


def test_nobody_else_can_confirm_and_the_owner_is_told_from_where_to_answer(ann):
    ask(ann, f"address add {WORK}")
    letter = to(ann, WORK)[-1]
    ann.received.clear()
    assert ann.answer(letter, "yes", sender="eve@evil.example").startswith("rejected")
    assert ann.received == []
    ann.answer(letter, "yes", sender=HOME)
    assert owned(ann) == [HOME] and f"Only a reply from {WORK}" in flat_text(ann.received[-1])


def test_a_yes_works_once_and_for_three_days(ann):
    ask(ann, f"address add {WORK}")
    letter = to(ann, WORK)[-1]
    ann.wait(hours=73)
    ann.answer(letter, "yes")
    assert owned(ann) == [HOME]
    add(ann)
    letter = to(ann, WORK)[0]
    ann.received.clear()
    ann.answer(letter, "yes")
    assert "already" in flat_text(ann.received[-1]) and len(ann.received) == 1
    ask(ann, f"address remove {WORK}")
    assert owned(ann) == [HOME]
    ann.answer(letter, "yes")
    assert owned(ann) == [HOME]  # the yes of before does not add it again


def test_who_asks_for_the_address_of_a_member_is_told_the_same_as_for_any_other(ann):
    ann.join("bobby")
    member, stranger, answers = "bobby@example.org", "zoe12@example.org", []
    for mail in (member, stranger):
        ask(ann, f"address add {mail}")
        answers.append(flat_text(to(ann, HOME)[-1]).replace(mail, "X"))
        with db.reading(ann.engine) as session:
            assert session.exec(select(LetterRequest)).all() == []
    assert answers[0] == answers[1]
    assert not to(ann, member)  # cleared since; the first letter said that it belongs to another account
    ann.received.clear()
    ask(ann, "letters")
    assert member not in flat_text(to(ann, HOME)[-1]) and stranger not in flat_text(to(ann, HOME)[-1])


def test_the_member_who_has_the_address_learns_of_it_and_nothing_can_be_confirmed(ann):
    ann.join("bob")
    ask(ann, "address add bob@example.org")
    letter = to(ann, "bob@example.org")[-1]
    assert "belongs to yours, so nothing was done" in flat_text(letter) and "/t/" not in text_of(letter)
    assert reply_address(letter) == DOOR


def test_an_address_that_has_become_another_members_meanwhile_is_refused(ann):
    ask(ann, f"address add {WORK}")
    letter = to(ann, WORK)[-1]
    with db.transaction(ann.engine) as session:
        joining.request_join(session, "cleo", WORK, now=ann.time)
        joining.confirm_join(session, max(session.exec(select(Token.id))), now=ann.time)
    ann.received.clear()
    ann.answer(letter, "yes")
    assert "belongs to another account" in flat_text(to(ann, WORK)[-1])
    assert (owned(ann), owned(ann, "cleo")) == ([HOME], [WORK])


def test_two_accounts_that_confirm_one_address_at_once_do_not_both_get_it(ann):
    ann.join("bob")
    with db.transaction(ann.engine) as session:
        for name in ("ann", "bob"):
            addresses.ask_to_add(session, ann.person(session, name), WORK, now=ann.time)
        tokens = session.exec(select(Token.id).where(Token.purpose == Purpose.ADDRESS)).all()

    def confirm(number):
        with db.transaction(ann.engine) as session:
            addresses.confirm(session, number, now=ann.time)

    results = at_once(*(lambda number=number: confirm(number) for number in tokens), refusals=(accounts.PeopleError,))
    assert sorted(results) == sorted(["done", f"{WORK} belongs to another account here."])
    assert sorted(owned(ann) + owned(ann, "bob")).count(WORK) == 1


@pytest.mark.parametrize("mail", [HOME, HOME.upper(), "ann@EXAMPLE.org"])
def test_an_address_is_added_once_whatever_its_case(ann, mail):
    ask(ann, f"address add {mail}")
    assert "is already one of your addresses" in flat_text(to(ann, HOME)[-1])


def test_an_international_domain_is_the_same_address_in_either_spelling(ann):
    ask(ann, "address add ann@bücher.example")
    ann.answer(to(ann, "ann@xn--bcher-kva.example")[-1], "yes")
    assert owned(ann) == [HOME, "ann@bücher.example"]
    ask(ann, "address add Ann@XN--bcher-kva.example")
    assert "is already one of your addresses" in flat_text(to(ann, HOME)[-1])


@pytest.mark.parametrize("mail", ["a..b@work.example", "ann@-x.example", "äöü@work.example"])
def test_what_is_no_address_is_refused(ann, mail):
    ask(ann, f"address add {mail}")
    assert "is not a mail address" in flat_text(to(ann, HOME)[-1])


def test_there_are_five_addresses_at_most(ann):
    for number in range(addresses.MOST - 1):
        add(ann, f"ann{number}@work.example")
    ask(ann, "address add more@work.example")
    assert "which is the maximum" in flat_text(to(ann, HOME)[-1])


def test_nobody_can_flood_a_mailbox_or_ask_without_end(ann):
    ann.join("bob")
    for _time in range(addresses.ASKED_A_DAY):
        ask(ann, f"address add {WORK}")
    ask(ann, f"address add {SPARE}")
    assert "Please wait until tomorrow" in flat_text(to(ann, HOME)[-1])
    with db.transaction(ann.engine) as session:
        addresses.ask_to_add(session, ann.person(session, "bob"), WORK.replace("@", "+x@"), now=ann.time)
    ann.received.clear()
    ann.deliver()
    assert ann.received == []  # three went there today, whoever asked


def test_an_address_that_wanted_no_letters_gets_none_until_it_is_confirmed(ann):
    ann.mail(WORK, DOOR, "stop")
    ask(ann, f"address add {WORK}")
    assert not to(ann, WORK)


# -- removing, and the main one -----------------------------------------------------------


def test_removing_the_main_address_makes_the_oldest_other_one_main_and_waiting_letters_go_there(ann):
    ann.join("bob")
    add(ann)
    with db.transaction(ann.engine) as session:
        ann.person(session, "ann").quiet_from, ann.person(session, "ann").quiet_until = 0, 23
    ann.agree("bob", "challenge ann duel")
    ask(ann, f"address remove {HOME}")
    assert owned(ann) == [WORK]
    assert all(f"{HOME} has been removed" in flat_text(to(ann, mail)[-1]) for mail in (HOME, WORK))
    ann.received.clear()
    ann.mail(HOME, DOOR, "games")
    assert "To join" in flat_text(to(ann, HOME)[-1])


def test_what_lies_in_a_removed_mailbox_is_no_authority_any_more(ann):
    add(ann)
    old = desk(ann)
    ann.mail(HOME, DOOR, "settings digest daily")
    proposal = to(ann, HOME)[-1]
    with db.transaction(ann.engine) as session:
        addresses.remove(session, ann.person(session, "ann"), HOME, now=ann.time)
    ann.deliver()
    notice = to(ann, HOME)[-1]
    for letter in (old, proposal, notice):
        for sender in (HOME, WORK):  # whoever reads the old mailbox can write any From line
            ann.answer(letter, "settings digest daily", sender=sender)
            ann.answer(letter, "yes", sender=sender)
    with db.reading(ann.engine) as session:
        assert ann.person(session, "ann").digest == "off"
    ann.answer(to(ann, WORK)[-1], "settings digest daily")


def test_letters_that_wait_can_be_answered_after_reply_addresses_were_replaced(ann):
    with db.transaction(ann.engine) as session:
        delivery_checks.request_test_letter(session, ann.person(session, "ann"), now=ann.time)
    with db.transaction(ann.engine) as session:
        access.end(session, ann.person(session, "ann"), Ending.UNDO, now=ann.time)
    ann.deliver()
    assert ann.answer(to(ann, HOME)[-1], "settings digest daily").startswith("done")
    with db.reading(ann.engine) as session:
        assert ann.person(session, "ann").digest == "daily"


def test_the_last_address_stays(ann):
    ask(ann, f"address remove {HOME}")
    assert "is your only address" in flat_text(to(ann, HOME)[-1]) and owned(ann) == [HOME]


def test_removing_an_address_that_is_not_confirmed_ends_its_letter(ann):
    ask(ann, f"address add {WORK}")
    letter = to(ann, WORK)[-1]
    ask(ann, f"address remove {WORK}")
    assert "has not been added" in flat_text(to(ann, HOME)[-1])
    ann.answer(letter, "yes")
    assert owned(ann) == [HOME]


@pytest.mark.parametrize("act", ["remove", "main"])
def test_who_names_an_address_that_is_not_theirs_is_told_which_are(ann, act):
    ann.join("bob")
    ask(ann, f"address {act} bob@example.org")
    assert f"bob@example.org is not one of your addresses. You have {HOME}." in flat_text(to(ann, HOME)[-1])


def test_addresses_cannot_be_changed_without_end(ann):
    add(ann)
    for _time in range(20):
        for mail in (WORK, HOME):
            with db.transaction(ann.engine) as session:
                try:
                    addresses.choose_main(session, ann.person(session, "ann"), mail, now=ann.time)
                except accounts.PeopleError as error:
                    refused = str(error)
    ann.received.clear()
    ann.deliver()
    assert "many times today" in refused or "already" in refused
    assert len(ann.received) <= addresses.TOLD_A_DAY


def test_what_bounces_at_a_second_address_stops_nothing_at_the_main_one(ann):
    add(ann)
    with db.transaction(ann.engine) as session:
        from correspondence.models import Scope
        from correspondence.outbound import suppressions

        suppressions.suppress(session, WORK, Scope.ALL, "bounced", now=ann.time)
        person = ann.person(session, "ann")
        assert suppressions.unreachable(session, [person.id]) == frozenset()
        assert suppressions.why_unreachable(session, person.id) == ""


# -- undoing ------------------------------------------------------------------------------


def taken_over(town):
    """An intruder has put their address in place of ann's, from a browser of hers; the letters that ann got."""
    town.deliver()
    town.received.clear()
    with db.transaction(town.engine) as session:
        addresses.ask_to_add(session, town.person(session, "ann"), "eve@evil.example", now=town.time)
    town.deliver()
    town.answer(to(town, "eve@evil.example")[-1], "yes")
    for act, mail in ((addresses.choose_main, "eve@evil.example"), (addresses.remove, HOME)):
        with db.transaction(town.engine) as session:
            act(session, town.person(session, "ann"), mail, now=town.time)
    town.deliver()
    assert owned(town) == ["eve@evil.example"]
    return to(town, HOME)


@pytest.mark.parametrize("which", [-1, -2, -3], ids=["the removal", "the main one", "the addition"])
def test_whichever_letter_is_answered_all_that_an_intruder_changed_is_undone(ann, which):
    ann.join("bob")
    ann.match()
    old = ann.letter("ann")
    letters = taken_over(ann)
    eve = to(ann, "eve@evil.example")
    ann.received.clear()
    assert ann.answer(letters[which], "undo", sender=HOME) == "done: addresses undone"
    assert owned(ann) == [HOME]
    assert "said that a change" in flat_text(to(ann, HOME)[-1])
    for letter in eve:  # none of the intruder's letters works any more, whatever From line is on it
        for sender in ("eve@evil.example", HOME):
            for body in ("undo", "yes", "settings digest daily", f"address add {SPARE}"):
                ann.answer(letter, body, sender=sender)
    assert owned(ann) == [HOME] and not to(ann, SPARE)
    assert ann.answer(old, "3@a1").startswith("rejected")  # its reply address was read by the intruder too
    ann.wait(days=8)
    ann.answer(to(ann, HOME)[-1], "games")
    assert owned(ann) == [HOME]


def test_a_game_goes_on_under_a_new_reply_address_after_undoing(ann):
    ann.join("bob")
    number = ann.match()
    letters = taken_over(ann)
    ann.answer(letters[0], "undo", sender=HOME)
    ann.received.clear()
    ann.play(number, "ann", "c3/f2=B")
    ann.play(number, "bob", "c6/a7=B")
    assert to(ann, HOME)
    assert not ann.answer(to(ann, HOME)[-1], "hello there").startswith("rejected")


def test_undoing_works_for_a_week_and_once(ann):
    letters = taken_over(ann)
    ann.wait(days=7)
    assert ann.answer(letters[0], "undo", sender=HOME).startswith("rejected")
    assert owned(ann) == ["eve@evil.example"]


def test_undoing_twice_says_so_and_changes_nothing(ann):
    add(ann)
    letter = to(ann, HOME)[-1]
    ann.answer(letter, "undo")
    ask(ann, f"address add {SPARE}")
    ann.answer(to(ann, SPARE)[-1], "yes")
    ann.received.clear()
    ann.answer(letter, "undo")
    assert owned(ann) == [HOME, SPARE]
    assert "no longer works" in flat_text(ann.received[-1])


def test_who_holds_the_youngest_address_cannot_undo_its_removal(ann):
    add(ann)
    ann.wait(days=8)
    ask(ann, f"address remove {WORK}")
    assert "undo" not in flat_text(to(ann, WORK)[-1]) and "undo" in flat_text(to(ann, HOME)[-1])


def test_an_undo_from_an_address_that_was_never_told_is_refused(ann):
    letters = taken_over(ann)
    ann.received.clear()
    assert ann.answer(letters[0], "undo", sender="mallory@evil.example").startswith("rejected")
    assert owned(ann) == ["eve@evil.example"]


def test_what_was_undone_signs_everybody_out_and_ends_open_links(ann):
    from correspondence.accounts import web_sessions

    with db.transaction(ann.engine) as session:
        key = web_sessions.begin(session, ann.person(session, "ann"), now=ann.time)
        accounts.ask_to_sign_in(session, "ann", now=ann.time)
    letters = taken_over(ann)
    ann.answer(letters[0], "undo", sender=HOME)
    with db.reading(ann.engine) as session:
        assert web_sessions.find(session, key, now=ann.time) is None
        left = session.exec(select(Token.purpose).where(col(Token.used_at).is_(None))).all()
    assert Purpose.SIGN_IN not in left and Purpose.ADDRESS not in left


def test_who_took_an_account_over_cannot_erase_it_within_the_week(ann):
    taken_over(ann)
    with db.transaction(ann.engine) as session:
        person = ann.person(session, "ann")
        for act in (erasure.ask, erasure.forget):
            with pytest.raises(accounts.PeopleError, match="can be undone until"):
                act(session, person, now=ann.time)


def test_erasing_a_person_frees_all_addresses_and_leaves_no_letter_about_them(ann):
    add(ann)
    ann.wait(days=8)
    ask(ann, f"address add {SPARE}")
    with db.transaction(ann.engine) as session:
        erasure.forget(session, ann.person(session, "ann"), now=ann.time)
    with db.reading(ann.engine) as session:
        tables = ("letter", "token", "address", "suppression")
        from sqlmodel import SQLModel

        left = {name: str(session.execute(SQLModel.metadata.tables[name].select()).all()) for name in tables}
    assert not [name for name, rows in left.items() for mail in (HOME, WORK, SPARE) if mail in rows]
    ann.join("cleo")
    with db.transaction(ann.engine) as session:
        addresses.ask_to_add(session, ann.person(session, "cleo"), WORK, now=ann.time)
    ann.deliver()
    ann.answer(to(ann, WORK)[-1], "yes")
    assert WORK in owned(ann, "cleo")


def test_a_person_without_other_addresses_has_one_main_address(ann):
    with db.reading(ann.engine) as session:
        assert [one.is_main for one in session.exec(select(Address))] == [True]
        assert session.exec(select(Suppression)).all() == []


# -- a letter from another address --------------------------------------------------------


def test_a_letter_from_another_address_does_nothing_and_offers_to_add_that_address(ann):
    ann.join("bob")
    number = ann.match()
    turn = ann.letter("ann")
    ann.received.clear()
    assert ann.answer(turn, "c3/f2=B", sender=WORK).startswith("rejected")
    assert ann.moves(number) == [] and [str(letter["To"]) for letter in ann.received] == [HOME]
    offer = ann.received[-1]
    assert f"from {WORK}, which is not one of your addresses" in flat_text(offer)
    assert f"· address add {WORK}" in flat_text(offer)
    ann.answer(offer, "yes")
    assert owned(ann) == [HOME]  # it is asked at the new address, too
    ann.answer(to(ann, WORK)[-1], "yes")
    assert owned(ann) == [HOME, WORK]
    ann.answer(turn, "c3/f2=B", sender=WORK)
    assert ann.moves(number)


def test_a_stranger_with_a_letter_that_was_passed_on_cannot_take_up_the_offer(ann):
    letter = desk(ann)
    ann.received.clear()
    ann.answer(letter, f"address add {WORK}", sender="eve@evil.example")
    offer = ann.received[-1]
    for sender in ("eve@evil.example", "mallory@evil.example"):
        ann.answer(offer, "yes", sender=sender)
    assert owned(ann) == [HOME] and {str(one["To"]) for one in ann.received} == {HOME}


def test_the_offer_comes_once_a_day_whatever_the_addresses_are(ann):
    letter = desk(ann)
    ann.received.clear()
    for number in range(5):
        ann.answer(letter, "hello", sender=f"eve{number}@evil.example")
    assert len(ann.received) == 1


def test_an_address_that_cannot_be_added_is_not_shown(ann):
    letter = desk(ann)
    ann.received.clear()
    ann.answer(letter, "hello", sender='"buy at shop.example"@evil.example')
    assert all("shop.example" not in flat_text(one) for one in ann.received)
