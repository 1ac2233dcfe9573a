"""Answers to people without an account: bounded for all together, so that a flood of senders makes no flood of letters."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from sqlmodel import func, select

from correspondence.core import db
from correspondence.core.config import SettingError, read_settings
from correspondence.core.limits import COUNTED_SETTINGS
from correspondence.inbound import mailbox
from correspondence.models import Inbound, InboundState, Letter
from tests.post import reply_address
from tests.tables import fresh_database
from tests.test_metrics import TOKEN, numbers
from tests.world import World, mail_world

DOOR = "play@games.example"
AUTHSERV = "mx.games.example"


def budgets(town, **settings):
    town.settings = replace(town.settings, **settings)


def write(town, sender, body, **headers):
    town.put(town.compose(sender, DOOR, body, **headers), DOOR, sender)


def drained(town):
    mailbox.drain(town.engine, town.settings, now=town.time, rng=town.rng)
    with db.reading(town.engine) as session:
        return session.exec(select(func.count()).select_from(Letter).where(Letter.person_id.is_(None))).one()


def dropped(town):
    with db.reading(town.engine) as session:
        rows = session.exec(select(Inbound).where(Inbound.state == InboundState.IGNORED)).all()
        assert all(row.raw and row.reason.startswith("dropped: ") for row in rows)
        return len(rows)


def test_flood_of_invented_senders_gets_the_answers_of_a_day(town):
    for number in range(160):
        write(town, f"x{number}@d{number}.example", "Cheap watches, only today")
    assert drained(town) == 100 and dropped(town) == 60
    town.clock.go(hours=24)
    write(town, "late@late.example", "Hello?")
    assert drained(town) == 101


def test_spam_never_starves_those_who_want_to_join(town):
    budgets(town, stranger_answers=3)
    for number in range(30):
        write(town, f"x{number}@d{number % 2}.example", "Cheap watches, only today")
    assert drained(town) == 3
    for number, words in enumerate(["join cleo", "help", "rules duel"]):
        write(town, f"new{number}@d0.example", words)
    assert drained(town) == 6


def _asked(town, count):
    """The letters that ask many strangers whether they want to join."""
    for number in range(count):
        write(town, f"x{number}@d{number}.example", f"join x{number}")
    drained(town)
    town.deliver()
    return [town.letter(f"x{number}") for number in range(count)]


@pytest.mark.parametrize("words", ["who are you?", "no", "stop"])
def test_replies_to_join_letters_are_answered_within_the_budgets(town, words):
    budgets(town, stranger_requests=5)
    questions = _asked(town, 4)
    before = drained(town)
    for letter in questions:
        for _time in range(2):
            town.put(town.compose(str(letter["To"]), reply_address(letter), words, answering=letter),
                     reply_address(letter), str(letter["To"]))  # fmt: skip
    assert drained(town) == before + 1 and dropped(town) == 7


def test_yes_to_a_join_letter_is_never_dropped(town):
    budgets(town, stranger_requests=2)
    first, second = _asked(town, 2)
    for letter in (first, second):
        assert town.answer(letter, "yes") == "done: joined"


def test_answers_to_refused_confirmations_count_too(town):
    budgets(town, stranger_requests=3)
    write(town, "x@a.example", "join cleo")
    write(town, "y@b.example", "join cleo")
    drained(town)
    town.deliver()
    first, second = town.letter("x"), town.letter("y")
    town.answer(first, "yes")
    assert town.answer(second, "yes") == "done: joining refused"
    assert town.answer(second, "yes").startswith("ignored: dropped")


def test_spam_in_the_name_of_a_domain_never_stops_its_people_from_joining(town):
    for number in range(30):
        write(town, f"x{number}@big.example", "Cheap watches, only today")
    assert drained(town) == 20
    write(town, "cleo@big.example", "join cleo")
    assert drained(town) == 21


def test_requests_to_join_have_a_budget_of_their_own(town):
    budgets(town, stranger_requests=5)
    for number in range(9):
        write(town, f"x{number}@d{number}.example", f"join x{number}")
    assert drained(town) == 5 and dropped(town) == 4
    write(town, "y@other.example", "Hello?")
    assert drained(town) == 6


@pytest.mark.parametrize("words", ["help", "Hello?", "join z{number}"])
def test_one_domain_of_senders_gets_twenty_answers_an_hour(town, words):
    for number in range(30):
        write(town, f"x{number}@Big.example", words.format(number=number))
    assert drained(town) == 20 and dropped(town) == 10
    write(town, "ann@small.example", "help")
    assert drained(town) == 21
    town.clock.go(hours=1, minutes=1)
    write(town, "late@big.example", "help")
    assert drained(town) == 22


def test_people_of_a_large_provider_do_not_starve_one_another(town):
    for number in range(30):
        write(town, f"x{number}@gmail.com", f"join z{number}")
    assert drained(town) == 30
    budgets(town, stranger_provider_answers=31)
    write(town, "ann@gmail.com", "help")
    write(town, "bob@GMail.com", "help")
    assert drained(town) == 31 and dropped(town) == 1


@pytest.fixture
def invited(town):
    """A town where strangers have used up everything that somebody who was invited could get by their From line."""
    town.join("bob")
    town.agree("bob", "invite cleo@small.example duel")
    letter = town.letter("cleo")
    for number in range(12):
        write(town, "cleo@small.example", f"Hello {number}?")
    for handle in ("bad", "worse", "worst", "bad2"):
        write(town, "cleo@small.example", f"join {handle}")
    drained(town)
    budgets(town, stranger_answers=0, stranger_requests=0, stranger_domain_answers=0)
    town.deliver()
    town.received.clear()
    return town, letter


@pytest.mark.parametrize("words", ["accept", "who are you?", "no thanks", "help", "rules duel", "join cleo"])
def test_strangers_starve_nobody_who_was_invited(invited, words):
    town, letter = invited
    assert town.answer(letter, words).startswith("done: ")
    assert town.letter("cleo")


def test_invited_person_joins_and_plays_whatever_strangers_ask_for(invited):
    town, letter = invited
    town.answer(letter, "join cleo")
    town.answer(town.letter("cleo"), "yes")
    assert "cleo" in town.people()
    town.answer(letter, "accept")
    assert town.stand(1) is not None


def test_invitation_vouches_only_for_the_address_that_it_went_to(invited):
    town, letter = invited
    assert town.answer(letter, "help", sender="zoe@small.example").startswith("ignored: dropped")


def test_mail_that_gets_no_answer_uses_up_no_budget(town):
    budgets(town, stranger_requests=11)
    for _time in range(30):
        write(town, "x@spam.example", "help")
    assert drained(town) == 10, "an address gets ten answers a day"
    write(town, "ann@good.example", "help")
    assert drained(town) == 11


def result_of(verdict, server=AUTHSERV):
    return {"Authentication_Results": f"{server}; dmarc={verdict} header.from=spam.example"}


@pytest.mark.parametrize(("headers", "answers"), [
    ({"X_Spam_Flag": "YES"}, 0), ({"X_Spam_Flag": "yes"}, 0), ({"X_Spam_Flag": "NO"}, 1), (result_of("fail"), 0),
    (result_of("pass"), 1), (result_of("none"), 1), (result_of("fail", "elsewhere.example"), 1), ({}, 1),
])  # fmt: skip
@pytest.mark.parametrize("words", ["Hello?", "join cleo"])
def test_mail_that_our_server_marked_is_kept_and_dropped(town, words, headers, answers):
    budgets(town, mail_authserv_id=AUTHSERV)
    write(town, "x@spam.example", words, **headers)
    assert drained(town) == answers and dropped(town) == 1 - answers


def test_marks_of_other_servers_are_not_believed_without_our_name(town):
    write(town, "x@spam.example", "help", **result_of("fail"))
    assert drained(town) == 1


def test_stop_is_obeyed_beyond_the_budget(town):
    budgets(town, stranger_answers=0)
    assert town.mail("x@d.example", DOOR, "stop").startswith("ignored: dropped")
    write(town, "x@d.example", "join cleo")
    drained(town)
    from correspondence.outbound import suppressions

    with db.reading(town.engine) as session:
        assert suppressions.wants_no_notices(session, "x@d.example")


def test_marked_mail_of_a_member_with_their_token_still_moves(town):
    town.join("ann", "bob")
    number = town.match()
    outcome = town.answer(town.letter("ann"), "c3/f2=B", X_Spam_Flag="YES")
    assert outcome.startswith("done: played") and len(town.moves(number)) == 1


def test_dropped_and_answered_mail_is_counted_for_monitoring(tmp_path):
    club = World(tmp_path, metrics_token=TOKEN, stranger_answers=1)
    for number in range(3):
        write(club, f"x{number}@d.example", "Hello?")
    drained(club)
    found = numbers(club)
    assert (found["strangers_answered"], found["strangers_dropped"]) == (1, 2)
    club.close()


@pytest.fixture(scope="module")
def server_town(postgres_url, tmp_path_factory):
    town = mail_world(tmp_path_factory.mktemp("town"), database_url=fresh_database(postgres_url))
    yield town
    town.close()


@pytest.mark.parametrize(("setting", "words"), [
    ("stranger_answers", "Hello {number}"), ("stranger_requests", "join z{number}"),
    ("stranger_domain_answers", "help me with {number}"), ("stranger_provider_answers", "help me with {number}"),
])  # fmt: skip
def test_budget_holds_for_workers_at_the_same_moment_on_postgresql(server_town, setting, words):
    town = server_town
    assert setting in COUNTED_SETTINGS
    town.clock.go(days=2)
    budgets(town, **{**dict.fromkeys(COUNTED_SETTINGS, 1000), setting: 3})
    domain = "gmail.com" if "provider" in setting else "d.example"
    before = drained(town)
    for number in range(30):
        write(town, f"{setting}{number}@{domain}", words.format(number=number))
    threads = [threading.Thread(target=drained, args=(town,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert drained(town) - before == 3


@pytest.mark.parametrize("count", ["-1", "many", "", "1000001"])
def test_budget_that_cannot_be_is_refused_with_its_name(tmp_path, count):
    for name in [setting.upper() for setting in COUNTED_SETTINGS]:
        with pytest.raises(SettingError, match=f"{name} must be a whole number from 0 to 1000000"):
            read_settings({"INSTANCE_DIR": str(tmp_path), name: count})
