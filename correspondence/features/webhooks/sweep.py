"""The sweep that posts events to webhooks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence import transport
from correspondence.accounts import accounts
from correspondence.core.runtime import Runtime
from correspondence.features.webhooks import delivery
from correspondence.features.webhooks.tables import Webhook
from correspondence.models import Event, Person
from correspondence.queries import events as told_events

SENDERS = 4
"""Number of threads that post to webhooks, so that slow ones delay few others."""

IS_DUE = select(Webhook.id).where(col(Webhook.due_at) <= bindparam("now")).exists()
"""Whether a delivery is due `now`."""


def sweep(runtime: Runtime) -> int:
    """Post due messages to webhooks; returns how many were accepted."""
    return sweep_webhooks(runtime, transport.PushPost(), SENDERS)


def sweep_webhooks(runtime: Runtime, post: transport.PushPost, senders: int = 1) -> int:
    """Post due messages to webhooks, in that many threads; returns how many were accepted."""
    settings = runtime.settings

    def tell(session: Session, event: Event) -> bytes | None:
        return told_events.body_of(session, event, base_url=settings.base_url, now=runtime.now())

    def reply_token(session: Session, person: Person) -> int:
        return accounts.command_token(session, person, now=runtime.now()).id

    agent = f"correspondence (+{settings.base_url})"
    sender = delivery.WebhookSender(post, tell, settings.secret_key, agent, reply_token)

    def send() -> int:
        return delivery.send_due(
            runtime.engine, sender, now=runtime.now, is_stopping=runtime.stopping.is_set
        )  # fmt: skip

    with ThreadPoolExecutor(senders) as pool:
        return sum(one.result() for one in [pool.submit(send) for _sender in range(senders)])
