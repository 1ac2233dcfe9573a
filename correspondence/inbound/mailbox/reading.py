"""Parses a message: its commands, the texts it may quote, and the letter it replies to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from sqlalchemy import bindparam, union_all
from sqlmodel import Session, col, select

from correspondence.commands import Command, parse_commands, rejoin_dice_words
from correspondence.core.caching import cached
from correspondence.core.config import Settings
from correspondence.mime import replytext
from correspondence.mime.classify import references_of
from correspondence.mime.replytext import Reply
from correspondence.models import LOST, Inbound, Letter, Person, Token
from correspondence.models.epochs import last_loss
from correspondence.outbound import compose


def _newest_to_person(most: int, *conditions: Any) -> Any:
    """Select the ids of a person's newest letters that meet the conditions."""
    own = select(Letter.id).where(col(Letter.person_id) == bindparam("person"), *conditions)
    newest = own.order_by(col(Letter.id).desc()).limit(most).subquery()
    return select(newest.c.id)


_QUOTABLE = select(Letter).where(
    col(Letter.id).in_(
        union_all(
            _newest_to_person(1, col(Letter.message_id).in_(bindparam("named", expanding=True))),
            _newest_to_person(8, col(Letter.match_id) == bindparam("match")),
            _newest_to_person(8),
        )
    )
)
"""The letter that a mail replies to, the newest ones of its match, and the newest ones to the person."""

_OF_TOKEN = (
    select(Letter).where(col(Letter.reply_token_id) == bindparam("token")).order_by(col(Letter.id).desc()).limit(8)
)


class Reaction(Exception):
    """Raised for a mail that is only a reaction, such as an emoji; it is dropped unanswered."""


def no_line_acts(_line: str) -> bool:
    """The default `acts` for mail that belongs to no game: no line acts on one."""
    return False


def parse_message(
    inbound: Inbound, sent_texts: Sequence[str], acts: Callable[[str], bool] = no_line_acts
) -> tuple[tuple[Command, ...], Reply]:
    """Parse a person's mail into commands and reply text; an empty body means the subject.

    Lines below or between quotations count like those above; a command that is in both counts once. Raises Reaction.
    """
    reply = _with_whole_words(replytext.read_reply(inbound.raw, sent_texts, acts))
    if reply.trouble == "reaction":
        raise Reaction
    above, below = parse_commands(reply.command_lines), parse_commands(reply.below)
    if not reply.command_lines and not reply.below and not reply.withheld and reply.trouble == "empty":
        subject = replytext.subject_of(inbound.raw).strip()
        is_our_subject = re.match(r"\s*\w{1,4}\s*:", subject) or replytext.repeats(subject, sent_texts)
        above = parse_commands([subject] if subject and not is_our_subject else [])
    return (*above, *(command for command in below if command not in above)), reply


def drop_reaction(inbound: Inbound) -> None:
    """Raise Reaction if a mail that is refused unparsed is only a reaction."""
    parse_message(inbound, ())


def _with_whole_words(reply: Reply) -> Reply:
    """Rejoin words for the dice that were broken into several lines; blank lines end them."""
    lines = reply.text.splitlines()
    joined = rejoin_dice_words(lines)
    if len(joined) == len(lines):
        return reply
    whole = [line for line in joined if line not in lines]
    above, below = _joined_as(reply.command_lines, whole), _joined_as(reply.below, whole)
    return replace(reply, text="\n".join(joined), command_lines=above, below=below)


def _joined_as(lines: Sequence[str], whole: Sequence[str]) -> tuple[str, ...]:
    """Return the lines, with those that make up one of the `whole` lines joined."""
    result: list[str] = []
    for line in lines:
        longer = f"{result[-1].rstrip()} {line.strip()}" if result else line
        if any(one.startswith(longer) for one in whole) and result:
            result[-1] = longer
        else:
            result.append(line)
    return tuple(result)


class Quotable:
    """Our letters that a person's mail may quote, and their texts."""

    def __init__(
        self, session: Session, inbound: Inbound, person: Person, token: Token | None, settings: Settings
    ) -> None:
        self._settings = settings
        named = {reference.rpartition("@")[0] for reference in references_of(inbound.raw)}
        match_id = token.match_id if token is not None else None
        params = {"person": person.id, "match": match_id, "named": sorted(named)}
        found = sorted(session.exec(_QUOTABLE, params=params), key=lambda one: one.id, reverse=True)
        self.answered = next((letter for letter in found if letter.message_id in named), None)
        """The letter that the mail replies to; None if unknown."""
        of_match = [one for one in found if match_id is not None and one.match_id == match_id]
        likeliest_first = [*filter(None, [self.answered]), *of_match, *found]
        self._letters = {one.id: one for one in likeliest_first}.values()

    @property
    def is_forgotten(self) -> bool:
        """Whether the answered letter is so old that its text was deleted."""
        return self.answered is not None and not self.answered.text

    @cached_property
    def texts(self) -> list[str]:
        """All texts that may be quoted, likeliest first.

        Letters of the match come first, then others to the person, because a reply can go to the wrong address.
        """
        return [text for letter in self._letters for text in _texts(letter, self._settings)]


def texts_of_token(session: Session, token: Token | None, settings: Settings) -> list[str]:
    """Return the texts that a non-member's mail to the address of `token` may quote."""
    if token is None:
        return []
    letters = session.exec(_OF_TOKEN, params={"token": token.id}).all()
    return [text for letter in letters for text in _texts(letter, settings)]


def _texts(letter: Letter, settings: Settings) -> Iterator[str]:
    """Yield everything that a mail program can quote of a letter: text, HTML as text, header."""
    yield compose.fill(letter.text, letter, settings)
    if letter.html:
        yield _html_as_text(compose.fill(letter.html, letter, settings))
    yield _header(letter, settings)


def _header(letter: Letter, settings: Settings) -> str:
    return "\n".join(compose.header_texts(letter, settings))


@cached(64)
def _html_as_text(html: str) -> str:
    """Convert one of our HTML letters to text; cached, because a thread quotes the same letters."""
    return replytext.letter_text(html)


def replied_ply(session: Session, inbound: Inbound, token: Token, answered: Letter | None) -> int | None:
    """Return the ply that the answered letter showed, by its Message-ID; None if unknown.

    The ply of the letter's row takes precedence, because a take-back marks it as stale. LOST if there is no such row
    and the service has lost a machine.
    """
    for reference in references_of(inbound.raw):
        match = re.match(r"g(\d{1,12})\.p(\d{1,9})\.", reference)
        if match and int(match[1]) == token.match_id:
            local = reference.rpartition("@")[0]
            if answered is not None and answered.message_id == local:
                letter_ply = answered.ply
            else:
                letter = session.exec(select(Letter.id, Letter.ply).where(col(Letter.message_id) == local)).first()
                if letter is None and last_loss(session) is not None:
                    return LOST
                letter_ply = letter[1] if letter is not None else None
            return int(match[2]) if letter_ply is None else letter_ply
    return None


def message_id_of(inbound: Inbound) -> str:
    """Return the Message-ID of a message for In-Reply-To; empty if it has none."""
    return "" if inbound.message_key.startswith("sha256:") else inbound.message_key
