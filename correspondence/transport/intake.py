"""Code shared by receiving and fetching, and port checks; it imports no mail server library."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable

RECIPIENT_LIMIT = 20
"""Maximum recipients of one message."""

IDENT = "Correspondence"
"""The program name in a listener's greeting."""

StoreMessage = Callable[[bytes, str, str], None]
"""Callable: store a message durably; takes bytes, one recipient and the envelope sender."""

_LINE_END = re.compile(rb"\r?\n|\r")


def normalise_line_ends(raw: bytes) -> bytes:
    """Return the message without NUL bytes and with CRLF line ends."""
    return _LINE_END.sub(b"\r\n", raw.replace(b"\0", b""))


def is_listening(host: str, port: int) -> bool:
    """Whether a server answers at that port."""
    try:
        with socket.create_connection((host, port), timeout=2):
            return True
    except OSError:
        return False


def is_ours(host: str, port: int) -> bool:
    """Whether the server at that port greets as a listener of this service."""
    return IDENT.encode() in _greeting(host, port)


def takes_mail(host: str, port: int) -> bool:
    """Whether a mail server at that port greets."""
    return bool(_greeting(host, port))


def _greeting(host: str, port: int) -> bytes:
    """Return the greeting of the mail server at that port; empty if none greets."""
    try:
        with socket.create_connection((host, port), timeout=2) as connection:
            greeting = connection.recv(512)
            connection.sendall(b"QUIT\r\n")
    except OSError:
        return b""
    return greeting if greeting.startswith(b"220") else b""
