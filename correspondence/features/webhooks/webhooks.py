"""Webhooks of members: the addresses to which events are posted, each with a signing secret.

The secret is derived from the row's nonce and the service's key, so the database alone cannot sign. It is shown only on
the page that created it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session, col, delete, select, update

from correspondence.accounts.accounts import command_token, require_room
from correspondence.accounts.letter_budgets import LetterBudget
from correspondence.accounts.suspensions import refuse_suspended
from correspondence.features.webhooks.letters import WEBHOOK
from correspondence.features.webhooks.tables import DeliveryState, Webhook, WebhookDelivery
from correspondence.models import Event, EventKind, Person
from correspondence.models.locks import hold_person
from correspondence.outbound import events
from correspondence.outbound.letters import Draft, to_person, write_letter
from correspondence.transport import EndpointError, check_endpoint
from correspondence.transport.pushing import LONGEST_ENDPOINT
from engines.refusal import Refusal
from engines.wording import _

MOST = 5
"""Maximum webhooks of one member."""

LONGEST_URL = LONGEST_ENDPOINT
"""Maximum length of a webhook's address, in characters."""

LONGEST_NAME = 60
"""Maximum length of a webhook's name, in characters."""

NOTICES = LetterBudget(WEBHOOK, per_hour=30, per_day=30)
"""Maximum number of letters that announce new webhooks to a member."""

KINDS = tuple(kind for kind in EventKind if kind != EventKind.TEST)
"""The kinds of events that a webhook can request."""

_NONCE_BYTES = 20


class WebhookRefusal(Refusal):
    """Raised if a webhook cannot be created or changed; str() is a sentence for the member."""


class UnknownWebhook(WebhookRefusal):
    """Raised if a webhook does not exist or belongs to another member."""


class Maker(NamedTuple):
    """The token of the program that creates a webhook, and the name that its member gave it."""

    token_id: int
    name: str


def register(
    session: Session,
    person: Person,
    name: str,
    url: str,
    wanted: Collection[str],
    *,
    maker: Maker | None = None,
    now: datetime,
) -> Webhook:
    """Create a webhook for events of these kinds at an https address, and notify the person.

    `maker` is the token of the requesting program, if any. Raises WebhookRefusal, PeopleError or SuspendedError.
    """
    refuse_suspended(person)
    require_room(session, person, NOTICES, now=now)
    reply_token = command_token(session, person, now=now).id
    hold_person(session, person)
    own = webhooks_of(session, person.id, is_locked=True)
    if len(own) >= MOST:
        raise WebhookRefusal(_("You have {count} webhooks, which is the maximum.").format(count=len(own)))
    name, chosen = " ".join(name.split())[:LONGEST_NAME], [kind for kind in KINDS if kind in wanted]
    if not name or not name.isprintable():
        raise WebhookRefusal(_("Please give the webhook a name that you will recognise."))
    _must_be_address(url)
    if url in [webhook.url for webhook in own]:
        raise WebhookRefusal(_("You already have a webhook for this address."))
    if not chosen or len(chosen) < len(set(wanted)):
        raise WebhookRefusal(_("Please choose at least one kind of event from the list."))
    webhook = Webhook(
        person_id=person.id, name=name, url=url, kinds=" ".join(chosen), nonce=_new_nonce(), created_at=now,
        token_id=maker.token_id if maker is not None else None,
    )  # fmt: skip
    session.add(webhook)
    events.begin(session, person)
    session.flush()
    draft = Draft(WEBHOOK, f"webhook:{ident_of(webhook)}", reply_token=reply_token)
    context = {"handle": person.handle, "name": name, "url": url, "token": maker.name if maker is not None else ""}
    write_letter(session, to_person(session, person), draft, now=now, **context)
    return webhook


def _must_be_address(url: str) -> None:
    try:
        check_endpoint(url)
    except EndpointError as error:
        sentence = _("The address must begin with https://, on the usual port, without a password: {example}")
        raise WebhookRefusal(sentence.format(example="https://bot.example.org/hook")) from error


def remove(session: Session, person_id: int, ident: str, *, token_id: int | None = None) -> None:
    """Delete a webhook, which `token_id`, if given, must have created. Raises UnknownWebhook."""
    found = webhook_of(session, person_id, ident, token_id=token_id)
    session.execute(delete(Webhook).where(col(Webhook.id) == found.id))


def remove_made_by(session: Session, token_ids: Collection[int]) -> None:
    """Delete the webhooks that these tokens created, because the tokens end."""
    session.execute(delete(Webhook).where(col(Webhook.token_id).in_(token_ids)))


def remove_all(session: Session, person_id: int) -> None:
    """Delete all webhooks of a member and their deliveries."""
    session.execute(delete(Webhook).where(col(Webhook.person_id) == person_id))


