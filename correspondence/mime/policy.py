"""How messages are read and written: the policies of the standard library, whose headers are parsed once.

A message keeps the text of its fields, and the library parses it each time that it is asked; to parse the finished
message of a letter asks for the type of each part several times. And it makes a class for each header that it parses.
"""

from __future__ import annotations

from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy, default
from functools import lru_cache
from typing import Any

MOST_KEPT, LONGEST_KEPT = 64, 300
"""How many headers are kept at hand, the last that were asked for, and the most characters of one."""


class _Headers(HeaderRegistry):
    """Makes a class for each kind of header instead of for each header, and keeps the last ones."""

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
"""The library's `default`, to read messages and to make them."""

POSTED: EmailPolicy[EmailMessage] = SMTP.clone(header_factory=_HEADERS)
"""Its `SMTP`, with line ends as they are posted."""

WIRE = POSTED.clone(max_line_length=998)
"""The same for whole messages: its 78 would encode longer ids and links."""

PARTS = POSTED.clone(cte_type="7bit")
"""The same for the parts of a message."""
