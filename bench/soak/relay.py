"""The mail server that the service posts to: it takes letters, or refuses, forgets to answer, or is not there at all."""

from __future__ import annotations

import re
import socket
import threading
from collections import Counter
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from enum import StrEnum
from typing import Any

from aiosmtpd.controller import Controller

GONE = "gone.example"
"""The domain of members whose mailboxes are no more."""


class Mood(StrEnum):
    """What the server does to letters."""

    SOUND = "takes letters"
    GREYLISTING = "refuses each letter once"
    REFUSING = "refuses letters"
    CUTTING = "takes letters and cuts the line before it says so"
    DOWN = "is not there"


class Relay:
    """A mail server in a thread of this process; each letter that it takes is handed to `deliver`."""

    def __init__(self, deliver: Callable[[EmailMessage], None]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.mood, self.moods = Mood.SOUND, Counter[str]()
        self.arrived: Counter[str] = Counter()
        """How often each letter came, by the local part of its Message-ID."""
        self.unanswered: Counter[str] = Counter()
        """How often the line was cut after a letter had come whole."""
        self._deliver, self._seen, self._lock = deliver, set[str](), threading.Lock()
        self._controller: Controller | None = None
        self._open()

    def _open(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def change(self, mood: Mood) -> None:
        """Treat letters like this from now on."""
        if mood == Mood.DOWN and self._controller is not None:
            self._controller.stop()
            self._controller = None
        elif mood != Mood.DOWN and self._controller is None:
            self._open()
        self.mood = mood
        self.moods[mood] += 1

    def stop(self) -> None:
        """Close it."""
        if self._controller is not None:
            self._controller.stop()

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]) -> str:
        """Say whether letters to this address are taken (aiosmtpd)."""
        if address.endswith(f"@{GONE}"):
            return "550 5.1.1 No such mailbox"
        if self.mood == Mood.REFUSING:
            return "451 4.3.2 Not now"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Known"

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:
        """Take a letter, or not (aiosmtpd)."""
        number = message_id(envelope.content)
        with self._lock:
            if self.mood == Mood.GREYLISTING and number not in self._seen:
                self._seen.add(number)
                return "451 4.7.1 Greylisted, come again"
            self.arrived[number] += 1
            self.unanswered[number] += self.mood == Mood.CUTTING
        if self.mood == Mood.CUTTING:
            server.transport.abort()
        self._deliver(message_from_bytes(envelope.content, policy=default))  # type: ignore[arg-type]
        return "250 2.0.0 Taken"


def message_id(content: bytes) -> str:
    """The local part of a letter's Message-ID."""
    found = re.search(rb"^Message-ID:\s*<([^@>]+)@", content, re.M | re.I)
    return found[1].decode() if found else ""
