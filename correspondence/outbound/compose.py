"""A letter of the outbox as the bytes that go over the wire.

Only here are the marks in a letter filled with addresses and links, so no secret stands in the
database. What was built is read again before it is handed on: a name or subject that managed to
become a header of its own stops the letter.
"""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import SMTP
from email.utils import format_datetime
from functools import lru_cache

from correspondence.core import tokens
from correspondence.core.config import Settings
from correspondence.mime.classify import feedback_sender, mail_key
from correspondence.models import Letter
from engines.wording import _

log = logging.getLogger(__name__)

NAME = "Correspondence"
"""The name in From."""

OPEN_BOX = "play"
"""The local part that everybody may write to, and that From names."""

BOUNCE = "bounce"
"""The kind of the tokens in envelope senders: they name a letter, and can never be replied to."""

SUBJECT_LIMIT = 200
"""Characters of a subject."""

ID_LIMIT = 250
"""Characters of a foreign Message-ID that is still named in an answer; a longer one is left out."""

WEIGHT_LIMIT = 100_000
"""Bytes of a whole letter; a picture that makes it heavier is drawn smaller, and in the end left out."""

SHARP = 2.0
"""How many pixels of a picture make one of the page."""

SMALLER = (1.5, 1.0, None)
"""The sizes that are tried where a letter is too heavy; None is no picture."""

PICTURE = "board.png"
"""The name of the picture in a letter."""

_WIRE = SMTP.clone(max_line_length=998)  # the default of 78 would encode ids and links that are longer
_PARTS = SMTP.clone(cte_type="7bit")
_MARK = re.compile(r"%%(reply|link|base)%%")
_PICTURE = "%%picture%%"
_PICTURE_TAG = re.compile(r"<img\b[^<>]*%%picture%%[^<>]*>")
_HIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_UNSENDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_FOREIGN_ID = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")


class LetterError(ValueError):
    """A letter that must not be sent as it is; str() is a sentence that says why."""


def compose(letter: Letter, settings: Settings) -> bytes:
    """The message for a letter, with CRLF line ends and no octet beyond 7 bits; the same bytes each time.

    Text comes first and is complete alone; HTML follows where there is any, with the picture inside.
    Raises LetterError for an address that cannot be written to, and when the bytes do not read back as
    exactly the headers that were meant.
    """
    message = _body(letter, settings, SHARP)
    fields = _fields(letter, settings)
    raw = _written(message, fields)
    for size in SMALLER:
        if len(raw) > WEIGHT_LIMIT and letter.picture:
            raw = _written(_body(letter, settings, size), fields)
    _check(raw, {*fields, *_MIME_FIELDS})
    return raw


def fill(text: str, letter: Letter, settings: Settings) -> str:
    """`text` with its marks for address, link and this site filled; what is put in is not read again."""
    known = {
        "reply": reply_address(letter, settings),
        "link": _link(letter, settings),
        "base": settings.base_url,
    }
    return _MARK.sub(lambda mark: known[mark[1]], text)


def reply_address(letter: Letter, settings: Settings) -> str:
    """Where an answer to the letter goes: the reader's own token, or the open box where there is none."""
    if letter.reply_token_id is None:
        return f"{OPEN_BOX}@{settings.mail_domain}"
    return f"r.{tokens.spell(settings.secret_key, letter.reply_token_id)}@{settings.mail_domain}"


def heading(letter: Letter, settings: Settings) -> list[str]:
    """What mail programs write out of a letter beside its words: its subject, its addresses, its picture's names."""
    own = f"{OPEN_BOX}@{settings.mail_domain}"
    subject = plain(fill(letter.subject, letter, settings))[:SUBJECT_LIMIT]
    addresses = [f"{NAME} <{address}>" for address in (own, reply_address(letter, settings))]
    return [subject, *addresses, letter.recipient, PICTURE, _cid(letter, settings)]


def envelope_sender(letter: Letter, settings: Settings) -> str:
    """The address that the letter comes back to when it cannot be delivered; one for each letter."""
    return f"b.{tokens.spell(settings.secret_key, letter.id, BOUNCE)}@{settings.mail_domain}"


def wire_address(address: str) -> str:
    """The address as it goes over the wire, its domain in ASCII; raises LetterError where it cannot."""
    local, _at, domain = address.strip().rpartition("@")
    domain = mail_key(domain)
    if not _LOCAL.fullmatch(local) or "=?" in local or not _DOMAIN.fullmatch(domain):
        sentence = _("“{address}” is not an address that we can write to.")
        raise LetterError(sentence.format(address=plain(address)))
    return f"{local}@{domain}"


def returned_letter(recipient: str, settings: Settings) -> int | None:
    """The number of the letter that came back to `recipient`; None for what is no bounce address of ours."""
    local, _at, domain = mail_key(recipient).partition("@")
    if domain != mail_key(settings.mail_domain) or not local.startswith("b."):
        return None
    return tokens.read(settings.secret_key, local[2:], BOUNCE)


def png(svg: str, size: float = SHARP) -> bytes | None:
    """A picture as PNG on opaque white; None where it cannot be drawn: letters are complete without."""
    try:
        import resvg_py  # noqa: F401 -- a compiled package: where it does not load, letters go without pictures

        return _drawn(svg, size)
    except Exception as error:
        log.warning("a picture could not be drawn: %s", error)
    return None


