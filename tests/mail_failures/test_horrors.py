"""Failures 5 and 17: nothing that a mail can contain keeps the next one waiting, and each has an outcome."""

from __future__ import annotations

import base64

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Inbound, InboundState
from tests.mail_failures.boxes import every_box, rows
from tests.post import text_of
from tests.sizes import examples
from tests.world import mail_world

TOP = b"From: ann@example.org\r\nMessage-ID: <h%d@example.org>\r\n"
HORRORS = [
    b"Message-ID: <[abc@x]>\r\nFrom: ann@example.org\r\n\r\nc3",
    b"From: =?utf-8?q?a=0D=0ABcc:_e@x?= <ann@example.org>\r\n\r\nc3",
    TOP + b"Subject: =?utf-8?q?a=0D=0ABcc:_e@x?=\r\n\r\n",
    TOP + b"Subject: =?utf-8?b?////?=\r\n\r\n",
    TOP + b"Content-Type: text/plain; charset=klingon\r\n\r\nqapla'",
    TOP + b'Content-Type: text/plain; charset="\xff"\r\n\r\n\xff\xfe',
    TOP + b"Content-Type: text/plain; charset=utf-7\r\n\r\n+AGMAMw-",
    TOP + b"Content-Type: text/plain; charset=idna\r\n\r\nxn--a",
    TOP + b"Content-Type: text/plain; charset=zlib\r\n\r\nx",
    TOP + b"Content-Type: text/plain; charset=rot13\r\n\r\nx",
    TOP + b"Content-Type: text/plain; charset=undefined\r\n\r\nx",
    TOP + b"Content-Transfer-Encoding: base64\r\n\r\n!!!!",
    TOP + b"Content-Transfer-Encoding: uuencode\r\n\r\nbegin 666 a\r\n",
    TOP + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=FF=\xff=Z=",
    TOP + b"Content-Type: multipart/mixed\r\n\r\n--\r\n",
    TOP + b'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n\r\nc3',
    TOP + b"Content-Type: multipart/mixed; boundary*0*=%ff\r\n\r\n",
    TOP + b"Content-Type: /; ;;=\r\n\r\nc3",
    TOP + b"Content-Type: message/rfc822\r\n\r\n",
    TOP + b"Content-Type: message/partial; id=x; number=1\r\n\r\nresign",
    TOP + b"Content-Type: message/external-body; access-type=local-file; name=/etc/passwd\r\n\r\n",
    b"\r\n\r\n" + TOP + b"\r\nc3",
    b"From: " + b"(" * 2_000 + b"\r\n\r\nc3",
    b"From: ann@example.org\r\nTo: " + b'"' * 5_000 + b"\r\n\r\nc3",
    b"From: ann@example.org\r\nReferences: " + b"<" * 5_000 + b"\r\n\r\nc3",
    b"From: ann@example.org\r\nDate: \xff\r\nAuto-Submitted: \xff\r\n\r\nc3",
    b"From: ann@example.org\r\nX: y\rBcc: e@x\r\n\r\nc3",
    b"\x00" * 500,
    bytes(range(256)) * 8,
    b"",
]


@pytest.fixture
def game(town):
    number, boxes = every_box(town)
    return town, number, boxes


def test_failure_5_a_batch_of_horrors_with_a_good_mail_last_and_each_has_its_reason(game):
    town, number, boxes = game
    for kind, box in boxes.items():
        for count, raw in enumerate(HORRORS):
            town.put(raw.replace(b"%d", f"{kind}{count}".encode()), box)
    town.put(town.compose("ann@example.org", boxes["reply"], "c3/f2=B"), boxes["reply"])
    assert town.sweep() == "done: played" and town.moves(number) == ["c3/f2=B"]
    with db.reading(town.engine) as session:
        kept = session.exec(select(Inbound)).all()
    ended = (InboundState.DONE, InboundState.IGNORED, InboundState.REJECTED)
    assert len(kept) > len(HORRORS) * (len(boxes) - 1)
    assert all(one.state in ended and one.reason for one in kept), [
        one.reason for one in kept if one.state not in ended
    ]
    assert town.stand(number).result == "*"


