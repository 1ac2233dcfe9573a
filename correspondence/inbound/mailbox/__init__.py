"""Letters received: kept once, then read and turned into use cases, and answered at most once.

Who writes is decided by the token in the recipient address, and From must agree; a From
line alone can do only what harms nobody. Machine mail ends as an outcome, unanswered.
"""

from __future__ import annotations

import logging
import random
from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import Session

from correspondence.core.config import Settings
from correspondence.core.db import transaction
from correspondence.core.log_redaction import redacted_traceback
from correspondence.inbound import operator_mail
from correspondence.inbound.mailbox.addresses import OPEN_BOXES, is_known, token_at
from correspondence.inbound.mailbox.answering import ANSWERS_A_DAY, ANSWERS_A_DAY_TO_PLAYERS
from correspondence.inbound.mailbox.identify import act_for_a_person
from correspondence.inbound.mailbox.store import LEASE, MOST_TRIES, RAW_KEPT, claim, close, drop_old, fail, keep
from correspondence.mime import bounces, replytext
from correspondence.mime.classify import Classification, Kind, classify
from correspondence.models import Inbound, InboundState, Letter
from correspondence.outbound import compose, suppressions

log = logging.getLogger(__name__)


def drain(engine: Engine, settings: Settings, *, now: datetime, rng: random.Random) -> int:
    """Act on every message that is due; returns how many. A message that fails never blocks the rest."""
    count = 0
    while (number := claim(engine, now)) is not None:
        count += 1
        try:
            with transaction(engine) as session:
                act(session, session.get_one(Inbound, number, with_for_update=True), settings, now=now, rng=rng)
        except Exception as error:
            log.exception("message %s failed", number)
            with transaction(engine) as session:
                fail(session, number, now, redacted_traceback(error))
    return count


def act(session: Session, inbound: Inbound, settings: Settings, *, now: datetime, rng: random.Random) -> None:
    """Turn one kept message into what its writer wants, and answer it where an answer is due."""
    if inbound.state not in (InboundState.NEW, InboundState.TAKEN):  # somebody else was quicker, or it is dead
        return
    trouble = replytext.within_limits(inbound.raw)
    if trouble is not None:
        close(session, inbound, InboundState.REJECTED, trouble)
        return
    verdict = classify(
        inbound.raw,
        sender=inbound.sender,
        recipient=inbound.recipient,
        instance=settings.mail_domain,
        domain=settings.mail_domain,
    )
    told = ""
    if operator_mail.is_for_operator(inbound) and verdict.kind != Kind.LOOP:
        told = operator_mail.forward(session, inbound, settings, now=now)
    if verdict.kind in (Kind.BOUNCE, Kind.COMPLAINT):
        _returned(session, inbound, verdict, settings, now, told)
        return
    if told:
        close(session, inbound, InboundState.DONE, told)
        return
    if verdict.kind != Kind.PERSON:
        token = token_at(session, inbound.recipient.partition("@")[0], settings, now)
        if token is not None:  # so that the page of letters can tell whoever has this address
            inbound.person_id, inbound.match_id = token.person_id, token.match_id
        close(session, inbound, InboundState.IGNORED, f"{verdict.kind}: {verdict.reason}")
        return
    act_for_a_person(session, inbound, verdict, settings, now, rng)


def _returned(
    session: Session, inbound: Inbound, verdict: Classification, settings: Settings, now: datetime, told: str
) -> None:
    """A letter of ours came back: note it at the letter and its address; never answered, never talk.

    `told` says that the operator has seen to it, where it is no letter of ours.
    """
    report = bounces.read_report(inbound.raw)
    named = (inbound.recipient, *bounces.addresses_in(inbound.raw), report.sender if report else "")
    numbers = (compose.returned_letter(address, settings) for address in named)
    number = next((number for number in numbers if number is not None), None)
    letter = session.get(Letter, number, with_for_update=True) if number is not None else None
    if report is None or letter is None:
        state = InboundState.DONE if told else InboundState.IGNORED
        close(session, inbound, state, told or f"{verdict.kind}: {verdict.reason}")
        return
    suppressions.note_return(session, letter, report, now=now)
    close(session, inbound, InboundState.DONE, f"{verdict.kind}: {report.weight}")


__all__ = [
    "ANSWERS_A_DAY",
    "ANSWERS_A_DAY_TO_PLAYERS",
    "LEASE",
    "MOST_TRIES",
    "OPEN_BOXES",
    "RAW_KEPT",
    "act",
    "drain",
    "drop_old",
    "is_known",
    "keep",
]
