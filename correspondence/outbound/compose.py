"""Builds the MIME message of a letter of the outbox.

Placeholders in a letter are filled with addresses and links only here, so the database holds no secrets. The finished
message is parsed again before it is returned: a name or subject that became a header of its own stops the letter.
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
from correspondence.outbound.kinds import kind_of
from engines.wording import _

log = logging.getLogger(__name__)

NAME = "Correspondence"
"""The display name in From."""

OPEN_BOX = "play"
"""The local part of From, which everybody may write to."""

BOUNCE = "bounce"
"""The kind of the tokens in envelope senders; such a token names a letter and is no reply address."""

SUBJECT_LIMIT = 200
"""Most characters of a subject."""

ID_LIMIT = 250
"""Most characters of a foreign Message-ID in References; a longer one is left out."""

SIZE_LIMIT = 60_000
"""Most bytes of a message; a picture that makes it larger is drawn smaller, and finally left out."""

PICTURE_SCALE = 2.0
"""Scale of a picture: image pixels per CSS pixel."""

SMALLER_SCALES = (1.5, 1.0, None)
"""Scales to try if a message is too large; None is no picture."""

PICTURE = "board.png"
"""The file name of the picture in a letter."""

_WIRE = SMTP.clone(max_line_length=998)  # the default of 78 would encode longer ids and links
_PARTS = SMTP.clone(cte_type="7bit")
_PLACEHOLDER = re.compile(r"%%(reply|link|base|play|code)%%")
_PICTURE = "%%picture%%"
_PICTURE_TAG = re.compile(r"<img\b[^<>]*%%picture%%[^<>]*>")
_CONTROL_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BIDI_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_UNSENDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_FOREIGN_ID = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")


class LetterError(ValueError):
    """A letter that must not be sent; str() is a sentence that says why."""


def compose(letter: Letter, settings: Settings) -> bytes:
    """Return the message of a letter: CRLF line ends, 7-bit octets, the same bytes each time.

    The text part comes first and is complete by itself; the HTML part, if any, follows with the picture inside.
    Raises LetterError for an address that cannot be written to, and if the parsed message does not have exactly the
    intended headers.
    """
    message = _body(letter, settings, PICTURE_SCALE)
    fields = _fields(letter, settings)
    raw = _serialized(message, fields)
    for scale in SMALLER_SCALES:
        if len(raw) > SIZE_LIMIT and letter.picture:
            raw = _serialized(_body(letter, settings, scale), fields)
    _check(raw, {*fields, *_MIME_FIELDS})
    return raw


def fill(text: str, letter: Letter, settings: Settings) -> str:
    """Fill the placeholders for reply address, link, site and open address in `text`; what is filled in is not
    scanned again."""
    values = {
        "reply": reply_address(letter, settings),
        "link": _link(letter, settings),
        "base": settings.base_url,
        "play": open_address(settings),
        "code": _recovery_code(letter, settings),
    }
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def open_address(settings: Settings) -> str:
    """Return the address to which everybody may write."""
    return f"{OPEN_BOX}@{settings.mail_domain}"


def _recovery_code(letter: Letter, settings: Settings) -> str:
    """Return the code that a letter of its kind tells; empty in all others."""
    if letter.link_token_id is None or not kind_of(letter).has_code:
        return ""
    return tokens.grouped(tokens.spell(settings.secret_key, letter.link_token_id, tokens.RECOVERY))


def reply_address(letter: Letter, settings: Settings) -> str:
    """Return the Reply-To address: with the letter's reply token, or the open box if it has none."""
    if letter.reply_token_id is None:
        return open_address(settings)
    return f"r.{tokens.spell(settings.secret_key, letter.reply_token_id)}@{settings.mail_domain}"


def header_texts(letter: Letter, settings: Settings) -> list[str]:
    """Return what mail programs quote from a letter besides its body: subject, addresses, names of the picture."""
    own = open_address(settings)
    subject = plain(fill(letter.subject, letter, settings))[:SUBJECT_LIMIT]
    addresses = [f"{NAME} <{address}>" for address in (own, reply_address(letter, settings))]
    return [subject, *addresses, letter.recipient, PICTURE, _cid(letter, settings)]


def envelope_sender(letter: Letter, settings: Settings) -> str:
    """Return the envelope sender, to which bounces go; it is different for each letter."""
    return f"b.{tokens.spell(settings.secret_key, letter.id, BOUNCE)}@{settings.mail_domain}"


def wire_address(address: str) -> str:
    """Return the address with its domain in ASCII; raises LetterError if it cannot be written to."""
    local, _at, domain = address.strip().rpartition("@")
    domain = mail_key(domain)
    if not _LOCAL.fullmatch(local) or "=?" in local or not _DOMAIN.fullmatch(domain):
        sentence = _("“{address}” is not an address that we can write to.")
        raise LetterError(sentence.format(address=plain(address)))
    return f"{local}@{domain}"


