"""The archive files: their list, each month's file and manifest, and a member's licence."""

from __future__ import annotations

import io

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestedRangeNotSatisfiable

from correspondence.archive import monthly
from correspondence.core.db import transaction
from correspondence.models import ArchiveMonth, Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from engines.wording import _

bp = Blueprint("archive_files", __name__)

_CACHED = "public, max-age=3600"


@bp.get("/archive/files")
def listed() -> str:
    """List every month, with its games and its hash."""
    throttle.hit(throttle.READ)
    with reading() as db:
        months = monthly.months(db)
    return render_template("archive_files.html", months=months)


@bp.get("/archive/<string:month>.zip")
def file(month: str) -> Response:
    """Send the file of a month, with support for HEAD, ranges and conditional requests."""
    row = _month(month)
    response = send_file(
        io.BytesIO(row.content), mimetype="application/zip", as_attachment=True, download_name=f"{row.month}.zip",
        conditional=False, etag=False,
    )  # fmt: skip
    response.set_etag(row.digest)
    response.last_modified = row.made_at
    response.headers["Cache-Control"] = _CACHED
    try:
        response.make_conditional(request, accept_ranges=True, complete_length=len(row.content))
    except RequestedRangeNotSatisfiable as error:
        return Response(status=416, headers={"Content-Range": f"bytes */{error.length}"})
    return response


@bp.get("/archive/<string:month>.json")
def manifest(month: str) -> Response:
    """Show the manifest of a month: each game with its hash and its licence."""
    row = _month(month)
    response = Response(row.manifest, mimetype="application/json")
    response.headers["Cache-Control"] = _CACHED
    response.add_etag()
    response.make_conditional(request)
    return response


def _month(month: str) -> ArchiveMonth:
    throttle.hit(throttle.READ)
    with reading() as db:
        row = monthly.month_named(db, month)
    if row is None:
        abort(404)
    return row


@bp.get("/settings/archive")
def settings() -> str:
    """Show the licence that the member chose for their games."""
    return render_template("settings/archive.html", answer=session.require_member().archive_licence)


@bp.post("/settings/archive")
def change() -> ResponseReturnValue:
    """Save the member's licence."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    try:
        with transaction(current_runtime().engine) as db:
            monthly.allow(db, db.get_one(Person, member.id), request.form.get("answer", ""))
    except monthly.LicenceError as error:
        return refusal(422, _("The archive"), str(error))
    flash(_("Your settings have been saved."))
    return redirect(url_for("archive_files.settings"), 303)
