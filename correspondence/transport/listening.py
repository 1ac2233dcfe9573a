"""Taking mail by SMTP (RFC 5321) or LMTP (RFC 2033).

The answer 250 is given only when every byte is kept. Trouble of our own is always of class 4, which
the other side may try again; only what is not for us, or too big, is refused for good.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from weakref import WeakSet

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from correspondence.core.config import SettingError, Settings, address_of
from correspondence.core.tokens import masked
from correspondence.mime.replytext.limits import MESSAGE_LIMIT

log = logging.getLogger(__name__)

RECIPIENT_LIMIT = 20
"""Recipients of one message."""

LINE_LIMIT = 64 << 10
"""Octets of a line: a refused line is refused for good, and real gateways send more than 1,000."""

SILENCE = 300.0
"""Seconds after which a connection on which nothing happens is closed (RFC 5321 4.5.3.2.7)."""

START_TIME = 10.0
"""Seconds within which listening must have begun."""

TROUBLE = "451 4.3.0 Trouble on our side; please try again later"
"""The answer to everything that goes wrong here: it says nothing of what it was."""

TOO_MUCH = "450 4.7.1 Too many messages; please try again later"
"""The answer beyond a limit: of class 4, for a permanent one would lose the mail."""

UNSPOKEN = "553 5.6.7 Addresses must be in ASCII here"
"""The answer to an address beyond ASCII (RFC 6531 3.5)."""

Keep = Callable[[bytes, str, str], None]
"""Makes a message durable: raw bytes, one recipient, the envelope sender (empty for the null sender)."""

IsKnown = Callable[[str], bool]
"""Whether mail to a recipient is for us."""

LetsIn = Callable[[str, str, str], bool]
"""Whether recipient, envelope sender and peer are within their limits; no peer where the mail server is our own."""

_STRICT = "500 Error: strict ASCII mode"  # what aiosmtpd says to a command with such an address
_LINE_END = re.compile(rb"\r?\n|\r")


def _anybody(_recipient: str, _sender: str, _peer: str) -> bool:
    return True


def listen(settings: Settings, keep: Keep, is_known: IsKnown, allows: LetsIn = _anybody) -> Listener:
    """Begin to take mail where MAIL_LISTEN says, in a thread of its own; returns once it can be reached.

    `keep`, `is_known` and `lets_in` are called in threads, several at a time; what they raise is answered 451.
    Raises SettingError when MAIL_LISTEN cannot be read or the port cannot be had.
    """
    scheme, _sep, place = settings.mail_listen.partition("://")
    if scheme not in ("smtp", "lmtp"):
        raise SettingError(f"MAIL_LISTEN “{settings.mail_listen}” is neither smtp://host:port nor lmtp://host:port.")
    host, port = address_of(place)
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd would log addresses, tokens and all
    kind: type[SMTP] = _Lmtp if scheme == "lmtp" else _Smtp
    porter = _Porter(keep, is_known, allows)
    return Listener(
        host,
        port,
        lambda: kind(
            porter,
            data_size_limit=MESSAGE_LIMIT,
            hostname=settings.mail_domain,
            ident="Correspondence",
            timeout=SILENCE,
            loop=asyncio.get_running_loop(),
        ),
    )


def is_listening(host: str, port: int) -> bool:
    """Whether somebody answers at that port."""
    try:
        with socket.create_connection((host, port), timeout=2):
            return True
    except OSError:
        return False


class Listener:
    """An open port and the conversations that began there; `port` is where it is."""

    def __init__(self, host: str, port: int, new_session: Callable[[], SMTP]) -> None:
        """Open the port; raises SettingError when it cannot be had."""
        self.port = port
        self._host = host
        self._new_session = new_session
        self._sessions: WeakSet[SMTP] = WeakSet()
        self._begun: Future[int] = Future()
        self._stop: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="mail", daemon=True)
        self._thread.start()
        try:
            self.port = self._begun.result(START_TIME)
        except OSError as error:
            raise SettingError(f"MAIL_LISTEN {host}:{port} cannot be opened: {error.strerror}.") from error

    def is_alive(self) -> bool:
        """Whether mail is being taken."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Close the port and all conversations; what is just being kept is kept to the end, without a 250."""
        self._stop()
        self._thread.join()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        try:
            server = await loop.create_server(self._session, self._host, self.port)
        except OSError as error:
            self._begun.set_exception(error)
            return
        self._stop = lambda: _tell(loop, ended)
        self._begun.set_result(server.sockets[0].getsockname()[1])
        await ended.wait()
        server.close()
        for session in list(self._sessions):
            if session.transport is not None:
                session.transport.close()
        await asyncio.sleep(0)

    def _session(self) -> SMTP:
        session = self._new_session()
        self._sessions.add(session)
        return session


def _tell(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(ended.set)


class _Manners:
    """What both ways of speaking have in common."""

    line_length_limit = LINE_LIMIT

    async def push(self, status: str | bytes) -> None:
        """Say it, but for an address beyond ASCII in the words that senders understand."""
        await super().push(UNSPOKEN if status == _STRICT else status)  # type: ignore[misc]


class _Smtp(_Manners, SMTP):
    pass


class _Lmtp(_Manners, LMTP):
    pass


class _Porter:
    """Says who is at home, and takes in what is for them."""

    def __init__(self, keep: Keep, is_known: IsKnown, allows: LetsIn) -> None:
        self._keep = keep
        self._is_known = is_known
        self._lets_in = allows

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept a recipient we know; the unknown and the expired look the same."""
        if len(envelope.rcpt_tos) >= RECIPIENT_LIMIT:
            return "452 4.5.3 Too many recipients"
        if not await asyncio.to_thread(self._is_known, address):
            return "550 5.1.1 Nobody of that name here"
        peer = "" if isinstance(server, LMTP) else _peer(session)
        sender = (envelope.mail_from or "").strip("<>")
        if not await asyncio.to_thread(self._lets_in, address, sender, peer):
            return TOO_MUCH
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Keep the message for each recipient; LMTP wants an answer for each (RFC 2033 4.2)."""
        content = envelope.content
        raw = sound(content if isinstance(content, bytes) else str(content).encode())
        sender = (envelope.mail_from or "").strip("<>")
        answers = [await self._kept(raw, recipient, sender) for recipient in envelope.rcpt_tos]
        if isinstance(server, LMTP):
            return "\r\n".join(answers)
        return next((answer for answer in answers if answer == TROUBLE), answers[0])

    async def handle_exception(self, error: Exception) -> str:
        """Answer trouble without a word about what it was."""
        log.error("mail could not be taken: %s: %s", type(error).__name__, masked(str(error)))
        return TROUBLE

    async def _kept(self, raw: bytes, recipient: str, sender: str) -> str:
        try:
            await asyncio.to_thread(self._keep, raw, recipient, sender)
        except Exception as error:
            return await self.handle_exception(error)
        return "250 2.0.0 Kept"


def _peer(session: Session) -> str:
    return str(session.peer[0]) if isinstance(session.peer, tuple) else ""


def sound(raw: bytes) -> bytes:
    """A message without NUL and with CRLF at the end of every line, whatever its line ends were."""
    return _LINE_END.sub(b"\r\n", raw.replace(b"\0", b""))
