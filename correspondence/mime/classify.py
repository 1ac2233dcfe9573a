"""Classify mail as personal or automatic, and find the author of personal mail.

Automatic mail is never executed and never answered, because two programs that answer each other would not stop. The
tests run in a fixed order and the first match decides. They use only the header block and the envelope, so the body
cannot influence them. For personal mail, From must contain exactly one mailbox. It is parsed so strictly that no two
programs could read it differently.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from correspondence.mime.headers import VALUE_LIMIT, Headers, headers_of, words_of
from correspondence.mime.machine_phrases import is_machine_subject
from correspondence.mime.mail_keys import feedback_sender, mail_key

HOP_LIMIT = 50
"""Maximum number of Received fields; more mean a loop (RFC 5321 6.3)."""

ID_LIMIT = 200
"""Maximum length of a Message-ID used as a key; a longer one is replaced by a hash."""

REFERENCE_LIMIT = 100
"""Maximum number of references that are parsed."""


class MailKind(StrEnum):
    """The kind of a mail; only PERSON is executed."""

    PERSON = "person"
    BOUNCE = "bounce"
    AUTO = "auto"
    LIST = "list"
    LOOP = "loop"
    RECEIPT = "receipt"
    COMPLAINT = "complaint"


@dataclass(frozen=True, slots=True)
class Classification:
    """The kind of a mail, the test that decided, and whether it may be answered.

    The name of a test is, for example, `auto-submitted`. `is_reticent` means that its header asks programs not to
    answer. Exchange writes that into people's own mail too, so members still get essential answers, but no others.
    """

    kind: MailKind
    reason: str
    may_answer: bool = False
    is_reticent: bool = False


@dataclass(frozen=True, slots=True)
class _Mail:
    """Input of the tests: the headers, the envelope, and our own addresses."""

    headers: Headers
    sender: str
    recipient: str
    instance: str
    domain: str


_Test = Callable[[_Mail], Classification | None]

_OURS = re.compile(r"play|[rb]\.[a-z2-7]{26}")
_ROBOTS = frozenset({"mailerdaemon", "postmaster", "noreply", "bounce", "bounces"})
_AUTO_FIELDS = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-auto-reply-from",
    "x-mail-autoreply",
    "x-failed-recipients",
)
_REPORTS = {"disposition-notification": MailKind.RECEIPT, "feedback-report": MailKind.COMPLAINT}
_REPORT_TYPE = re.compile(r"report-type\s*=\s*\"?\s*([\w-]+)", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]*\)")
_COMMENT_DEPTH = 10


def classify(raw: bytes, *, sender: str, recipient: str, instance: str, domain: str) -> Classification:
    """Classify a raw message; never raises.

    `sender` and `recipient` are those of the envelope; the sender is empty for the null sender. `instance` is the
    X-Loop value of our own letters and `domain` is that of our addresses. RFC 3834 says which mail a program may
    answer; other tests detect mail that ignores it.
    """
    mail = _Mail(headers_of(raw), sender.strip(), mail_key(recipient.strip()), instance, mail_key(domain))
    for test in _TESTS:
        classification = test(mail)
        if classification is not None:
            return classification
    return Classification(MailKind.PERSON, "person", _may_be_answered(mail.headers), _is_reticent(mail.headers))


def is_mail_server(headers: Headers) -> bool:
    """Whether From is an address from which mail servers write, such as mailer-daemon."""
    return _robot_name(headers) in ("mailerdaemon", "postmaster")


def sole_author(raw: bytes) -> str | None:
    """Return the only mailbox in From; None if there is none or several, or it is ambiguous.

    Some programs read `victim@good.org <a@evil.org>` as the victim's address (CVE-2023-27043). Therefore From must be
    one field in a well-formed header block with one plain address. Name and comment must not contain anything like
    another address, except the same address again, which Outlook writes as the name. “Somebody @ home” is not like an
    address.
    """
    headers = headers_of(raw)
    return _mailbox_in(headers.every("from")) if headers.is_sound else None


def reply_to_of(raw: bytes) -> str | None:
    """Return the only mailbox in Reply-To; None if there is none or several, or it is ambiguous."""
    return _mailbox_in(headers_of(raw).every("reply-to"))


def forwarder_of(raw: bytes) -> str | None:
    """Return From's address if its display name contains another address, as with forwarders."""
    author = _rough_author(headers_of(raw))
    return author if reply_to_of(raw) is not None and _has_valid_lengths(author) else None