def renew_secret(session: Session, person: Person, ident: str) -> Webhook:
    """Give a webhook a new secret and invalidate the old one.

    Raises WebhookRefusal or SuspendedError.
    """
    refuse_suspended(person)
    webhook = webhook_of(session, person.id, ident)
    webhook.nonce = _new_nonce()
    session.add(webhook)
    return webhook


def switch_on(session: Session, person: Person, ident: str, *, token_id: int | None = None) -> None:
    """Switch a webhook on again, from now on; `token_id` as in `remove`.

    Raises WebhookRefusal or SuspendedError.
    """
    refuse_suspended(person)
    webhook = webhook_of(session, person.id, ident, token_id=token_id)
    webhook.off_at = webhook.failing_since = webhook.due_at = None
    webhook.failures = 0
    session.add(webhook)


def switch_off(session: Session, webhook: Webhook, *, now: datetime) -> None:
    """Switch a webhook off and drop its waiting messages."""
    webhook.off_at, webhook.due_at = now, None
    session.add(webhook)
    waiting = update(WebhookDelivery).where(col(WebhookDelivery.webhook_id) == webhook.id)
    waiting = waiting.where(col(WebhookDelivery.state) == DeliveryState.WAITING)
    session.execute(waiting.values(state=DeliveryState.GIVEN_UP))


def send_test(session: Session, person: Person, ident: str, *, now: datetime) -> None:
    """Post a `test` event, at once if nothing else waits. Raises WebhookRefusal."""
    webhook = webhook_of(session, person.id, ident)
    if webhook.off_at is not None:
        raise WebhookRefusal(_("This webhook is switched off. Please switch it on first."))
    session.add(Event(person_id=person.id, kind=EventKind.TEST, about_id=webhook.id, at=now, due_at=now))
    webhook.due_at = min(webhook.due_at, now) if webhook.due_at is not None else None
    session.add(webhook)


def webhooks_of(
    session: Session, person_id: int, *, token_id: int | None = None, is_locked: bool = False
) -> Sequence[Webhook]:
    """Return a member's webhooks, oldest first; with `token_id`, those that this token created."""
    own = select(Webhook).where(col(Webhook.person_id) == person_id).order_by(col(Webhook.id))
    own = own if token_id is None else own.where(col(Webhook.token_id) == token_id)
    return session.exec(own.with_for_update() if is_locked else own).all()


def webhook_of(session: Session, person_id: int, ident: str, *, token_id: int | None = None) -> Webhook:
    """Lock and return a webhook, `token_id` as in `webhooks_of`. Raises UnknownWebhook."""
    own = webhooks_of(session, person_id, token_id=token_id, is_locked=True)
    found = next((webhook for webhook in own if ident_of(webhook) == ident), None)
    if found is None:
        raise UnknownWebhook(_("That webhook no longer exists."))
    return found


def ident_of(webhook: Webhook) -> str:
    """Return a webhook's public identifier, which does not reveal how many others exist."""
    return hashlib.sha256(f"webhook {webhook.id} {webhook.created_at.isoformat()}".encode()).hexdigest()[:16]


def secret_of(key: str, nonce: str) -> str:
    """Derive the secret from a nonce, as in Standard Webhooks; `key` is the service's."""
    return "whsec_" + base64.b64encode(_signing_key(key, nonce)).decode()


def signature_of(key: str, nonce: str, ident: str, timestamp: int, body: bytes) -> str:
    """Return the `webhook-signature`: HMAC-SHA256 of message id, time in seconds and body."""
    signed = f"{ident}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(_signing_key(key, nonce), signed, "sha256")).decode()


def _signing_key(key: str, nonce: str) -> bytes:
    return hmac.digest(key.encode(), f"webhook:{nonce}".encode(), "sha256")


def _new_nonce() -> str:
    return secrets.token_hex(_NONCE_BYTES)


def hand_over(session: Session, person_id: int, published: Sequence[Event], now: datetime) -> None:
    """Queue a person's new events for those of their webhooks that are on and want them."""
    own = webhooks_of(session, person_id, is_locked=True)  # locked, or one that went idle just now would not be woken
    for webhook in own:
        wanted = [event for event in published if _is_wanted(webhook, event)]
        session.add_all(WebhookDelivery(webhook_id=webhook.id, event_id=event.id) for event in wanted)
        if wanted:
            webhook.due_at = webhook.due_at or now
            session.add(webhook)


def _is_wanted(webhook: Webhook, event: Event) -> bool:
    """Whether a webhook that is on asked for this kind of event; a test event is for one webhook."""
    if webhook.off_at is not None:
        return False
    return event.about_id == webhook.id if event.kind == EventKind.TEST else event.kind in webhook.kinds.split()


def drop_waiting(session: Session) -> None:
    """Give up all waiting deliveries, because a backup is restored and they may have been delivered."""
    unsent = update(WebhookDelivery).where(col(WebhookDelivery.state) == DeliveryState.WAITING)
    session.execute(unsent.values(state=DeliveryState.GIVEN_UP))
