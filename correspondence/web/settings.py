"""A member's settings: language, time zone, mail delivery, and signing out browsers."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import access, accounts, member_settings, operators, web_sessions
from correspondence.accounts.access import Ending
from correspondence.core.db import transaction
from correspondence.core.i18n import LANGUAGES, in_language, listed_zones, zone_of
from correspondence.models import Person
from correspondence.outbound import kinds
from correspondence.outbound.delivery_log import last_letters
from correspondence.outbound.suppressions import why_unreachable
from correspondence.web import session, settings_topics, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, query_text
from engines.wording import _

bp = Blueprint("settings", __name__)


@bp.get("/settings")
def show() -> str:
    """Show the member's current settings, or with `q` the topics that have all these words."""
    member = session.require_member()
    return _page({"language": member.language, "zone": zone_of(member.zone).key}, "")


@bp.post("/settings")
def change() -> ResponseReturnValue:
    """Save the settings.

    They take effect at once; the confirmation is already in the new language. A refusal changes nothing.
    """
    throttle.hit(throttle.ACT)
    member = session.require_member()
    language, zone = form_text("language", 20), form_text("zone", 60)
    try:
        with transaction(current_runtime().engine) as db:
            person = db.get_one(Person, member.id)
            member_settings.change_settings(db, person, language=language, zone=zone)
    except accounts.PeopleError as error:
        return _page({"language": language, "zone": zone}, str(error)), 422
    with in_language(language):
        flash(_("Your settings have been saved."))
    return redirect(url_for("settings.show"), 303)


@bp.post("/settings/sign-out")
def sign_out_everywhere() -> ResponseReturnValue:
    """Sign out every browser and program of this member."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    with transaction(runtime.engine) as db:
        access.end(db, db.get_one(Person, member.id), Ending.SIGN_OUT, now=runtime.now())
    session.end()
    flash(_("You have been signed out everywhere. Tokens, webhooks and the address of your calendar no longer work."))
    return redirect(url_for("home.front"), 303)


@bp.post("/settings/sessions/<number:number>/end")
def end_session(number: int) -> ResponseReturnValue:
    """Sign out one browser of the member: this one or another."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    with transaction(current_runtime().engine) as db:
        ended = web_sessions.end(db, member.id, number)
    if ended == member.session_id:
        session.end()
        flash(_("You have signed out."))
        return redirect(url_for("home.front"), 303)
    flash(_("That browser has been signed out."))
    return redirect(url_for("settings.show"), 303)


@bp.post("/settings/sessions/here")
def here() -> ResponseReturnValue:
    """Do nothing; a page's script posts here so that a hook records that the browser is in use."""
    throttle.hit(throttle.ACT)
    session.require_member()
    return Response(status=204)


def _page(chosen: dict[str, object], refused: str) -> str:
    member, person_id = session.require_member(), session.require_member().id
    with reading() as db:
        sessions = web_sessions.list_sessions(db, person_id, member.session_id, now=current_runtime().now())
        tests = last_letters(db, person_id, kinds.TEST, 1)
        stopped = why_unreachable(db, person_id)
        is_operator = operators.is_operator(db, person_id)
    wanted = query_text("q")
    context = {"chosen": chosen, "refused": refused, "tests": tests, "stopped": stopped, "sessions": sessions}
    context |= {"wanted": wanted, "groups": settings_topics.groups(wanted)}
    return render_template(
        "settings.html", languages=LANGUAGES, zones=listed_zones(), is_operator=is_operator, **context
    )
