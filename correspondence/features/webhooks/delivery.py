"""Deliver events to webhooks: in order, one at a time to each, with growing pauses.

A webhook is leased like a letter, by postponing its due time, so any number of workers may deliver. Each message is
signed (Standard Webhooks). If a worker was killed, a message can arrive twice, with the same `webhook-id`.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Engine, bindparam
from sqlmodel import Session, col, select

from correspondence.core.db import transaction
from correspondence.features.webhooks import webhooks
from correspondence.features.webhooks.letters import WEBHOOK_OFF
from correspondence.features.webhooks.tables import DELIVERY_WAITS, DeliveryState, Webhook, WebhookDelivery
from correspondence.models import Event, Person
from correspondence.outbound import letters
from correspondence.outbound.letters import Draft
from correspondence.transport import EndpointError, PushError, PushPost

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
"""Duration of the lease on a webhook for one delivery, which takes seconds."""

PAUSES = tuple(timedelta(seconds=s) for s in (10, 60, 300, 1_800, 7_200, 21_600, 43_200))
"""The pauses after consecutive failures; the last one repeats."""

MOST_TRIES = 8
"""Number of attempts after which a delivery is given up and the next one is tried."""

OFF_AFTER = timedelta(days=5)
"""Time for which all attempts may fail before a webhook is switched off."""

REST = 4
"""The pause of a webhook after a delivery, as a multiple of its response time."""

_GONE = 410

_DUE = (
    select(Webhook)
    .where(col(Webhook.due_at).is_not(None), col(Webhook.due_at) <= bindparam("now"))
    .order_by(col(Webhook.due_at))
    .limit(1)
    .with_for_update(skip_locked=True)
)

_FIRST_WAITING = (
    select(WebhookDelivery)
    .where(DELIVERY_WAITS, col(WebhookDelivery.webhook_id) == bindparam("webhook"))
    .order_by(col(WebhookDelivery.id))
    .limit(1)
)

Tell = Callable[[Session, Event], bytes | None]
"""Callable: return the message body for an event; None if there is nothing left to report."""


ReplyToken = Callable[[Session, Person], int]
"""Callable: return the id of the token for replies to letters that belong to no game."""


class _Claim(NamedTuple):
    webhook_id: int
    delivery_id: int
    url: str
    nonce: str
    ident: str
    body: bytes
    begun_at: datetime


class WebhookSender(NamedTuple):
    """Sends webhook messages: transport, body builder, signing `key` and user agent.

    `reply_token` is for the letter that reports that a webhook was switched off.
    """

    post: PushPost
    tell: Tell
    key: str
    agent: str
    reply_token: ReplyToken


def send_due(
    engine: Engine,
    sender: WebhookSender,
    *,
    now: Callable[[], datetime],
    is_stopping: Callable[[], bool] = lambda: False,
    most: int = 200,
) -> int:
    """Send the due messages, one after the other; return how many were accepted."""
    taken = 0
    for _one in range(most):
        claim = None if is_stopping() else _claim(engine, sender.tell, now())
        if claim is None:
            break
        status = _post(sender, claim, now())
        with transaction(engine) as session:
            _record(session, sender, claim, status, now())
        taken += 200 <= status < 300
    return taken


def _claim(engine: Engine, tell: Tell, now: datetime) -> _Claim | None:
    """Lease the longest-overdue webhook, with its first waiting message."""
    with transaction(engine) as session:
        while (webhook := session.exec(_DUE, params={"now": now}).first()) is not None:
            delivery = session.exec(_FIRST_WAITING, params={"webhook": webhook.id}).first()
            if delivery is None:
                webhook.due_at = None
                session.add(webhook)
                session.flush()
                continue
            event = session.get_one(Event, delivery.event_id)
            body = _body(session, tell, event)
            if body is None:
                session.delete(delivery)
                session.flush()
                continue
            webhook.due_at, delivery.tries, delivery.at = now + LEASE, delivery.tries + 1, now
            session.add_all((webhook, delivery))
            ident = f"{webhooks.ident_of(webhook)} {event.number}"
            ident = "msg_" + hashlib.sha256(ident.encode()).hexdigest()[:24]
            return _Claim(webhook.id, delivery.id, webhook.url, webhook.nonce, ident, body, now)
    return None


def _body(session: Session, tell: Tell, event: Event) -> bytes | None:
    """Return the body of a message; None if building it fails, so that later ones continue."""
    try:
        with session.begin_nested():
            return tell(session, event)
    except Exception:
        log.exception("event %s could not be told to a webhook", event.id)
        return None


def _post(sender: WebhookSender, claim: _Claim, now: datetime) -> int:
    """Post a message; return the status of the answer, 0 if there was none."""
    timestamp = int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": sender.agent,
        "webhook-id": claim.ident,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": webhooks.signature_of(sender.key, claim.nonce, claim.ident, timestamp, claim.body),
    }
    try:
        return sender.post.send(claim.url, headers, claim.body)
    except (EndpointError, PushError):
        return 0


def _record(session: Session, sender: WebhookSender, claim: _Claim, status: int, now: datetime) -> None:
    webhook = session.get(Webhook, claim.webhook_id, with_for_update=True)
    delivery = session.get(WebhookDelivery, claim.delivery_id)
    if webhook is None or delivery is None or webhook.off_at is not None:  # removed or switched off meanwhile
        return
    delivery.status, delivery.at = status, now
    session.add_all((webhook, delivery))
    if 200 <= status < 300:
        delivery.state, webhook.failures, webhook.failing_since = DeliveryState.DELIVERED, 0, None
        webhook.due_at = now + REST * (now - claim.begun_at)
        return
    if delivery.tries >= MOST_TRIES:
        delivery.state = DeliveryState.GIVEN_UP
    webhook.failing_since = webhook.failing_since or now
    webhook.due_at = now + PAUSES[min(webhook.failures, len(PAUSES) - 1)]
    webhook.failures += 1
    if status == _GONE or now - webhook.failing_since >= OFF_AFTER:
        log.info("webhook %s is switched off after %s failures in a row", webhook.id, webhook.failures)
        _give_up(session, sender, webhook, now)


def _give_up(session: Session, sender: WebhookSender, webhook: Webhook, now: datetime) -> None:
    """Switch a webhook off and notify its member."""
    webhooks.switch_off(session, webhook, now=now)
    person = session.get_one(Person, webhook.person_id)
    serial = f"webhook-off:{webhook.id}:{now:%Y%m%d%H%M%S}"
    draft = Draft(WEBHOOK_OFF, serial, reply_token=sender.reply_token(session, person))
    letters.write_letter(
        session, letters.to_person(session, person), draft, now=now,
        name=webhook.name, url=webhook.url, since=webhook.failing_since,
    )  # fmt: skip
