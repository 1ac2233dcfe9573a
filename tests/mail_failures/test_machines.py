"""Failures 1, 2 and 3: machines are met with silence wherever they write, and people are not taken for machines."""

from __future__ import annotations

import pytest

from correspondence.core import db
from correspondence.inbound import operator_mail
from tests.mail_failures.boxes import KINDS, every_box, rows
from tests.reports import complaint, dsn
from tests.test_machine_mail import AWAY, MACHINES, PEOPLE, RETURNED, ROBOTS

BODY = "yes\nresign\naccept\nstop\nc3/f2=B\njoin cleo\n"
"""What would act somewhere: a move, a yes, a way out."""


def written(fields="", author="Ann <ann@example.org>", subject="Re: [Game 1 vs bob] your turn"):
    own = "" if "From:" in fields else f"From: {author}\n"
    own += "" if "Subject:" in fields else f"Subject: {subject}\n"
    return f"{fields}\n{own}To: r.x@games.example\n\n{BODY}".lstrip("\n").encode()


def numbered(raws):
    """Each with a Message-ID of its own, as on the wire, unless it has one."""
    return [
        raw if b"Message-ID" in raw else b"Message-ID: <m%d@example.org>\n" % number + raw
        for number, raw in enumerate(raws)
    ]


QMAIL = (
    "Hi. This is the qmail-send program at example.org.\nI'm afraid I wasn't able to deliver your message.\n"
    "<bob@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n--- Below this line is a copy.\n\nresign\n"
)
BOUNCES = numbered(
    [
        dsn(("failed", "5.1.1", "550 user unknown")),
        dsn(("delayed", "4.4.1", "451 later")),
        dsn(),
        complaint("not-spam"),
        f"From: MAILER-DAEMON@example.org\nSubject: failure notice\n\n{QMAIL}".encode(),
        written("X-Failed-Recipients: bob@example.org\nAuto-Submitted: auto-replied", "mailer-daemon@example.org"),
        written("Content-Type: multipart/report; report-type=delivery-status; boundary=b"),
        written("Content-Type: multipart/report; report-type=disposition-notification; boundary=b"),
        written("Return-Path: <>"),
        *(written(author=author) for author in ROBOTS),
        *(written(subject=subject) for subject in RETURNED),
    ]
)
AUTOMATIC = [written(fields) for fields in MACHINES] + [written(subject=subject) for subject in AWAY.values()]


def silently(town, raws, address, sender, outcomes=("ignored: ",)):
    """Put these messages in, one after the other; nothing but the messages themselves may be there afterwards."""
    before = rows(town.engine)
    for raw in raws:
        town.put(raw, address, sender)
        outcome = town.sweep()
        assert outcome.startswith(outcomes), (outcome, raw)
    assert rows(town.engine) == before and town.received == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "bounce"])
def test_failure_2_no_bounce_is_a_command_or_answered_at_any_address(town, kind):
    _number, boxes = every_box(town)
    kept = ("done: kept: OPERATOR",) if kind in operator_mail.BOXES else ()
    for sender in ("", "ann@example.org"):
        raws = numbered([raw.replace(b"Message-ID: ", b"X-Was: ") for raw in BOUNCES])
        raws = [raw.replace(b"@example.org>", f"@{len(sender)}.example.org>".encode(), 1) for raw in raws]
        silently(town, raws, boxes[kind], sender, ("ignored: ", *kept))


def test_failure_2_a_bounce_to_its_own_address_is_noted_at_its_letter_and_nowhere_else(town):
    _number, boxes = every_box(town)
    noted = ("letter", "address", "suppression", "inbound")
    before = {name: one for name, one in rows(town.engine).items() if name not in noted}
    letters = len(rows(town.engine)["letter"])
    for sender in ("", "ann@example.org"):
        for raw in BOUNCES:
            town.put(raw, boxes["bounce"], sender)
            assert town.sweep().partition(":")[0] in ("ignored", "done")
    assert {name: one for name, one in rows(town.engine).items() if name not in noted} == before
    assert len(rows(town.engine)["letter"]) == letters and town.received == []


@pytest.mark.parametrize("kind", ["play", "reply", "resign", "stop", "join", "challenge"])
def test_failure_1_about_seventy_marks_of_machines_are_met_with_silence(town, kind):
    _number, boxes = every_box(town)
    author = "cleo@example.org" if kind == "join" else "ann@example.org"
    assert len(AUTOMATIC) > 60
    raws = numbered([raw.replace(b"ann@example.org", author.encode()) for raw in AUTOMATIC])
    silently(town, raws, boxes[kind], author)


@pytest.mark.parametrize("fields", PEOPLE, ids=lambda text: text[:40] or "nothing")
def test_failure_3_what_a_person_wrote_is_executed_whatever_a_server_added(town, fields):
    _number, boxes = every_box(town)
    raw = f"{fields}\nFrom: ann@example.org\nSubject: Re: your turn\n\nc3/f2=B\n".lstrip("\n").encode()
    town.put(raw, boxes["reply"])
    assert town.sweep() == "done: played"
    assert [str(letter["To"]) for letter in town.received] == ["bob@example.org"]


@pytest.mark.parametrize("fields", ["X-Ack: no", "X-No-Ack: 1"])
def test_failure_3_who_wants_no_answer_is_obeyed_without_one(town, fields):
    number, boxes = every_box(town)
    town.put(f"{fields}\nFrom: ann@example.org\nSubject: x\n\nhelp\n".encode(), boxes["reply"])
    assert town.sweep() == "done: help" and town.received == []
    town.put(f"{fields}\nFrom: ann@example.org\nSubject: x\n\nc3/f2=B\n".encode(), boxes["reply"])
    assert town.sweep() == "done: played" and town.moves(number) == ["c3/f2=B"]


@pytest.mark.parametrize("words", ["c9/f2=B", "help"])
def test_failure_3_whose_exchange_asks_for_no_answers_is_told_what_they_must_know_and_nothing_else(town, words):
    number, boxes = every_box(town)
    with db.transaction(town.engine) as session:
        town.person(session, "ann").receipts = True
    head = "X-Auto-Response-Suppress: All\nFrom: ann@example.org\nSubject: x\n"
    town.put(f"{head}\n{words}\n".encode(), boxes["reply"])
    town.sweep()
    assert [str(letter["To"]) for letter in town.received] == ["ann@example.org"]
    town.received.clear()
    town.put(f"{head}\nc3/f2=B\n".encode(), boxes["reply"])
    assert town.sweep() == "done: played" and town.moves(number) == ["c3/f2=B"]
    assert [str(letter["To"]) for letter in town.received] == ["bob@example.org"]


def test_failure_1_a_stranger_whose_mail_asks_for_no_answers_gets_none(town):
    every_box(town)
    town.put(b"X-Auto-Response-Suppress: All\nFrom: zoe@example.org\nSubject: x\n\nhelp\n", "play@games.example")
    assert town.sweep().startswith("done") and town.received == []
