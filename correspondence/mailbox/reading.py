"""What a message says, and which letter of ours it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from correspondence import messages, replytext
from correspondence.commands import Command, commands_of
from correspondence.config import Settings
from correspondence.machine_mail import references_of
from correspondence.models import Inbound, Letter, Person, Token
from correspondence.replytext import Reply

_OF_PERSON = (
    select(Letter)
    .where(col(Letter.person_id) == bindparam("person"))
    .options(defer(Letter.picture))  # type: ignore[arg-type]
    .order_by(col(Letter.id).desc())
    .limit(6)
)

_OF_MATCH = _OF_PERSON.where(col(Letter.match_id) == bindparam("match"))

_NAMED = (
    select(Letter)
    .where(
        col(Letter.person_id) == bindparam("person"), col(Letter.message_id).in_(bindparam("named", expanding=True))
    )
    .options(defer(Letter.picture))  # type: ignore[arg-type]
    .order_by(col(Letter.id).desc())
    .limit(1)
)


def commands_in(inbound: Inbound, sent: Sequence[str]) -> tuple[tuple[Command, ...], Reply]:
    """What the person wrote: commands, and the reply as it was read; the subject speaks where the body is empty."""
    reply = replytext.read_reply(inbound.raw, sent)
    lines = reply.command_lines or reply.below
    if not lines and reply.trouble == "empty":
        subject = replytext.subject_of(inbound.raw)
        if not re.match(r"\s*\w{1,4}\s*:", subject):
            lines = tuple(line for line in (subject.strip(),) if line)
    return commands_of(lines), reply


def quotable(
    session: Session, inbound: Inbound, person: Person, token: Token, settings: Settings
) -> tuple[list[str], Letter | None]:
    """The texts that this mail may quote, newest first, and the very letter it answers, if that is known."""
    latest = _OF_MATCH if token.match_id is not None else _OF_PERSON
    found = session.exec(latest, params={"person": person.id, "match": token.match_id}).all()
    named = {reference.rpartition("@")[0] for reference in references_of(inbound.raw)}
    answered = session.exec(_NAMED, params={"person": person.id, "named": sorted(named)}).first() if named else None
    likely = [*([answered] if answered else []), *(one for one in found if one is not answered)]
    texts = []
    for letter in likely:
        texts.append(messages.fill(letter.text, letter, settings))
        if letter.html:
            texts.append(replytext.html_to_text(messages.fill(letter.html, letter, settings)))
    return texts, answered


def ply_of(session: Session, inbound: Inbound, token: Token, answered: Letter | None) -> int | None:
    """The position that the writer answers, as the letter's Message-ID names it; None if that is unknown.

    A letter that showed a move which was taken back answers no position any more.
    """
    for reference in references_of(inbound.raw):
        named = re.match(r"g(\d{1,12})\.p(\d{1,9})\.", reference)
        if named and int(named[1]) == token.match_id:
            local = reference.rpartition("@")[0]
            if answered is not None and answered.message_id == local:
                stands = answered.ply
            else:
                stands = session.exec(select(Letter.ply).where(col(Letter.message_id) == local)).first()
            return int(named[2]) if stands is None else stands
    return None


def own_id(inbound: Inbound) -> str:
    """The Message-ID of a message, as an answer names it; empty where it has none of its own."""
    return "" if inbound.message_key.startswith("sha256:") else inbound.message_key
