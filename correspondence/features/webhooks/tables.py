"""Webhooks of members, and the deliveries of events to them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

DELIVERY_WAITS = text("state = 'waiting'")
"""Deliveries still to be posted."""


class Webhook(Table, table=True):
    """A URL for a member's events; its secret is derived from `nonce` and the service's key.

    `kinds` are event kinds separated by blanks. `due_at` is the time of the next attempt, None if no delivery waits.
    `failures` counts consecutive failures since `failing_since`. `off_at`: when the service disabled it. `token_id`:
    the API token of the program that made it, with which it ends; None if its member made it on the page.
    """

    __table_args__ = (partial("ix_webhook_due", "due_at", where=text("due_at IS NOT NULL")),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    name: str
    url: str
    kinds: str
    nonce: str
    created_at: datetime
    due_at: datetime | None = None
    failures: int = 0
    failing_since: datetime | None = None
    off_at: datetime | None = None
    token_id: int | None = None


class DeliveryState(StrEnum):
    """State of a delivery."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given up"


class WebhookDelivery(Table, table=True):
    """Delivery of an event to a webhook; the last of `tries` was `at`, with HTTP `status` or 0."""

    __table_args__ = (partial("ix_webhook_delivery_waiting", "webhook_id", "id", where=DELIVERY_WAITS),)

    id: int = Field(default=None, primary_key=True)
    webhook_id: int = Field(foreign_key="webhook.id", ondelete="CASCADE", index=True)
    event_id: int = Field(foreign_key="event.id", ondelete="CASCADE", index=True)
    state: DeliveryState = Field(default=DeliveryState.WAITING, sa_type=one_of(DeliveryState))
    tries: int = 0
    status: int = 0
    at: datetime | None = None
