"""The operator's desk: a page for members who are operators, and for nobody else."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from correspondence.accounts import operators
from correspondence.community import reports
from correspondence.moderation import register
from correspondence.queries.desk import LISTED, desk
from correspondence.web import session
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("desk", __name__)


@bp.get("/desk")
def show() -> str:
    """The desk; 404 for everybody but operators, so that nobody learns who is one."""
    visitor, runtime = session.visitor_id(), current_runtime()
    with reading() as db:
        if visitor is None or not operators.is_operator(db, visitor):
            abort(404)
        seen = desk(db, runtime.settings, now=runtime.now())
        reported = reports.last_reports(db, LISTED)
    return render_template("desk.html", desk=seen, reports=reported, register=register)
