"""Process one mail completely and roll back: the entry point of fuzzers and the stored corpus.

The first byte of an input selects the address to which the rest is sent.
"""

from __future__ import annotations

import random
from pathlib import Path

from sqlmodel import Session, col, select

from correspondence.commands.reading import COMMAND_LINES
from correspondence.inbound import mailbox
from correspondence.mime.classify import message_key
from correspondence.mime.mail_keys import mail_key
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.outbound import compose
from correspondence.transport.fetching import recipients_of, sender_of
from correspondence.transport.intake import normalise_line_ends
from tests.mail_failures.boxes import KINDS, every_box
from tests.world import mail_world

CORPUS = Path(__file__).parent / "corpus"
ENDED = (InboundState.DONE, InboundState.IGNORED, InboundState.REJECTED)


class Intake:
    """A world that rolls back each mail after processing it."""

    def __init__(self, folder):
        self.town = mail_world(folder)
        self.number, self.boxes = every_box(self.town)

    def take(self, octets):
        """Process an input and return the outcome; raises AssertionError or the error that occurred."""
        kind = KINDS[octets[0] % len(KINDS)] if octets else "play"
        raw = normalise_line_ends(octets[1:])
        assert all(recipient for recipient in recipients_of(raw, "games.example")) and sender_of(raw) is not None
        with Session(self.town.engine, expire_on_commit=False) as session:
            inbound = Inbound(
                message_key=message_key(raw)[:200],
                recipient=mail_key(self.boxes[kind]),
                sender="ann@example.org",
                raw=raw,
                received_at=self.town.time,
                due_at=self.town.time,
                state=InboundState.TAKEN,
            )
            session.add(inbound)
            session.flush()
            mailbox.process_message(session, inbound, self.town.settings, now=self.town.time, rng=random.Random(1))
            session.flush()
            assert inbound.state in ENDED and inbound.reason, (inbound.state, inbound.reason)
            written = session.exec(select(Letter).where(col(Letter.state) == LetterState.QUEUED)).all()
            assert len(written) <= COMMAND_LINES + 2, [one.key for one in written]
            for letter in written:
                letter.picture = ""  # drawing takes most of the time, and does not depend on the mail
                compose.compose(letter, self.town.settings)
            session.rollback()
        return inbound.reason
