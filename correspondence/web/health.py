"""Whether everything runs, for machines that ask."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from correspondence.web.db_session import reading

bp = Blueprint("health", __name__)

PARTS = "correspondence_parts"
"""Where the application keeps a question for each part that runs beside the pages: is it up?"""


@bp.get("/health")
def health() -> ResponseReturnValue:
    """200 and `ok` once every part is up, 503 before and after."""
    asked: dict[str, Callable[[], bool]] = current_app.extensions.get(PARTS, {})
    parts = {"web": True, "database": _database_answers(), **{name: ask() for name, ask in asked.items()}}
    is_well = all(parts.values())
    return jsonify(status="ok" if is_well else "not ready", parts=parts), 200 if is_well else 503


def _database_answers() -> bool:
    try:
        with reading() as looking:
            looking.connection().execute(text("SELECT 1"))
    except SQLAlchemyError:
        return False
    return True
