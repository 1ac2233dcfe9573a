"""Letters: one function and one pair of templates for each kind, rendered for one reader.

A letter is a row in the outbox, written in the same transaction as what it tells of. Its
key is unique for what it tells, so telling twice writes once. Subject and bodies hold
marks instead of secrets and of this site's address: `%%reply%%`, `%%link%%`, `%%base%%`
and `%%picture%%`; they are filled when the letter is posted, with what the row names, so
that whatever a person managed to put into a text can only ever become the reader's own.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from textwrap import wrap
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlalchemy import bindparam, exists
from sqlmodel import Session, col, select

from correspondence.core.game_options import in_words, options_from
from correspondence.core.i18n import in_language, moment, span
from correspondence.core.move_text import looks_like_move
from correspondence.core.resources import folder
from correspondence.core.time_control import pace
from correspondence.mime.classify import mailbox_key
from correspondence.mime.replytext import OUR_MARKERS
from correspondence.models import Address, Letter, LetterState, Person
from correspondence.outbound.schedule import DeliveryPreferences, send_time
from engines.wording import _, ngettext

TEMPLATES = folder("templates") / "mail"
"""Where the letters' templates stand; the first line of a letter's text is its subject."""


_MAIL = select(Address.mail).where(col(Address.person_id) == bindparam("person")).order_by(col(Address.id)).limit(1)

_WRITTEN = select(exists().where(col(Letter.key) == bindparam("key")))


@dataclass(frozen=True, slots=True)
class To:
    """Where a letter goes: a person's or a stranger's address, in which language and on which clock."""

    mail: str
    language: str = "en"
    zone: str = "UTC"
    person_id: int | None = None
    name: str = ""
    text_only: bool = False
    wishes: DeliveryPreferences | None = None


def to_person(session: Session, person: Person) -> To | None:
    """The place where a person's letters go; None when no address is left."""
    mail = mail_of(session, person)
    if mail is None:
        return None
    return To(mail, person.language, person.zone, person.id, person.handle, person.text_only, wishes_of(person))


def wishes_of(person: Person) -> DeliveryPreferences:
    """When a person wants letters."""
    return DeliveryPreferences(
        person.zone, person.digest, person.digest_hour, person.quiet_from, person.quiet_until, person.turn_delay
    )


def mail_of(session: Session, person: Person) -> str | None:
    """The address that letters to this person go to."""
    return session.exec(_MAIL, params={"person": person.id}).first()


def write_letter(
    session: Session,
    kind: str,
    to: To | None,
    key: str,
    *,
    now: datetime,
    match_id: int | None = None,
    ply: int | None = None,
    reply_token: int | None = None,
    link_token: int | None = None,
    stop_token: int | None = None,
    in_reply_to: str = "",
    picture: str = "",
    choices: Sequence[str] = (),
    answers: bool = False,
    remark_ids: Sequence[int] = (),
    not_after: datetime | None = None,
    **context: Any,
) -> Letter | None:
    """Add a letter to the outbox; None when it was written before or there is nowhere to send it.

    It leaves when its reader wishes (departures.py), but not after `not_after`.
    """
    if to is None or is_written(session, key):
        return None
    leaves = send_time(to.wishes or DeliveryPreferences(), kind, now, context.get("deadline"))
    subject, text, html = render(kind, to, has_picture=bool(picture), **context)
    letter = Letter(
        key=key,
        kind=kind,
        person_id=to.person_id,
        match_id=match_id,
        ply=ply,
        recipient=to.mail,
        mailbox=mailbox_key(to.mail),
        subject=subject,
        text=text,
        html="" if to.text_only else html,
        picture="" if to.text_only else picture,
        choices="\n".join(choices),
        remarks=" ".join(map(str, remark_ids)),
        auto_submitted="auto-replied" if answers else "auto-generated",
        message_id=_message_id(match_id, ply, to.person_id),
        in_reply_to=in_reply_to,
        reply_token_id=reply_token,
        link_token_id=link_token,
        stop_token_id=stop_token,
        created_at=now,
        due_at=min(leaves.at, not_after or leaves.at),
        state=LetterState.HELD if leaves.in_digest else LetterState.QUEUED,
    )
    session.add(letter)
    session.flush()
    return letter


def render(kind: str, to: To, **context: Any) -> tuple[str, str, str]:
    """Subject, text and HTML of a letter in its reader's language; nothing undefined gets through."""
    with in_language(to.language):
        known = {**context, "to": to, "kind": kind, "when": lambda at: moment(at, to.zone, to.language)}
        known["span"] = lambda length: span(length, to.language)
        subject, _sep, text = _templates().get_template(f"{kind}.txt").render(known).partition("\n")
        html = _templates().get_template(f"{kind}.html").render(known, subject=subject.strip())
    return " ".join(subject.split()), re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n", html


@cache
def _templates() -> Environment:
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        auto_reload=False,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.install_gettext_callables(_, ngettext, newstyle=True)  # type: ignore[attr-defined]
    env.filters["options"] = lambda words: in_words(options_from(words))
    env.filters["pace"] = pace
    env.filters["wrapped"] = wrapped
    env.globals["marker"] = lambda: OUR_MARKERS
    return env


def wrapped(text: str, width: int) -> str:
    """Lines of at most so many characters, none of which is a move alone: a letter holds nothing that does anything."""
    return "\n".join(_wrapped(line, width) for line in text.splitlines())


def wrapped_behind(text: str, first: str, more: str = "", width: int = 68) -> str:
    """Lines of at most so many characters, each behind a sign that keeps it from being a command where it is quoted.

    The first is behind `first`, those below behind `more`, or behind `first` too.
    """
    rows = [row for line in text.splitlines() for row in wrap(line, width, break_on_hyphens=False) or [""]]
    return "\n".join(f"{(more or first) if at else first}{row}" for at, row in enumerate(rows))


def _wrapped(line: str, width: int) -> str:
    for narrower in range(width, width - 20, -1):
        rows = wrap(line, narrower, break_long_words=False, break_on_hyphens=False)
        if not any(looks_like_move(row) for row in rows):
            break
    return "\n".join(rows)


def is_written(session: Session, key: str) -> bool:
    """Whether a letter with this key was written already, sent or not."""
    return bool(session.exec(_WRITTEN, params={"key": key}).one())


def _message_id(match_id: int | None, ply: int | None, person_id: int | None) -> str:
    """The local part of a Message-ID (RFC 5322 3.6.4): it names match and ply, never authority."""
    place = f"g{match_id}.p{ply}.u{person_id}." if match_id is not None else ""
    return f"{place}{secrets.token_hex(8)}"
