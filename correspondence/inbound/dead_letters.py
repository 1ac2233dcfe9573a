"""Dead mail: retrying it, and notifying the operator.

It consists of messages that failed because of our errors, and of letters that lost too many leases.
`queries/dead_mail.py` lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, func, select, update

from correspondence.core.config import Settings
from correspondence.core.db import rows
from correspondence.inbound.mailbox.store import MOST_LOST_LEASES
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.models.mail import IS_UNTOLD, LETTER_HAS_FAILED
from correspondence.outbound import kinds, letters
from correspondence.outbound.kinds import kind_of
from correspondence.outbound.letters import Draft
from correspondence.outbound.operator_letters import named, was_told_lately

_TAKE_MESSAGES = (
    update(Inbound).where(IS_UNTOLD).values(is_untold=False).returning(col(Inbound.id), col(Inbound.lost_leases))
)
_TAKE_LETTERS = update(Letter).where(IS_UNTOLD).values(is_untold=False).returning(col(Letter.id))


def retry(session: Session, message_ids: Sequence[int], *, now: datetime) -> list[int]:
    """Requeue dead messages whose raw text is still stored; return their ids."""
    query = select(Inbound).where(col(Inbound.id).in_(message_ids), col(Inbound.state) == InboundState.DEAD)
    query = query.where(func.length(Inbound.raw) > 0)
    revived = list(session.exec(query.order_by(col(Inbound.id)).with_for_update()))
    for inbound in revived:
        inbound.state, inbound.tries, inbound.lost_leases, inbound.due_at = InboundState.NEW, 0, 0, now
        inbound.is_untold = False
        session.add(inbound)
    session.flush()
    return [inbound.id for inbound in revived]


def failed_since(session: Session, since: datetime) -> list[int]:
    """Return the ids of letters known since `since` to be undelivered.

    A letter that may have arrived, because the other server gave no answer, is left out.
    """
    failed = select(Letter.id).where(LETTER_HAS_FAILED, col(Letter.due_at) >= since)
    return list(session.exec(failed.where(~col(Letter.may_have_arrived)).order_by(col(Letter.id))))


def resend(session: Session, letter_ids: Sequence[int], *, now: datetime) -> list[int]:
    """Requeue undelivered letters; return their ids.

    A letter with a recovery code is excluded, because the stored text lacks the code. So is one whose text is no
    longer stored.
    """
    query = select(Letter).where(col(Letter.id).in_(letter_ids), LETTER_HAS_FAILED, col(Letter.text) != "")
    found = session.exec(query.order_by(col(Letter.id)).with_for_update()).all()
    revived = [letter for letter in found if not kind_of(letter).has_code]
    for letter in revived:
        letter.state, letter.tries, letter.lost_leases, letter.due_at = LetterState.QUEUED, 1, 0, now
        letter.answer, letter.is_untold, letter.sent_at = "", False, None
        letter.bounce, letter.bounce_words, letter.bounced_at = "", "", None
        session.add(letter)
    session.flush()
    return [letter.id for letter in revived]


def raw_of(session: Session, message_id: int) -> bytes | None:
    """Return a stored raw message; empty after 30 days, None for an unknown id."""
    inbound = session.get(Inbound, message_id)
    return inbound.raw if inbound is not None else None


def tell_operator(session: Session, settings: Settings, *, now: datetime) -> str | None:
    """Notify the operator of new dead mail.

    Returns what `write_letter` does; None if there is none, or a letter went today. The letter contains numbers and
    reasons, but no text, sender or recipient. There is one a day, and none if OPERATOR is empty; `flask mail dead`
    shows the same.
    """
    if not settings.operator or was_told_lately(session, settings.operator, kinds.DEAD_MAIL, now=now):
        return None
    messages, unsent = rows(session, _TAKE_MESSAGES), rows(session, _TAKE_LETTERS)
    if not (messages or unsent):
        return None
    cut_off = [number for number, lost_leases in messages if lost_leases >= MOST_LOST_LEASES]
    failed = [number for number, lost_leases in messages if lost_leases < MOST_LOST_LEASES]
    return letters.write_letter(
        session, letters.To(settings.operator), Draft(kinds.DEAD_MAIL, f"dead_mail:{now.isoformat()}"), now=now,
        count=len(messages) + len(unsent), failed=named(failed), cut_off=named(cut_off),
        unsent=named([number for (number,) in unsent]),
    )  # fmt: skip
