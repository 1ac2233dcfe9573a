"""Build the MIME message of a letter in the outbox.

The placeholders of a letter are filled with addresses and links only here, so the database holds no secrets. The
finished message is parsed again before it is returned: if a name or subject became a separate header, the letter is
stopped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.utils import format_datetime

from correspondence.core import tokens
from correspondence.core.config import Settings
from correspondence.core.signing import signer_of
from correspondence.mime import policy
from correspondence.mime.mail_keys import feedback_sender, mail_key
from correspondence.models import Letter
from correspondence.outbound import recovery_codes
from correspondence.outbound.kinds import kind_of
from correspondence.outbound.letter_names import SERVICE, display_name, plain
from correspondence.outbound.letter_pictures import board_png, diagram_png
from correspondence.outbound.letters import NEXT_PICTURE
from correspondence.outbound.transcript import picture_name
from correspondence.render import raster
from engines.wording import _

OPEN_BOX = "play"
"""The local part of the default From address, to which anyone can write."""

BOUNCE = "bounce"
"""The token kind of envelope senders; such a token identifies a letter, not a reply address."""

SUBJECT_LIMIT = 200
"""Maximum length of a subject, in characters."""

ID_LIMIT = 250
"""Maximum length of a foreign Message-ID in References; a longer one is left out."""

SIZE_LIMIT = 60_000
"""Maximum size of a message, in bytes; larger pictures are scaled down, then left out."""

SMALLER_SCALES = (1.0, None)
"""Scales of the board to try if a message is too large; None means no picture."""

DIAGRAM_SCALES = (1.5, 1.0)
"""Scales of the diagrams of a page, the best first."""

PICTURE = "board.png"
"""The file name of the board in a letter."""

_PLACEHOLDER = re.compile(r"%%(reply|link|stop|base|play|postmaster|code)(?:\.([0-9a-f]{40}))?%%")
_PICTURE = "%%picture%%"
_DIAGRAM = re.compile(r"<img\b[^<>]*%%picture\.([0-9a-f]{12})%%[^<>]*>")
_ALT = re.compile(r' alt="([^"]*)"')
_PICTURE_TAG = re.compile(r"<img\b[^<>]*%%picture%%[^<>]*>")
_UNSENDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_FOREIGN_ID = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")


class LetterError(ValueError):
    """Raised if a letter must not be sent; str() is a sentence that says why."""


def compose(letter: Letter, settings: Settings) -> bytes:
    """Build the message of a letter: CRLF line ends, 7-bit, reproducible bytes.

    The text part comes first and is complete by itself; the HTML part, if any, follows with its pictures. Raises
    LetterError for an invalid address, and if the parsed message does not have exactly the intended headers.
    """
    board, *diagrams = letter.picture.split(NEXT_PICTURE)
    fields, raw = _fields(letter, settings), b""
    for scale, diagram_scale, count in _attempts(bool(board), len(diagrams)):
        drawn = {picture_name(svg): picture for svg in diagrams[:count] if (picture := diagram_png(svg, diagram_scale))}
        raw = _serialized(_body(letter, settings, board_png(board, scale) if scale and board else None, drawn), fields)
        if len(raw) <= SIZE_LIMIT:
            break
    _check(raw, {*fields, *_MIME_FIELDS})
    return raw


def _attempts(has_board: bool, diagrams: int) -> Iterator[tuple[float | None, float, int]]:
    """Yield board scale, diagram scale and number of diagrams, from the best to no picture."""
    smallest = DIAGRAM_SCALES[-1]
    if diagrams:
        yield from ((1.0, scale, diagrams) for scale in DIAGRAM_SCALES)
        yield from ((1.0, smallest, count) for count in range(diagrams - 1, -1, -1))
    else:
        yield raster.BOARD_SCALE, smallest, 0
    yield from ((scale, smallest, 0) for scale in SMALLER_SCALES if has_board)


def fill(text: str, letter: Letter, settings: Settings) -> str:
    """Fill the placeholders in `text`; placeholders in filled-in values stay unchanged."""
    return _PLACEHOLDER.sub(lambda mark: _filling(mark, letter, settings), text)


def _filling(mark: re.Match[str], letter: Letter, settings: Settings) -> str:
    if mark[1] == "code":
        return _recovery_code(letter, settings, mark[2])
    return _FILLINGS[mark[1]](letter, settings)


def open_address(settings: Settings) -> str:
    """Return the address to which anyone can write."""
    return f"{OPEN_BOX}@{settings.mail_domain}"


def _recovery_code(letter: Letter, settings: Settings, nonce: str | None) -> str:
    """Return the recovery code in a letter; empty for other kinds.

    A letter written before codes were random contains no nonce: its code is derived from its token.
    """
    if letter.link_token_id is None or not kind_of(letter).has_code:
        return ""
    if nonce:
        return tokens.grouped(recovery_codes.code_of(settings.secret_key, nonce))
    return tokens.grouped(tokens.spell(settings.secret_key, letter.link_token_id, tokens.RECOVERY))


def reply_address(letter: Letter, settings: Settings) -> str:
    """Return the bare Reply-To address, with the letter's reply token or the general address."""
    if letter.reply_token_id is None:
        return open_address(settings)
    return f"r.{tokens.spell(settings.secret_key, letter.reply_token_id)}@{settings.mail_domain}"


