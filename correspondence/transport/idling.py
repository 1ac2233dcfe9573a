"""Waits for new mail with IMAP IDLE (RFC 2177), in a thread that does not rely on the server's notifications.

IDLE is restarted every three minutes, well within the 29 of the RFC, and every step has a time limit. After each round
the mailbox is fetched anyway, so that a silent server delays mail by one round at most.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from correspondence.core.config import SettingError
from correspondence.core.loading import lazy_module
from correspondence.core.tokens import masked
from correspondence.transport.imap import TIMEOUT, parse_mailbox_url, signed_in

if TYPE_CHECKING:
    import imapclient
else:  # only MAIL_FETCH needs it
    imapclient = lazy_module("imapclient")

log = logging.getLogger(__name__)

ROUND = 180.0
"""Seconds of one IDLE, and so the longest time between two fetches."""

WITHOUT = 60.0
"""Seconds between two fetches if the server does not support IDLE or is unreachable."""

_SLICE = 0.5
_NOTIFICATIONS = (b"EXISTS", b"RECENT")


class Watch:
    """A thread that calls `look`, which must not raise, when mail arrives in a mailbox and every few minutes."""

    def __init__(
        self, url: str, look: Callable[[], object], *, every: float = ROUND, without: float = WITHOUT,
        timeout: float = TIMEOUT,
    ) -> None:  # fmt: skip
        """Start the thread; raises SettingError if the URL is invalid."""
        self._place, self._folder = parse_mailbox_url(url)
        self._look = look
        self._every, self._without, self._timeout = every, without, timeout
        self._stopped = threading.Event()
        self._is_down = False
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and wait for its end."""
        self._stopped.set()
        self._thread.join(self._timeout + 1)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._look()
            try:
                self._one_connection()
            except (imapclient.exceptions.IMAPClientError, OSError, SettingError) as error:
                self._warn_once(error)
                self._stopped.wait(self._without)

    def _one_connection(self) -> None:
        """Idle on one connection, fetching after every round, until it fails or the watch is stopped."""
        with signed_in(self._place, self._timeout) as client:
            client.select_folder(self._folder, readonly=True)
            self._is_down = False
            while not self._stopped.is_set():
                if client.has_capability("IDLE"):
                    self._idle(client)
                else:
                    self._stopped.wait(self._without)
                    client.noop()
                self._look()

    def _idle(self, client: imapclient.IMAPClient) -> None:
        """Wait for a notification, for one round at most."""
        client.idle()
        round_end = time.monotonic() + self._every
        while not self._stopped.is_set() and time.monotonic() < round_end:
            started = time.monotonic()
            responses = client.idle_check(timeout=_SLICE)
            if any(keyword in response for response in responses for keyword in _NOTIFICATIONS):
                break
            if not responses and time.monotonic() - started < _SLICE / 2:
                break  # readable but empty: the connection is closed, and the next step will fail
        client.idle_done()

    def _warn_once(self, error: Exception) -> None:
        if not self._is_down:
            log.warning("the mailbox at %s cannot be watched: %s", self._place.hostname, masked(str(error)))
        self._is_down = True
