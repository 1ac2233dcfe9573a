"""What a message says, and which letter of ours it answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from sqlalchemy import bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from correspondence.commands import Command, parse_commands
from correspondence.core.config import Settings
from correspondence.mime import replytext
from correspondence.mime.classify import references_of
from correspondence.mime.replytext import Reply
from correspondence.models import Inbound, Letter, Person, Token
from correspondence.outbound import compose

_OF_PERSON = (
    select(Letter)
    .where(col(Letter.person_id) == bindparam("person"))
    .options(defer(Letter.picture))  # type: ignore[arg-type]
    .order_by(col(Letter.id).desc())
    .limit(8)
)

_OF_MATCH = _OF_PERSON.where(col(Letter.match_id) == bindparam("match"))

_NAMED = (
    select(Letter)
    .where(col(Letter.person_id) == bindparam("person"), col(Letter.message_id).in_(bindparam("named", expanding=True)))
    .options(defer(Letter.picture))  # type: ignore[arg-type]
    .order_by(col(Letter.id).desc())
    .limit(1)
)


def nothing_acts(_line: str) -> bool:
    """What acts on a game in a mail that belongs to none."""
    return False


def commands_in(
    inbound: Inbound, sent: Sequence[str], acts: Callable[[str], bool] = nothing_acts
) -> tuple[tuple[Command, ...], Reply]:
    """What the person wrote: commands, and the reply as it was read; the subject speaks where the body is empty.

    What stands below or between quotations is read as what stands above; a line that is in both counts once.
    """
    reply = replytext.read_reply(inbound.raw, sent, acts)
    above, below = parse_commands(reply.command_lines), parse_commands(reply.below)
    if not reply.command_lines and not reply.below and not reply.withheld and reply.trouble == "empty":
        subject = replytext.subject_of(inbound.raw).strip()
        is_ours = re.match(r"\s*\w{1,4}\s*:", subject) or replytext.repeats(subject, sent)
        above = parse_commands([subject] if subject and not is_ours else [])
    return (*above, *(command for command in below if command not in above)), reply


def quotable(
    session: Session, inbound: Inbound, person: Person, token: Token | None, settings: Settings
) -> tuple[list[str], Letter | None]:
    """The texts that this mail may quote, the likeliest first, and the very letter it answers, if that is known.

    Those of the match come first, then any other letters to this person: an answer can go to the wrong address.
    """
    named = {reference.rpartition("@")[0] for reference in references_of(inbound.raw)}
    answered = session.exec(_NAMED, params={"person": person.id, "named": sorted(named)}).first() if named else None
    found = [answered] if answered else []
    if token is not None and token.match_id is not None:
        found += session.exec(_OF_MATCH, params={"person": person.id, "match": token.match_id}).all()
    found += session.exec(_OF_PERSON, params={"person": person.id}).all()
    letters = {letter.id: letter for letter in found}
    return [text for letter in letters.values() for text in _texts(letter, settings)], answered


def _texts(letter: Letter, settings: Settings) -> Iterator[str]:
    """All that a mail program can quote of a letter: both its parts, and what its header says."""
    yield compose.fill(letter.text, letter, settings)
    if letter.html:
        yield replytext.letter_text(compose.fill(letter.html, letter, settings))
    yield "\n".join(compose.header_texts(letter, settings))


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
