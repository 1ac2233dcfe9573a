"""A member's settings: language, time zone, whether letters arrive, and ending every visit."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts, web_sessions
from correspondence.core.db import transaction
from correspondence.core.i18n import LANGUAGES, in_language, zones
from correspondence.models import Person
from correspondence.outbound.delivery_log import last_letters
from correspondence.outbound.suppressions import why_unreachable
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import written
from engines.wording import _

bp = Blueprint("settings", __name__)


@bp.get("/settings")
def show() -> str:
    """The member's settings as they are."""
    member = session.signed_in()
    return _page({"language": member.language, "zone": member.zone}, "")


@bp.post("/settings")
def change() -> ResponseReturnValue:
    """Settings take effect at once, the language on this very page; a refusal changes nothing."""
    throttle.hit(throttle.ACT)
    member = session.signed_in()
    language, zone = written("language", 20), written("zone", 60)
    try:
        with transaction(current_runtime().engine) as acting:
            person = acting.get_one(Person, member.id)
            accounts.change_settings(acting, person, language=language, zone=zone)
    except accounts.PeopleError as error:
        return _page({"language": language, "zone": zone}, str(error)), 422
    with in_language(language):
        flash(_("Your settings are kept."))
    return redirect(url_for("settings.show"), 303)


@bp.post("/settings/sign-out")
def sign_out_everywhere() -> ResponseReturnValue:
    """Every browser that was signed in as this member is so no longer."""
    member, runtime = session.signed_in(), current_runtime()
    with transaction(runtime.engine) as acting:
        web_sessions.end_all(acting, member.id, now=runtime.now())
    session.end()
    flash(_("You are signed out everywhere."))
    return redirect(url_for("home.front"), 303)


@bp.post("/settings/sessions/<number:number>/end")
def end_session(number: int) -> ResponseReturnValue:
    """One browser is signed in no longer: this one, or another of the member's."""
    throttle.hit(throttle.ACT)
    member = session.signed_in()
    with transaction(current_runtime().engine) as acting:
        web_sessions.end(acting, member.id, number)
    if number == member.visit:
        session.end()
        flash(_("You are signed out."))
        return redirect(url_for("home.front"), 303)
    flash(_("That browser is signed out."))
    return redirect(url_for("settings.show"), 303)


@bp.post("/settings/sessions/here")
def here() -> ResponseReturnValue:
    """Sent by a page's script after a while, so that it is known when this browser was used; noted before we come."""
    throttle.hit(throttle.ACT)
    session.signed_in()
    return Response(status=204)


def _page(chosen: dict[str, object], refused: str) -> str:
    member, number = session.signed_in(), session.signed_in().id
    with reading() as looking:
        visits = web_sessions.list_sessions(looking, number, member.visit, now=current_runtime().now())
        tests = last_letters(looking, number, "test", 1)
        stopped = why_unreachable(looking, number)
    told = {"chosen": chosen, "refused": refused, "tests": tests, "stopped": stopped, "visits": visits}
    return render_template("settings.html", languages=LANGUAGES, zones=zones(), **told)
