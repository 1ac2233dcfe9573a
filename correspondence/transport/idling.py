"""Being told at once that mail came: IMAP IDLE (RFC 2177), by a thread that trusts nobody to keep telling.

IDLE is ended and begun anew every three minutes, far within the 29 of the RFC; every step has a time limit; and
after each round the mailbox is collected anyway, so that a server which hangs in silence delays mail by no more.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from urllib.parse import unquote

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from correspondence.core.config import SettingError
from correspondence.core.tokens import masked
from correspondence.transport.imap import TIMEOUT, place_of

log = logging.getLogger(__name__)

ROUND = 180.0
"""Seconds of one IDLE, and between two looks into the mailbox."""

WITHOUT = 60.0
"""Seconds between two looks where the server knows no IDLE, or cannot be reached."""

_SLICE = 0.5
_NEWS = (b"EXISTS", b"RECENT")


class Watch:
    """A thread that calls `look`, which does not raise, when mail came to a mailbox, and every few minutes besides."""

    def __init__(
        self, url: str, look: Callable[[], object], *, every: float = ROUND, without: float = WITHOUT,
        timeout: float = TIMEOUT,
    ) -> None:  # fmt: skip
        """Begin to watch; raises SettingError where the address cannot be read."""
        self._place, self._folder = place_of(url)
        self._look = look
        self._every, self._without, self._timeout = every, without, timeout
        self._ended = threading.Event()
        self._is_down = False
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the watch; returns when its thread has ended."""
        self._ended.set()
        self._thread.join(self._timeout + 1)

    def _run(self) -> None:
        while not self._ended.is_set():
            self._look()
            try:
                self._one_connection()
            except (IMAPClientError, OSError, SettingError) as error:
                self._say_once(error)
                self._ended.wait(self._without)

    def _one_connection(self) -> None:
        """Idle on one connection, looking after every round, until it fails or the watch ends."""
        place = self._place
        is_encrypted = place.scheme == "imaps"
        port = place.port or (993 if is_encrypted else 143)
        with IMAPClient(str(place.hostname), port, ssl=is_encrypted, timeout=self._timeout) as box:
            box.login(unquote(str(place.username)), unquote(place.password or ""))
            box.select_folder(self._folder, readonly=True)
            self._is_down = False
            while not self._ended.is_set():
                if box.has_capability("IDLE"):
                    self._idle(box)
                else:
                    self._ended.wait(self._without)
                    box.noop()
                self._look()

    def _idle(self, box: IMAPClient) -> None:
        """Wait for news, for one round at most."""
        box.idle()
        until = time.monotonic() + self._every
        while not self._ended.is_set() and time.monotonic() < until:
            before = time.monotonic()
            news = box.idle_check(timeout=_SLICE)
            if any(sign in answer for answer in news for sign in _NEWS):
                break
            if not news and time.monotonic() - before < _SLICE / 2:
                break  # readable, and nothing to read: the connection is gone, as the next step will find
        box.idle_done()

    def _say_once(self, error: Exception) -> None:
        if not self._is_down:
            log.warning("the mailbox at %s cannot be watched: %s", self._place.hostname, masked(str(error)))
        self._is_down = True
