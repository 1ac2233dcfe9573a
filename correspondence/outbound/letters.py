"""Writes letters: renders the pair of templates of a kind for one recipient and adds the letter to the outbox.

A letter is a row of the outbox, added in the same transaction as the event that it reports. Its key is unique for
that event, so reporting twice writes one letter. Subject and bodies hold placeholders instead of secrets and of this
site's address: `%%reply%%`, `%%link%%`, `%%base%%` and `%%picture%%`. They are filled when the letter is sent, from
the tokens that the row names. So a placeholder that a person put into a text can only become the recipient's own link.
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
from correspondence.outbound.kinds import LetterKind, must_be_known
from correspondence.outbound.schedule import DeliveryPreferences, send_time
from engines.wording import _, ngettext

TEMPLATES = folder("templates") / "mail"
"""The folder of the mail templates; the first line of a rendered text template is the subject."""


_MAIL_OF = select(Address.mail).where(col(Address.person_id) == bindparam("person")).order_by(col(Address.id)).limit(1)

_IS_WRITTEN = select(exists().where(col(Letter.key) == bindparam("key")))


@dataclass(frozen=True, slots=True)
class To:
    """The recipient of a letter, member or not: address, language, time zone and delivery preferences."""

    mail: str
    language: str = "en"
    zone: str = "UTC"
    person_id: int | None = None
    name: str = ""
    text_only: bool = False
    preferences: DeliveryPreferences | None = None


def to_person(session: Session, person: Person) -> To | None:
    """Return a person as a recipient; None if they have no address left."""
    mail = mail_of(session, person)
    if mail is None:
        return None
    return To(
        mail, person.language, person.zone, person.id, person.handle, person.text_only, delivery_preferences_of(person)
    )


def delivery_preferences_of(person: Person) -> DeliveryPreferences:
    """Return when a person wants letters."""
    return DeliveryPreferences(
        person.zone, person.digest, person.digest_hour, person.quiet_from, person.quiet_until, person.turn_delay
    )


def mail_of(session: Session, person: Person) -> str | None:
    """Return the address that letters to this person go to; None if there is none."""
    return session.exec(_MAIL_OF, params={"person": person.id}).first()


def write_letter(
    session: Session,
    kind: LetterKind,
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
    """Add a letter to the outbox; None if a letter with this key exists or there is no recipient.

    It is sent when the recipient's preferences say (schedule.py), but not after `not_after`. Raises
    UnknownKindError.
    """
    must_be_known(kind)
    if to is None or is_written(session, key):
        return None
    letter = Letter(
        key=key,
        kind=kind.name,
        match_id=match_id,
        ply=ply,
        choices="\n".join(choices),
        remarks=" ".join(map(str, remark_ids)),
        auto_submitted="auto-replied" if answers else "auto-generated",
        message_id=_message_id(match_id, ply, to.person_id),
        in_reply_to=in_reply_to,
        reply_token_id=reply_token,
        link_token_id=link_token,
        stop_token_id=stop_token,
        created_at=now,
        **_recipient(to),
        **_schedule(kind, to, now, not_after, context.get("deadline")),
        **_content(kind, to, picture, context),
    )
    session.add(letter)
    session.flush()
    return letter


def _recipient(to: To) -> dict[str, Any]:
    """Return the columns of a letter that say who gets it."""
    return {"person_id": to.person_id, "recipient": to.mail, "mailbox": mailbox_key(to.mail)}


def _schedule(
    kind: LetterKind, to: To, now: datetime, not_after: datetime | None, deadline: datetime | None
) -> dict[str, Any]:
    """Return the columns of a letter that say when it is sent, and whether in a digest."""
    send_at = send_time(to.preferences or DeliveryPreferences(), kind, now, deadline)
    state = LetterState.HELD if send_at.in_digest else LetterState.QUEUED
    return {"due_at": min(send_at.at, not_after or send_at.at), "state": state}


def _content(kind: LetterKind, to: To, picture: str, context: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a letter that hold what its recipient reads."""
    subject, text, html = render(kind, to, has_picture=bool(picture), **context)
    if to.text_only:
        html = picture = ""
    return {"subject": subject, "text": text, "html": html, "picture": picture}


def render(kind: LetterKind, to: To, **context: Any) -> tuple[str, str, str]:
    """Render subject, text and HTML of a letter in the recipient's language; an undefined variable raises."""
    with in_language(to.language):
        variables = {**context, "to": to, "kind": kind.name, "when": lambda at: moment(at, to.zone, to.language)}
        variables["span"] = lambda length: span(length, to.language)
        subject, _sep, text = _templates().get_template(f"{kind.name}.txt").render(variables).partition("\n")
        html = _templates().get_template(f"{kind.name}.html").render(variables, subject=subject.strip())
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
    """Wrap text at `width` characters so that no line is a move by itself: quoting a letter must not play a move."""
    return "\n".join(_wrapped(line, width) for line in text.splitlines())


def wrapped_behind(text: str, first: str, more: str = "", width: int = 68) -> str:
    """Wrap text at `width` characters, each line after a prefix that keeps it from being a command in a quotation.

    The first line gets the prefix `first`, the lines below `more`, or `first` if `more` is empty.
    """
    rows = [row for line in text.splitlines() for row in wrap(line, width, break_on_hyphens=False) or [""]]
    return "\n".join(f"{(more or first) if index else first}{row}" for index, row in enumerate(rows))


def _wrapped(line: str, width: int) -> str:
    for narrower_width in range(width, width - 20, -1):
        rows = wrap(line, narrower_width, break_long_words=False, break_on_hyphens=False)
        if not any(looks_like_move(row) for row in rows):
            break
    return "\n".join(rows)


def is_written(session: Session, key: str) -> bool:
    """Whether a letter with this key exists, sent or not."""
    return bool(session.exec(_IS_WRITTEN, params={"key": key}).one())


def _message_id(match_id: int | None, ply: int | None, person_id: int | None) -> str:
    """Return the local part of a Message-ID (RFC 5322 3.6.4): it names match and ply, but gives no authority."""
    prefix = f"g{match_id}.p{ply}.u{person_id}." if match_id is not None else ""
    return f"{prefix}{secrets.token_hex(8)}"
