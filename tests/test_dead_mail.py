"""Messages that failed three times: they are listed without their secrets, and can be read once more."""

from __future__ import annotations

import pytest

from correspondence import db, mailbox
from correspondence.cli import mail_command
from correspondence.models import Inbound, InboundState

TOKEN = "a" * 22 + "bcde"


@pytest.fixture
def shelf(world):
    """One dead message to a reply address, and one that was read."""
    world.join("ann")
    with db.transaction(world.house.engine) as session:
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
    with db.reading(world.house.engine) as session:
        return [session.get(Inbound, number).state.value for number in (1, 2)]


def test_dead_messages_are_listed_without_their_tokens(shelf):
    done = flask(shelf, "dead")
    assert done.exit_code == 0
    assert done.output == "1  2026-11-21 12:00 UTC  r.…bcde@localhost  ValueError: a slip\n"


def test_a_dead_message_is_read_once_more_and_others_are_left_alone(shelf):
    done = flask(shelf, "retry", "1", "2", "9")
    assert done.exit_code == 1 and "Not set aside, so left alone: 2, 9." in done.output
    assert states(shelf) == ["new", "done"]
    house = shelf.house
    assert mailbox.drain(house.engine, house.settings, now=shelf.clock(), lots=house.lots) == 1
    assert states(shelf) == ["rejected", "done"] and flask(shelf, "dead").output == ""


def test_a_message_is_shown_as_it_came(shelf):
    done = flask(shelf, "show", "2")
    assert (done.exit_code, done.stdout_bytes) == (0, b"From: ann@example.com\nTo: play@localhost\n\nhelp\n")
    assert "There is no message 9." in flask(shelf, "show", "9").output
