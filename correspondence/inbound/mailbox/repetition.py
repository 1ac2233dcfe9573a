"""Detects auto-responders that answer our answers, by repeated words, refusals and speed.

A refusal is not written twice for the same words, nor more than a few times for the same reason in one thread. A
question, or any other answer to a player whose turn it is, does not count as a refusal. It ends only if the same
words come faster than a person would send them.
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
"""Maximum refusals for the same reason in one thread (a game, or an address's other mail)."""

MEMORY = timedelta(hours=25)
"""Period in which refusals count; the same mistake a day later is answered again."""

SAME_WORDS = 3
"""Maximum answers (other than refusals) to the same words within SOON."""

SOON = timedelta(minutes=10)
"""Period in which repeated words suggest a program; people seldom repeat themselves so soon."""

REFUSED = ("refused", "nothing to do")
"""Outcomes of mail that is answered with a refusal."""


def limited_dialogue(
    session: Session, to: letters.To, words: str, sender: Sender | None, inbound_id: int, *, now: datetime
) -> str | None:
    """Return the key of an answer that is no refusal; None if the same words came too often."""
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
    """Return key and entries of a refusal, with a last notice; None if it must not be sent."""
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
    """SQL condition: the letter went to the same mailbox and the same person (or no member)."""
    return and_(col(Letter.mailbox) == mailbox_key(to.mail), col(Letter.person_id) == to.person_id)


def _count(session: Session, to: letters.To, prefix: str, since: datetime) -> int:
    """Count the letters to a recipient since a time with this key prefix."""
    count = select(func.count()).select_from(Letter).where(went_to(to), col(Letter.created_at) > since)
    return session.exec(count.where(col(Letter.key).startswith(f"{prefix}:", autoescape=True))).one()


def _last_success(session: Session, to: letters.To, match_id: int | None, now: datetime) -> datetime:
    """Return when a person's mail last succeeded in a thread; at the earliest MEMORY ago."""
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
    """Return the game that a mail is about, with its ply and number of take-backs."""
    match = sender.match if sender is not None else None
    return (match.id, match.ply, match.takebacks) if match else (None, None)


def _is_proven(sender: Sender | None) -> bool:
    """Whether more than a From line vouches for the sender; forged mail is counted separately."""
    return sender is not None and sender.is_believed


def _hash(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _last_refusal_notice() -> str:
    return _(
        "This was the third mail here that could not be carried out for the same reason. To keep two "
        "programs from writing to each other for ever, further mails like it are answered only after "
        "something else succeeds, or tomorrow. When it's your turn, you always get an answer. The page shows "
        "you at once what is possible: %%base%%/games"
    )
