"""Parse the machine-readable part of bounces, which reports the status of an address.

These are delivery reports (RFC 3464) and complaints (RFC 5965). plain_bounces.py parses bounces without that part.
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
"""Maximum length of a stored diagnosis, in characters."""

BLOCKS_LIMIT = 50
"""Maximum number of recipients of one report that are parsed."""


class Weight(StrEnum):
    """Severity of a bounce, in ascending order."""

    BLOCK = "block"
    SOFT = "soft"
    HARD = "hard"
    COMPLAINT = "complaint"


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """A bounce: severity and diagnosis; `sender` is the envelope sender that a complaint names."""

    weight: Weight
    words: str
    sender: str = ""


_ORDER = tuple(Weight)
_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)")
"""Matches a status code of RFC 3463, but not part of an IPv4 address."""
_REPLY = re.compile(r"(?:^|[\s;])([245])\d\d\b")
_BLOCKED = re.compile(r"spam|policy|black ?list|block ?list|reputation|dnsbl|\brbl\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\brelay(?:ing)?\b|authenti|not (?:authori[sz]ed|allowed to send)|\b(?:dmarc|spf|dkim)\b|access denied|client host"
    r"|sender (?:address )?(?:rejected|denied|verif)|helo command",
    re.IGNORECASE,
)
"""Matches phrases with which servers without status codes reject all mail from our server."""
_OF_THE_LETTER = re.compile(
    r"user|recipient|addressee|mailbox|mail box|account|address|domain|host|person|unknown|exist|invalid|quota|full\b|size"
    r"|too (?:large|big|long)|message|content|virus|attachment|format|header|line|#[45]\.",
    re.IGNORECASE,
)
"""Matches phrases with which servers without status codes reject one recipient or letter."""
_FULL = re.compile(r"mailbox (?:is )?full|over ?quota|quota exceeded|\b552\b", re.IGNORECASE)
_COMPLAINTS = frozenset({"abuse", "fraud", "virus", "other", "opt-out", "opt-out-list"})
_RECIPIENT_FIELDS = ("to", "delivered-to", "envelope-to", "apparently-to", "x-original-to")


def read_report(raw: bytes) -> DeliveryReport | None:
    """Return the most severe entry of a report; None if the message reports no failure.

    The message must be within the limits of limits.py; never raises.
    """
    message = message_from_bytes(raw)
    parts = message.get_payload()
    if message.get_content_type() != "multipart/report" or not isinstance(parts, list):
        return None
    reports = [report for part in parts for report in _reports(part)]
    return max(reports, key=lambda report: _ORDER.index(report.weight), default=None)


def read_answer(words: str) -> DeliveryReport:
    """Classify a server's rejection in the SMTP connection; `words` begin with the reply code."""
    return DeliveryReport(weigh("failed", words, words), short(words))


def addresses_in(raw: bytes) -> tuple[str, ...]:
    """Return the addresses in a header block to which a report may have been sent."""
    headers = headers_of(raw)
    values = [value for name in _RECIPIENT_FIELDS for value in headers.every(name)]
    return tuple(re.findall(r"[^\s<>,;:\"]{1,64}@[^\s<>,;:\"]{1,255}", " ".join(values)))[:20]


def _reports(part: Any) -> Iterator[DeliveryReport]:
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
            yield DeliveryReport(Weight.COMPLAINT, kind, sender.strip("<> "))


def _of_recipient(block: Any) -> DeliveryReport | None:
    """Parse the block of one recipient; None for the message's block, or a successful delivery."""
    action = _value(block, "Action").lower()
    status, diagnosis = _value(block, "Status"), _value(block, "Diagnostic-Code")
    if action not in ("failed", "delayed") and not (not action and _STATUS.match(status)):
        return None
    words = f"{status} {diagnosis}".strip()
    return None if status.startswith("2") else DeliveryReport(weigh(action, status or diagnosis, words), short(words))


def is_full(words: str) -> bool:
    """Whether a diagnosis reports a full mailbox."""
    return _FULL.search(words) is not None


def weigh(action: str, status: str, words: str) -> Weight:
    """Classify a bounce's severity by RFC 3463.

    Class 4 and a full mailbox (5.2.2) are soft, a rejection of our server is a block, other class 5 is hard. An unknown
    class counts as soft.
    """
    status_match = _STATUS.search(status) or _STATUS.search(words)
    reply_match = _REPLY.search(words)
    digits = status_match.groups() if status_match else (reply_match[1] if reply_match else "4", "0", "0")
    is_blocked = blames_us(".".join(digits) if status_match and digits[2] != "0" else f"{status} {words}")
    if is_blocked and (digits[0] == "5" or _BLOCKED.search(words)):
        return Weight.BLOCK
    is_soft = action == "delayed" or digits[0] != "5" or digits[1:] == ("2", "2") or is_full(words)
    return Weight.SOFT if is_soft else Weight.HARD


def blames_us(words: str) -> bool:
    """Whether a class 5 rejection is about our server, not about the recipient or this letter.

    A status code decides (RFC 3463, 7372). Without a specific one, the text decides; a rejection without a reason
    counts as one of our server. 5.3.4 is about the size of a letter.
    """
    status, is_denied = _STATUS.search(words), bool(_BLOCKED.search(words) or _DENIED.search(words))
    if status is None:
        return is_denied or (words[:1] == "5" and words[:3].isdigit() and not _OF_THE_LETTER.search(words))
    if status[3] == "0":
        return is_denied or status[2] in "37"
    subject, detail = status[2], status[3]
    return subject == "7" or (subject == "3" and detail != "4") or (subject == "1" and detail in "78")


def names_dead_mailbox(words: str) -> bool:
    """Whether status code 5.1.x reports an unknown recipient; 5.1.7 and 5.1.8 do not."""
    status = next((one for one in _STATUS.finditer(words) if one.groups() != ("5", "0", "0")), None)
    return (
        status is not None and status[1] == "5" and status[2] == "1" and status[3] not in "78" and not blames_us(words)
    )


def _value(block: Any, name: str) -> str:
    return plain(str(block.get(name, "")))


def _bytes_of(part: Any) -> bytes:
    """Return the bytes of a feedback report, parsed as a message or as text."""
    payload = part.get_payload()
    if isinstance(payload, list):
        return b"\n".join(
            f"{name}: {value}".encode(errors="replace") for item in payload for name, value in item.items()
        )
    return str(payload).encode(errors="replace")


def short(words: str) -> str:
    """Shorten a diagnosis to one line, for storing."""
    return plain(words)[:WORDS_LIMIT]
