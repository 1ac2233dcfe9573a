"""The health check for monitoring."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from correspondence.web.db_session import reading

bp = Blueprint("health", __name__)

PARTS = "correspondence_parts"
"""The key in `app.extensions` of a check for each part that runs beside the pages, by its name."""


@bp.get("/health")
def health() -> ResponseReturnValue:
    """200 and `ok` once every part is up, 503 before and after."""
    checks: dict[str, Callable[[], bool]] = current_app.extensions.get(PARTS, {})
    parts = {"web": True, "database": _database_answers(), **{name: check() for name, check in checks.items()}}
    is_healthy = all(parts.values())
    return jsonify(status="ok" if is_healthy else "not ready", parts=parts), 200 if is_healthy else 503


def _database_answers() -> bool:
    try:
        with reading() as db:
            db.connection().execute(text("SELECT 1"))
    except SQLAlchemyError:
        return False
    return True