def _mailbox_in(fields: Sequence[str]) -> str | None:
    if len(fields) != 1 or len(fields[0]) > VALUE_LIMIT:
        return None
    match = _MAILBOX.fullmatch(fields[0])
    if match is None:
        return None
    address = match["inside"] or match["alone"]
    display_name = words_of(match["name"] or match["comment"] or "").strip("\"' ()")
    if _LIKE_ADDRESS.search(display_name) and mail_key(display_name) != mail_key(address):
        return None
    return address if _has_valid_lengths(address) and "=?" not in address else None


def author_name(raw: bytes) -> str:
    """Return the name in From, decoded; empty if there is none or it is an address."""
    name = words_of(_COMMENT.sub(" ", headers_of(raw).first("from")).partition("<")[0]).strip("\"' ")
    return "" if "@" in name else name


def message_key(raw: bytes) -> str:
    """Return the key that copies of a message share: its Message-ID, or `sha256:` of the bytes.

    The Message-ID is without brackets. The hash is used if the Message-ID is missing, repeated, too long or malformed.
    """
    ids = headers_of(raw).every("message-id")
    match = _ID.fullmatch(ids[0]) if len(ids) == 1 else None
    if match is None or len(match[1]) > ID_LIMIT:
        return f"sha256:{hashlib.sha256(raw).hexdigest()}"
    local, at, domain = match[1].rpartition("@")
    return f"{local}{at}{domain.lower()}"


def references_of(raw: bytes) -> tuple[str, ...]:
    """Return the distinct Message-IDs that a message replies to, newest first (RFC 5322 3.6.4).

    They have no brackets. In-Reply-To comes first, then References from its end. Ids are split at spaces and at
    commas, which Exchange and iOS write.
    """
    headers = headers_of(raw)
    parents = [id_ for value in headers.every("in-reply-to") for id_ in _ids(value)]
    thread = [id_ for value in headers.every("references") for id_ in _ids(value)]
    return tuple(dict.fromkeys([*parents, *reversed(thread)]))[:REFERENCE_LIMIT]


def _ids(value: str) -> list[str]:
    return [word for word in re.split(r"[\s,<>]+", value) if "@" in word[1:-1]]


_ID = re.compile(r"<?\s*([!-;=?-~]+@[!-;=?-~]+?)\s*>?")
_ADDRESS = r"[^\s<>()\[\],:;@\"\\]+@[^\s<>()\[\],:;@\"\\]+"
_LIKE_ADDRESS = re.compile(r"[<>]|[^\s@()\[\]\"',;:]@[^\s@()\[\]\"',;:]")
_MAILBOX = re.compile(
    rf"(?P<name>(?:\"(?:[^\"\\]|\\.)*\"|\([^()\\]*\)|[^<>@,;:\"()\[\]\\])*)<(?P<inside>{_ADDRESS})>\s*"
    rf"|(?P<alone>{_ADDRESS})\s*(?P<comment>\([^()\\]*\))?"
)


def _has_valid_lengths(address: str) -> bool:
    local, _at, domain = address.rpartition("@")
    return len(local.encode()) <= 64 and len(domain.encode()) <= 255  # RFC 5321 4.5.3.1


def _is_to_bounce_address(mail: _Mail) -> Classification | None:
    local, _at, domain = mail.recipient.partition("@")
    is_ours = domain == mail.domain and local.startswith("b.")
    return Classification(MailKind.BOUNCE, "bounce-address") if is_ours else None


def _is_from_ourselves(mail: _Mail) -> Classification | None:
    fields = mail.headers.every
    local, _at, domain = mail_key(_rough_author(mail.headers)).partition("@")
    tests = {
        "our-x-loop": mail.instance.lower() in map(str.lower, fields("x-loop")),
        "our-feedback-id": any(v.endswith(f":{feedback_sender(mail.domain)}") for v in fields("feedback-id")),
        "our-list-id": any(v.lower().endswith(f".games.{mail.domain}>") for v in fields("list-id")),
        "our-address-in-from": domain == mail.domain and bool(_OURS.fullmatch(local)),
        "too-many-hops": len(fields("received")) > HOP_LIMIT,
    }
    reason = next((test for test, is_true in tests.items() if is_true), None)
    return Classification(MailKind.LOOP, reason) if reason else None


