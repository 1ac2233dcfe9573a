"""Receive mail by SMTP (RFC 5321) or LMTP (RFC 2033).

The answer is 250 only after the message was stored. Internal errors are always answered with class 4, so that the other
side retries. Only mail that is not for this service, or too large, is refused permanently.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from weakref import WeakSet

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from correspondence.core.config import SettingError, Settings, address_of
from correspondence.core.tokens import masked
from correspondence.mime.limits import MESSAGE_LIMIT
from correspondence.transport.intake import IDENT, RECIPIENT_LIMIT, StoreMessage, normalise_line_ends

log = logging.getLogger(__name__)

LINE_LIMIT = 64 << 10
"""Maximum length of a line, in octets; real gateways send more than 1,000."""

IDLE_TIMEOUT = 300.0
"""Time in seconds after which an idle connection is closed (RFC 5321 4.5.3.2.7)."""

START_TIME = 10.0
"""Time limit for opening the port, in seconds."""

TROUBLE = "451 4.3.0 Trouble on our side; please try again later"
"""The SMTP reply to any internal error, without details."""

KEPT = "250 2.0.0 Kept"
"""The SMTP reply to a message that is stored durably."""

NOBODY = "550 5.1.1 Nobody of that name here"
"""The SMTP reply to an unknown or expired address."""

TOO_MUCH = "450 4.7.1 Too many messages; please try again later"
"""The SMTP reply above a rate limit; class 4, because a permanent refusal would lose the mail."""

NOT_ASCII = "553 5.6.7 Addresses must be in ASCII here"
"""The SMTP reply to a non-ASCII address (RFC 6531 3.5)."""

IsKnown = Callable[[str], bool]
"""Callable: whether mail to a recipient is for this service."""

Refuse = Callable[[bytes | None, str, str], str]
"""Callable: a class 4 or 5 reply that rejects a message, or "" to accept it.

The arguments are the message (None before DATA), the recipient and the envelope sender.
"""

WithinLimits = Callable[[str, str, str], bool]
"""Callable: whether recipient, envelope sender and peer are within rate limits.

The peer is empty for our own mail server.
"""

_STRICT = "500 Error: strict ASCII mode"  # the answer of aiosmtpd to such an address


def _no_limit(_recipient: str, _sender: str, _peer: str) -> bool:
    return True


def _take(_raw: bytes | None, _recipient: str, _sender: str) -> str:
    return ""


def listen(
    settings: Settings,
    store: StoreMessage,
    is_known: IsKnown,
    allows: WithinLimits = _no_limit,
    refuse: Refuse = _take,
) -> Listener:
    """Receive mail at MAIL_LISTEN in a separate thread; returns once the port is open.

    `refuse` is called at RCPT and after DATA. All callbacks run in several threads at a time; if one raises, the answer
    is 451. Raises SettingError if MAIL_LISTEN is invalid or the port cannot be opened.
    """
    scheme, _sep, place = settings.mail_listen.partition("://")
    if scheme not in ("smtp", "lmtp"):
        raise SettingError(f"MAIL_LISTEN “{settings.mail_listen}” is neither smtp://host:port nor lmtp://host:port.")
    host, port = address_of(place)
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd would log addresses with their tokens
    kind: type[SMTP] = _Lmtp if scheme == "lmtp" else _Smtp
    handler = _Handler(store, is_known, allows, refuse)
    return Listener(
        host,
        port,
        lambda: kind(
            handler,
            data_size_limit=MESSAGE_LIMIT,
            hostname=settings.mail_domain,
            ident=IDENT,
            timeout=IDLE_TIMEOUT,
            loop=asyncio.get_running_loop(),
        ),
    )


class Listener:
    """An open port and its connections; `port` is the actual port number."""

    def __init__(self, host: str, port: int, new_session: Callable[[], SMTP]) -> None:
        """Open the port. Raises SettingError if that fails."""
        self.port = port
        self._host = host
        self._new_session = new_session
        self._sessions: WeakSet[SMTP] = WeakSet()
        self._started: Future[int] = Future()
        self._stop: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="mail", daemon=True)
        self._thread.start()
        try:
            self.port = self._started.result(START_TIME)
        except OSError as error:
            raise SettingError(
                f"MAIL_LISTEN {host}:{port} cannot be opened: {os.strerror(error.errno or 0)}."
            ) from error

    def is_alive(self) -> bool:
        """Whether the listener is running."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Close the port and all connections; a message in progress is stored, but gets no 250."""
        self._stop()
        self._thread.join()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        try:
            server = await loop.create_server(self._session, self._host, self.port)
        except OSError as error:
            self._started.set_exception(error)
            return
        self._stop = lambda: _signal(loop, stopped)
        self._started.set_result(server.sockets[0].getsockname()[1])
        await stopped.wait()
        server.close()
        for session in list(self._sessions):
            if session.transport is not None:
                session.transport.close()
        await asyncio.sleep(0)

    def _session(self) -> SMTP:
        session = self._new_session()
        self._sessions.add(session)
        return session


def _signal(loop: asyncio.AbstractEventLoop, stopped: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(stopped.set)


class _Shared:
    """Settings shared by SMTP and LMTP."""

    line_length_limit = LINE_LIMIT

    async def push(self, status: str | bytes) -> None:
        """Send a reply; for a non-ASCII address, one with the status code that senders understand."""
        await super().push(NOT_ASCII if status == _STRICT else status)  # type: ignore[misc]


class _Smtp(_Shared, SMTP):
    """An SMTP session."""


class _Lmtp(_Shared, LMTP):
    """An LMTP session."""


class _Handler:
    """The aiosmtpd handler: checks recipients and stores messages."""

    def __init__(self, store: StoreMessage, is_known: IsKnown, allows: WithinLimits, refuse: Refuse) -> None:
        self._store = store
        self._is_known = is_known
        self._allows = allows
        self._refuse = refuse

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept a known recipient; unknown and expired addresses get the same answer."""
        if len(envelope.rcpt_tos) >= RECIPIENT_LIMIT:
            return "452 4.5.3 Too many recipients"
        if not await asyncio.to_thread(self._is_known, address):
            return NOBODY
        peer = "" if isinstance(server, LMTP) else _peer(session)
        sender = (envelope.mail_from or "").strip("<>")
        if not await asyncio.to_thread(self._allows, address, sender, peer):
            return TOO_MUCH
        if refusal := await asyncio.to_thread(self._refuse, None, address, sender):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Store the message for each recipient; LMTP gets an answer for each (RFC 2033 4.2)."""
        content = envelope.content
        raw = normalise_line_ends(content if isinstance(content, bytes) else str(content).encode())
        sender = (envelope.mail_from or "").strip("<>")
        answers = [await self._store_for(raw, recipient, sender) for recipient in envelope.rcpt_tos]
        if isinstance(server, LMTP):
            return "\r\n".join(answers)
        for decisive in (TROUBLE, KEPT):  # a message stored for one recipient is not refused for all
            if decisive in answers:
                return decisive
        return answers[0]

    async def handle_exception(self, error: Exception) -> str:
        """Answer an error without details."""
        log.error("mail could not be taken: %s: %s", type(error).__name__, masked(str(error)))
        return TROUBLE

    async def _store_for(self, raw: bytes, recipient: str, sender: str) -> str:
        try:
            if refusal := await asyncio.to_thread(self._refuse, raw, recipient, sender):
                return refusal
            await asyncio.to_thread(self._store, raw, recipient, sender)
        except Exception as error:
            return await self.handle_exception(error)
        return KEPT


def _peer(session: Session) -> str:
    return str(session.peer[0]) if isinstance(session.peer, tuple) else ""
