"""Events for members' programs."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import UniqueConstraint, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

EVENT_IS_UNNUMBERED = text("number IS NULL")
"""Query condition: events not yet available to programs."""


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
