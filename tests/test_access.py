"""What gives access to an account, and what ends it: the table decides, nothing is forgotten, and helpers are asked."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import SQLModel, col, select

from correspondence.accounts import (
    access,
    accounts,
    address_changes,
    addresses,
    api_tokens,
    new_access,
    postal_members,
    web_sessions,
)  # fmt: skip
from correspondence.accounts.access import ACCESS, Ending, Fate
from correspondence.accounts.postal_members import PostalDetails
from correspondence.community import erasure
from correspondence.core import db, tokens
from correspondence.features.webhooks import webhooks
from correspondence.features.webhooks.tables import Webhook
from correspondence.mime.mail_keys import mail_key
from correspondence.models import (
    Address,
    ApiScope,
    ApiToken,
    PostalHelper,
    Purpose,
    PushSubscription,
    Token,
    WebSession,
)  # fmt: skip
from correspondence.queries import ical
from tests.operators import act
from tests.post import text_of
from tests.world import KEY

HOME, WORK = "ann@example.org", "ann@work.example"
DETAILS = {"name": "Ann Miller", "address": "12 Mill Lane\nWells", "plays_by_post": "on"}
GIVE_NONE = frozenset(
    "counted fingerprint lost_numbers page_version process signed_end stranger_answer "
    "archive_month block clock_stop continuation daily_seed directory_listing event exercise exercise_attempt"
    " exercise_rating exercise_search fetch_progress heartbeat hidden_words imported_record inbound letter letter_request"
    " mail_domain match member_mail member_report move mute offer offer_seed opening operator_act outage pairing person"
    " plan player postal_entry postal_member rating rating_change remark review review_reader robot_turn robot_watch seed"
    " seek service_state signing_key suppression sweep_lease taken_back_move vacation variation webhook_delivery"
    " tournament tournament_act tournament_bye tournament_conduct tournament_entrant tournament_pairing tournament_round"
    " tournament_stay tournament_judging"
    " sample_game sample_opening sample_set visitor_game evaluation".split()
)
"""Tables whose rows let nobody see or do anything in a member's name."""

ROWS = (WebSession, PushSubscription, ApiToken, Webhook, PostalHelper, Address)


@pytest.fixture
def club(town):
    """ann, who plays by post and has two addresses; hilda, who helps her; bob."""
    town.join("ann", "hilda", "bob")
    with db.transaction(town.engine) as session:
        ann = town.person(session, "ann")
        session.add(
            Address(person_id=ann.id, mail=WORK, mail_key=mail_key(WORK), verified_at=town.time + timedelta(minutes=1))
        )
        postal_members.save(session, ann, PostalDetails("Ann", "12 Mill Lane", plays_by_post=True), now=town.time)
    return town


def flat(letter):
    return " ".join(text_of(letter).split())


def to(town, mail):
    return [letter for letter in town.received if str(letter["To"]) == mail]


def helper(town):
    """Who helps ann, and whether they agreed."""
    with db.reading(town.engine) as session:
        found = postal_members.helper_of(session, town.person(session, "ann").id)
    return (found.handle, found.is_agreed) if found is not None else None


def name(town, handle="hilda"):
    return town.client("ann").post("/settings/post/helper", data={"handle": handle})


def agree(town, handle="hilda"):
    return town.client(handle).post("/settings/post/help/ann")


def link_of(letter):
    return f"/t/{re.search(r'/t/([a-z2-7]{26})', text_of(letter))[1]}"


# -- the table -----------------------------------------------------------------------


def test_every_table_and_every_kind_of_token_is_decided():
    tables = {str(kind.__tablename__) for kind in ACCESS if not isinstance(kind, Purpose)}
    assert set(Purpose) <= set(ACCESS)
    assert {table.name for table in SQLModel.metadata.sorted_tables} == tables | GIVE_NONE | {"token"}
    assert not tables & GIVE_NONE
    assert all(fate.erasure is Fate.ENDS for fate in ACCESS.values())


def make_all(town):
    """One of each kind of access to ann's account."""
    name(town), agree(town)
    with db.transaction(town.engine) as session:
        ann = town.person(session, "ann")
        web_sessions.begin(session, ann, now=town.time)
        number = session.exec(select(WebSession.id).where(WebSession.person_id == ann.id)).first()
        new_access.show_notifications(session, ann, number, "https://push.example.org/1", now=town.time)
        api_tokens.make(session, ann, "bot", ApiScope.PLAY, now=town.time)
        webhooks.register(session, ann, "bot", "https://bot.example.org/", ["your_turn"], now=town.time)
        for purpose in Purpose:
            if purpose not in (Purpose.PLAY, Purpose.ADDRESS_UNDO):
                accounts.new_token(session, purpose, now=town.time, person=ann, told=HOME, helped=0, mail="x@y.example")
    town.match("proteus-dice", "ann", "bob")
    with db.reading(town.engine) as session:
        own = select(Token).where(Token.person_id == town.person(session, "ann").id, col(Token.used_at).is_(None))
        made = {token.id: token.purpose for token in session.exec(own)}
    assert {*made.values(), Purpose.ADDRESS_UNDO} == set(Purpose)
    return made


