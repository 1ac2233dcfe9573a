"""Mail that no person wrote, and who wrote the rest.

Machine mail is never executed and never answered: two programs that answer each other do not stop.
The tests run in a fixed order and the first hit decides; they look at the header block and the
envelope only, so no body can talk its way past them. What is left is a person's, and From then says
whose hint it is: one mailbox, read so strictly that no two programs could differ about it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

import idna

from correspondence.mime.headers import VALUE_LIMIT, Headers, headers_of, words_of
from correspondence.mime.machine_phrases import is_machine_subject

HOP_LIMIT = 50
"""More Received fields than this mean a loop (RFC 5321 6.3)."""

ID_LIMIT = 200
"""Characters of a Message-ID that can be a key; longer ones are replaced by a hash."""

REFERENCE_LIMIT = 100
"""References that are looked at."""


class Kind(StrEnum):
    """Whose mail it is; only a person's is read."""

    PERSON = "person"
    BOUNCE = "bounce"
    AUTO = "auto"
    LIST = "list"
    LOOP = "loop"
    RECEIPT = "receipt"
    COMPLAINT = "complaint"


@dataclass(frozen=True, slots=True)
class Classification:
    """Whose mail it is, by which test (such as `auto-submitted`), and whether a program may answer."""

    kind: Kind
    reason: str
    may_answer: bool = False


@dataclass(frozen=True, slots=True)
class _Mail:
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
_REPORTS = {"disposition-notification": Kind.RECEIPT, "feedback-report": Kind.COMPLAINT}
_REPORT_TYPE = re.compile(r"report-type\s*=\s*\"?\s*([\w-]+)", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]*\)")
_COMMENT_DEPTH = 10


def classify(raw: bytes, *, sender: str, recipient: str, instance: str, domain: str) -> Classification:
    """Say whose mail a raw message is; whatever the bytes are, it does not raise.

    `sender` and `recipient` are the envelope's, the former empty for the null sender; `instance` is what
    our own letters carry in X-Loop and `domain` the part of our addresses behind the `@`. RFC 3834 says
    what a program may answer; the rest was learnt from mail that ignores it.
    """
    mail = _Mail(headers_of(raw), sender.strip(), mail_key(recipient.strip()), instance, mail_key(domain))
    for test in _TESTS:
        verdict = test(mail)
        if verdict is not None:
            return verdict
    return Classification(Kind.PERSON, "person", _may_be_answered(mail.headers))


def feedback_sender(domain: str) -> str:
    """The last field of the Feedback-ID in our letters: one for all of an installation, naming nobody."""
    return f"corr{hashlib.sha256(mail_key(domain).encode()).hexdigest()[:8]}"


def sole_author(raw: bytes) -> str | None:
    """The one mailbox in From, as written; None where there are none or several, or programs could differ.

    Programs were seen to read `victim@good.org <a@evil.org>` as the victim's (CVE-2023-27043). So: one
    From field in a sound header block, one address of dots and plain signs, and behind or before it
    nothing with an `@` but the same address again, which Outlook shows as a name.
    """
    headers = headers_of(raw)
    fields = headers.every("from")
    if len(fields) != 1 or not headers.is_sound or len(fields[0]) > VALUE_LIMIT:
        return None
    found = _MAILBOX.fullmatch(fields[0])
    if found is None:
        return None
    address = found["inside"] or found["alone"]
    said = words_of(found["name"] or found["comment"] or "").strip("\"' ()")
    if any(sign in said for sign in "@<>") and mail_key(said) != mail_key(address):
        return None
    return address if _has_sound_lengths(address) and "=?" not in address else None


def mail_key(address: str) -> str:
    """An address as it is compared: local part in lower case, domain in lower-case ASCII (IDNA, UTS 46).

    What has no `@` is taken for a domain. A domain that IDNA refuses is only put into lower case.
    """
    local, at, domain = address.strip().rpartition("@")
    if not domain.isascii():
        with suppress(idna.IDNAError, UnicodeError):
            domain = idna.encode(domain, uts46=True).decode()
    return f"{local.lower()}{at}{domain.lower().rstrip('.')}"


