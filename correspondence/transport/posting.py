"""Handing letters on: into a folder, or to a mail server.

What goes wrong is told apart by what the outbox can do about it: try again later, give up on this
letter, or send it once more because nobody knows whether it arrived.
"""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from correspondence.core.config import SettingError, Settings
from correspondence.transport import maildir

log = logging.getLogger(__name__)

TIMEOUT = 30.0
"""Seconds for each step of a conversation."""

DATA_TIMEOUT = 120.0
"""Seconds for the answer to a whole letter: giving up early makes copies (RFC 1047)."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_CONFIGURED_WRONG = frozenset({530, 534, 535, 538})  # answers about ourselves, not about the letter


class PostError(Exception):
    """A letter was not taken. `answer` says why, in the words of the other side where there were any.

    `permanent`: never try again. `uncertain`: it was handed over, but no answer came. `relay_down`: no
    letter can be posted now, whoever it is for. `code` is the SMTP reply code, 0 where there was none.
    """

    def __init__(
        self,
        answer: str,
        permanent: bool = False,
        uncertain: bool = False,
        code: int = 0,
        relay_down: bool = False,
    ) -> None:
        super().__init__(answer)
        self.answer = answer
        self.permanent = permanent
        self.uncertain = uncertain
        self.code = code
        self.relay_down = relay_down


class Post(Protocol):
    """A way for letters to leave. One thread at a time uses it."""

    is_paced: bool
    """Whether letters to one domain go no faster than strangers' servers like; not so for a folder."""

    def post(self, sender: str, recipient: str, raw: bytes) -> str:
        """Hand one letter on and return the answer; it is the other side's from then on. Raises PostError."""

    def close(self) -> None:
        """Let go of connections; the next letter opens them again."""

    def trouble(self) -> str:
        """Why nothing can be posted now, as a sentence; empty when all is well. Posts nothing."""


def open_post(settings: Settings) -> Post:
    """The post that MAIL_SEND names; connects only when a letter is posted. Raises SettingError."""
    if settings.mail_send.startswith("maildir:"):
        return MaildirPost(Path(settings.mail_send.removeprefix("maildir:")))
    return SmtpPost(_server(settings.mail_send), settings.mail_domain)


class MaildirPost:
    """Letters into a Maildir, as delivered mail: the bytes untouched below a Return-Path."""

    is_paced = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def post(self, sender: str, recipient: str, raw: bytes) -> str:
        """Keep one letter, durably, and say under which key."""
        try:
            key = maildir.deliver(self.folder, f"Return-Path: <{sender}>\r\n".encode() + raw)
        except OSError as error:
            raise PostError(f"{self.folder}: {error.strerror}", relay_down=True) from error
        return f"kept as {key}"

    def close(self) -> None:
        """Nothing is held open."""

    def trouble(self) -> str:
        """Why the folder cannot be written; empty when it can."""
        try:
            maildir.make(self.folder)
            (self.folder / "tmp" / ".trial").touch()
            (self.folder / "tmp" / ".trial").unlink()
        except OSError as error:
            return f"The folder {self.folder} cannot be written: {error.strerror}."
        return ""


@dataclass(frozen=True, slots=True)
class Server:
    """A mail server as MAIL_SEND names it."""

    host: str
    port: int
    is_encrypted: bool = False
    """Whether the connection begins encrypted, or is offered STARTTLS."""
    user: str = ""
    password: str = field(default="", repr=False)


