"""Wait for new mail by IMAP IDLE (RFC 2177), in a thread that also fetches regularly.

IDLE is ended every few seconds to detect an unresponsive server, and every step has a time limit. The mailbox is
fetched after each round of three minutes in any case, so a server without notifications delays mail by at most one
round.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

import imapclient

from correspondence.core.config import SettingError
from correspondence.core.tokens import masked
from correspondence.transport.imap import TIMEOUT, parse_mailbox_url, signed_in

log = logging.getLogger(__name__)

ROUND = 180.0
"""Maximum time between two fetches if the server supports IDLE, in seconds."""

ASK = 10.0
"""Interval between checks that the server still answers, in seconds."""

WITHOUT = 60.0
"""Interval between fetches without IDLE or if the server is unreachable, in seconds."""

_SLICE = 0.5
_NOTIFICATIONS = (b"EXISTS", b"RECENT")


class Watch:
    """A thread that calls `look` on new mail and every few minutes; `look` must not raise."""

    def __init__(
        self, url: str, look: Callable[[], object], note_answer: Callable[[], object] = lambda: None, *,
        every: float = ROUND, without: float = WITHOUT, timeout: float = TIMEOUT, ask: float = ASK,
    ) -> None:  # fmt: skip
        """Start the thread; `note_answer` is called on each server answer. Raises SettingError."""
        self._place, self._folder = parse_mailbox_url(url)
        self._look, self._note_answer = look, note_answer
        self._every, self._without, self._timeout, self._ask = every, without, timeout, ask
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
        """Idle on one connection, fetching after every round, until it fails or the watch stops."""
        with signed_in(self._place, self._timeout) as client:
            client.select_folder(self._folder, readonly=True)
            self._is_down = False
            while not self._stopped.is_set():
                self._wait_for_news(client)
                self._look()

    def _wait_for_news(self, client: imapclient.IMAPClient) -> None:
        """Wait at most one round for new mail, checking that the server still answers."""
        idles = client.has_capability("IDLE")
        round_end, has_news = time.monotonic() + (self._every if idles else self._without), False
        while not has_news and not self._stopped.is_set() and (left := round_end - time.monotonic()) > 0:
            if idles:
                has_news = self._idle(client, min(left, self._ask))
            else:
                self._stopped.wait(min(left, self._ask))
                has_news = _tell_news(client.noop()[1])
            self._note_answer()

    def _idle(self, client: imapclient.IMAPClient, seconds: float) -> bool:
        """Idle at most `seconds` for a notification; return whether one came."""
        client.idle()
        end, has_news = time.monotonic() + seconds, False
        while not has_news and not self._stopped.is_set() and (left := end - time.monotonic()) > 0:
            started = time.monotonic()
            responses = client.idle_check(timeout=min(left, _SLICE))
            has_news = _tell_news(responses)
            if not responses and time.monotonic() - started < min(left, _SLICE) / 2:
                break  # readable but empty: the connection is closed, and the next step will fail
        return _tell_news(client.idle_done()[1]) or has_news

    def _warn_once(self, error: Exception) -> None:
        if not self._is_down:
            log.warning("the mailbox at %s cannot be watched: %s", self._place.hostname, masked(str(error)))
        self._is_down = True


def _tell_news(responses: Sequence[Sequence[object]]) -> bool:
    return any(keyword in response for response in responses for keyword in _NOTIFICATIONS)
