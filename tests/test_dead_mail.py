"""Messages that failed three times are listed without their secrets, and read once more; how long words are kept."""

from __future__ import annotations

from base64 import b64encode
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis.strategies import binary

from correspondence.core import db
from correspondence.inbound import mailbox
from correspondence.mime.replytext import without_attachments
from correspondence.models import Inbound, InboundState
from correspondence.ops import worker
from correspondence.ops.cli import mail_command

TOKEN = "a" * 22 + "bcde"


@pytest.fixture
def shelf(world):
    """One dead message to a reply address, and one that was read."""
    world.join("ann")
    with db.transaction(world.runtime.engine) as session:
        for number, state in enumerate((InboundState.DEAD, InboundState.DONE)):
            session.add(
                Inbound(
                    message_key=f"k{number}",
                    recipient="play@localhost" if number else f"r.{TOKEN}@localhost",
                    sender="ann@example.com",
                    raw=b"From: ann@example.com\nTo: play@localhost\n\nhelp\n",
                    received_at=world.clock(),
                    due_at=world.clock(),
                    state=state,
                    tries=3,
                    reason="Traceback (most recent call last):\n  ...\nValueError: a slip",
                )
            )
    return world


def flask(world, *words):
    return world.app.test_cli_runner().invoke(mail_command, words)


def states(world):
    with db.reading(world.runtime.engine) as session:
        return [session.get(Inbound, number).state.value for number in (1, 2)]


def test_dead_messages_are_listed_without_their_tokens(shelf):
    done = flask(shelf, "dead")
    assert done.exit_code == 0
    assert done.output == "1  2026-11-21 12:00 UTC  r.…bcde@localhost  ValueError: a slip\n"


def test_a_dead_message_is_read_once_more_and_others_are_left_alone(shelf):
    done = flask(shelf, "retry", "1", "2", "9")
    assert done.exit_code == 1 and "Not set aside, so not changed: 2, 9." in done.output
    assert states(shelf) == ["new", "done"]
    runtime = shelf.runtime
    assert mailbox.drain(runtime.engine, runtime.settings, now=shelf.clock(), rng=runtime.rng) == 1
    assert states(shelf) == ["rejected", "done"]
    assert flask(shelf, "dead").output == "No message and no letter was set aside.\n"


def test_a_message_is_shown_as_it_came(shelf):
    done = flask(shelf, "show", "2")
    assert (done.exit_code, done.stdout_bytes) == (0, b"From: ann@example.com\nTo: play@localhost\n\nhelp\n")
    assert "There is no message 9." in flask(shelf, "show", "9").output


# -- what is kept of messages ----------------------------------------------------------


def words_of(world):
    with db.reading(world.runtime.engine) as session:
        return [session.get(Inbound, number).raw for number in (1, 2)]


def test_words_are_kept_for_a_month_and_never_dropped_while_a_message_waits(shelf):
    flask(shelf, "retry", "1")
    shelf.clock.go(days=29)
    assert worker.sweep_old_mail(shelf.runtime) == 0
    shelf.clock.go(days=2)
    assert worker.sweep_old_mail(shelf.runtime) == 1 and worker.sweep_old_mail(shelf.runtime) == 0
    assert [bool(words) for words in words_of(shelf)] == [True, False]
    assert "no longer stored" in flask(shelf, "show", "2").output


def test_a_dead_message_whose_words_are_gone_is_not_read_again(shelf):
    shelf.clock.go(days=31)
    worker.sweep_old_mail(shelf.runtime)
    assert "Not set aside" in flask(shelf, "retry", "1").output and states(shelf)[0] == "dead"


def test_attachments_are_dropped_once_a_message_was_read(town):
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "ann@example.org", "play@games.example", "<a1@example.org>"
    message.set_content("join ann\n")
    message.add_attachment(b"a secret picture", maintype="image", subtype="png", filename="me.png")
    message.add_attachment("a secret diary", filename="diary.txt")
    town.put(message.as_bytes(), "play@games.example")
    town.sweep()
    with db.reading(town.engine) as session:
        kept = session.get(Inbound, 1)
    assert kept.reason == "join requested"
    assert b"join ann" in kept.raw
    assert b'filename="me.png"' in kept.raw
    assert b"diary.txt" in kept.raw and b"secret" not in kept.raw
    assert b64encode(b"a secret picture") not in kept.raw and b64encode(b"a secret diary") not in kept.raw


@given(binary(max_size=400))
def test_whatever_came_something_is_kept_and_plain_mail_stays_as_it_is(octets):
    assert without_attachments(octets) or not octets
    plain = b"From: a@b.c\nContent-Type: text/plain\n\n" + octets
    assert without_attachments(plain) == plain
