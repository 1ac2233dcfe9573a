"""Push subscriptions of browsers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import text
from sqlmodel import Field

from correspondence.models.columns import Table, partial


class PushSubscription(Table, table=True):
    """A browser that shows notifications to a person; `endpoint` is its URL at the push service.

    `session` is the digest of the web session that subscribed; notifications end with that session. `due_at` is when
    the next one is to be sent, None if there is none. `tries` counts consecutive failures.
    """

    __table_args__ = (partial("ix_push_subscription_due", "due_at", where=text("due_at IS NOT NULL")),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    session: str
    endpoint: str = Field(unique=True)
    created_at: datetime
    due_at: datetime | None = None
    tries: int = 0
