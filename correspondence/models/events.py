"""Events for members' programs, and the webhooks that receive them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import UniqueConstraint, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

EVENT_IS_UNNUMBERED = text("number IS NULL")
"""Query condition: events not yet available to programs."""

DELIVERY_WAITS = text("state = 'waiting'")
"""Query condition: webhooks with deliveries still to be posted."""


class EventKind(StrEnum):
    """Types of events; the values are part of the API."""

    GAME_STARTED = "game_started"
    MOVE = "move"
    YOUR_TURN = "your_turn"
    DRAW_OFFERED = "draw_offered"
    TAKE_BACK_ASKED = "take_back_asked"
    PAUSE_OFFERED = "pause_offered"
    OFFER_DECLINED = "offer_declined"
    OFFER_WITHDRAWN = "offer_withdrawn"
    MOVES_TAKEN_BACK = "moves_taken_back"
    GAME_PAUSED = "game_paused"
    TALK = "talk"
    CLOCK_LOW = "clock_low"
    GAME_ENDED = "game_ended"
    CHALLENGE = "challenge"
    CHALLENGE_ANSWERED = "challenge_answered"
    TEST = "test"


class Event(Table, table=True):
    """An event of a person: only a reference, so that its content is redacted on delivery.

    `number` counts the person's own events in the order of delivery; None until `due_at`. `about_id` is the row that
    the event is about, by kind: the entry's number (STALE once taken back), the remark, the offer or the challenge.
    """

    __table_args__ = (
        UniqueConstraint("person_id", "number"),
        partial("ix_event_due", "due_at", "person_id", where=EVENT_IS_UNNUMBERED),
    )

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    number: int | None = None
    kind: EventKind = Field(sa_type=one_of(EventKind, 20))
    match_id: int | None = Field(default=None, foreign_key="match.id")
    about_id: int = 0
    takebacks: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """`Match.takebacks` at that time."""
    at: datetime = Field(index=True)
    due_at: datetime


class Webhook(Table, table=True):
    """A URL for a member's events; its secret is derived from `nonce` and the service's key.

    `kinds` are event kinds separated by blanks. `due_at` is the time of the next attempt, None if no delivery is
    waiting. `failures` counts consecutive failures since `failing_since`. `off_at` is when the service disabled it.
    `token_id` is the API token of the program that created it, and the webhook ends with the token; None if the member
    created it on the page.
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