def header_texts(letter: Letter, settings: Settings) -> list[str]:
    """Return the header values that mail programs quote: subject, addresses, picture names.

    The name in Reply-To is excluded: it contains common words, and mail programs quote it only together with the
    address.
    """
    own = open_address(settings)
    subject = plain(fill(letter.subject, letter, settings))[:SUBJECT_LIMIT]
    addresses = [f"{SERVICE} <{address}>" for address in (own, reply_address(letter, settings))]
    sender = f"{display_name(letter.from_name)} <{own}>"
    _board, *diagrams = letter.picture.split(NEXT_PICTURE)
    names = letter.diagram_names.split() or [picture_name(svg) for svg in diagrams]
    cids = [_cid(letter, settings, name) for name in names]
    pictures = [PICTURE, _cid(letter, settings), *map(_file_name, names), *cids]
    return [subject, *addresses, sender, letter.recipient, *pictures]


def envelope_sender(letter: Letter, settings: Settings) -> str:
    """Return the envelope sender, which receives bounces and is unique to each letter."""
    return f"b.{tokens.spell(settings.secret_key, letter.id, BOUNCE)}@{settings.mail_domain}"


def wire_address(address: str) -> str:
    """Return the address with its domain in ASCII. Raises LetterError if it is invalid."""
    local, _at, domain = address.strip().rpartition("@")
    domain = mail_key(domain)
    if not _LOCAL.fullmatch(local) or "=?" in local or not _DOMAIN.fullmatch(domain):
        sentence = _("“{address}” is not an address that we can write to.")
        raise LetterError(sentence.format(address=plain(address)))
    return f"{local}@{domain}"


def bounced_letter_id(recipient: str, settings: Settings) -> int | None:
    """Return the letter id in a bounce address; None if `recipient` is not one."""
    local, _at, domain = mail_key(recipient).partition("@")
    if domain != mail_key(settings.mail_domain) or not local.startswith("b."):
        return None
    return tokens.read(settings.secret_key, local[2:], BOUNCE)


def _fields(letter: Letter, settings: Settings) -> dict[str, str]:
    domain = settings.mail_domain
    kind = re.sub("[^a-z0-9-]", "-", letter.kind.lower())
    return {
        "From": _named(letter.from_name, open_address(settings)),
        "Reply-To": _named(letter.reply_name, reply_address(letter, settings)),
        "To": wire_address(letter.recipient),
        "Subject": plain(fill(letter.subject, letter, settings))[:SUBJECT_LIMIT],
        "Date": format_datetime(letter.created_at),
        "Message-ID": f"<{letter.message_id}@{domain}>",
        **_thread(letter, domain),
        **_head(letter, settings),
        **_end(letter),
        **_unsubscribe(letter, settings),
        "Auto-Submitted": plain(letter.auto_submitted.partition(";")[0]),
        "X-Auto-Response-Suppress": "All",
        **({"Precedence": "bulk"} if kind_of(letter).is_bulk else {}),
        "X-Loop": domain,
        "Feedback-ID": f"{kind}:game:prod:{feedback_sender(domain)}",
    }


def _named(name: str, address: str) -> str:
    """Return an address with a display name, escaped for any name."""
    return f'"{display_name(name)}" <{address}>'


def _head(letter: Letter, settings: Settings) -> dict[str, str]:
    """Return the header fields with signed head and seed (docs/fairness.md, “Signature”)."""
    if not letter.head or letter.match_id is None or letter.ply is None:
        return {}
    signer = signer_of(settings)
    signature = signer.sign(signer.site(letter.match_id), letter.ply, letter.head)
    seed = {"Correspondence-Seed": letter.seed} if letter.seed else {}
    return {"Correspondence-Head": f"ply={letter.ply}; hash={letter.head}; sig={signature}", **seed}


def _end(letter: Letter) -> dict[str, str]:
    """Return the header fields with the signed end of a game, its times and its comments."""
    end, _line, notes = letter.end.partition("\n")
    return {name: text for name, text in (("Correspondence-End", end), ("Correspondence-Notes", notes)) if text}


