"""Find the text part that a person wrote in a raw message, whatever its MIME structure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.message import Message
from email.parser import BytesHeaderParser
from itertools import chain

from correspondence.mime.classify import author_name
from correspondence.mime.cleaning import clean, decoded
from correspondence.mime.limits import (
    DEPTH_LIMIT,
    FIELD_LIMIT,
    HEADER_LIMIT,
    HTML_LIMIT,
    PART_LIMIT,
    TEXT_LIMIT,
    within_limits,
)
from correspondence.mime.policy import READ

from .lines import Line, plain_lines
from .markup import html_lines
from .program_mail import program_of
from .visibility import STRIKES

_HEADER_CUT = 998
_STUB_LIMIT = 300
_PARAMETER_LIMIT = 30
_ENCRYPTED = frozenset({"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})


@dataclass(frozen=True, slots=True)
class Body:
    """The lines of the text part; if there are none, `trouble` is the reason key."""

    lines: list[Line] = field(default_factory=list)
    trouble: str = ""
    author: str = ""
    """The name in From."""


def body_of(raw: bytes) -> Body:
    """Return the body of a raw message; never raises."""
    reason = within_limits(raw)
    if reason:
        return Body(trouble=reason)
    try:
        message = message_from_bytes(raw, policy=policy.compat32)  # avoids strict parsing of headers
        return replace(_choose_body(list(_leaves(message))), author=author_name(raw))
    except Exception:  # the standard library raises various errors; none may lose the mail
        return Body(trouble="unreadable")


def subject_of(raw: bytes) -> str:
    """Return the decoded Subject of a raw message on one line; empty if there is none."""
    if within_limits(raw):
        return ""
    try:
        headers = BytesHeaderParser(policy=READ).parsebytes(raw[: 2 * HEADER_LIMIT])
        return safe_header(headers, "Subject")
    except Exception:  # as above
        return ""


def safe_header(message: Message, name: str) -> str:
    """Return the decoded header `name` on one line of at most 998 characters.

    Empty if it is absent, longer than 8 KiB, or cannot be decoded.
    """
    try:
        if len(raw_header(message, name)) > FIELD_LIMIT:
            return ""
        value = str(message[name] or "")
    except Exception:  # IndexError, ValueError, RecursionError and others occurred on real mail
        return ""
    return " ".join(clean(value).split())[:_HEADER_CUT]


def raw_header(message: Message, name: str) -> str:
    """Return the header `name` undecoded; empty if it is absent."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return str(value)
    return ""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A part of a message, with its type and the parameters of its Content-Type."""

    kind: str
    part: Message
    content_type: Message
    """A message with only this Content-Type, to parse its parameters with the lenient policy."""

    @property
    def disposition(self) -> str:
        """The Content-Disposition of the part, such as `attachment`; empty if it has none."""
        return raw_header(self.part, "Content-Disposition")[:FIELD_LIMIT].partition(";")[0].strip().lower()

    @property
    def is_attachment(self) -> bool:
        """Whether the part is marked as an attachment."""
        return self.disposition.startswith("attachment")

    @property
    def file_name(self) -> str:
        """The name of the part in Content-Type; empty if it has none."""
        return str(self.content_type.get_param("name", ""))

    @property
    def text(self) -> str:
        """The decoded text of the part."""
        return _text(self)


def _leaves(message: Message) -> Iterator[_Leaf]:
    stack: list[tuple[Message, int]] = [(message, 0)]
    count = 0
    while stack and count <= PART_LIMIT:
        part, depth = stack.pop()
        count += 1
        leaf = _leaf(part)
        yield leaf
        children = part.get_payload() if leaf.kind.startswith("multipart/") and depth < DEPTH_LIMIT else None
        if isinstance(children, list):
            inner = children[:1] if leaf.kind == "multipart/signed" else children
            stack.extend((child, depth + 1) for child in reversed(inner) if isinstance(child, Message))


def _leaf(part: Message) -> _Leaf:
    type_only: Message = Message()
    value = " ".join(raw_header(part, "Content-Type").split())
    if value.count(";") > _PARAMETER_LIMIT:  # the parser takes quadratic time for them
        value = value.partition(";")[0]
    if value and len(value) <= FIELD_LIMIT:
        type_only["Content-Type"] = value
    return _Leaf(type_only.get_content_type(), part, type_only)


def _choose_body(leaves: list[_Leaf]) -> Body:
    if any(leaf.kind == "multipart/encrypted" for leaf in leaves):
        return Body(trouble="encrypted")
    if program := program_of(leaves):
        return Body(trouble=program)
    bodies = [_html_bodies(leaves)]
    if not _strikes_text(leaves):  # the plain part would not show struck text
        bodies.insert(0, _plain_bodies(leaves))
    body = next(chain.from_iterable(bodies), None)
    return Body(trouble=_missing_text_reason(leaves)) if body is None else body


def _strikes_text(leaves: list[_Leaf]) -> bool:
    """Whether a message's HTML has text that is struck through."""
    pages = (leaf for leaf in leaves if leaf.kind == "text/html" and not leaf.is_attachment)
    return any(STRIKES.search(_text(leaf)[:HTML_LIMIT]) for leaf in pages)


def _plain_bodies(leaves: list[_Leaf]) -> Iterator[Body]:
    has_html = any(leaf.kind == "text/html" and not leaf.is_attachment for leaf in leaves)
    for leaf in leaves:
        if leaf.kind != "text/plain" or leaf.is_attachment:
            continue
        text = _text(leaf)[:TEXT_LIMIT]
        cleaned = clean(text)
        if not cleaned.strip() or (has_html and _is_stub(text)):
            continue
        if text.lstrip().startswith("-----BEGIN PGP MESSAGE-----"):
            yield Body(trouble="encrypted")
        flowed = _has_parameter(leaf, "format", "flowed")
        yield Body(plain_lines(cleaned, flowed=flowed, delsp=flowed and _has_parameter(leaf, "delsp", "yes")))


def _html_bodies(leaves: list[_Leaf]) -> Iterator[Body]:
    for leaf in leaves:
        if leaf.kind == "text/html" and not leaf.is_attachment:
            lines = html_lines(_text(leaf))
            if any(line.text for line in lines):
                yield Body(lines)


def _is_stub(text: str) -> bool:
    """Whether a plain part only asks to view the message as HTML."""
    lower_text = text.casefold()
    hints = ("view", "display", "support", "enable", "client", "anzeigen", "visualizz", "afficher")
    return len(text) <= _STUB_LIMIT and "html" in lower_text and any(hint in lower_text for hint in hints)


def _missing_text_reason(leaves: list[_Leaf]) -> str:
    kinds = {leaf.kind for leaf in leaves}
    if kinds & _ENCRYPTED:
        return "encrypted"
    names = [leaf.file_name.lower() for leaf in leaves]
    if kinds & _TNEF or "winmail.dat" in names:
        return "winmail"
    if "message/rfc822" in kinds:
        return "forward-only"
    return "empty"


def _text(leaf: _Leaf) -> str:
    try:
        payload = leaf.part.get_payload(decode=True)
    except Exception:  # invalid transfer encoding: use the text undecoded
        payload = None
    if not isinstance(payload, bytes):
        raw_payload = leaf.part.get_payload()
        payload = raw_payload.encode("utf-8", "surrogateescape") if isinstance(raw_payload, str) else b""
    label = leaf.content_type.get_param("charset", "")
    return decoded(payload, label if isinstance(label, str) else str(label[-1]))


def _has_parameter(leaf: _Leaf, name: str, value: str) -> bool:
    return str(leaf.content_type.get_param(name, "")).strip().lower() == value
