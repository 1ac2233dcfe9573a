"""Parse bounces in prose, without the machine-readable part of RFC 3464.

Such text is trusted only at the return address of a letter, to which only mail servers write. It must look like a mail
server's and report a failure, so a vacation notice does not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from correspondence.mime.bounces import DeliveryReport, Weight, is_full, short, weigh
from correspondence.mime.classify import is_mail_server
from correspondence.mime.headers import headers_of, words_of
from correspondence.mime.machine_phrases import folded, is_away_subject, is_returned_subject
from correspondence.mime.replytext.parts import body_of

LINES_READ = 60
"""Maximum lines of a bounce that are parsed; below them is a copy of the letter."""

_COPY = re.compile(
    r"(?:original|forwarded|returned) (?:message|mail)\b|(?:below|here) (?:this line )?is a copy|included is a copy"
    r"|(?:message|mail)? ?headers? follows?|header of the source mail|unsent message|^received: |^return-path: "
    r"|first .{1,12}lines of (?:the|your)",
    re.IGNORECASE,
)
_DELAYED = re.compile(
    r"\bdelayed\b|not yet been delivered|(?:still|continue|continues|be) (?:trying|retried|to try)|will (?:try|retry)|postponed"
    r"|warning only|temporar"
)
_FAILED = re.compile(
    r"(?:not|n't|unable to|not able to|cannot) (?:be |been )?deliver|did (?:not|n't) (?:reach|receive) (?:the|this|some)"
    r"|deliver\w*\b.{0,60}\b(?:fail|abort|error|problem)|(?:mail|message)\b.{0,20}\bfail|undeliver|non-?delivery"
    r"|(?:recipient|address)\w*\b.{0,60}\b(?:fail|undeliver|reject)|failed (?:recipient|mail|address)"
    r"|automatically rejected|permanent (?:fatal )?error|has been returned|returned to (?:you|sender)"
    r"|unknown (?:user|local|recipient|address|mailbox)"
    r"|(?:user|recipient|addressee|mailbox|account|domain)\b.{0,40}\bunknown"
    r"|no such (?:user|person|recipient|address|mailbox|account)"
    r"|(?:user|mailbox|account|domain|recipient)\b.{0,60}\b(?:not exist|not found|not listed|inactive|disabled)"
    r"|no (?:mailbox|matches)\b|invalid (?:recipient|user|mailbox|final)|mailbox unavailable|over ?quota|quota exceeded"
    r"|mailbox (?:is )?full|nicht zugestellt|n'a pas pu etre delivre|no se (?:ha )?pu\w+ entregar"
    r"|non (?:e stato |puo essere )?(?:recapitat|consegnat)|не может быть доставлено"
)
_FOR_GOOD = re.compile(
    r"unknown|no such|does ?n[o']t (?:exist|have)|not (?:exist|found|recogni[sz]ed|listed)|invalid|no mailbox|no matches"
    r"|mailbox unavailable|inactive|disabled|discontinued|permanent|bad destination"
)


_DELIVERED = re.compile(rb"^action:[ \t]*(?:delivered|relayed|expanded)", re.IGNORECASE | re.MULTILINE)
"""Matches the machine-readable part of a report that a letter was delivered."""

_STATUS = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)")
"""Matches a status code of RFC 3463, but not an IPv4 address."""


def read_plain(raw: bytes, sender: str) -> DeliveryReport | None:
    """Parse a mail server's text about a letter; None if it does not look like a mail server's.

    `sender` is that of the envelope. The message must be within the limits of limits.py; never raises.
    """
    headers = headers_of(raw)
    subject = folded(words_of(headers.first("subject")))
    if is_away_subject(subject) or _DELIVERED.search(raw):
        return None
    rows = _rows_above_copy(raw)
    text = "\n".join([subject, *map(folded, rows)])
    has_words = bool(_FAILED.search(text) or _DELAYED.search(text))
    is_written_by_server = is_mail_server(headers) or is_returned_subject(subject) or headers.has("x-failed-recipients")
    has_null_sender = sender in ("", "<>") or "<>" in headers.every("return-path")
    if not (has_words and (is_written_by_server or (has_null_sender and _FAILED.search(text)))):
        return None
    words, status = _telling_row(rows) or subject, _STATUS.search(text)
    diagnosis = words if status is None or status[0] in words else f"{status[0]} {words}"
    return DeliveryReport(_weight(text, words), short(diagnosis))


def _rows_above_copy(raw: bytes) -> list[str]:
    """Return the first lines of a message, up to the copy of our letter."""
    rows: list[str] = []
    for line in body_of(raw).lines[:LINES_READ]:
        copy = _COPY.search(line.text)
        rows.append(line.text[: copy.start()] if copy else line.text)
        if copy:
            break
    return rows


def _telling_row(rows: Sequence[str]) -> str:
    return next((row for test in (_FOR_GOOD, _FAILED, _DELAYED) for row in rows if test.search(folded(row))), "")


def _weight(text: str, words: str) -> Weight:
    if _DELAYED.search(text) or is_full(text):
        return Weight.SOFT
    status = _STATUS.search(text)
    weight = weigh("failed", status[0] if status else "", text)
    is_for_good = weight == Weight.SOFT and not status and _FOR_GOOD.search(folded(words))
    return Weight.HARD if is_for_good else weight