@lru_cache(maxsize=64)
def _drawn(svg: str, size: float) -> bytes:
    """Kept for a while, because a letter that is tried again, or a page that is looked at, asks for the same."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=size, background="#ffffff"))


def plain(text: str) -> str:
    """`text` as it may stand in a header: one line without controls, and no beginning of an encoded word.

    The standard library decodes `=?UTF-8?Q?=0A?=` in what it is given, and writes the line end out.
    """
    seen = "".join(" " if unicodedata.category(sign) in _HIDDEN else sign for sign in _TURNING.sub("", text))
    return " ".join(seen.replace("=?", "= ?").split())


def _fields(letter: Letter, settings: Settings) -> dict[str, str]:
    domain = settings.mail_domain
    kind = re.sub("[^a-z0-9-]", "-", letter.kind.lower())
    return {
        "From": f'"{NAME}" <{OPEN_BOX}@{domain}>',
        "Reply-To": reply_address(letter, settings),
        "To": wire_address(letter.recipient),
        "Subject": plain(fill(letter.subject, letter, settings))[:SUBJECT_LIMIT],
        "Date": format_datetime(letter.created_at),
        "Message-ID": f"<{letter.message_id}@{domain}>",
        **_thread(letter, domain),
        **_way_out(letter, settings),
        "Auto-Submitted": plain(letter.auto_submitted),
        "X-Auto-Response-Suppress": "All",
        **({"Precedence": "bulk"} if letter.kind == "digest" else {}),
        "X-Loop": domain,
        "Feedback-ID": f"{kind}:game:prod:{feedback_sender(domain)}",
    }


def _thread(letter: Letter, domain: str) -> dict[str, str]:
    """What holds the letters of one match together, even those that come after a lost one."""
    number = letter.match_id
    named = letter.in_reply_to + (domain if letter.in_reply_to.endswith("@") else "")
    answered = [named] if _is_foreign_id(named) else []
    roots = [f"g{number}@{domain}"] if number is not None else []
    fields = {"References": " ".join(f"<{id_}>" for id_ in dict.fromkeys([*roots, *answered]))}
    if answered:
        fields["In-Reply-To"] = f"<{answered[0]}>"
    if number is not None:
        fields["List-Id"] = f"Game {number} <g{number}.games.{domain}>"
    return {name: value for name, value in fields.items() if value}


def _way_out(letter: Letter, settings: Settings) -> dict[str, str]:
    """How a mail program stops such letters for its reader, with one click (RFC 8058)."""
    if letter.stop_token_id is None:
        return {}
    token = tokens.spell(settings.secret_key, letter.stop_token_id)
    page, box = f"{settings.base_url}/u/{token}", f"r.{token}@{settings.mail_domain}"
    return {
        "List-Unsubscribe": f"<{page}>, <mailto:{box}?subject=stop>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _is_foreign_id(text: str) -> bool:
    return len(text) <= ID_LIMIT and bool(_FOREIGN_ID.fullmatch(text))


def _link(letter: Letter, settings: Settings) -> str:
    if letter.link_token_id is None:
        return settings.base_url
    return f"{settings.base_url}/t/{tokens.spell(settings.secret_key, letter.link_token_id)}"


def _body(letter: Letter, settings: Settings, size: float | None) -> EmailMessage:
    message = EmailMessage(policy=_PARTS)
    message.set_content(_UNSENDABLE.sub("", fill(letter.text, letter, settings)))
    if letter.html:
        picture = png(letter.picture, size) if size and letter.picture and _PICTURE in letter.html else None
        _add_html(message, letter, settings, picture)
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        seed = f"{letter.message_id}/{number}"  # a letter sent again is the same to the byte
        part.set_boundary(f"=_{hashlib.sha256(seed.encode()).hexdigest()[:24]}")
    return message


def _add_html(message: EmailMessage, letter: Letter, settings: Settings, picture: bytes | None) -> None:
    cid = _cid(letter, settings)
    html = _UNSENDABLE.sub("", fill(letter.html, letter, settings))
    html = html.replace(_PICTURE, f"cid:{cid}") if picture else _PICTURE_TAG.sub("", html)
    message.add_alternative(html, subtype="html")
    if not picture:
        return
    page = list(message.iter_parts())[-1]
    assert isinstance(page, MIMEPart)
    page.add_related(picture, "image", "png", cid=f"<{cid}>", filename=PICTURE, disposition="inline")
    page.set_param("type", "text/html")  # RFC 2387 3.1


def _cid(letter: Letter, settings: Settings) -> str:
    return f"board.{letter.message_id}@{settings.mail_domain}"


def _written(message: EmailMessage, fields: dict[str, str]) -> bytes:
    for name, value in fields.items():
        message[name] = value
    return message.as_bytes(policy=_WIRE)


_MIME_FIELDS = ("MIME-Version", "Content-Type")


def _check(raw: bytes, meant: set[str]) -> None:
    """Read back what was written; raises LetterError where it is not what was meant."""
    found = message_from_bytes(raw, policy=_WIRE)
    names = [name.lower() for name in found if name.lower() != "content-transfer-encoding"]
    if sorted(names) != sorted(name.lower() for name in meant):
        raise LetterError(_("The letter did not read back with the headers that were meant."))
    if found.defects or max(map(len, raw.split(b"\r\n"))) > 998:
        raise LetterError(_("The letter did not read back as it was written."))
