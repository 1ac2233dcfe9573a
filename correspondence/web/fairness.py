"""Fairness pages: explanation, verifier, public keys, and the evidence of each game."""

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
    """Explain what is published about chance and secrets and what it proves, with an example."""
    return render_template("fairness.html", example=EXAMPLE)


@bp.get("/help/verify.pyz")
def checker() -> Response:
    """Return the verifier, one file that runs on any Python."""
    throttle.hit(throttle.RECORDS)
    response = Response(checker_file(), mimetype="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="verify.pyz"'
    return response


@bp.get("/help/check.html")
def offline() -> Response:
    """Return the offline checking page: one file, the same for everybody."""
    throttle.hit(throttle.READ)
    response = Response(check_page.check_page(), mimetype="text/html")
    response.headers["Content-Security-Policy"] = check_page.policy()
    response.headers["Cache-Control"] = "public, no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


@bp.get("/.well-known/correspondence-keys.json")
def public_keys() -> ResponseReturnValue:
    """Return the public keys that sign record heads, and the days from which each was in use."""
    with reading() as db:
        return jsonify(keys=keys.published(db))


@bp.get("/games/<number:number>/evidence")
def evidence(number: int) -> str:
    """Show what this game's record proves, line by line, redacted for the reader."""
    throttle.hit(throttle.READ)
    runtime = current_runtime()
    with reading() as db:
        seen = evidence_view(db, number, session.visitor_id(), signer=runtime.signer, now=runtime.now())
    if seen is None:
        abort(404)
    report = check_record(seen.record, check_signature, seen.keys)
    return render_template("evidence.html", number=number, evidence=seen.evidence, report=report, unguarded=unguarded)