def rows_left(session, number):
    """The tables in which something still gives access to the account of this person."""
    left = {table for table in ROWS if session.exec(select(table).where(table.person_id == number)).first() is not None}
    live = session.exec(select(ApiToken).where(ApiToken.person_id == number, col(ApiToken.revoked_at).is_(None)))
    return left if live.first() is not None else left - {ApiToken}


def sign_out(town):
    assert town.client("ann").post("/settings/sign-out").status_code == 303


def sign_out_by_operator(town):
    act(town, "end-sessions", handle="ann")


def remove_an_address(town):
    with db.transaction(town.engine) as session:
        addresses.remove(session, town.person(session, "ann"), WORK, now=town.time)


def undo_a_change(town):
    town.time += timedelta(hours=1)
    with db.transaction(town.engine) as session:
        addresses.choose_main(session, town.person(session, "ann"), WORK, now=town.time)
    town.deliver()
    assert town.client().post(link_of(to(town, HOME)[-1])).status_code == 303


def recover(town):
    with db.transaction(town.engine) as session:
        token = addresses.offer_takeover(session, town.person(session, "ann"), "new@ann.example", now=town.time)
        addresses.confirm(session, token.id, now=town.time)


def merge(town):
    with db.transaction(town.engine) as session:
        access.end(session, town.person(session, "ann"), Ending.MERGE, now=town.time)


def erase(town):
    with db.transaction(town.engine) as session:
        erasure.forget(session, town.person(session, "ann"), now=town.time)


WAYS = [
    (Ending.SIGN_OUT, sign_out), (Ending.SIGN_OUT, sign_out_by_operator), (Ending.REMOVAL, remove_an_address),
    (Ending.UNDO, undo_a_change), (Ending.RECOVERY, recover), (Ending.MERGE, merge), (Ending.ERASURE, erase),
]  # fmt: skip


@pytest.mark.parametrize(("ending", "do"), WAYS, ids=lambda value: getattr(value, "__name__", ""))
def test_what_ends_access_ends_what_the_table_says_and_no_more(club, ending, do):
    made = make_all(club)
    with db.reading(club.engine) as session:
        number = club.person(session, "ann").id
    do(club)
    with db.reading(club.engine) as session:
        left = rows_left(session, number)
        for token_id, purpose in made.items():
            token = session.get(Token, token_id)
            if token is not None and token.used_at is None:
                left.add(purpose)
    expected = {kind for kind, fates in ACCESS.items() if getattr(fates, ending.value) is not Fate.ENDS}
    assert left == expected - {Purpose.ADDRESS_UNDO}


def test_after_signing_out_everywhere_games_and_letters_are_answered_as_before(club):
    make_all(club)
    turn = club.letter("ann")
    with db.reading(club.engine) as session:
        ann = club.person(session, "ann")
        calendar = tokens.spell(KEY, ical.feed_token(session, ann).id)
    assert club.client().get(f"/calendar/{calendar}.ics").status_code == 200
    sign_out(club)
    assert club.client().get(f"/calendar/{calendar}.ics").status_code == 404
    club.answer(turn, "c3/f2=B")
    assert club.moves(1) == ["c3/f2=B"]


def test_an_address_that_was_asked_for_before_signing_out_is_not_added(club):
    evil = "eve@evil.example"
    club.client("ann").post("/settings/addresses/add", data={"mail": evil})
    club.deliver()
    question = to(club, evil)[-1]
    sign_out(club)
    club.answer(question, "yes")
    with db.reading(club.engine) as session:
        mails = [one.mail for one in address_changes.addresses_of(session, club.person(session, "ann"))]
    assert mails == [HOME, WORK]


def test_adding_an_address_needs_a_recent_sign_in_and_old_addresses_can_undo_it(club):
    evil, browser = "eve@evil.example", club.client("ann")
    club.time += timedelta(minutes=61)
    refused = browser.post("/settings/addresses/add", data={"mail": evil})
    assert refused.status_code == 422 and "Please sign in, then" in refused.text
    page = browser.get("/settings/addresses").text
    assert 'action="/settings/addresses/add"' not in page and "within the last hour" in page
    club.deliver()
    assert to(club, evil) == []
    club.keys.clear()
    assert club.client("ann").post("/settings/addresses/add", data={"mail": evil}).status_code == 303
    club.deliver()
    club.answer(to(club, evil)[-1], "yes")
    for mail in (HOME, WORK):
        assert "reply to this letter with the word undo" in " ".join(text_of(to(club, mail)[-1]).split())
    club.answer(to(club, WORK)[-1], "undo")
    with db.reading(club.engine) as session:
        mails = [one.mail for one in address_changes.addresses_of(session, club.person(session, "ann"))]
    assert mails == [HOME, WORK]


