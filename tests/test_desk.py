"""The Admin page: for operators alone, true, and without anybody's words or addresses."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.accounts import operators
from correspondence.accounts.accounts import PeopleError
from correspondence.community import erasure, reports
from correspondence.core import db
from correspondence.models import (
    Inbound,
    InboundState,
    Letter,
    LetterState,
    MemberReport,
    OperatorAct,
    Scope,
    Suppression,
)
from correspondence.moderation import register
from correspondence.ops.cli import mail_command, reports_command
from correspondence.ops.operator_cli import operator_command
from correspondence.outbound.outbox import MOST_LOST_LEASES
from correspondence.queries.admin import LISTED
from correspondence.web import admin_acts
from correspondence.web.admin import LISTS, PAGE
from tests.robots import robots_in


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo")
    appoint(town, "ann")
    return town


def appoint(world, handle, *, is_operator=True):
    with db.transaction(world.engine) as session:
        operators.appoint(session, handle, is_operator=is_operator)


def desk(club, name="ann"):
    return club.client(name).get("/desk")


def section(club, heading):
    """What stands below a heading of the desk, in words."""
    page = desk(club).text
    part = page.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


@pytest.mark.parametrize("name", ["bob", ""])
def test_nobody_but_operators_finds_the_desk_or_a_link_to_it(club, name):
    assert desk(club, name).status_code == 404
    if name:
        assert "/desk" not in club.client(name).get("/settings").text
    assert "/desk" in club.client("ann").get("/settings").text and desk(club).status_code == 200


def test_whoever_is_an_operator_no_longer_is_shown_nothing_from_then_on(club):
    browser = club.client("ann")
    assert browser.get("/desk").status_code == 200
    appoint(club, "ann", is_operator=False)
    assert browser.get("/desk").status_code == 404


@pytest.mark.parametrize(("command", "words", "sentence"), [
    (operator_command, ("list",), "flask operator add HANDLE"), (operator_command, ("acts",), "No act of an operator is kept."),
    (mail_command, ("dead",), "No message and no letter was set aside."), (reports_command, (), "Nobody has reported anybody."),
], ids=["operators", "acts", "dead mail", "reports"])  # fmt: skip
def test_a_list_that_is_empty_says_so_where_no_pipe_reads_it(town, command, words, sentence):
    result = town.app.test_cli_runner().invoke(command, words)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert sentence in result.stderr


def test_help_says_what_every_option_of_an_act_is_for(town):
    for act in register.ACTS.values():
        text = " ".join(town.app.test_cli_runner().invoke(operator_command, (act.name, "--help")).output.split())
        for name in act.takes:
            assert re.search(rf"--{name} TEXT [A-Z“]\S+ \S+", text), f"{act.name} {name}"


def test_an_erased_operator_leaves_no_operator_behind(club):
    with db.transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "ann"), now=club.time)
        assert operators.operators(session) == []


@pytest.mark.parametrize(("handle", "sentence"), [("nobody", "Nobody here is called"), ("duel-robot-1", "is a robot")])
def test_only_members_can_be_operators(club, handle, sentence):
    robots_in(club).stop()
    with pytest.raises(PeopleError, match=sentence):
        appoint(club, handle)


def test_it_says_what_keeps_the_service_from_its_work_and_what_waits(club):
    part = section(club, "Service status")
    assert "No worker has ever run" in part
    assert "Members 3" in part
    assert "Running games 0" in part
    club.match("duel")
    with db.transaction(club.engine) as session:
        letter = session.exec(select(Letter)).first()
        letter.state, letter.due_at = LetterState.QUEUED, club.time
        session.add(letter)
    club.clock.go(hours=1)
    part = section(club, "Service status")
    assert "Running games 1" in part and "Letters to be sent 1 60 minutes" in part


def test_mail_that_was_set_aside_is_listed_without_words_and_tokens(club):
    token = "r.abcdefghijklmnopqrstuvwxyz"
    with db.transaction(club.engine) as session:
        session.add(
            Inbound(message_key="k", recipient=f"{token}@games.example", sender="bob@example.org", raw=b"Hidden words",
                    received_at=club.time, due_at=club.time, state=InboundState.DEAD, reason="Trace\nKeyError: 7")
        )  # fmt: skip
        letter = session.exec(select(Letter)).first()
        letter.state, letter.lost_leases = LetterState.FAILED, MOST_LOST_LEASES
        session.add(letter)
    part = section(club, "Mail set aside")
    assert "KeyError: 7" in part and "Trace" not in part
    assert f"Letter {letter_number(club)}" in section(club, "Undelivered letters")
    page = desk(club).text
    assert token not in page
    assert "Hidden words" not in page
    assert "@example.org" not in page


def letter_number(club):
    with db.reading(club.engine) as session:
        return session.exec(select(Letter.id).where(Letter.state == LetterState.FAILED)).one()


def test_reports_stand_there_with_what_was_said_and_cannot_smuggle_markup(club):
    number = club.match("duel")
    with db.transaction(club.engine) as session:
        bob = club.person(session, "bob")
        reports.report(session, bob, "ann", "<b>Rude</b> words", match_id=number, operator="", now=club.time)
    assert "bob about ann" in section(club, "Reports about players") and "&lt;b&gt;Rude&lt;/b&gt;" in desk(club).text


def test_members_whom_no_letter_reaches_are_named_without_their_addresses(club):
    with db.transaction(club.engine) as session:
        session.add(Suppression(mail_key="bob@example.org", scope=Scope.ALL, reason="bounced", since=club.time))
    assert "bob" in section(club, "Members whose letters are stopped") and "bob@" not in desk(club).text


def test_refused_mail_is_named_with_its_reason(club):
    number = club.match("duel")
    letter = club.letter("ann")
    club.resign(number, "ann")
    club.wait(days=800)
    club.answer(letter, "5@b3")
    with db.transaction(club.engine) as session:
        session.add(
            Inbound(message_key="q", recipient="play@games.example", sender="x", raw=b"", received_at=club.time,
                    due_at=club.time, state=InboundState.REJECTED, reason="too big", person_id=club.person(session, "bob").id)
        )  # fmt: skip
    part = section(club, "Recently refused mail")
    assert "bob" in part and "too big" in part


def test_a_desk_with_thousands_of_rows_stays_short(club):
    with db.transaction(club.engine) as session:
        session.add_all(
            Inbound(message_key=f"k{n}", recipient="play@games.example", sender="x", raw=b"", received_at=club.time,
                    due_at=club.time + timedelta(0), state=state, reason="too big")
            for n in range(1_500) for state in (InboundState.REJECTED,)
        )  # fmt: skip
    assert desk(club).text.count("too big") == 30


# -- when there is much of it ------------------------------------------------------------------


def flood(club, count):
    """So many reports of bob about cleo, refused messages, messages and letters set aside, stopped addresses and acts."""
    with db.transaction(club.engine) as session:
        bob, cleo = club.person(session, "bob").id, club.person(session, "cleo").id
        letter = (
            session.exec(select(Letter)).first().model_dump(exclude={"id", "key", "message_id", "state", "lost_leases"})
        )
        inbound = {
            "recipient": "play@games.example",
            "sender": "x",
            "raw": b"",
            "received_at": club.time,
            "due_at": club.time,
        }
        for number in range(count):
            session.add(MemberReport(person_id=bob, about_id=cleo, text=f"report-{number}.", at=club.time))
            for state in (InboundState.REJECTED, InboundState.DEAD):
                key = f"{state}{number}"
                session.add(Inbound(**inbound, message_key=key, state=state, reason=f"{state}-{number}."))
            session.add(
                Letter(**letter, key=f"f{number}", message_id=f"<f{number}@x>", state=LetterState.FAILED,
                       lost_leases=MOST_LOST_LEASES)
            )  # fmt: skip
            session.add(
                OperatorAct(at=club.time, operator_id=bob, kind="warn", person_id=cleo, reason=f"act-{number}.")
            )


def rows_on(page):
    return page.count("<li>", page.index("<main"), page.index("</main>"))


def test_the_desk_shows_the_newest_of_each_and_says_that_there_are_more(club):
    flood(club, LISTED + 1)
    for heading, name in (("Reports about players", "reports"), ("Recently refused mail", "refused"),
                          ("Mail set aside", "messages")):  # fmt: skip
        assert f"These are the newest {LISTED}. See all of them" in section(club, heading)
        assert f'href="/desk/lists/{name}"' in desk(club).text
    part = section(club, "Reports about players")
    assert f"report-{LISTED}." in part and "report-0." not in part


def test_a_desk_with_little_on_it_says_nothing_of_more(club):
    flood(club, LISTED)
    assert "These are the newest" not in desk(club).text


@pytest.mark.parametrize("name", ["reports", "refused", "messages", "letters"])
def test_each_list_is_turned_page_by_page_to_its_end(club, name):
    flood(club, PAGE + 3)
    ann = club.client("ann")
    first, second = ann.get(f"/desk/lists/{name}").text, ann.get(f"/desk/lists/{name}?page=1").text
    assert (rows_on(first), rows_on(second)) == (PAGE, 3)
    assert "Older ones" in first and "Newer ones" not in first
    assert "Newer ones" in second and "Older ones" not in second


def test_the_list_of_acts_is_turned_too(club):
    flood(club, admin_acts.LISTED + 2)
    ann = club.client("ann")
    assert "act-0." not in ann.get("/desk/acts").text and "Older ones" in ann.get("/desk/acts").text
    assert "act-0." in ann.get("/desk/acts?page=1").text and "Newer ones" in ann.get("/desk/acts?page=1").text
    assert "act-0." in ann.get("/desk/acts?page=1&handle=cleo").text


@pytest.mark.parametrize("page", ["-1", "x", "9" * 30, "99999", "1.5", "%00"])
def test_a_page_that_there_is_not_is_answered(club, page):
    assert club.client("ann").get(f"/desk/lists/reports?page={page}").status_code == 200
    assert club.client("ann").get(f"/desk/acts?page={page}").status_code == 200


def test_the_lists_are_for_operators_and_there_are_no_others(club):
    for name in (*LISTS, "nothing"):
        assert club.client("bob").get(f"/desk/lists/{name}").status_code == 404
        assert club.client("ann").get(f"/desk/lists/{name}").status_code == (200 if name in LISTS else 404)
