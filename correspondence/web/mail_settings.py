"""The settings page for which letters a member gets, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts, mail_preferences
from correspondence.accounts.mail_preferences import MailPreferences
from correspondence.core.db import transaction
from correspondence.core.i18n import zone_of
from correspondence.models import Person
from correspondence.outbound.schedule import DELAYS
from correspondence.outbound.stops import topics_of_features
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, is_ticked, number
from engines.wording import _

bp = Blueprint("mail_settings", __name__)

SWITCHES = (
    "turn_letters",
    "reminders",
    "talk_letters",
    "game_over_letters",
    "challenge_letters",
    "announcement_letters",
    "receipts",
    "exercise_letters",
    "text_only",
)
"""The checkboxes of the form."""


@bp.get("/settings/letters")
def show() -> str:
    """Show the member's current mail preferences."""
    member = session.require_member()
    with reading() as db:
        chosen = mail_preferences.mail_preferences_of(db.get_one(Person, member.id))
    return _page(chosen, "")


@bp.post("/settings/letters")
def change() -> ResponseReturnValue:
    """Save the preferences, which apply from the next letter on.

    A refusal changes nothing and keeps the input.
    """
    throttle.hit(throttle.ACT)
    member, runtime, preferences = session.require_member(), current_runtime(), _submitted()
    try:
        with transaction(runtime.engine) as db:
            mail_preferences.change(db, db.get_one(Person, member.id), preferences, now=runtime.now())
    except accounts.PeopleError as error:
        return _page(preferences, str(error)), 422
    flash(_("Your settings have been saved."))
    return redirect(url_for("mail_settings.show"), 303)


def _submitted() -> MailPreferences:
    ticks: dict[str, Any] = {box: is_ticked(box) for box in SWITCHES}
    stopped = sorted(topic.name for topic in topics_of_features() if not is_ticked(topic.name))
    delay, hour = number(form_text("turn_delay", 4)), number(form_text("digest_hour", 4))
    return replace(
        MailPreferences(**ticks, stopped_topics=" ".join(stopped)),
        turn_delay=-1 if delay is None else delay,
        digest=form_text("digest", 10),
        digest_hour=-1 if hour is None else hour,
        quiet_from=_hour("quiet_from"),
        quiet_until=_hour("quiet_until"),
    )


def _hour(name: str) -> int | None:
    """The hour in a form field; None if left empty, -1 if invalid."""
    text = form_text(name, 4)
    hour = number(text)
    return None if not text else -1 if hour is None else hour


def _page(chosen: MailPreferences, refused: str) -> str:
    zone = zone_of(session.require_member().zone).key
    context = {"chosen": chosen, "refused": refused, "zone": zone, "delays": DELAYS, "topics": topics_of_features()}
    return render_template("settings/letters.html", **context)
