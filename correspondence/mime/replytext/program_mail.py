"""Recognise programs' mail in a person's name: reactions, calendars, protected mail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from .phrases import PORTALS, REACTED, fold

_REACTION_TYPE = "text/vnd.google.email-reaction+json"
_PROTECTED_TYPES = frozenset({"application/x-microsoft-rpmsg-message", "application/rpmsg"})
_PROTECTED_FILE = re.compile(r"\.rpmsg$|^securedoc[\w.]*\.html?$", re.IGNORECASE)
_METHOD = re.compile(r"^METHOD:(?:REQUEST|REPLY|COUNTER|DECLINECOUNTER|CANCEL|REFRESH)\b", re.MULTILINE)
_LOOKED_AT = 4_000
_TAP = re.compile(r"\b(?:liked|loved|laughed at|emphasized|disliked|questioned) your (?:message|e-?mail)\.?$")
"""Matches phones' phrases for a reaction to a message."""
_REACTED = re.compile(
    r"\b(?:reacted|reagito|reagiert|réagi|reaccion\w*|reagiu|gereageerd|reagerade|reagerede|reagerte|reagoi|zareagowa\w*|"
    r"reagoval\w*|отреагирова\w*)\b"
)
_LINK = re.compile(r"<?https?://\S+")
_WORDS_OF_A_REACTION = 10
_SYMBOL = re.compile(r"[^\w\s:：'’.,@-]")
"""Matches an emoji or another symbol within a program's text."""


class MessagePart(Protocol):
    """Interface of a message part."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def disposition(self) -> str: ...  # noqa: D102
    @property
    def file_name(self) -> str: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102


def program_of(parts: Iterable[MessagePart]) -> str:
    """Return `reaction`, `calendar` or `encrypted` for a program's mail; else “”.

    Such mail is sent in a person's name. Sources: Gmail's type for reactions, RFC 9078 (reactions), RFC 5546
    (calendars), Microsoft Purview.
    """
    found = {_program_of_part(part) for part in parts}
    return next((reason for reason in ("reaction", "encrypted", "calendar") if reason in found), "")


def _program_of_part(part: MessagePart) -> str:
    if part.kind == _REACTION_TYPE or part.disposition == "reaction":
        return "reaction"
    if part.kind in _PROTECTED_TYPES or _PROTECTED_FILE.search(part.file_name):
        return "encrypted"
    if part.kind == "text/calendar" and _METHOD.search(part.text[:_LOOKED_AT]):
        return "calendar"
    return ""


def only_links_to_portal(lines: Sequence[str]) -> bool:
    """Whether a person's lines only link to a portal for protected messages."""
    text = fold(" ".join(lines))
    return len(text) < _LOOKED_AT and any(portal in text for portal in PORTALS)


def only_reacts(lines: Sequence[str], author: str) -> bool:
    """Whether the person's only line reports a reaction, as Outlook writes it above the message."""
    lines = with_words(lines)
    if len(lines) != 1:
        return False
    line = " ".join(_SYMBOL.sub(" ", fold(lines[0])).split())
    if author and line.startswith(fold(author)) and len(line.split()) <= _WORDS_OF_A_REACTION and _REACTED.search(line):
        return _SYMBOL.search(lines[0]) is not None or "gmail" in line or "outlook" in line
    announces = line.endswith((":", "：")) and bool(author) and fold(author) in line
    taps = line.startswith(fold(author)) and bool(author) and _TAP.search(line) is not None
    return announces or taps or names_reaction(lines[0])


def with_words(lines: Sequence[str]) -> list[str]:
    """Return the lines that hold words, not only an emoji or a link."""
    return [line for line in lines if re.search(r"\w", _LINK.sub(" ", line))]


def names_reaction(line: str) -> bool:
    """Whether a line reports a reaction in a mail program's words; anything may be quoted below it."""
    folded = " ".join(_SYMBOL.sub(" ", fold(line)).split())
    return any(phrase in folded for phrase in REACTED)
