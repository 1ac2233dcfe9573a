"""What members' programs hear of, and the addresses to which it is posted."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import UniqueConstraint, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

EVENT_IS_UNNUMBERED = text("number IS NULL")
"""Events that no program has heard of yet."""

DELIVERY_WAITS = text("state = 'waiting'")
"""Deliveries that are still to be posted."""


class EventKind(StrEnum):
    """What happened; the names that programs know."""

    GAME_STARTED = "game_started"
    MOVE = "move"
    YOUR_TURN = "your_turn"
    DRAW_OFFERED = "draw_offered"
    TAKE_BACK_ASKED = "take_back_asked"
    PAUSE_OFFERED = "pause_offered"
    MOVES_TAKEN_BACK = "moves_taken_back"
    GAME_PAUSED = "game_paused"
    TALK = "talk"
    CLOCK_LOW = "clock_low"
    GAME_ENDED = "game_ended"
    CHALLENGE = "challenge"
    CHALLENGE_ANSWERED = "challenge_answered"
    TEST = "test"


class Event(Table, table=True):
    """Something that happened to a person: where to look, not what it was, so that it is told as it may be seen then.

    `number` counts the person's own events and rises in the order in which they can be heard; None before that, until
    `due_at`. `about_id` is the row it is about, by kind: the entry's number (STALE once it was
    taken back), the remark, the offer or the challenge.
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
    """How often moves of the match had been taken back by then."""
    at: datetime = Field(index=True)
    due_at: datetime


class Webhook(Table, table=True):
    """An address to which a member's events are posted. Its secret is made of `nonce` and the key of the service.

    `kinds` are names of kinds apart by blanks. `due_at` is when the next delivery may be tried, None while none waits.
    `failures` counts failures in a row, the first of which was at `failing_since`. `off_at`: we have switched it off.
    `token_id`: it was made by a program with this token, with which it ends; None where its member made it on the page.
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
    """Where a delivery stands."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given up"


class WebhookDelivery(Table, table=True):
    """An event that is posted to a webhook: how often it was tried, last `at`, and with which `status` (0 for none)."""

    __table_args__ = (partial("ix_webhook_delivery_waiting", "webhook_id", "id", where=DELIVERY_WAITS),)

    id: int = Field(default=None, primary_key=True)
    webhook_id: int = Field(foreign_key="webhook.id", ondelete="CASCADE", index=True)
    event_id: int = Field(foreign_key="event.id", ondelete="CASCADE", index=True)
    state: DeliveryState = Field(default=DeliveryState.WAITING, sa_type=one_of(DeliveryState))
    tries: int = 0
    status: int = 0
    at: datetime | None = None
