"""Everything that is kept about a member: fetched as a file, or erased."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.community import erasure
from correspondence.community.data_export import copy_of
from correspondence.core.db import transaction
from correspondence.models import Person, Purpose
from correspondence.queries.view_models import Asked
from correspondence.web import session, throttle
from correspondence.web.current import this_house
from correspondence.web.forms import written
from engines.wording import _

bp = Blueprint("mydata", __name__, url_prefix="/settings/mydata")


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
    throttle.knock(throttle.ACT)
    member, house = session.signed_in(), this_house()
    if written("confirmed") != "yes":
        return redirect(url_for("mydata.ask"), 303)
    with transaction(house.engine) as acting:
        erasure.forget(acting, acting.get_one(Person, member.id), now=house.now())
    return redirect(farewell(), 303)


def fetched_by(asked: Asked) -> Response:
    """The file for whoever holds the link of the letter, which works once. Raises PeopleError."""
    house = this_house()
    with transaction(house.engine) as acting:
        token = accounts.live_token(acting, asked.number, Purpose.EXPORT, now=house.now())
        token.used_at = house.now()
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
    throttle.knock(throttle.RECORDS)
    house = this_house()
    answer = Response(copy_of(house.engine, number, base=house.settings.base_url), mimetype="application/zip")
    answer.headers["Content-Disposition"] = 'attachment; filename="correspondence.zip"'
    return answer
