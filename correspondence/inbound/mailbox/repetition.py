"""Tells programs that answer our answers from people, by what is repeated: words, refusals, and how fast.

A refusal is not written twice for the same words, nor more than a few times for the same reason in one thread. A
question, and whatever is told to somebody whose turn it is, is no refusal: it ends only where the same words come
faster than a person would send them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, and_, col, func, select

from correspondence.commands.handlers import Sender
from correspondence.mime.mail_keys import mailbox_key
from correspondence.models import Inbound, InboundState, Letter
from correspondence.outbound import letters
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _

SAME_REFUSALS = 3
"""How often a mail is refused for the same reason in one thread (a game, or everything else of one address)."""

MEMORY = timedelta(hours=25)
"""How long refusals count; the same mistake a day later is answered again."""

SAME_WORDS = 3
"""How often the same words are answered within SOON, although the answer is no refusal."""

SOON = timedelta(minutes=10)
"""A program answers in minutes; a person who sends the same words again is answered SAME_WORDS times in this time."""

REFUSED = ("refused", "nothing to do")
"""The outcomes of mails that are answered with a refusal."""


def limited_dialogue(
    session: Session, to: letters.To, words: str, sender: Sender | None, inbound_id: int, *, now: datetime
) -> str | None:
    """Return the key of an answer that is no refusal; None if a program sent these words again and again."""
    prefix = f"dialogue:{_hash(mailbox_key(to.mail), words, _is_proven(sender), *_position(sender))}"
    if _count(session, to, prefix, now - SOON) >= SAME_WORDS:
        return None
    return f"{prefix}:{inbound_id}"


def limited_refusal(
    session: Session,
    to: letters.To,
    entries: Sequence[TranscriptEntry],
    words: str,
    sender: Sender | None,
    inbound: Inbound,
    *,
    now: datetime,
) -> tuple[str, Sequence[TranscriptEntry]] | None:
    """Return key and entries of a refusal, with a notice if it is the last one of its kind; None if it must not be sent."""
    match_id, *_place = _position(sender)
    reason = f"refusal:{_hash(match_id, _is_proven(sender), *(entry.text for entry in entries))}"
    same_words = f"{reason}:{_hash(mailbox_key(to.mail), entries, words, *_position(sender))}"
    given = _count(session, to, reason, _last_success(session, to, match_id, now))
    if given >= SAME_REFUSALS or _count(session, to, same_words, now - MEMORY):
        return None
    if given == SAME_REFUSALS - 1:
        entries = [*entries, TranscriptEntry("", _last_refusal_notice())]
    return f"{same_words}:{inbound.id}", entries


def was_sent_recently(session: Session, to: letters.To, prefix: str, now: datetime) -> bool:
    """Whether a letter with this key prefix went to the recipient within MEMORY."""
    return was_sent_often(session, to, prefix, 1, now)


def was_sent_often(session: Session, to: letters.To, prefix: str, most: int, now: datetime) -> bool:
    """Whether `most` letters with this key prefix went to the recipient within MEMORY."""
    return _count(session, to, prefix, now - MEMORY) >= most


def went_to(to: letters.To) -> Any:
    """SQL condition: the letter went to the same mailbox, and to the same person or to no member."""
    return and_(col(Letter.mailbox) == mailbox_key(to.mail), col(Letter.person_id) == to.person_id)


def _count(session: Session, to: letters.To, prefix: str, since: datetime) -> int:
    """Count the letters to somebody since a moment whose keys begin like this."""
    count = select(func.count()).select_from(Letter).where(went_to(to), col(Letter.created_at) > since)
    return session.exec(count.where(col(Letter.key).startswith(f"{prefix}:", autoescape=True))).one()


def _last_success(session: Session, to: letters.To, match_id: int | None, now: datetime) -> datetime:
    """When a mail of a person last succeeded in a thread; the beginning of MEMORY if none did since."""
    since = now - MEMORY
    if to.person_id is None:
        return since
    last_success = select(func.max(Inbound.received_at)).where(
        col(Inbound.person_id) == to.person_id,
        col(Inbound.received_at) > since,
        col(Inbound.match_id) == match_id,
        col(Inbound.state) == InboundState.DONE,
        col(Inbound.reason).not_in(REFUSED),
    )
    return max(since, session.exec(last_success).one() or since)


def _position(sender: Sender | None) -> tuple[int | None, ...]:
    """The game that a mail is about, and how far it has gone."""
    match = sender.match if sender is not None else None
    return (match.id, match.ply, match.takebacks) if match else (None, None)


def _is_proven(sender: Sender | None) -> bool:
    """Whether not only a From line says who wrote a mail: forged mail counts apart."""
    return sender is not None and sender.is_believed


def _hash(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _last_refusal_notice() -> str:
    return _(
        "This was the third mail here that could not be carried out for the same reason. So that no two programs write "
        "to each other for ever, the next ones like it are answered only once something else succeeds, or tomorrow. "
        "When it is your turn, you are always answered. On the page you see at once what is possible: %%base%%/games"
    )
