"""Create webhooks and push subscriptions, which suspended members may not do."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts.accounts import command_token, require_room
from correspondence.accounts.letter_budgets import LetterBudget
from correspondence.accounts.suspensions import refuse_suspended
from correspondence.models import Person, Webhook
from correspondence.outbound import kinds, pushes, webhooks

NOTICES = LetterBudget(kinds.WEBHOOK, per_hour=30, per_day=30)
"""Maximum number of letters that announce new webhooks to a member."""


def register_webhook(
    session: Session,
    person: Person,
    name: str,
    url: str,
    wanted: Collection[str],
    *,
    maker: webhooks.Maker | None = None,
    now: datetime,
) -> Webhook:
    """Register a webhook like `webhooks.register`, within the letter budget.

    Raises WebhookRefusal, PeopleError or SuspendedError.
    """
    refuse_suspended(person)
    require_room(session, person, NOTICES, now=now)
    desk = command_token(session, person, now=now)
    return webhooks.register(session, person, name, url, wanted, reply_token=desk.id, maker=maker, now=now)


def renew_webhook_secret(session: Session, person: Person, ident: str) -> Webhook:
    """Give a webhook a new secret, like `webhooks.renew_secret`.

    Raises WebhookRefusal or SuspendedError.
    """
    refuse_suspended(person)
    return webhooks.renew_secret(session, person.id, ident)


def switch_on_webhook(session: Session, person: Person, ident: str, *, token_id: int | None = None) -> None:
    """Switch a webhook on, like `webhooks.switch_on`.

    Raises WebhookRefusal or SuspendedError.
    """
    refuse_suspended(person)
    webhooks.switch_on(session, person.id, ident, token_id=token_id)


def show_notifications(
    session: Session, person: Person, web_session_id: int, endpoint: str, *, now: datetime
) -> None:  # fmt: skip
    """Subscribe a browser to notifications, like `pushes.subscribe`.

    Raises PushRefusal or SuspendedError.
    """
    refuse_suspended(person)
    pushes.subscribe(session, person, web_session_id, endpoint, now=now)
