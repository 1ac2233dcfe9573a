"""Send letters into a folder or to a mail server.

Errors are classified by what the outbox can do: retry later, give up this letter, or send it a second time because it
is unknown whether it arrived.
"""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from correspondence.core.config import SettingError, Settings, is_loopback
from correspondence.transport import maildir

log = logging.getLogger(__name__)

TIMEOUT = 30.0
"""Time limit in seconds for each step of a connection."""

DATA_TIMEOUT = 120.0
"""Time limit in seconds for a letter's answer; a short one causes duplicates (RFC 1047)."""

SENDERS = 8
"""Maximum simultaneous connections from one post to a mail server."""

IDLE_LIMIT = 30.0
"""Time in seconds for which an unused connection is kept; servers close it after minutes."""

_CONFIGURATION_ERRORS = frozenset({530, 534, 535, 538})  # these are about our configuration, not about the letter


class PostError(Exception):
    """Raised if a letter was not accepted; `answer` is the reason, from the server if possible.

    `permanent` means never retry. `uncertain` means that it was transferred, but no answer came. `relay_down` means
    that no letter can be sent now, to any recipient. `code` is the SMTP reply code, 0 if there was none.
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
    """A transport for letters; several threads may use it at the same time."""

    is_paced: bool
    """Whether the rate limits per domain apply; not for a folder."""

    at_once: int
    """Maximum number of letters sent at the same time."""

    def post(self, sender: str, recipient: str, raw: bytes) -> str:
        """Send one letter; return the answer by which the server accepts it. Raises PostError."""

    def close(self, unused_for: float = 0.0) -> None:
        """Close connections unused for that many seconds; the next letter opens new ones."""

    def trouble(self, sender: str = "", recipient: str = "") -> str:
        """Describe in a sentence why nothing can be sent now; empty if all is well. Sends nothing.

        With a sender and a recipient, the server is asked whether it would accept a letter between them.
        """


def open_post(settings: Settings, *, timeout: float = TIMEOUT) -> Post:
    """Return the transport in MAIL_SEND; it connects only when a letter is sent.

    `timeout` is in seconds, for each step of a connection. Raises SettingError.
    """
    if settings.mail_send.startswith("maildir:"):
        return MaildirPost(Path(settings.mail_send.removeprefix("maildir:")))
    return SmtpPost(_server(settings.mail_send), settings.mail_domain, timeout=timeout)


class MaildirPost:
    """A transport into a Maildir: stores the unchanged bytes after a Return-Path."""

    is_paced, at_once = False, 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def post(self, sender: str, recipient: str, raw: bytes) -> str:
        """Store one letter durably and return its key in the answer."""
        try:
            key = maildir.deliver(self.folder, f"Return-Path: <{sender}>\r\n".encode() + raw)
        except OSError as error:
            raise PostError(f"{self.folder}: {error.strerror}", relay_down=True) from error
        return f"kept as {key}"

    def close(self, unused_for: float = 0.0) -> None:
        """Do nothing: there is no connection."""

    def trouble(self, sender: str = "", recipient: str = "") -> str:
        """Describe in a sentence why the folder cannot be written; empty if it can."""
        try:
            maildir.make(self.folder)
            (self.folder / "tmp" / ".trial").touch()
            (self.folder / "tmp" / ".trial").unlink()
        except OSError as error:
            return f"The folder {self.folder} cannot be written: {error.strerror}."
        return ""


@dataclass(frozen=True, slots=True)
class Server:
    """The mail server in MAIL_SEND."""

    host: str
    port: int
    is_encrypted: bool = False
    """Whether TLS is used from the start; otherwise STARTTLS is used if offered."""
    user: str = ""
    password: str = field(default="", repr=False)


class SmtpPost:
    """A transport to a mail server (RFC 5321), over connections reused for later letters.

    STARTTLS is used if it is offered. With a password, the server's certificate is verified and nothing is sent
    unencrypted, except to this host. An unusable server is logged once, and again when it works.
    """

    is_paced, at_once = True, SENDERS

    def __init__(
        self, server: Server, own_name: str, *, timeout: float = TIMEOUT, data_timeout: float = DATA_TIMEOUT
    ) -> None:
        self.server = server
        self._own_name = own_name
        self._timeout = timeout
        self._data_timeout = data_timeout
        self._kept: deque[tuple[smtplib.SMTP, float]] = deque()
        self._is_down = False

    def post(self, sender: str, recipient: str, raw: bytes) -> str:
        """Send one letter; the connection stays open for the next."""
        try:
            smtp = self._begin(sender, len(raw))
            try:
                receipt = self._deliver(smtp, recipient, raw)
            finally:
                self._keep(smtp)
        except PostError as error:
            if error.relay_down:
                self._warn_once(error.answer)
            raise
        if self._is_down:
            log.info("the mail server %s takes letters again", self.server.host)
        self._is_down = False
        return receipt

    def _deliver(self, smtp: smtplib.SMTP, recipient: str, raw: bytes) -> str:
        """Transfer the letter to the recipient; return the answer."""
        try:
            _expect(smtp, 250, smtp.rcpt(recipient))
            _expect(smtp, 354, smtp.docmd("DATA"))
            smtp.send(_dot_stuffed(raw))
        except ValueError as error:
            raise PostError(f"not an address: {error}", permanent=True) from error
        except OSError as error:
            smtp.close()
            raise PostError(_error_text(error)) from error
        return self._receipt(smtp)

    def close(self, unused_for: float = 0.0) -> None:
        """Close connections unused for that many seconds, with QUIT."""
        before = time.monotonic() - unused_for
        while self._kept:
            smtp, used_at = self._kept.popleft()  # the least recently used connection
            if used_at > before:
                self._kept.appendleft((smtp, used_at))
                return
            try:
                smtp.quit()
            except OSError:
                smtp.close()

    def _keep(self, smtp: smtplib.SMTP) -> None:
        if smtp.sock is not None:  # otherwise it was closed
            self._kept.append((smtp, time.monotonic()))

    def trouble(self, sender: str = "", recipient: str = "") -> str:
        """Describe why the server cannot be used; empty if connecting and login work.

        If a sender and a recipient are given, they are tried too, without a letter; a temporary rejection of them is
        ignored.
        """
        place = f"The mail server {self.server.host}:{self.server.port}"
        smtp: smtplib.SMTP | None = None
        try:
            smtp = self._connect()
            if sender:
                _expect(smtp, 250, smtp.mail(sender))
            if sender and recipient:
                _expect(smtp, 250, smtp.rcpt(recipient))
        except PostError as error:
            if self._wants_password(error):
                return f"{place} wants a user and a password ({error.answer}): name them before the host, as user:password@."
            is_refusal = error.permanent or error.relay_down or error.code < 400
            return f"{place} cannot be used: {error.answer}." if is_refusal else ""
        except OSError as error:
            return f"{place} cannot be used: {_error_text(error)}."
        finally:
            if smtp is not None:
                self._keep(smtp)
            self.close()
        return ""

    def _wants_password(self, error: PostError) -> bool:
        says_so = error.code in _CONFIGURATION_ERRORS or (error.code >= 500 and "authenti" in error.answer.casefold())
        return says_so and not self.server.user

    def _begin(self, sender: str, size: int) -> smtplib.SMTP:
        """Return a connection with an accepted sender; reconnect if an idle one was closed."""
        while (smtp := self._unused()) is not None:
            try:
                if smtp.mail(sender, _size(smtp, size))[0] == 250:
                    return smtp
            except OSError as error:
                log.debug("a connection was closed: %s", error)
            smtp.close()
        smtp = self._connect()
        try:
            _expect_sender(smtp, smtp.mail(sender, _size(smtp, size)))
        except PostError:
            self._keep(smtp)
            raise
        except OSError as error:
            smtp.close()
            raise PostError(_error_text(error)) from error
        return smtp

    def _unused(self) -> smtplib.SMTP | None:
        try:
            return self._kept.pop()[0]
        except IndexError:
            return None

    def _receipt(self, smtp: smtplib.SMTP) -> str:
        """Return the answer to a transferred letter; without one, its arrival is unknown."""
        try:
            assert smtp.sock is not None
            smtp.sock.settimeout(self._data_timeout)
            code, answer = smtp.getreply()
            smtp.sock.settimeout(self._timeout)
        except OSError as error:
            smtp.close()
            raise PostError(f"no answer to the letter: {_error_text(error)}", uncertain=True) from error
        if not 200 <= code < 600:
            smtp.close()
            raise PostError(f"no answer to the letter but {_one_line(answer)}", uncertain=True)
        if code >= 300:
            raise _refusal(smtp, code, answer)
        return f"{code} {_one_line(answer)}"

    def _connect(self) -> smtplib.SMTP:
        smtp: smtplib.SMTP | None = None
        try:
            smtp = self._open_socket()
            self._log_in(smtp)
        except (OSError, ValueError) as error:
            if smtp is not None:
                smtp.close()
            raise PostError(_error_text(error), code=getattr(error, "smtp_code", 0), relay_down=True) from error
        except PostError:
            if smtp is not None:
                smtp.close()
            raise
        return smtp

    def _open_socket(self) -> smtplib.SMTP:
        host, port, name = self.server.host, self.server.port, self._own_name
        if self.server.is_encrypted:
            return smtplib.SMTP_SSL(host, port, name, timeout=self._timeout, context=self._context())
        return smtplib.SMTP(host, port, name, timeout=self._timeout)

    def _log_in(self, smtp: smtplib.SMTP) -> None:
        smtp.ehlo_or_helo_if_needed()
        is_encrypted = self.server.is_encrypted
        if not is_encrypted and smtp.has_extn("starttls"):
            smtp.starttls(context=self._context())
            smtp.ehlo()
            is_encrypted = True
        if not self.server.user:
            return
        if not is_encrypted and not is_loopback(self.server.host):
            raise PostError("it offers no encryption, so the password was not sent", relay_down=True)
        smtp.login(self.server.user, self.server.password)

    def _context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if not self.server.user and not self.server.is_encrypted:
            context.check_hostname = False  # unauthenticated encryption is better than none (RFC 7435)
            context.verify_mode = ssl.CERT_NONE
        return context

    def _warn_once(self, answer: str) -> None:
        if not self._is_down:
            log.warning("the mail server %s takes no letters: %s", self.server.host, answer)
        self._is_down = True


def _server(url: str) -> Server:
    masked_url = re.sub(r"//.*@", "//…@", url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        forms = "maildir:PATH, smtp://host:port or smtps://host:port"
        raise SettingError(f"MAIL_SEND must be {forms}, not “{masked_url}”.")
    is_encrypted = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    default_port = 465 if is_encrypted else 587 if user else 25
    return Server(parts.hostname, port or default_port, is_encrypted, user, password)


def _size(smtp: smtplib.SMTP, size: int) -> tuple[str, ...]:
    return (f"size={size}",) if smtp.has_extn("size") else ()


def _dot_stuffed(raw: bytes) -> bytes:
    """Return the letter with leading dots doubled and the end marked (RFC 5321 4.5.2)."""
    terminated = raw if raw.endswith(b"\r\n") else raw + b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", terminated) + b".\r\n"


def _expect(smtp: smtplib.SMTP, expected: int, reply: tuple[int, bytes]) -> None:
    code, answer = reply
    if code != expected and not (expected == 250 and code == 251):
        raise _refusal(smtp, code, answer)


def _expect_sender(smtp: smtplib.SMTP, reply: tuple[int, bytes]) -> None:
    """Raise PostError unless the sender was accepted; only a size limit is not about our server."""
    try:
        _expect(smtp, 250, reply)
    except PostError as error:
        is_size = error.code == 552 or "5.3.4" in error.answer
        error.relay_down = not is_size
        error.permanent = is_size
        raise


def _refusal(smtp: smtplib.SMTP, code: int, answer: bytes) -> PostError:
    """Return the rejection as an error, and reset the connection for the next letter."""
    if code == 421 or code < 200:
        smtp.close()
    else:
        smtp.rset()
    is_ours = code in _CONFIGURATION_ERRORS
    text = f"{code} {_one_line(answer)}"
    return PostError(text, permanent=code >= 500 and not is_ours, code=max(code, 0), relay_down=is_ours)


def _one_line(answer: bytes) -> str:
    return " ".join(answer.decode("utf-8", "replace").split())


def _error_text(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        message = error.smtp_error
        return f"{error.smtp_code} {_one_line(message if isinstance(message, bytes) else message.encode())}"
    return str(error) or type(error).__name__