def mailbox_key(address: str) -> str:
    """The mailbox behind an address, as letters to it are counted: plus-addresses (RFC 5233) are one with their own."""
    local, at, domain = mail_key(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def mailbox_hash(address: str) -> str:
    """What tells that two addresses are one mailbox, and not which."""
    return hashlib.sha256(mailbox_key(address).encode()).hexdigest()


def message_key(raw: bytes) -> str:
    """What two copies of a message share: its Message-ID without brackets, or `sha256:` of its bytes.

    The hash serves where there is no Message-ID, or several, or one that is too long or not an id at all.
    """
    ids = headers_of(raw).every("message-id")
    found = _ID.fullmatch(ids[0]) if len(ids) == 1 else None
    if found is None or len(found[1]) > ID_LIMIT:
        return f"sha256:{hashlib.sha256(raw).hexdigest()}"
    local, at, domain = found[1].rpartition("@")
    return f"{local}{at}{domain.lower()}"


def references_of(raw: bytes) -> tuple[str, ...]:
    """The ids that a message answers, without brackets, each once, the newest first (RFC 5322 3.6.4).

    Those of In-Reply-To come first, then References from its end. They are split at blanks and at
    commas, which Exchange and iOS write.
    """
    headers = headers_of(raw)
    answered = [id_ for value in headers.every("in-reply-to") for id_ in _ids(value)]
    thread = [id_ for value in headers.every("references") for id_ in _ids(value)]
    return tuple(dict.fromkeys([*answered, *reversed(thread)]))[:REFERENCE_LIMIT]


def _ids(value: str) -> list[str]:
    return [word for word in re.split(r"[\s,<>]+", value) if "@" in word[1:-1]]


_ID = re.compile(r"<?\s*([!-;=?-~]+@[!-;=?-~]+?)\s*>?")
_ADDRESS = r"[^\s<>()\[\],:;@\"\\]+@[^\s<>()\[\],:;@\"\\]+"
_MAILBOX = re.compile(
    rf"(?P<name>(?:\"(?:[^\"\\]|\\.)*\"|\([^()\\]*\)|[^<>@,;:\"()\[\]\\])*)<(?P<inside>{_ADDRESS})>\s*"
    rf"|(?P<alone>{_ADDRESS})\s*(?P<comment>\([^()\\]*\))?"
)


def _has_sound_lengths(address: str) -> bool:
    local, _at, domain = address.rpartition("@")
    return len(local.encode()) <= 64 and len(domain.encode()) <= 255  # RFC 5321 4.5.3.1


def _to_a_bounce_address(mail: _Mail) -> Classification | None:
    local, _at, domain = mail.recipient.partition("@")
    is_ours = domain == mail.domain and local.startswith("b.")
    return Classification(Kind.BOUNCE, "bounce-address") if is_ours else None


def _from_ourselves(mail: _Mail) -> Classification | None:
    fields = mail.headers.every
    local, _at, domain = mail_key(_rough_author(mail.headers)).partition("@")
    signs = {
        "our-x-loop": mail.instance.lower() in map(str.lower, fields("x-loop")),
        "our-feedback-id": any(v.endswith(f":{feedback_sender(mail.domain)}") for v in fields("feedback-id")),
        "our-list-id": any(v.lower().endswith(f".games.{mail.domain}>") for v in fields("list-id")),
        "our-address-in-from": domain == mail.domain and bool(_OURS.fullmatch(local)),
        "too-many-hops": len(fields("received")) > HOP_LIMIT,
    }
    reason = next((sign for sign, is_seen in signs.items() if is_seen), None)
    return Classification(Kind.LOOP, reason) if reason else None


def _from_nobody(mail: _Mail) -> Classification | None:
    if mail.sender not in ("", "<>") and "<>" not in mail.headers.every("return-path"):
        return None
    report = _a_report(mail)
    if report is not None:
        return report
    is_daemon = _robot(mail.headers) in ("mailerdaemon", "postmaster")
    is_bounce = is_daemon or mail.headers.has("x-failed-recipients")
    return Classification(Kind.BOUNCE if is_bounce else Kind.AUTO, "null-sender")


def _a_report(mail: _Mail) -> Classification | None:
    value = mail.headers.first("content-type")
    if value.partition(";")[0].strip().lower() != "multipart/report":
        return None
    kind = _REPORT_TYPE.search(value)
    return Classification(_REPORTS.get(kind[1].lower() if kind else "", Kind.BOUNCE), "report")


def _says_it_is_automatic(mail: _Mail) -> Classification | None:
    keywords = [_keyword(value) for value in mail.headers.every("auto-submitted")]
    return Classification(Kind.AUTO, "auto-submitted") if any(word not in ("", "no") for word in keywords) else None


def _carries_a_robots_field(mail: _Mail) -> Classification | None:
    delivered = (value.lower().partition("@")[0].strip("< ") for value in mail.headers.every("delivered-to"))
    if mail.headers.has(*_AUTO_FIELDS) or "autoresponder" in delivered:
        return Classification(Kind.AUTO, "auto-field")
    return None


def _is_in_bulk(mail: _Mail) -> Classification | None:
    words = {_keyword(value).replace("-", "_") for value in mail.headers.every("precedence")}
    if "list" in words:
        return Classification(Kind.LIST, "precedence")
    return Classification(Kind.AUTO, "precedence") if words & {"bulk", "junk", "auto_reply"} else None


def _came_through_a_list(mail: _Mail) -> Classification | None:
    names = {name for name, _value in mail.headers.fields}
    is_list = names & {"mailing-list", "x-mailing-list"} or any(name.startswith("list-") for name in names)
    return Classification(Kind.LIST, "list-field") if is_list else None


def _from_a_robots_address(mail: _Mail) -> Classification | None:
    return Classification(Kind.AUTO, "robot-in-from") if _robot(mail.headers) in _ROBOTS else None


def _has_a_machines_subject(mail: _Mail) -> Classification | None:
    subject = words_of(mail.headers.first("subject"))
    return Classification(Kind.AUTO, "subject") if is_machine_subject(subject) else None


_TESTS: tuple[_Test, ...] = (
    _to_a_bounce_address,
    _from_ourselves,
    _from_nobody,
    _a_report,
    _says_it_is_automatic,
    _carries_a_robots_field,
    _is_in_bulk,
    _came_through_a_list,
    _from_a_robots_address,
    _has_a_machines_subject,
)


def _may_be_answered(headers: Headers) -> bool:
    # Exchange puts X-Auto-Response-Suppress on people's own mail: it is read, but not answered
    suppressed = {_keyword(value) for value in headers.every("x-auto-response-suppress")} - {"", "none"}
    refused = headers.has("x-no-ack") or "no" in map(_keyword, headers.every("x-ack"))
    return not suppressed and not refused


def _keyword(value: str) -> str:
    for _depth in range(_COMMENT_DEPTH):
        value, count = _COMMENT.subn(" ", value)
        if not count:
            break
    return value.partition(";")[0].strip(" \"'").lower()


def _rough_author(headers: Headers) -> str:
    """The address in From as most programs read it: for finding robots, never for trusting anybody."""
    value = _COMMENT.sub(" ", headers.first("from"))
    inside = re.search(r"<([^<>]*)>[^<>]*$", value)
    return (inside[1] if inside else value).strip()


def _robot(headers: Headers) -> str:
    local = _rough_author(headers).partition("@")[0].partition("+")[0]
    return re.sub(r"[^a-z]", "", local.lower())
