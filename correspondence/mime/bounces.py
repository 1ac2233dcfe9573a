"""Letters that came back: what a report says about the address, read from its machine-readable part alone.

Only delivery reports (RFC 3464) and complaints (RFC 5965) are recognised. Whatever else comes to a bounce
address is usually a vacation notice, and counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from enum import StrEnum
from typing import Any

from correspondence.mime.headers import headers_of, plain

WORDS_LIMIT = 300
"""Characters of a diagnosis that are kept."""

BLOCKS_LIMIT = 50
"""Recipients of one report that are looked at."""


class Weight(StrEnum):
    """What a letter that came back says, from mild to grave."""

    BLOCK = "block"
    SOFT = "soft"
    HARD = "hard"
    COMPLAINT = "complaint"


@dataclass(frozen=True, slots=True)
class Report:
    """How a letter came back, and in which words; `sender` is the envelope sender that a complaint names."""

    weight: Weight
    words: str
    sender: str = ""


_ORDER = tuple(Weight)
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_REPLY = re.compile(r"(?:^|[\s;])([245])\d\d\b")
_VERDICT_ON_US = re.compile(r"spam|policy|black ?list|block ?list|reputation|dnsbl|\brbl\b", re.IGNORECASE)
_FULL = re.compile(r"mailbox (?:is )?full|over ?quota|quota exceeded|\b552\b", re.IGNORECASE)
_COMPLAINTS = frozenset({"abuse", "fraud", "virus", "other", "opt-out", "opt-out-list"})
_NAMING = ("to", "delivered-to", "envelope-to", "apparently-to", "x-original-to")


def read_report(raw: bytes) -> Report | None:
    """The gravest thing that a report says; None for what is no report, or tells of a delivery.

    Expects a message within the limits that hold for every message, and does not raise.
    """
    message = message_from_bytes(raw)
    parts = message.get_payload()
    if message.get_content_type() != "multipart/report" or not isinstance(parts, list):
        return None
    found = [report for part in parts for report in _reports(part)]
    return max(found, key=lambda report: _ORDER.index(report.weight), default=None)


def read_answer(words: str) -> Report:
    """What a server's refusal during the conversation says about the address: `words` begin with its code."""
    return Report(_weight("failed", words, words), _short(words))


def addresses_in(raw: bytes) -> tuple[str, ...]:
    """The addresses to which a report may have come, as its header block names them."""
    headers = headers_of(raw)
    values = [value for name in _NAMING for value in headers.every(name)]
    return tuple(re.findall(r"[^\s<>,;:\"]{1,64}@[^\s<>,;:\"]{1,255}", " ".join(values)))[:20]


def _reports(part: Any) -> Iterator[Report]:
    kind, blocks = part.get_content_type(), part.get_payload()
    if kind == "message/delivery-status" and isinstance(blocks, list):
        for block in blocks[:BLOCKS_LIMIT]:
            report = _of_recipient(block)
            if report is not None:
                yield report
    elif kind == "message/feedback-report":
        fields = headers_of(_bytes_of(part))
        kind, sender = fields.first("feedback-type").strip().lower(), fields.first("original-mail-from")
        if kind in _COMPLAINTS:
            yield Report(Weight.COMPLAINT, kind, sender.strip("<> "))


def _of_recipient(block: Any) -> Report | None:
    """What the report says of one recipient; None for the block about the message, and where it was delivered."""
    action = _value(block, "Action").lower()
    status, diagnosis = _value(block, "Status"), _value(block, "Diagnostic-Code")
    if action not in ("failed", "delayed") and not (not action and _STATUS.match(status)):
        return None
    words = f"{status} {diagnosis}".strip()
    return None if status.startswith("2") else Report(_weight(action, status or diagnosis, words), _short(words))


def _weight(action: str, status: str, words: str) -> Weight:
    """RFC 3463: class 4 and a full mailbox (5.2.2) pass, 5.7 is a verdict on us, the rest of class 5 lasts.

    Where nothing says which class it is, the address has the benefit of the doubt.
    """
    found = _STATUS.search(status) or _STATUS.search(words)
    reply = _REPLY.search(words)
    digits = found.groups() if found else (reply[1] if reply else "4", "0", "0")
    if (digits[0], digits[1]) == ("5", "7") or _VERDICT_ON_US.search(words):
        return Weight.BLOCK
    passes = action == "delayed" or digits[0] != "5" or digits[1:] == ("2", "2") or _FULL.search(words)
    return Weight.SOFT if passes else Weight.HARD


def _value(block: Any, name: str) -> str:
    return plain(str(block.get(name, "")))


def _bytes_of(part: Any) -> bytes:
    """The fields of a feedback report: the parser takes them for a message, or leaves them as text."""
    held = part.get_payload()
    if isinstance(held, list):
        return b"\n".join(f"{n}: {v}".encode(errors="replace") for one in held for n, v in one.items())
    return str(held).encode(errors="replace")


def _short(words: str) -> str:
    return plain(words)[:WORDS_LIMIT]
