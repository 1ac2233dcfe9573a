"""Incoming messages: each is stored, parsed and executed once, and answered at most once.

The token in the recipient address identifies the sender, and From must agree; a From line alone can do only what is
harmless. Automatic mail gets an outcome but no answer.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Engine, bindparam
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select

from correspondence.core import counting
from correspondence.core.config import Settings
from correspondence.core.db import read_then_write, transaction
from correspondence.core.log_format import logging_about
from correspondence.core.log_redaction import redacted_traceback
from correspondence.inbound import operator_mail
from correspondence.inbound.mailbox import identify, setting_aside
from correspondence.inbound.mailbox.addresses import OPEN_BOXES, is_known, token_at
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.store import (
    CUT_OFF,
    DUE,
    LEASE,
    MOST_LOST_LEASES,
    MOST_TRIES,
    RAW_KEPT,
    claim,
    close,
    drop_old,
    fail,
    read_until,
    store_message,
)
from correspondence.mime import bounces, classify, plain_bounces, replytext
from correspondence.mime.classify import Classification
from correspondence.models import Inbound, InboundState, Letter
from correspondence.outbound import compose, outbox, refusals, suppressions

log = logging.getLogger(__name__)

_LEASED = select(Inbound).where(col(Inbound.id) == bindparam("number")).with_for_update()


def drain(
    engine: Engine, settings: Settings, *, now: datetime, rng: random.Random,
    is_stopping: Callable[[], bool] = lambda: False,
) -> int:  # fmt: skip
    """Process every due message until `is_stopping`, skipping failures; return the number."""
    count, may_be_more = 0, True
    while may_be_more and not is_stopping():
        claimed, may_be_more = claim(engine, now)
        for message_id in claimed:
            with logging_about(f"message {message_id}"):
                _process_claimed(engine, message_id, settings, now, rng)
        count += len(claimed)
    return count


def _process_claimed(engine: Engine, message_id: int, settings: Settings, now: datetime, rng: random.Random) -> None:
    """Process one leased message in a transaction of its own, or record why it failed.

    Reading and parsing before the first write hold no locks. A database error is not counted against the message: its
    lease expires, as if the worker had been killed.
    """
    try:
        read_then_write(engine, lambda session: _process(session, message_id, settings, now, rng))
    except OperationalError:
        log.exception("the database failed; message %s is read again when its lease ends", message_id)
    except Exception as error:
        log.exception("message %s failed", message_id)
        with transaction(engine) as session:
            inbound = session.exec(_LEASED, params={"number": message_id}).one()
            if inbound.state == InboundState.TAKEN and fail(session, inbound, now, redacted_traceback(error)):
                _tell_writer(session, inbound, settings, now, rng)


def _process(session: Session, message_id: int, settings: Settings, now: datetime, rng: random.Random) -> None:
    """Process a leased message, or dead-letter it after too many lost leases."""
    inbound = session.exec(_LEASED, params={"number": message_id}).one()
    if inbound.lost_leases < MOST_LOST_LEASES:
        process_message(session, inbound, settings, now=now, rng=rng)
    elif inbound.state == InboundState.TAKEN:
        close(session, inbound, InboundState.DEAD, CUT_OFF)
        _tell_writer(session, inbound, settings, now, rng)


def _tell_writer(session: Session, inbound: Inbound, settings: Settings, now: datetime, rng: random.Random) -> None:
    """Notify the author of a dead message; errors while doing so are ignored."""
    try:
        with session.begin_nested():
            author = classify.sole_author(inbound.raw)
            if author is not None:
                mail = PersonalMail(inbound, author, _classified(inbound, settings), settings, now, rng)
                setting_aside.tell_writer(session, mail)
    except Exception:
        log.exception("the writer of message %s could not be told that it was set aside", inbound.id)


def process_message(
    session: Session, inbound: Inbound, settings: Settings, *, now: datetime, rng: random.Random
) -> None:
    """Process one stored message: execute it, and answer it if an answer is due."""
    if inbound.state not in (InboundState.NEW, InboundState.TAKEN):  # another worker was faster, or it is dead
        return
    problem = replytext.within_limits(inbound.raw)
    if problem is not None:
        close(session, inbound, InboundState.REJECTED, problem)
        return
    classification = _classified(inbound, settings)
    operator_outcome = ""
    if operator_mail.is_for_operator(inbound) and classification.kind != classify.MailKind.LOOP:
        operator_outcome = operator_mail.forward(session, inbound, settings, now=now)
    if classification.kind in (classify.MailKind.BOUNCE, classify.MailKind.COMPLAINT):
        _handle_bounce(session, inbound, classification, settings, now, operator_outcome)
    elif operator_outcome:
        close(session, inbound, InboundState.DONE, operator_outcome)
    elif classification.kind != classify.MailKind.PERSON:
        _ignore(session, inbound, classification, settings, now)
    else:
        identify.handle_personal_mail(session, inbound, classification, settings, now, rng)


def _classified(inbound: Inbound, settings: Settings) -> Classification:
    """Classify a message as written by a person, a mail server or another program."""
    return classify.classify(
        inbound.raw,
        sender=inbound.sender,
        recipient=inbound.recipient,
        instance=settings.mail_domain,
        domain=settings.mail_domain,
    )


def _ignore(
    session: Session, inbound: Inbound, classification: Classification, settings: Settings, now: datetime
) -> None:
    """Close automatic mail as ignored; the recipient address's owner sees it in their mail log."""
    token = token_at(session, inbound.recipient.partition("@")[0], settings, now)
    if token is not None:
        inbound.person_id, inbound.match_id = token.person_id, token.match_id
    close(session, inbound, InboundState.IGNORED, f"{classification.kind}: {classification.reason}")


def _handle_bounce(
    session: Session,
    inbound: Inbound,
    classification: Classification,
    settings: Settings,
    now: datetime,
    operator_outcome: str,
) -> None:
    """Record a bounce for its letter and its address; it is never answered and never talk.

    `operator_outcome` is set if the message was also sent to the operator, in case it does not concern one of our
    letters.
    """
    report = bounces.read_report(inbound.raw)
    addresses = (inbound.recipient, *bounces.addresses_in(inbound.raw), report.sender if report else "")
    letter_ids = (compose.bounced_letter_id(address, settings) for address in addresses)
    letter_id = next((letter_id for letter_id in letter_ids if letter_id is not None), None)
    letter = session.get(Letter, letter_id, with_for_update=True) if letter_id is not None else None
    if report is None and classification.reason == "bounce-address":  # the address identifies the letter
        report = plain_bounces.read_plain(inbound.raw, inbound.sender)
    if report is None or letter is None:
        state = InboundState.DONE if operator_outcome else InboundState.IGNORED
        close(session, inbound, state, operator_outcome or f"{classification.kind}: {classification.reason}")
        return
    suppressions.record_bounce(session, letter, report, now=now)
    counting.count(session, "letters", "bounced", letter.kind)
    if report.weight == bounces.Weight.BLOCK and bounces.blames_us(report.words):
        refusals.rest(session, outbox.domain_of(letter), report.words, now)
    close(session, inbound, InboundState.DONE, f"{classification.kind}: {report.weight}")


__all__ = [
    "DUE",
    "LEASE",
    "MOST_LOST_LEASES",
    "MOST_TRIES",
    "OPEN_BOXES",
    "RAW_KEPT",
    "drain",
    "drop_old",
    "is_known",
    "process_message",
    "read_until",
    "store_message",
]
