"""Download or erase all data about a member."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.community import erasure
from correspondence.community.data_export import export_chunks
from correspondence.core.db import transaction
from correspondence.models import Person, Purpose
from correspondence.queries.view_models import LinkPurpose
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import form_text
from engines.wording import _

bp = Blueprint("data_export", __name__)


@bp.get("/settings/mydata")
def show() -> str:
    """Show the page that offers download and erasure."""
    session.require_member()
    return render_template("settings/mydata.html", asking=False)


@bp.get("/settings/mydata/forget")
def ask() -> str:
    """Ask for confirmation before erasing everything."""
    session.require_member()
    return render_template("settings/mydata.html", asking=True)


@bp.post("/settings/mydata/fetch")
def fetch() -> Response:
    """Stream the member's data as a file."""
    return _download(session.require_member().id)


@bp.post("/settings/mydata/forget")
def forget() -> ResponseReturnValue:
    """Erase and sign out the member; an unconfirmed form redirects to the confirmation."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    if form_text("confirmed") != "yes":
        return redirect(url_for("data_export.ask"), 303)
    with transaction(runtime.engine) as db:
        erasure.forget(db, db.get_one(Person, member.id), now=runtime.now())
    return redirect(sign_out_erased(), 303)


def download_by_link(details: LinkPurpose) -> Response:
    """Return the data file for a mailed link, which works once. Raises PeopleError."""
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        token = accounts.live_token(db, details.number, Purpose.EXPORT, now=runtime.now())
        token.used_at = runtime.now()
        db.add(token)
        person_id = token.person_id
    assert person_id is not None
    return _download(person_id)


def sign_out_erased() -> str:
    """Sign out an erased member; return the URL of the next page."""
    session.end()
    flash(_("Your account has been erased. Farewell."))
    return url_for("home.front")


def _download(person_id: int) -> Response:
    throttle.hit(throttle.RECORDS)
    runtime = current_runtime()
    response = Response(
        export_chunks(runtime.engine, person_id, signer=runtime.signer, now=runtime.now()),
        mimetype="application/zip",
    )
    response.headers["Content-Disposition"] = 'attachment; filename="correspondence.zip"'
    return response
