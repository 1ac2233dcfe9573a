"""The settings page for webhooks: URLs to which a member's events are posted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import web_sessions
from correspondence.core.db import transaction
from correspondence.core.ratelimit import RateLimit
from correspondence.features.webhooks import webhooks
from correspondence.features.webhooks.tables import Webhook
from correspondence.features.webhooks.views import webhooks_of
from correspondence.models import EventKind, Person
from correspondence.transport.pushing import LONGEST_ENDPOINT
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text
from engines.refusal import Refusal
from engines.wording import N_, _

bp = Blueprint("webhooks", __name__, template_folder="templates/web")

TEST = RateLimit("webhook test", 6, 30)
"""Limit for posting tests to webhooks."""

_TITLES: Mapping[str, str] = MappingProxyType(
    {
        EventKind.GAME_STARTED: N_("a game of mine has begun"),
        EventKind.MOVE: N_("somebody has moved in a game of mine"),
        EventKind.YOUR_TURN: N_("it is my turn"),
        EventKind.DRAW_OFFERED: N_("a draw is offered to me"),
        EventKind.TAKE_BACK_ASKED: N_("my opponent asks to take a move back"),
        EventKind.PAUSE_OFFERED: N_("a pause is offered to me"),
        EventKind.OFFER_DECLINED: N_("my offer was declined"),
        EventKind.OFFER_WITHDRAWN: N_("an offer to me was withdrawn"),
        EventKind.MOVES_TAKEN_BACK: N_("moves were taken back"),
        EventKind.GAME_PAUSED: N_("a pause has begun"),
        EventKind.TALK: N_("somebody has said something in a game of mine"),
        EventKind.CLOCK_LOW: N_("my time is running out"),
        EventKind.GAME_ENDED: N_("a game of mine is over"),
        EventKind.CHALLENGE: N_("somebody challenges me"),
        EventKind.CHALLENGE_ANSWERED: N_("a challenge of mine was answered"),
    }
)
"""The name of each kind of event on the page."""


@bp.get("/settings/webhooks")
def show() -> str:
    """Show the member's webhooks with their last deliveries; after a recent sign-in also a form."""
    session.require_member()
    session.remember_page()  # after signing in again, the member returns to this page
    return _page()


@bp.post("/settings/webhooks")
def add() -> ResponseReturnValue:
    """Make a webhook; only this response shows its secret."""
    throttle.hit(throttle.ACT)
    name, url = form_text("name", webhooks.LONGEST_NAME), form_text("url", LONGEST_ENDPOINT + 1)
    chosen = request.form.getlist("kind")[: len(webhooks.KINDS) + 1]

    def make(db: Session, member: Person, now: datetime) -> Webhook:
        return webhooks.register(db, member, name, url, chosen, now=now)

    return _with_secret(make, {"name": name, "url": url, "kinds": chosen})


@bp.post("/settings/webhooks/<ident>/secret")
def renew_secret(ident: str) -> ResponseReturnValue:
    """Give a webhook a new secret; only this response shows it."""
    throttle.hit(throttle.ACT)
    return _with_secret(lambda db, member, _now: webhooks.renew_secret(db, member, ident), {})


@bp.post("/settings/webhooks/<ident>/test")
def test(ident: str) -> ResponseReturnValue:
    """Post a test to a webhook."""
    throttle.hit(TEST)
    sentence = _("The test is on its way. You'll see the result below in a few seconds.")
    return _changed(lambda db, member, now: webhooks.send_test(db, member, ident, now=now), sentence)


@bp.post("/settings/webhooks/<ident>/on")
def switch_on(ident: str) -> ResponseReturnValue:
    """Switch on a webhook that the service had switched off."""
    throttle.hit(throttle.ACT)
    sentence = _("The webhook is on: events from now on are posted to it.")
    return _changed(lambda db, member, _now: webhooks.switch_on(db, member, ident), sentence)


@bp.post("/settings/webhooks/<ident>/remove")
def remove(ident: str) -> ResponseReturnValue:
    """Delete a webhook."""
    throttle.hit(throttle.ACT)
    sentence = _("The webhook has been removed.")
    return _changed(lambda db, member, _now: webhooks.remove(db, member.id, ident), sentence)


def _changed(change: Callable[[Session, Person, datetime], None], sentence: str) -> ResponseReturnValue:
    """Change one of the member's webhooks and flash the outcome."""
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            change(db, db.get_one(Person, member.id), runtime.now())
    except Refusal as error:
        return _page(refused=str(error)), 422
    flash(sentence)
    return redirect(url_for("webhooks.show"), 303)


def _with_secret(
    change: Callable[[Session, Person, datetime], Webhook], typed: Mapping[str, Any]
) -> ResponseReturnValue:
    """Make or change a webhook of the member and show its secret once.

    Refused without a recent sign-in.
    """
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            web_sessions.require_recent(db, member.session_id, now=runtime.now())
            webhook = change(db, db.get_one(Person, member.id), runtime.now())
            name, secret = webhook.name, webhooks.secret_of(runtime.settings.secret_key, webhook.nonce)
    except Refusal as error:
        return _page(refused=str(error), typed=typed), 422
    return _page(made=name, secret=secret)


def _page(refused: str = "", typed: Mapping[str, Any] | None = None, made: str = "", secret: str = "") -> str:
    member = session.require_member()
    with reading() as db:
        own = webhooks_of(db, member.id)
        is_recent = web_sessions.is_recent(db, member.session_id, now=current_runtime().now())
    usual = {"name": "", "url": "", "kinds": (EventKind.YOUR_TURN, EventKind.GAME_ENDED, EventKind.CHALLENGE)}
    return render_template(
        "webhooks/page.html", own=own, most=webhooks.MOST, kinds=_TITLES, typed={**usual, **(typed or {})},
        refused=refused, made=made, secret=secret, is_recent=is_recent,
    )  # fmt: skip
