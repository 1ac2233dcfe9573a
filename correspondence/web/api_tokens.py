"""The settings page for a member's API tokens."""

from __future__ import annotations

from flask import Blueprint, flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import api_tokens, web_sessions
from correspondence.core.db import transaction
from correspondence.models import ApiScope, Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, is_ticked
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("api_tokens", __name__)


@bp.get("/settings/tokens")
def show() -> str:
    """Show the member's tokens without their secrets.

    After a recent sign-in, also show the form to make a token.
    """
    session.require_member()
    session.remember_page()  # after signing in again, the member returns to this page
    return _page()


@bp.post("/settings/tokens")
def make() -> ResponseReturnValue:
    """Make a token and show it once; refused without a recent sign-in."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    scope = ApiScope.PLAY if form_text("scope") == ApiScope.PLAY else ApiScope.READ
    try:
        with transaction(runtime.engine) as db:
            web_sessions.require_recent(db, member.session_id, now=runtime.now())
            person = db.get_one(Person, member.id)
            made = api_tokens.make(db, person, form_text("name"), scope, now=runtime.now())
    except Refusal as error:
        return _page(refused=str(error), typed=form_text("name")), 422
    response = make_response(_page(made=made))
    response.headers["Cache-Control"] = "private, no-store"
    return response


@bp.post("/settings/tokens/<number:number>/revoke")
def revoke(number: int) -> ResponseReturnValue:
    """Revoke one of the member's tokens.

    No recent sign-in is needed, because this removes access.
    """
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    with transaction(runtime.engine) as db:
        api_tokens.revoke(db, member.id, number, now=runtime.now())
    flash(_("That token no longer works."))
    return redirect(url_for("api_tokens.show"), 303)


@bp.post("/settings/tokens/program")
def declare() -> ResponseReturnValue:
    """Declare whether a program plays for the member; running games keep their declaration."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    with transaction(current_runtime().engine) as db:
        person = db.get_one(Person, member.id)
        person.is_program = is_ticked("program")
        db.add(person)
    flash(_("Your settings have been saved."))
    return redirect(url_for("api_tokens.show"), 303)


def _page(made: str = "", refused: str = "", typed: str = "") -> str:
    member, now = session.require_member(), current_runtime().now()
    with reading() as db:
        own = api_tokens.live_tokens(db, member.id, now=now)
        is_program = db.get_one(Person, member.id).is_program
        is_recent = web_sessions.is_recent(db, member.session_id, now=now)
    context: dict[str, object] = {"own": own, "is_recent": is_recent, "is_program": is_program}
    context |= {"made": made, "refused": refused, "typed": typed}
    return render_template("settings/tokens.html", most=api_tokens.LONGEST_NAME, **context)
