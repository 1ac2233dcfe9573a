"""Everything that is kept about a member: fetched as a file, or erased."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.community import erasure
from correspondence.community.data_export import copy_of
from correspondence.core.db import transaction
from correspondence.models import Person, Purpose
from correspondence.queries.view_models import LinkPurpose
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import written
from engines.wording import _

bp = Blueprint("data_export", __name__, url_prefix="/settings/mydata")


@bp.get("")
def show() -> str:
    """What can be fetched and what can be erased."""
    session.signed_in()
    return render_template("settings/mydata.html", asking=False)


@bp.get("/forget")
def ask() -> str:
    """Asks once more whether everything shall be erased."""
    session.signed_in()
    return render_template("settings/mydata.html", asking=True)


@bp.post("/fetch")
def fetch() -> Response:
    """The member's data as a file, sent while it is made."""
    return _sent(session.signed_in().id)


@bp.post("/forget")
def forget() -> ResponseReturnValue:
    """The member is erased and signed out; a form that was not confirmed only asks once more."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    if written("confirmed") != "yes":
        return redirect(url_for("data_export.ask"), 303)
    with transaction(runtime.engine) as acting:
        erasure.forget(acting, acting.get_one(Person, member.id), now=runtime.now())
    return redirect(farewell(), 303)


def fetched_by(asked: LinkPurpose) -> Response:
    """The file for whoever holds the link of the letter, which works once. Raises PeopleError."""
    runtime = current_runtime()
    with transaction(runtime.engine) as acting:
        token = accounts.live_token(acting, asked.number, Purpose.EXPORT, now=runtime.now())
        token.used_at = runtime.now()
        acting.add(token)
        number = token.person_id
    assert number is not None
    return _sent(number)


def farewell() -> str:
    """Sign out, say so, and name the page to go on to."""
    session.end()
    flash(_("You are erased here. Farewell."))
    return url_for("home.front")


def _sent(number: int) -> Response:
    throttle.hit(throttle.RECORDS)
    runtime = current_runtime()
    answer = Response(copy_of(runtime.engine, number, base=runtime.settings.base_url), mimetype="application/zip")
    answer.headers["Content-Disposition"] = 'attachment; filename="correspondence.zip"'
    return answer
