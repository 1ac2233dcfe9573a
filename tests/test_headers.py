"""Fields of a message are parsed once, and are what the standard library makes of them."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.mime.policy import LONGEST_KEPT, POSTED, READ

NAMES = [
    "To",
    "to",
    "Subject",
    "Date",
    "Message-ID",
    "Content-Type",
    "Content-Disposition",
    "MIME-Version",
    "X-Strange",
]
VALUES = st.one_of(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=LONGEST_KEPT + 20),
    st.sampled_from([
        "Ann <ann@example.org>, bob@example.org", "=?utf-8?q?caff=C3=A8?= <a@b.example>", "a b", "",
        'multipart/mixed; boundary="x"; charset=utf-8', "text/plain; charset*=utf-8''x", "attachment; filename=a.png",
        "Mon, 23 Nov 2026 10:00:00 +0100", "yesterday", "1.0", "<a@b.example>", "no address at all",
        "0@", "²",
    ]),
)  # fmt: skip


def read_by(policy, name, value):
    """All that a header says of itself; or the error, where the library has one for it, as for `To: 0@` or `MIME-Version: ²`."""
    try:
        header = policy.header_factory(name, value)
    except (IndexError, ValueError) as error:
        return repr(error)
    fields = {key: getattr(header, key, None) for key in ("addresses", "datetime", "params", "content_type", "defects")}
    return str(header), header.name, {key: repr(one) for key, one in fields.items()}


@pytest.mark.parametrize(("ours", "library"), [(READ, default), (POSTED, SMTP)], ids=["read", "posted"])
@given(name=st.sampled_from(NAMES), value=VALUES)
def test_a_field_says_what_it_says_to_the_library_each_time_that_it_is_asked(ours, library, name, value):
    first = read_by(ours, name, value)
    assert first == read_by(ours, name, value) == read_by(library, name, value)


def test_a_field_is_parsed_once_but_not_kept_if_it_is_long():
    short, long = "Ann <ann@example.org>", "x" * (LONGEST_KEPT + 1)
    assert READ.header_factory("To", short) is READ.header_factory("To", short)
    assert READ.header_factory("Subject", long) is not READ.header_factory("Subject", long)


def test_two_messages_with_the_same_field_do_not_share_what_becomes_of_it():
    one, other = (message_from_bytes(b"Content-Type: text/plain\n\nHello", policy=READ) for _message in range(2))
    assert isinstance(one, EmailMessage) and one["Content-Type"] == other["Content-Type"]
    one.set_param("charset", "utf-8")
    assert one.get_content_charset() == "utf-8" and other.get_content_charset() is None
