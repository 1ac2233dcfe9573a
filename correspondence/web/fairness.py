"""Pages about fairness: how to check, the checker as a file, our public keys, and the evidence about one game."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from correspondence.core.signing import check_signature
from correspondence.fairness import check_page, keys
from correspondence.fairness.checker_file import checker_file
from correspondence.queries.queries import evidence_view
from correspondence.rulebook.fairness import EXAMPLE
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines.verification.checks import check_record, unguarded

bp = Blueprint("fairness", __name__)


@bp.get("/help/fairness")
def explained() -> str:
    """What is published about chance and secrets, what it proves and what not, with an example to work out."""
    return render_template("fairness.html", example=EXAMPLE)


@bp.get("/help/verify.pyz")
def checker() -> Response:
    """The checker: one file that any Python runs."""
    throttle.hit(throttle.RECORDS)
    response = Response(checker_file(), mimetype="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="verify.pyz"'
    return response


@bp.get("/help/check.html")
def offline() -> Response:
    """The checking page: one file that works without us, and looks the same for everybody."""
    throttle.hit(throttle.READ)
    response = Response(check_page.check_page(), mimetype="text/html")
    response.headers["Content-Security-Policy"] = check_page.policy()
    response.headers["Cache-Control"] = "public, no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


@bp.get("/.well-known/correspondence-keys.json")
def public_keys() -> ResponseReturnValue:
    """The public keys with which heads of records are signed, and the days from which each was in use."""
    with reading() as db:
        return jsonify(keys=keys.published(db))


@bp.get("/games/<number:number>/evidence")
def evidence(number: int) -> str:
    """What this game's record proves, line by line, as its reader may see it."""
    throttle.hit(throttle.READ)
    runtime = current_runtime()
    with reading() as db:
        seen = evidence_view(db, number, session.visitor_id(), signer=runtime.signer, now=runtime.now())
    if seen is None:
        abort(404)
    report = check_record(seen.record, check_signature, seen.keys)
    return render_template("evidence.html", number=number, evidence=seen.evidence, report=report, unguarded=unguarded)