def _has_null_sender(mail: _Mail) -> Classification | None:
    if mail.sender not in ("", "<>") and "<>" not in mail.headers.every("return-path"):
        return None
    report = _is_report(mail)
    if report is not None:
        return report
    is_bounce = is_mail_server(mail.headers) or mail.headers.has("x-failed-recipients")
    return Classification(MailKind.BOUNCE if is_bounce else MailKind.AUTO, "null-sender")


def _is_report(mail: _Mail) -> Classification | None:
    value = mail.headers.first("content-type")
    if value.partition(";")[0].strip().lower() != "multipart/report":
        return None
    kind = _REPORT_TYPE.search(value)
    return Classification(_REPORTS.get(kind[1].lower() if kind else "", MailKind.BOUNCE), "report")


def _is_auto_submitted(mail: _Mail) -> Classification | None:
    keywords = [_keyword(value) for value in mail.headers.every("auto-submitted")]
    return Classification(MailKind.AUTO, "auto-submitted") if any(word not in ("", "no") for word in keywords) else None


def _has_robot_field(mail: _Mail) -> Classification | None:
    delivered = (value.lower().partition("@")[0].strip("< ") for value in mail.headers.every("delivered-to"))
    if mail.headers.has(*_AUTO_FIELDS) or "autoresponder" in delivered:
        return Classification(MailKind.AUTO, "auto-field")
    return None


def _has_precedence(mail: _Mail) -> Classification | None:
    words = {_keyword(value).replace("-", "_") for value in mail.headers.every("precedence")}
    if "list" in words:
        return Classification(MailKind.LIST, "precedence")
    return Classification(MailKind.AUTO, "precedence") if words & {"bulk", "junk", "auto_reply"} else None


def _is_from_list(mail: _Mail) -> Classification | None:
    names = {name for name, _value in mail.headers.fields}
    is_list = names & {"mailing-list", "x-mailing-list"} or any(name.startswith("list-") for name in names)
    return Classification(MailKind.LIST, "list-field") if is_list else None


def _is_from_robot(mail: _Mail) -> Classification | None:
    local, _at, domain = mail.recipient.partition("@")
    if domain == mail.domain and local.startswith("r.") and _is_forwarded(mail.headers):
        return None
    return Classification(MailKind.AUTO, "robot-in-from") if _robot_name(mail.headers) in _ROBOTS else None


def _is_forwarded(headers: Headers) -> bool:
    """Whether a forwarder replaced From: Reply-To is an author of another domain."""
    author = _mailbox_in(headers.every("reply-to"))
    domain = _rough_author(headers).rpartition("@")[2]
    return author is not None and not mail_key(author).endswith(f"@{domain.lower()}")


def _has_automatic_subject(mail: _Mail) -> Classification | None:
    subject = words_of(mail.headers.first("subject"))
    return Classification(MailKind.AUTO, "subject") if is_machine_subject(subject) else None


_TESTS: tuple[_Test, ...] = (
    _is_to_bounce_address,
    _is_from_ourselves,
    _has_null_sender,
    _is_report,
    _is_auto_submitted,
    _has_robot_field,
    _has_precedence,
    _is_from_list,
    _is_from_robot,
    _has_automatic_subject,
)


def _may_be_answered(headers: Headers) -> bool:
    return not headers.has("x-no-ack") and "no" not in map(_keyword, headers.every("x-ack"))


def _is_reticent(headers: Headers) -> bool:
    return bool({_keyword(value) for value in headers.every("x-auto-response-suppress")} - {"", "none"})


def _keyword(value: str) -> str:
    for _depth in range(_COMMENT_DEPTH):
        value, count = _COMMENT.subn(" ", value)
        if not count:
            break
    return value.partition(";")[0].strip(" \"'").lower()


def _rough_author(headers: Headers) -> str:
    """Return the address in From as most programs parse it, to detect robots only."""
    value = _COMMENT.sub(" ", headers.first("from"))
    inside = re.search(r"<([^<>]*)>[^<>]*$", value)
    return (inside[1] if inside else value).strip()


def _robot_name(headers: Headers) -> str:
    local = _rough_author(headers).partition("@")[0].partition("+")[0]
    return re.sub(r"[^a-z]", "", local.lower())