# -- the helper ----------------------------------------------------------------------


def test_another_address_for_cards_needs_a_recent_sign_in_and_is_told_to_all_addresses(club):
    ann = club.client("ann")
    club.time += timedelta(minutes=61)
    club.deliver()
    club.received.clear()
    refused = ann.post("/settings/post", data={**DETAILS, "address": "1 Evil Road"})
    assert refused.status_code == 422
    assert "Please sign in, then" in refused.text
    assert "1 Evil Road" in refused.text
    same = {"name": "Ann", "address": "12 Mill Lane", "plays_by_post": "on", "is_listed": "on"}
    assert ann.post("/settings/post", data=same).status_code == 303
    club.deliver()
    assert not to(club, HOME) + to(club, WORK)
    club.keys.clear()
    assert club.client("ann").post("/settings/post", data={**same, "address": "9 New Road"}).status_code == 303
    club.deliver()
    for mail in (HOME, WORK):
        assert "now go to this address: Ann, 9 New Road" in flat(to(club, mail)[-1])


def test_naming_and_agreeing_need_a_recent_sign_in_and_letting_go_does_not(club):
    ann, hilda = club.client("ann"), club.client("hilda")
    club.time += timedelta(minutes=61)
    refused = ann.post("/settings/post/helper", data={"handle": "hilda"})
    assert refused.status_code == 422
    assert "Please sign in, then" in refused.text
    assert helper(club) is None
    assert 'name="handle"' not in ann.get("/settings/post").text
    club.keys.clear()
    assert name(club).status_code == 303
    refused = hilda.post("/settings/post/help/ann")
    assert refused.status_code == 422
    assert "Please sign in, then" in refused.text
    assert helper(club) == ("hilda", False)
    assert agree(club).status_code == 303 and helper(club) == ("hilda", True)
    club.time += timedelta(minutes=61)
    assert ann.post("/settings/post/helper", data={"dismiss": "1"}).status_code == 303 and helper(club) is None


def test_naming_is_told_to_all_addresses_and_each_can_undo_it(club):
    for place in (HOME, WORK):
        club.received.clear()
        name(club)
        club.deliver()
        assert all("hilda has been asked to help you by post" in flat(to(club, mail)[-1]) for mail in (HOME, WORK))
        assert club.answer(to(club, place)[-1], "undo") == "done: helper undone"
        assert helper(club) is None
        assert agree(club).status_code == 422


def test_agreeing_is_told_to_both_and_either_can_undo_it_by_the_button(club):
    for place in (HOME, "hilda@example.org"):
        name(club)
        club.received.clear()
        agree(club)
        club.deliver()
        assert "hilda now helps you" in flat(to(club, HOME)[-1])
        assert "You now help ann" in flat(to(club, "hilda@example.org")[-1])
        path = link_of(to(club, place)[-1])
        assert "Undo this change" in club.client().get(path).text and helper(club) == ("hilda", True)
        assert club.client().post(path).status_code == 303 and helper(club) is None
        assert club.client().post(path).status_code == 404
        club.time += timedelta(days=2)
        club.keys.clear()


def test_undoing_signs_out_whoever_named_the_helper(club):
    browser = club.client("ann")
    name(club)
    club.deliver()
    club.answer(to(club, HOME)[-1], "undo")
    assert browser.get("/settings").status_code != 200
    assert "every browser has been signed out" in flat(to(club, HOME)[-1])


def test_undoing_a_change_of_the_helper_brings_the_earlier_one_back(club):
    name(club), agree(club)
    club.received.clear()
    name(club, "bob")
    club.deliver()
    first = to(club, HOME)[-1]
    agree(club, "bob")
    club.deliver()
    later = to(club, HOME)[-1]
    club.answer(first, "undo")
    assert helper(club) == ("hilda", True)
    club.answer(later, "undo")
    assert helper(club) == ("hilda", True), "what came after the change is undone with it"


def test_an_address_added_last_cannot_bring_back_who_was_let_go(club):
    name(club), agree(club)
    club.client("ann").post("/settings/post/helper", data={"dismiss": "1"})
    club.deliver()
    assert "hilda no longer helps you" in flat(to(club, WORK)[-1])
    letter = to(club, HOME)[-1]
    for other in to(club, WORK):
        club.answer(other, "undo", sender=WORK)
    assert helper(club) is None
    club.answer(letter, "undo")
    assert helper(club) == ("hilda", True)


