"""A member's webhooks for their page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts import api_tokens
from correspondence.features.webhooks import webhooks
from correspondence.features.webhooks.tables import DeliveryState, Webhook, WebhookDelivery
from correspondence.models import Event
from engines.wording import _

SHOWN = 10
"""Number of deliveries shown for each webhook."""


@dataclass(frozen=True, slots=True)
class DeliveryView:
    """A delivery to a webhook: event kind, time of the last attempt, attempts, and outcome."""

    kind: str
    at: datetime | None
    tries: int
    outcome: str


@dataclass(frozen=True, slots=True)
class WebhookView:
    """A webhook; `next_at` is when it is retried after a failure, None if it is not failing.

    `token` is the name of the API token that created it; empty if its member did on the page.
    """

    ident: str
    name: str
    url: str
    kinds: Sequence[str]
    is_off: bool
    failing_since: datetime | None
    next_at: datetime | None
    deliveries: Sequence[DeliveryView]
    token: str


def webhooks_of(session: Session, person_id: int, *, token_id: int | None = None) -> list[WebhookView]:
    """Return a member's webhooks, oldest first, each with its latest deliveries first.

    If `token_id` is given, only those that this token created.
    """
    own = webhooks.webhooks_of(session, person_id, token_id=token_id)
    return [_view(session, webhook) for webhook in own]


def _view(session: Session, webhook: Webhook) -> WebhookView:
    return WebhookView(
        webhooks.ident_of(webhook),
        webhook.name,
        webhook.url,
        webhook.kinds.split(),
        webhook.off_at is not None,
        webhook.failing_since,
        webhook.due_at if webhook.failures else None,
        _deliveries(session, webhook.id),
        api_tokens.name_of(session, webhook.token_id) if webhook.token_id is not None else "",
    )


def _deliveries(session: Session, webhook_id: int) -> list[DeliveryView]:
    query = select(WebhookDelivery, Event.kind).join(Event, col(Event.id) == col(WebhookDelivery.event_id))
    query = query.where(col(WebhookDelivery.webhook_id) == webhook_id).order_by(col(WebhookDelivery.id).desc())
    rows = session.exec(query.limit(SHOWN))
    return [DeliveryView(kind, delivery.at, delivery.tries, _outcome(delivery)) for delivery, kind in rows]


def _outcome(delivery: WebhookDelivery) -> str:
    if delivery.state == DeliveryState.DELIVERED:
        return _("taken ({status})").format(status=delivery.status)
    if delivery.tries == 0:
        return _("never sent") if delivery.state == DeliveryState.GIVEN_UP else _("waiting")
    answer = _("answered {status}").format(status=delivery.status) if delivery.status else _("no answer")
    return _("given up: {answer}").format(answer=answer) if delivery.state == DeliveryState.GIVEN_UP else answer
