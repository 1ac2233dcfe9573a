"""Failure 16: whatever people call themselves and write, a letter has the headers that were meant and no others."""

from __future__ import annotations

import contextlib
import re
from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from correspondence.accounts import accounts, joining
from correspondence.core import db
from correspondence.models import Letter
from correspondence.outbound import compose
from correspondence.play import matches
from tests.mail_failures.boxes import DOOR, every_box
from tests.sizes import examples
from tests.world import mail_world

MEANT = {
    "from", "reply-to", "to", "subject", "date", "message-id", "references", "in-reply-to", "list-id",
    "correspondence-head", "list-unsubscribe", "list-unsubscribe-post", "auto-submitted", "x-auto-response-suppress", "x-loop",
    "feedback-id", "mime-version", "content-type", "content-transfer-encoding",
}  # fmt: skip
NASTY = st.lists(
    st.one_of(
        st.sampled_from(
            ["\r", "\n", "\0",
             "\r\nBcc: eve@example.org", "\n\nbody", "=?UTF-8?Q?=0A?=Bcc: eve@example.org", "=?utf-8?b?Cg==?=",
             "\u2028", "\x85", "\x0b", "\u202e", "%%reply%%", "%%link%%", "<", ">", '"', "<script>",
             "{{ 7*7 }}", "-- ", ".\r\n"]
        ),
        st.text(max_size=12),
    ),
    max_size=6,
).map("".join)  # fmt: skip


@pytest.fixture(scope="module")
def long_lived(tmp_path_factory):
    town = mail_world(tmp_path_factory.mktemp("town"))
    yield town, *every_box(town)
    town.close()


def sound(letter, settings):
    raw = compose.compose(letter, settings)
    message = message_from_bytes(raw, policy=default)
    assert {name.lower() for name in message} <= MEANT and len(message.keys()) == len({k.lower() for k in message})
    assert not message.defects and max(map(len, raw.split(b"\r\n"))) <= 998
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)|\0", raw)
    assert message["To"].addresses[0].addr_spec == letter.recipient and len(message["To"].addresses) == 1
    return message


def newest(town):
    with db.reading(town.engine) as session:
        return session.exec(select(Letter).order_by(col(Letter.id).desc()).limit(3)).all()


@settings(deadline=None, max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NASTY, NASTY, NASTY)
def test_failure_16_subjects_ids_and_words_of_a_mail_come_back_as_words(long_lived, subject, identity, body):
    town, number, boxes = long_lived
    town.time += town.time.resolution * 3_600_000_000 * 24
    fields = [f"Subject: {subject}", f"Message-ID: <{identity}@example.org>", f"In-Reply-To: {identity}"]
    raw = "\n".join(["From: ann@example.org", *fields, "", body, "c9/zz", ""]).encode("utf-8", "surrogatepass")
    for kind in ("reply", "desk", "play"):
        town.put(raw, boxes[kind])
    town.sweep()
    with db.transaction(town.engine) as session, contextlib.suppress(matches.MatchError):
        matches.say(session, town.player(session, number, "bob"), body or "x", now=town.time)
    for letter in newest(town):
        sound(letter, town.settings)


@settings(deadline=None, max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(NASTY, st.text(max_size=30)))
def test_failure_16_a_handle_is_plain_or_refused(long_lived, handle):
    town, _number, _boxes = long_lived
    with db.transaction(town.engine) as session:
        try:
            accounts.checked_handle(session, handle)
        except accounts.PeopleError:
            return
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{1,19}", handle.strip())


@pytest.mark.parametrize(
    "address",
    [
        "a\r\nBcc: e@x.org@example.org",
        "a@example.org\nRCPT TO:<e@x.org>",
        "a b@example.org",
        "a@example.org, e@x.org",
        "<a@example.org>",
        "=?utf-8?q?=0A?=@example.org",
        "a@exa\0mple.org",
    ],
)
def test_failure_16_an_address_is_one_address_or_refused(town, address):
    with db.transaction(town.engine) as session, pytest.raises(accounts.PeopleError):
        joining.request_join(session, "ann", address, now=town.time)
    town.put(f"From: {address}\n\njoin ann\n".encode(), DOOR)
    town.sweep()
    assert {str(one["To"]) for one in town.received} <= {"a@example.org"}
