"""The page on which a member says which letters he wants, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts, mail_preferences
from correspondence.accounts.mail_preferences import MailPreferences
from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.outbound.schedule import DELAYS
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import number, ticked, written
from engines.wording import _

bp = Blueprint("mail_settings", __name__, url_prefix="/settings/letters")

BOXES = ("turn_letters", "reminders", "talk_letters", "over_letters", "challenge_letters", "receipts", "text_only")
"""What can be ticked."""


@bp.get("")
def show() -> str:
    """The letters a member wants, as they are set."""
    member = session.signed_in()
    with reading() as looking:
        chosen = mail_preferences.mail_preferences_of(looking.get_one(Person, member.id))
    return _page(chosen, "")


@bp.post("")
def change() -> ResponseReturnValue:
    """The wishes hold from the next letter on; a refusal changes nothing and keeps what was chosen."""
    throttle.hit(throttle.ACT)
    member, runtime, wanted = session.signed_in(), current_runtime(), _wanted()
    try:
        with transaction(runtime.engine) as acting:
            mail_preferences.change(acting, acting.get_one(Person, member.id), wanted, now=runtime.now())
    except accounts.PeopleError as error:
        return _page(wanted, str(error)), 422
    flash(_("Your settings are kept."))
    return redirect(url_for("mail_settings.show"), 303)


def _wanted() -> MailPreferences:
    ticks: dict[str, Any] = {box: ticked(box) for box in BOXES}
    delay, hour = number(written("turn_delay", 4)), number(written("digest_hour", 4))
    return replace(
        MailPreferences(**ticks),
        turn_delay=-1 if delay is None else delay,
        digest=written("digest", 10),
        digest_hour=-1 if hour is None else hour,
        quiet_from=_hour("quiet_from"),
        quiet_until=_hour("quiet_until"),
    )


def _hour(name: str) -> int | None:
    """An hour of the form; None where it is left open, and none that there is where it is nonsense."""
    text = written(name, 4)
    found = number(text)
    return None if not text else -1 if found is None else found


def _page(chosen: MailPreferences, refused: str) -> str:
    zone = session.signed_in().zone
    told = {"chosen": chosen, "refused": refused, "zone": zone, "delays": DELAYS}
    return render_template("settings/letters.html", **told)