@pytest.mark.parametrize("do", [sign_out, undo_a_change, recover], ids=lambda do: do.__name__)
def test_a_helper_is_asked_about_and_can_be_let_go_by_the_answer(club, do):
    name(club), agree(club)
    club.deliver()
    club.received.clear()
    do(club)
    club.deliver()
    assert helper(club) == ("hilda", True)
    question = next(letter for letter in to(club, HOME) if "still helps you" in flat(letter))
    club.answer(question, "undo")
    assert helper(club) is None


def test_a_helper_who_has_not_agreed_is_let_go_by_signing_out(club):
    name(club)
    sign_out(club)
    assert helper(club) is None and agree(club).status_code == 422


def test_a_helper_whom_an_intruder_named_goes_with_the_change_of_addresses(club):
    with db.transaction(club.engine) as session:
        addresses.choose_main(session, club.person(session, "ann"), WORK, now=club.time)
    club.deliver()
    notice = to(club, HOME)[-1]
    club.time += timedelta(minutes=5)
    name(club), agree(club)
    club.answer(notice, "undo", sender=HOME)
    assert helper(club) is None


def test_after_a_recovery_the_new_address_is_asked_about_the_helper_too(club):
    name(club), agree(club)
    recover(club)
    club.deliver()
    assert any("still helps you" in flat(letter) for letter in to(club, "new@ann.example"))


def test_an_address_that_was_removed_brings_no_helper_back(club):
    with db.transaction(club.engine) as session:
        ann, at = club.person(session, "ann"), club.time + timedelta(minutes=2)
        for mail in ("eve@evil.example", "eva@evil.example"):
            session.add(Address(person_id=ann.id, mail=mail, mail_key=mail_key(mail), verified_at=at))
    name(club), agree(club)
    club.client("ann").post("/settings/post/helper", data={"dismiss": "1"})
    club.deliver()
    letter = to(club, "eve@evil.example")[-1]
    with db.transaction(club.engine) as session:
        addresses.remove(session, club.person(session, "ann"), "eve@evil.example", now=club.time)
    club.client().post(link_of(letter))
    assert helper(club) is None


@pytest.mark.parametrize("sender", ["eve@evil.example", "bob@example.org"])
def test_nobody_else_undoes_a_helper(club, sender):
    name(club), agree(club)
    club.deliver()
    letter = next(one for one in to(club, HOME) if "has been asked to help" in flat(one))
    club.answer(letter, "undo", sender=sender)
    assert helper(club) == ("hilda", True)


def test_a_helper_who_stops_is_told_to_the_member(club):
    name(club), agree(club)
    club.client("hilda").post("/settings/post/help/ann", data={"stop": "1"})
    club.deliver()
    assert helper(club) is None and "hilda no longer helps you" in flat(to(club, HOME)[-1])


# -- suspended members ---------------------------------------------------------------

NEW = {
    "webhook": ("/settings/webhooks", {"name": "bot", "url": "https://bot.example.org/", "kind": ["your_turn"]}),
    "token": ("/settings/tokens", {"name": "bot", "scope": "play"}),
    "notifications": ("/settings/notifications/on", {"endpoint": "https://push.example.org/1"}),
    "calendar": ("/settings/time/calendar", {}),
    "helper": ("/settings/post/helper", {"handle": "hilda"}),
    "agreement": ("/settings/post/help/hilda", {}),
}


@pytest.mark.parametrize("kind", NEW)
@pytest.mark.parametrize("is_suspended", [True, False])
def test_a_suspended_member_makes_no_new_access(club, kind, is_suspended):
    with db.transaction(club.engine) as session:
        hilda = club.person(session, "hilda")
        postal_members.save(session, hilda, PostalDetails("Hilda", "Lane 1", plays_by_post=True), now=club.time)
        postal_members.name_helper(session, hilda, "ann", now=club.time)
    if is_suspended:
        act(club, "suspend", handle="ann", days="3")
    path, form = NEW[kind]
    answer = club.client("ann").post(path, data=form)
    assert answer.status_code in ((422,) if is_suspended else (200, 303)), answer.text
    assert ("Your account is suspended until" in answer.text) is is_suspended


def test_a_program_of_a_suspended_member_makes_no_webhook(club):
    with db.transaction(club.engine) as session:
        secret = api_tokens.make(session, club.person(session, "ann"), "bot", ApiScope.PLAY, now=club.time)
    act(club, "suspend", handle="ann", days="3")
    body = {"name": "bot", "url": "https://bot.example.org/", "events": ["your_turn"]}
    headers = {"Authorization": f"Bearer {secret}"}
    answer = club.client().post("/api/v1/webhooks", json=body, headers=headers)
    assert answer.status_code == 422 and "suspended" in answer.json["detail"]