def bounced_letter_id(recipient: str, settings: Settings) -> int | None:
    """Return the id of the letter whose bounce address `recipient` is; None if it is not a bounce address of ours."""
    local, _at, domain = mail_key(recipient).partition("@")
    if domain != mail_key(settings.mail_domain) or not local.startswith("b."):
        return None
    return tokens.read(settings.secret_key, local[2:], BOUNCE)


def png(svg: str, scale: float = PICTURE_SCALE) -> bytes | None:
    """Render a picture as PNG on opaque white; None if that fails, because letters are complete without it."""
    try:
        import resvg_py  # noqa: F401 -- a compiled package: if it does not load, letters have no pictures

        return _render_png(svg, scale)
    except Exception as error:
        log.warning("a picture could not be drawn: %s", error)
    return None


@lru_cache(maxsize=64)
def _render_png(svg: str, scale: float) -> bytes:
    """Render, cached: a letter that is retried, or a page that is reloaded, asks for the same picture."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, background="#ffffff"))


def plain(text: str) -> str:
    """Make `text` safe for a header: one line, no control characters, no start of an encoded word.

    The standard library would decode `=?UTF-8?Q?=0A?=` in a value and write out the line end.
    """
    text_without_controls = "".join(
        " " if unicodedata.category(char) in _CONTROL_CATEGORIES else char for char in _BIDI_MARKS.sub("", text)
    )
    return " ".join(text_without_controls.replace("=?", "= ?").split())


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
        **_unsubscribe(letter, settings),
        "Auto-Submitted": plain(letter.auto_submitted),
        "X-Auto-Response-Suppress": "All",
        **({"Precedence": "bulk"} if kind_of(letter).is_bulk else {}),
        "X-Loop": domain,
        "Feedback-ID": f"{kind}:game:prod:{feedback_sender(domain)}",
    }


def _thread(letter: Letter, domain: str) -> dict[str, str]:
    """Return the header fields that keep the letters of a match in one thread, even if one of them is lost."""
    match_id = letter.match_id
    parent_id = letter.in_reply_to + (domain if letter.in_reply_to.endswith("@") else "")
    parents = [parent_id] if _is_foreign_id(parent_id) else []
    roots = [f"g{match_id}@{domain}"] if match_id is not None else []
    fields = {"References": " ".join(f"<{id_}>" for id_ in dict.fromkeys([*roots, *parents]))}
    if parents:
        fields["In-Reply-To"] = f"<{parents[0]}>"
    if match_id is not None:
        fields["List-Id"] = f"Game {match_id} <g{match_id}.games.{domain}>"
    return {name: value for name, value in fields.items() if value}


def _unsubscribe(letter: Letter, settings: Settings) -> dict[str, str]:
    """Return the header fields for one-click unsubscribing (RFC 8058)."""
    if letter.stop_token_id is None:
        return {}
    token = tokens.spell(settings.secret_key, letter.stop_token_id)
    page, reply_box = f"{settings.base_url}/u/{token}", f"r.{token}@{settings.mail_domain}"
    return {
        "List-Unsubscribe": f"<{page}>, <mailto:{reply_box}?subject=stop>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _is_foreign_id(text: str) -> bool:
    return len(text) <= ID_LIMIT and bool(_FOREIGN_ID.fullmatch(text))


def _link(letter: Letter, settings: Settings) -> str:
    if letter.link_token_id is None:
        return settings.base_url
    return f"{settings.base_url}/t/{tokens.spell(settings.secret_key, letter.link_token_id)}"


def _body(letter: Letter, settings: Settings, scale: float | None) -> EmailMessage:
    message = EmailMessage(policy=_PARTS)
    message.set_content(_UNSENDABLE.sub("", fill(letter.text, letter, settings)))
    if letter.html:
        picture = png(letter.picture, scale) if scale and letter.picture and _PICTURE in letter.html else None
        _add_html(message, letter, settings, picture)
    for index, part in enumerate(part for part in message.walk() if part.is_multipart()):
        seed = f"{letter.message_id}/{index}"  # a letter that is sent again has the same bytes
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


def _serialized(message: EmailMessage, fields: dict[str, str]) -> bytes:
    for name, value in fields.items():
        message[name] = value
    return message.as_bytes(policy=_WIRE)


_MIME_FIELDS = ("MIME-Version", "Content-Type")


def _check(raw: bytes, expected: set[str]) -> None:
    """Parse the finished message; raises LetterError if its headers differ from the intended ones."""
    parsed = message_from_bytes(raw, policy=_WIRE)
    names = [name.lower() for name in parsed if name.lower() != "content-transfer-encoding"]
    if sorted(names) != sorted(name.lower() for name in expected):
        raise LetterError(_("The letter did not read back with the headers that were meant."))
    if parsed.defects or max(map(len, raw.split(b"\r\n"))) > 998:
        raise LetterError(_("The letter did not read back as it was written."))