ENCODED = base64.b64encode(b"c3/f2=B").decode()
READABLE = {
    "an empty plain part and HTML": 'multipart/alternative; boundary="b"\n\n--b\n\n \n--b\nContent-Type: text/html\n\n'
    "<p>c3/f2=B</p>\n--b--\n",
    "HTML alone": "text/html\n\n<html><body><div>c3/f2=B<br></div></body></html>",
    "HTML in base64": f"text/html\nContent-Transfer-Encoding: base64\n\n{ENCODED}\n",
    "plain in base64": f"text/plain\nContent-Transfer-Encoding: base64\n\n{ENCODED}\n",
    "a part that only refers to HTML": 'multipart/alternative; boundary="b"\n\n--b\n\nThis message is in HTML; '
    "your client cannot display it.\n--b\nContent-Type: text/html\n\n<p>c3/f2=B</p>\n--b--\n",
}


@pytest.mark.parametrize("name", READABLE)
def test_failure_17_what_a_person_can_see_is_executed(game, name):
    town, number, boxes = game
    town.put(f"From: ann@example.org\nSubject: Re: x\nContent-Type: {READABLE[name]}".encode(), boxes["reply"])
    assert town.sweep() == "done: played" and town.moves(number) == ["c3/f2=B"]


HELPED = {
    'application/ms-tnef; name="winmail.dat"\n\nx': "winmail.dat",
    'multipart/encrypted; boundary="b"\n\n--b\n\nVersion: 1\n--b--\n': "encrypted",
    "text/plain\n\n": "no text of your own",
    "text/calendar\n\nBEGIN:VCALENDAR\nresign\n": "no text of your own",
    "image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n": "no text of your own",
}


@pytest.mark.parametrize("content", HELPED, ids=lambda text: text.partition("\n")[0])
def test_failure_17_what_cannot_be_read_is_answered_with_what_can_be_done(game, content):
    town, number, boxes = game
    town.put(f"From: ann@example.org\nSubject: Re: x\nContent-Type: {content}".encode(), boxes["reply"])
    town.sweep()
    assert town.moves(number) == [] and HELPED[content] in text_of(town.letter("ann"))


# -- whatever the bytes are -------------------------------------------------------------


@pytest.fixture(scope="module")
def long_lived(tmp_path_factory):
    town = mail_world(tmp_path_factory.mktemp("town"))
    yield town, *every_box(town)
    town.close()


FIELDS = st.sampled_from(
    [
        "From",
        "To",
        "Subject",
        "Message-ID",
        "References",
        "In-Reply-To",
        "Content-Type",
        "Auto-Submitted",
        "Reply-To",
        "Content-Transfer-Encoding",
        "MIME-Version",
        "Authentication-Results",
        "Content-Disposition",
        "X",
    ]
)
VALUES = st.one_of(
    st.sampled_from(
        [
            "ann@example.org",
            "text/html; charset=x",
            "multipart/mixed; boundary=b",
            "base64",
            "<g1.p0.u1.x@games.example>",
            "=?utf-8?q?=0D=0A?=",
            "quoted-printable",
            "message/rfc822",
            "text/plain; format=flowed",
            "no",
            "attachment",
            "resign",
        ]
    ),
    st.text(max_size=60),
)
TYPED = st.sampled_from(
    [
        "--b",
        "--b--",
        "",
        "> resign",
        "On 1 May 2026 a@b.example wrote:",
        "<div>",
        "Content-Type: text/html",
        "=",
        "help",
        "games",
        "show",
        "letters",
        "settings",
        "rules duel",
        "history",
        "record 1",
        "preview c3/f2=B",
        "1",
        "if",
        "-- ",
    ]
)
MAILS = st.builds(
    lambda fields, lines: "\n".join([*(f"{name}: {value}" for name, value in fields), "", *lines]).encode(
        "utf-8", "surrogatepass"
    ),
    st.lists(st.tuples(FIELDS, VALUES), max_size=8).map(lambda more: [("From", "ann@example.org"), *more]),
    st.lists(st.one_of(TYPED, st.text(max_size=50)), max_size=8),
)


@settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(MAILS, st.binary(max_size=600)), st.sampled_from(["play", "reply", "desk", "bounce", "abuse"]))
def test_failure_5_no_bytes_end_without_a_reason_or_change_a_game(long_lived, raw, kind):
    town, number, boxes = long_lived
    town.time += town.time.resolution * 3_600_000_000 * 24  # another day, another ration of answers
    before = {name: rows(town.engine)[name] for name in ("match", "move", "person", "address")}
    town.put(raw, boxes[kind])
    outcome = town.sweep()
    assert outcome.partition(": ")[0] in ("done", "ignored", "rejected") and outcome.partition(": ")[2]
    assert len(town.received) <= 2  # an answer to the writer, and his words to the other
    town.received.clear()
    after = rows(town.engine)
    assert {name: after[name] for name in before} == before and town.moves(number) == []
