"""Webhooks made by a program: URLs to which its member's events are posted.

A token can access only the webhooks that it made. So it can neither read nor change those of the member or of another
program. Webhooks end with their token, so revoking a stolen token removes them too.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from flask import Response, after_this_request
from flask.typing import ResponseReturnValue
from pydantic import AfterValidator, Field
from sqlmodel import Session

from correspondence.accounts import api_tokens
from correspondence.api.access import member, token_id
from correspondence.api.acting import Done, for_member
from correspondence.api.calls import Input, ResponseBody, bp, call
from correspondence.api.shapes import Word
from correspondence.features.webhooks import webhooks
from correspondence.features.webhooks.tables import Webhook
from correspondence.features.webhooks.views import WebhookView, webhooks_of
from correspondence.models import ApiScope, EventKind, Person
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import problem
from correspondence.web.forms import plain
from engines.wording import _

_TOPIC = "events"

_Address = Annotated[str, Field(max_length=webhooks.LONGEST_URL), AfterValidator(lambda url: plain(url, len(url)))]


class WebhookOut(ResponseBody):
    """A webhook; `is_off` if it was switched off because deliveries failed for too long.

    `next_at` is the time of the next retry, if deliveries fail.
    """

    id: str
    name: str
    url: str
    events: list[str]
    is_off: bool
    failing_since: datetime | None
    next_at: datetime | None


class Webhooks(ResponseBody):
    """The webhooks that the token made, oldest first."""

    webhooks: list[WebhookOut]


class WebhookMade(WebhookOut):
    """A new webhook with its signing secret, which no other answer contains."""

    secret: str


class WebhookIn(Input):
    """The webhook's name, its public https URL, and the events to post there."""

    name: Word
    url: _Address
    events: list[EventKind] = Field(min_length=1, max_length=len(webhooks.KINDS))


@call("GET", "/webhooks", topic=_TOPIC, scope=ApiScope.PLAY, answers=Webhooks)
def listed() -> Webhooks:
    """List the webhooks that this token made."""
    with reading() as db:
        own = webhooks_of(db, member().id, token_id=token_id())
    return Webhooks(webhooks=[WebhookOut(**_facts(one)) for one in own])


@call("POST", "/webhooks", topic=_TOPIC, scope=ApiScope.PLAY, takes=WebhookIn, answers=WebhookMade, status=201)
def make(body: WebhookIn) -> WebhookMade:
    """Make a webhook that posts events to a URL from now on.

    Only this answer contains the secret. A letter informs the member of the webhook, which ends with the token.
    """
    number, key = token_id(), current_runtime().settings.secret_key

    def register(db: Session, person: Person, now: datetime) -> WebhookMade:
        maker = webhooks.Maker(number, api_tokens.name_of(db, number))
        made = webhooks.register(db, person, body.name, body.url, body.events, maker=maker, now=now)
        return _made(db, made, webhooks.secret_of(key, made.nonce))

    after_this_request(_not_stored)
    return for_member(register)


@call("POST", "/webhooks/<ident>/on", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def switch_on(ident: str) -> Done:
    """Switch on a webhook that was switched off because deliveries failed for too long."""
    number = token_id()
    for_member(lambda db, person, _now: webhooks.switch_on(db, person, ident, token_id=number))
    return Done(sentence=_("The webhook is on: events from now on are posted to it."))


@call("DELETE", "/webhooks/<ident>", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def remove(ident: str) -> Done:
    """Delete a webhook."""
    number = token_id()
    for_member(lambda db, person, _now: webhooks.remove(db, person.id, ident, token_id=number))
    return Done(sentence=_("The webhook has been removed."))


def _made(db: Session, made: Webhook, secret: str) -> WebhookMade:
    own = webhooks_of(db, made.person_id, token_id=made.token_id)
    return WebhookMade(**_facts(next(one for one in own if one.ident == webhooks.ident_of(made))), secret=secret)


def _facts(view: WebhookView) -> dict[str, Any]:
    return {
        "id": view.ident, "name": view.name, "url": view.url, "events": list(view.kinds), "is_off": view.is_off,
        "failing_since": view.failing_since, "next_at": view.next_at,
    }  # fmt: skip


def _not_stored(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    return response


@bp.errorhandler(webhooks.UnknownWebhook)
def _unknown(error: webhooks.UnknownWebhook) -> ResponseReturnValue:
    return problem(404, _("Not found"), str(error))
