"""Health checks for monitoring: of this process, and of the whole service."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from correspondence.queries import readiness
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("health", __name__)

PARTS = "correspondence_parts"
"""The key in `app.extensions` of the checks of this process's background parts, by name."""


@bp.get("/health")
def health() -> ResponseReturnValue:
    """Return 200 and `ok` if every part of this process is up, or else 503."""
    checks: dict[str, Callable[[], bool]] = current_app.extensions.get(PARTS, {})
    parts = {"web": True, "database": _database_answers(), **{name: check() for name, check in checks.items()}}
    is_healthy = all(parts.values())
    return jsonify(status="ok" if is_healthy else "not ready", parts=parts), 200 if is_healthy else 503


@bp.get("/health/ready")
def ready() -> ResponseReturnValue:
    """Return 200 if the service works, or else 503 with the reasons in sentences.

    This covers all processes of the service.
    """
    runtime = current_runtime()
    reasons = readiness.problems(runtime.engine, runtime.settings, now=runtime.now())
    return jsonify(status="not ready" if reasons else "ready", reasons=reasons), 503 if reasons else 200


def _database_answers() -> bool:
    try:
        with reading() as db:
            db.connection().execute(text("SELECT 1"))
    except SQLAlchemyError:
        return False
    return True