def _thread(letter: Letter, domain: str) -> dict[str, str]:
    """Return the header fields that keep a match's letters in one thread, even if one is lost."""
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
    reply_box = f"r.{token}@{settings.mail_domain}"
    return {
        "List-Unsubscribe": f"<{_stop_page(letter, settings)}>, <mailto:{reply_box}?subject=stop>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _is_foreign_id(text: str) -> bool:
    """Whether a Message-ID is safe to repeat: valid, short, and no encoded word (RFC 2047)."""
    return len(text) <= ID_LIMIT and "=?" not in text and bool(_FOREIGN_ID.fullmatch(text))


def _link(letter: Letter, settings: Settings) -> str:
    if letter.link_token_id is None:
        return settings.base_url
    return f"{settings.base_url}/t/{tokens.spell(settings.secret_key, letter.link_token_id)}"


def _stop_page(letter: Letter, settings: Settings) -> str:
    """Return the unsubscribe page of a letter, or the home page if it has none."""
    if letter.stop_token_id is None:
        return settings.base_url
    return f"{settings.base_url}/u/{tokens.spell(settings.secret_key, letter.stop_token_id)}"


_FILLINGS: dict[str, Callable[[Letter, Settings], str]] = {
    "reply": reply_address,
    "link": _link,
    "stop": _stop_page,
    "base": lambda _letter, settings: settings.base_url,
    "play": lambda _letter, settings: open_address(settings),
    "postmaster": lambda _letter, settings: f"postmaster@{settings.mail_domain}",
}
"""The function that fills each placeholder; a recovery code's is handled separately."""


def _body(letter: Letter, settings: Settings, board: bytes | None, diagrams: Mapping[str, bytes]) -> EmailMessage:
    message = EmailMessage(policy=policy.PARTS)
    message.set_content(_UNSENDABLE.sub("", fill(letter.text, letter, settings)))
    if letter.html:
        _add_html(message, letter, settings, board if _PICTURE in letter.html else None, diagrams)
    for index, part in enumerate(part for part in message.walk() if part.is_multipart()):
        seed = f"{letter.message_id}/{index}"  # a letter that is sent again has the same bytes
        part.set_boundary(f"=_{hashlib.sha256(seed.encode()).hexdigest()[:24]}")
    return message


def _add_html(
    message: EmailMessage, letter: Letter, settings: Settings, board: bytes | None, diagrams: Mapping[str, bytes]
) -> None:
    """Add the HTML part with its pictures; a missing diagram is replaced by its alt text."""
    cid = _cid(letter, settings)
    html = _UNSENDABLE.sub("", fill(letter.html, letter, settings))
    html = html.replace(_PICTURE, f"cid:{cid}") if board else _PICTURE_TAG.sub("", html)
    html = _DIAGRAM.sub(lambda tag: _diagram_tag(tag, letter, settings, diagrams), html)
    message.add_alternative(html, subtype="html")
    pictures = [(PICTURE, cid, board)] if board else []
    pictures += [(_file_name(name), _cid(letter, settings, name), drawn) for name, drawn in diagrams.items()]
    if not pictures:
        return
    page = list(message.iter_parts())[-1]
    assert isinstance(page, MIMEPart)
    for file_name, cid, picture in pictures:
        page.add_related(picture, "image", "png", cid=f"<{cid}>", filename=file_name, disposition="inline")
    page.set_param("type", "text/html")  # RFC 2387 3.1


def _diagram_tag(tag: re.Match[str], letter: Letter, settings: Settings, diagrams: Mapping[str, bytes]) -> str:
    if tag[1] in diagrams:
        return tag[0].replace(f"%%picture.{tag[1]}%%", f"cid:{_cid(letter, settings, tag[1])}")
    alt = _ALT.search(tag[0])
    return f"<em>{alt[1]}</em>" if alt else ""


def _file_name(name: str) -> str:
    """Return the file name of a diagram in a letter."""
    return f"diagram-{name}.png"


def _cid(letter: Letter, settings: Settings, name: str = "board") -> str:
    return f"{name}.{letter.message_id}@{settings.mail_domain}"


def _serialized(message: EmailMessage, fields: dict[str, str]) -> bytes:
    for name, value in fields.items():
        message[name] = value
    return message.as_bytes(policy=policy.WIRE)


_MIME_FIELDS = ("MIME-Version", "Content-Type")


def _check(raw: bytes, expected: set[str]) -> None:
    """Parse the finished message; raise LetterError if its headers differ from those intended."""
    parsed = message_from_bytes(raw, policy=policy.WIRE)
    names = [name.lower() for name in parsed if name.lower() != "content-transfer-encoding"]
    if sorted(names) != sorted(name.lower() for name in expected):
        raise LetterError(_("The letter's headers, read back, are not those that were meant."))
    if parsed.defects or max(map(len, raw.split(b"\r\n"))) > 998:
        raise LetterError(_("The letter, read back, is not what was written."))
