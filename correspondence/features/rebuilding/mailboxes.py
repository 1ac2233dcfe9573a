"""Parser for mailbox files (mbox, RFC 4155): extracts our game letters.

It never raises on any bytes. A line that begins with `From ` begins a message; such lines inside a message have a `>`
before them. A file that does not begin with `From ` is one message.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import BinaryIO

from correspondence.mime.headers import Headers, headers_of, words_of
from correspondence.mime.limits import FIELD_LIMIT, MESSAGE_LIMIT
from correspondence.mime.replytext.parts import body_of

MOST_MESSAGES = 200_000
"""Maximum number of messages of one mailbox that are parsed."""

_CHUNK = 1 << 16
_QUOTED_FROM = re.compile(rb"(?m)^>(>*From )")
_HEAD = re.compile(r"ply=([0-9]{1,6}); ?hash=([0-9a-f]{64}); ?sig=([A-Za-z0-9+/]{86}==)")
_END = re.compile(r"text=([A-Za-z0-9+/]{1,20000}={0,2});sig=([A-Za-z0-9+/]{86}==)")
_HEX = re.compile(r"\b[0-9a-f]{64}\b")
_GAME = re.compile(r"<g([0-9]{1,12})(?:\.games\.|@)([A-Za-z0-9.-]{1,253})>")
_BASE = re.compile(r"<(https?://[^<>\s]{1,300})/u/[a-z0-9]+>")
_OPPONENT = re.compile(r"^(?:\w{1,6}: ?)*\[\w+ [0-9]+ \w+ ([^\]\s]{1,40})\]")


@dataclass(frozen=True, slots=True)
class GameLetter:
    """One of our game letters.

    `head` is in hex and `signature` in base64; both are empty if the header has none. `sites` are possible URLs of
    the game's page, `opponent` is the handle in its subject, `lines` its text. `seed` is the commitment and the
    revealed seed in its header. `end` is the text of the game's end with its signature. `notes` are the times and
    comments for it, by entry.
    """

    number: int
    domain: str
    at: datetime
    name: str
    ply: int = -1
    head: str = ""
    signature: str = ""
    opponent: str = ""
    sites: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    seed: tuple[str, ...] = ()
    end: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()


@dataclass
class Mailbox:
    """A parsed mailbox file: its game letters, and counts of all and of too large messages."""

    letters: list[GameLetter] = field(default_factory=list)
    messages: int = 0
    too_large: int = 0
    is_cut: bool = False
    """Whether the file has more messages than were parsed."""


def read_mailbox(file: BinaryIO) -> Mailbox:
    """Return the game letters in a mailbox file, parsing one message at a time."""
    found = Mailbox()
    for raw in _messages(file):
        if found.messages == MOST_MESSAGES:
            found.is_cut = True
            break
        found.messages += 1
        if raw is None:
            found.too_large += 1
        elif (letter := game_letter(raw)) is not None:
            found.letters.append(letter)
    return found


def game_letter(raw: bytes) -> GameLetter | None:
    """Parse a raw message as a game letter; None for any other message."""
    fields = headers_of(raw)
    head_field = fields.first("correspondence-head")
    game = _GAME.search(f"{fields.first('list-id')} {fields.first('references')}")
    if not head_field or game is None:
        return None
    head = _HEAD.fullmatch(words_of(head_field))
    lines = tuple(line.text for line in body_of(raw).lines)
    subject = words_of(fields.first("subject"))
    opponent = _OPPONENT.match(subject)
    return GameLetter(
        number=int(game[1]),
        domain=game[2],
        at=_date(fields),
        name=f"{words_of(fields.first('date'))} · {subject}"[:120],
        ply=int(head[1]) if head else -1,
        head=head[2] if head else "",
        signature=head[3] if head else "",
        opponent=opponent[1] if opponent else "",
        sites=_sites(int(game[1]), fields, lines),
        lines=lines,
        seed=tuple(_HEX.findall(fields.first("correspondence-seed"))),
        end=_end(fields.first("correspondence-end")),
        notes=tuple(words_of(fields.first("correspondence-notes"), FIELD_LIMIT).split()),
    )


def _end(field_text: str) -> tuple[str, str] | None:
    """Return the signed text of a game's end and its base64 signature; None if there is none."""
    found = _END.fullmatch("".join(words_of(field_text, FIELD_LIMIT).split()))
    try:
        return (base64.b64decode(found[1], validate=True).decode(), found[2]) if found else None
    except ValueError:
        return None


def _messages(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield the raw messages; None for one larger than MESSAGE_LIMIT."""
    lines: list[bytes] = []
    size, is_mbox, begins_line = 0, False, True
    while line := file.readline(_CHUNK):
        if begins_line and line.startswith(b"From ") and (is_mbox or not lines):
            if is_mbox:
                yield _whole(lines, size)
            lines, size, is_mbox = [], 0, True
        else:
            size += len(line)
            if size <= MESSAGE_LIMIT:
                lines.append(line)
        begins_line = line.endswith(b"\n")
    if size:
        yield _whole(lines, size)


def _whole(lines: list[bytes], size: int) -> bytes | None:
    return _QUOTED_FROM.sub(rb"\1", b"".join(lines)) if size <= MESSAGE_LIMIT else None


def _date(fields: Headers) -> datetime:
    try:
        at = parsedate_to_datetime(fields.first("date")[:100])
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return datetime(1970, 1, 1, tzinfo=UTC)


def _sites(number: int, fields: Headers, lines: tuple[str, ...]) -> tuple[str, ...]:
    page = re.compile(rf"(https?://[^\s<>\"]{{1,300}}?/games/{number})(?![0-9])")
    named = [found[1] for line in lines if (found := page.search(line[:1000]))]
    based = [f"{base[1]}/games/{number}" for base in [_BASE.search(fields.first("list-unsubscribe"))] if base]
    return tuple(dict.fromkeys([*named[:3], *based]))
