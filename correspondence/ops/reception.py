"""The mail listener at MAIL_LISTEN: of a machine's processes, one holds the port.

The others stand by and open it when that one ends. So workers need no different settings, and all are equal.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from correspondence import transport
from correspondence.core.config import SettingError, address_of
from correspondence.core.db import reading
from correspondence.core.runtime import Runtime
from correspondence.inbound import admission, mailbox

log = logging.getLogger(__name__)

STAND_BY = 5.0
"""Interval between attempts to open a port that another process holds, in seconds."""


def store_callback(runtime: Runtime) -> Callable[[bytes, str, str], None]:
    """Return the callback that stores a message durably: raw bytes, recipient, sender."""

    def store(raw: bytes, recipient: str, sender: str) -> None:
        """Store one message for one recipient; it is durable when this returns."""
        mailbox.store_message(runtime.engine, raw, recipient, sender, now=runtime.now())

    return store


def recipient_check(runtime: Runtime) -> Callable[[str], bool]:
    """Return the callback that checks at RCPT whether a recipient is ours."""

    def is_known(recipient: str) -> bool:
        """Whether mail to this recipient is for us."""
        with reading(runtime.engine) as session:
            return mailbox.is_known(session, recipient, runtime.settings, now=runtime.now())

    return is_known


class Reception:
    """The mail listener of this process, open or on standby; nothing without MAIL_LISTEN."""

    def __init__(self, runtime: Runtime, *, stands_by: bool) -> None:
        """Open the port; raises SettingError if that fails.

        If it `stands_by`, a port held by another process of this service is no failure, and is tried again.
        """
        self._runtime = runtime
        self._listener: transport.listening.Listener | None = None
        self._stopped = threading.Event()
        self._waiting: threading.Thread | None = None
        if not runtime.settings.mail_listen:
            return
        try:
            self._listener = _open(runtime)
        except SettingError:
            if not (stands_by and transport.is_ours(*address_of(runtime.settings.mail_listen))):
                raise
            log.info("another process takes in mail at %s; this one stands by", runtime.settings.mail_listen)
            self._waiting = threading.Thread(target=self._stand_by, name="stand by", daemon=True)
            self._waiting.start()

    def is_up(self) -> bool:
        """Whether this process receives mail or is on standby."""
        return any(one is not None and one.is_alive() for one in (self._listener, self._waiting))

    def sign(self) -> datetime | None:
        """Return the present if the port is open here and greets; None if another process has it."""
        place = self._runtime.settings.mail_listen
        greets = self._listener is not None and transport.is_ours(*address_of(place))
        return self._runtime.now() if greets else None

    def lets_mail_in(self) -> bool:
        """Whether the mail server of MAIL_FRONT greets, if there is one; mail comes through it."""
        front = self._runtime.settings.mail_front
        if not front or transport.takes_mail(*address_of(front)):
            return True
        log.warning("the mail server in front of us does not greet at %s, so no mail comes in", front)
        return False

    def stop(self) -> None:
        """Close the port, or end the standby."""
        self._stopped.set()
        if self._waiting is not None:
            self._waiting.join()
        if self._listener is not None:
            self._listener.stop()

    def _stand_by(self) -> None:
        while not self._stopped.wait(STAND_BY):
            try:
                self._listener = _open(self._runtime)
            except SettingError:
                continue
            log.info("mail is now taken in here at %s", self._runtime.settings.mail_listen)
            return


def _open(runtime: Runtime) -> transport.listening.Listener:
    return transport.listening.listen(
        runtime.settings, store_callback(runtime), recipient_check(runtime),
        admission.rcpt_policy(runtime), admission.refusal_policy(runtime),
    )  # fmt: skip