class SmtpPost:
    """Letters to a mail server (RFC 5321), several over one connection.

    STARTTLS is used wherever it is offered. The server's certificate is verified when there is a
    password to protect, and then nothing is sent without encryption, but for this very machine.
    A server that lets nothing through is logged once, and once more when it does again.
    """

    is_paced = True

    def __init__(
        self, server: Server, own_name: str, *, timeout: float = TIMEOUT, data_timeout: float = DATA_TIMEOUT
    ) -> None:
        self.server = server
        self._own_name = own_name
        self._timeout = timeout
        self._data_timeout = data_timeout
        self._open: smtplib.SMTP | None = None
        self._is_down = False

    def post(self, sender: str, recipient: str, raw: bytes) -> str:
        """Hand one letter over; the connection stays open for the next."""
        try:
            receipt = self._receipt(self._handed(sender, recipient, raw))
        except PostError as error:
            if error.relay_down:
                self._say_once(error.answer)
            raise
        if self._is_down:
            log.info("the mail server %s takes letters again", self.server.host)
        self._is_down = False
        return receipt

    def _handed(self, sender: str, recipient: str, raw: bytes) -> smtplib.SMTP:
        try:
            smtp = self._begin(sender, len(raw))
            _expect(smtp, 250, smtp.rcpt(recipient))
            _expect(smtp, 354, smtp.docmd("DATA"))
            smtp.send(_dotted(raw))
        except ValueError as error:
            raise PostError(f"not an address: {error}", permanent=True) from error
        except OSError as error:
            self.close()
            raise PostError(_words(error)) from error
        return smtp

    def close(self) -> None:
        """Take leave of the server, if there is a connection."""
        smtp, self._open = self._open, None
        if smtp is None:
            return
        try:
            smtp.quit()
        except OSError:
            smtp.close()

    def trouble(self) -> str:
        """Why the server cannot be used; empty when it lets us in."""
        try:
            self._connect()
        except PostError as error:
            return f"The mail server {self.server.host}:{self.server.port} cannot be used: {error.answer}."
        finally:
            self.close()
        return ""

    def _begin(self, sender: str, size: int) -> smtplib.SMTP:
        """A connection on which the server accepted the sender; a used one may have been closed meanwhile."""
        if self._open is not None:
            try:
                reply = self._open.mail(sender, _size(self._open, size))
                if reply[0] == 250:
                    return self._open
            except OSError as error:
                log.debug("a connection was closed: %s", error)
            self.close()
        smtp = self._connect()
        _expect(smtp, 250, smtp.mail(sender, _size(smtp, size)))
        return smtp

    def _receipt(self, smtp: smtplib.SMTP) -> str:
        """The answer to a whole letter; without one nobody knows whether it arrived."""
        try:
            assert smtp.sock is not None
            smtp.sock.settimeout(self._data_timeout)
            code, answer = smtp.getreply()
            smtp.sock.settimeout(self._timeout)
        except OSError as error:
            self.close()
            raise PostError(f"no answer to the letter: {_words(error)}", uncertain=True) from error
        if not 200 <= code < 600:
            self.close()
            raise PostError(f"no answer to the letter but {_spoken(answer)}", uncertain=True)
        if code >= 300:
            raise _refusal(smtp, code, answer)
        return f"{code} {_spoken(answer)}"

    def _connect(self) -> smtplib.SMTP:
        smtp: smtplib.SMTP | None = None
        try:
            smtp = self._dialled()
            self._introduced(smtp)
        except (OSError, ValueError) as error:
            if smtp is not None:
                smtp.close()
            raise PostError(_words(error), relay_down=True) from error
        except PostError:
            if smtp is not None:
                smtp.close()
            raise
        self._open = smtp
        return smtp

    def _dialled(self) -> smtplib.SMTP:
        host, port, name = self.server.host, self.server.port, self._own_name
        if self.server.is_encrypted:
            return smtplib.SMTP_SSL(host, port, name, timeout=self._timeout, context=self._context())
        return smtplib.SMTP(host, port, name, timeout=self._timeout)

    def _introduced(self, smtp: smtplib.SMTP) -> None:
        smtp.ehlo_or_helo_if_needed()
        is_encrypted = self.server.is_encrypted
        if not is_encrypted and smtp.has_extn("starttls"):
            smtp.starttls(context=self._context())
            smtp.ehlo()
            is_encrypted = True
        if not self.server.user:
            return
        if not is_encrypted and self.server.host not in _LOOPBACK:
            raise PostError("it offers no encryption, so the password was not sent", relay_down=True)
        smtp.login(self.server.user, self.server.password)

    def _context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if not self.server.user and not self.server.is_encrypted:
            context.check_hostname = False  # encrypting to anybody is better than to nobody (RFC 7435)
            context.verify_mode = ssl.CERT_NONE
        return context

    def _say_once(self, answer: str) -> None:
        if not self._is_down:
            log.warning("the mail server %s takes no letters: %s", self.server.host, answer)
        self._is_down = True


def _server(url: str) -> Server:
    shown = re.sub(r"//.*@", "//…@", url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        possible = "maildir:PATH, smtp://host:port or smtps://host:port"
        raise SettingError(f"MAIL_SEND must be {possible}, not “{shown}”.")
    is_encrypted = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    usual = 465 if is_encrypted else 587 if user else 25
    return Server(parts.hostname, port or usual, is_encrypted, user, password)


def _size(smtp: smtplib.SMTP, size: int) -> tuple[str, ...]:
    return (f"size={size}",) if smtp.has_extn("size") else ()


def _dotted(raw: bytes) -> bytes:
    """The letter with its dots doubled and its end marked (RFC 5321 4.5.2)."""
    whole = raw if raw.endswith(b"\r\n") else raw + b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", whole) + b".\r\n"


def _expect(smtp: smtplib.SMTP, wanted: int, reply: tuple[int, bytes]) -> None:
    code, answer = reply
    if code != wanted and not (wanted == 250 and code == 251):
        raise _refusal(smtp, code, answer)


def _refusal(smtp: smtplib.SMTP, code: int, answer: bytes) -> PostError:
    """The refusal as an error, with the conversation brought back to where a next letter may begin."""
    if code == 421 or code < 200:
        smtp.close()
    else:
        smtp.rset()
    is_ours = code in _CONFIGURED_WRONG
    words = f"{code} {_spoken(answer)}"
    return PostError(words, permanent=code >= 500 and not is_ours, code=max(code, 0), relay_down=is_ours)


def _spoken(answer: bytes) -> str:
    return " ".join(answer.decode("utf-8", "replace").split())


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return f"{error.smtp_code} {_spoken(said if isinstance(said, bytes) else said.encode())}"
    return str(error) or type(error).__name__
