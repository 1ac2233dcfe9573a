"""Letters received in a world, composed only when a test reads them."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any

from correspondence.core.config import Settings
from correspondence.mime.policy import READ
from correspondence.models import Letter
from correspondence.outbound import compose

_COMPOSED: set[str] = set()
"""Kinds of letters composed in this process; the first of each is always composed."""


class Received:
    """A letter as the outbox sent it; `message` is what its reader gets."""

    def __init__(self, letter: Letter, settings: Settings) -> None:
        self._row, self._settings = letter.model_dump(), settings
        self._message: EmailMessage | None = None
        if letter.kind not in _COMPOSED:
            _COMPOSED.add(letter.kind)
            assert self.message

    @property
    def addressee(self) -> str:
        """The recipient's address."""
        return str(self._row["recipient"])

    @property
    def message(self) -> EmailMessage:
        """The letter as an email message."""
        if self._message is None:
            raw = compose.compose(Letter(**self._row), self._settings)
            self._message = message_from_bytes(raw, policy=READ)
        return self._message

    def taken_over(self, settings: Settings) -> Received:
        """Return the same letter for another world with these settings."""
        letter = Received.__new__(Received)
        letter._row, letter._settings, letter._message = self._row, settings, None
        return letter

    def __getstate__(self) -> dict[str, Any]:
        return {"_row": self._row}

    def __repr__(self) -> str:
        return f"{self._row['kind']} to {self.addressee}"


class Inbox(MutableSequence[EmailMessage]):
    """Received letters in order, as messages; each is composed when a test reads it."""

    def __init__(self, letters: Iterable[Received] = ()) -> None:
        self.letters = list(letters)

    def receive(self, letter: Letter, settings: Settings) -> None:
        """Add a letter."""
        self.letters.append(Received(letter, settings))

    def taken(self, mail: str) -> Inbox:
        """Remove and return the letters to this address."""
        mine = Inbox(one for one in self.letters if one.addressee == mail)
        self.letters = [one for one in self.letters if one.addressee != mail]
        return mine

    def to(self, name: str) -> Inbox:
        """Return the letters to a local part at any domain."""
        return Inbox(one for one in self.letters if one.addressee.startswith(f"{name}@"))

    def clear(self) -> None:
        """Remove all letters."""
        self.letters.clear()

    def __getitem__(self, at: Any) -> Any:
        found = self.letters[at]
        return Inbox(found) if isinstance(at, slice) else found.message

    def __setitem__(self, at: Any, value: Any) -> None:
        raise TypeError("What was received is not changed.")

    def __delitem__(self, at: Any) -> None:
        del self.letters[at]

    def __len__(self) -> int:
        return len(self.letters)

    def insert(self, index: int, value: EmailMessage) -> None:
        raise TypeError("Letters are received by `Post.deliver`.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.letters)
