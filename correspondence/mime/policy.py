"""Email policies of the standard library for reading and writing, with cached headers.

A message stores the text of its fields, and the library parses it at each access. Serialising a letter needs the type
of each part several times. The library also makes a new class for each header.
"""

from __future__ import annotations

from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy, default
from functools import lru_cache
from typing import Any

MOST_KEPT, LONGEST_KEPT = 64, 300
"""Maximum number of cached headers (least recently used), and maximum length of one."""


class _Headers(HeaderRegistry):
    """A header registry that caches recent headers, and one class per kind of header."""

    def __init__(self) -> None:
        super().__init__()
        self._classes: dict[Any, Any] = {}
        self._parsed = lru_cache(MOST_KEPT)(super().__call__)

    def __getitem__(self, name: str) -> Any:
        kind = self.registry.get(name.lower(), self.default_class)
        if kind not in self._classes:
            self._classes[kind] = super().__getitem__(name)
        return self._classes[kind]

    def __call__(self, name: str, value: Any) -> BaseHeader:
        is_short = type(value) is str and len(value) <= LONGEST_KEPT
        header: BaseHeader = self._parsed(name, value) if is_short else super().__call__(name, value)
        return header


_HEADERS = _Headers()

READ: EmailPolicy[EmailMessage] = default.clone(header_factory=_HEADERS)
"""Policy for reading and making messages: the library's `default`."""

POSTED: EmailPolicy[EmailMessage] = SMTP.clone(header_factory=_HEADERS)
"""Policy for sending: the library's `SMTP`, with CRLF line ends."""

WIRE = POSTED.clone(max_line_length=998)
"""Policy for sending whole messages; lines of at most 78 would encode long ids and links."""

PARTS = POSTED.clone(cte_type="7bit")
"""Policy for sending the parts of a message."""
