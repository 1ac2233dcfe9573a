"""Letters for tests of outgoing mail, and a mail server with scripted answers."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime

from correspondence.core.config import Settings
from correspondence.models import Letter

START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
SETTINGS = Settings(secret_key="a key for tests", mail_domain="games.example", base_url="https://games.example")

_numbers = itertools.count(1)


def letter(recipient="ann@example.org", **fields):
    """Return a due letter; every field can be set."""
    number = next(_numbers)
    plain = {
        "key": f"turn:{number}",
        "kind": "turn",
        "recipient": recipient,
        "subject": "[Game 12 vs bob] your turn",
        "text": "It is your turn.\n",
        "message_id": f"g12.p3.u1.{number:08x}",
        "created_at": START,
        "due_at": START,
    }
    return Letter(**{**plain, **fields})


class ScriptedPost:
    """Stores letters; gives `answers` in turn, raising errors among them, then always 250."""

    is_paced, at_once = True, 1

    def __init__(self, *answers):
        self.answers = list(answers)
        self.taken: list[tuple[str, str, bytes]] = []

    def post(self, sender, recipient, raw):
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if isinstance(answer, BaseException):
            raise answer
        self.taken.append((sender, recipient, raw))
        return answer

    def close(self, unused_for=0.0):
        pass

    def trouble(self):
        return ""
