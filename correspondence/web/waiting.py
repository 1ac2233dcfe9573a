"""The number of games that wait for a member, polled by every visible page."""

from __future__ import annotations

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue

from correspondence.queries.queries import games_version
from correspondence.web import locale, session, throttle
from correspondence.web.db_session import reading
from engines.wording import _, ngettext

bp = Blueprint("waiting", __name__)


@bp.get("/games/waiting.json")
def count() -> ResponseReturnValue:
    """Return the number of waiting games, also in words; 304 if the list is unchanged.

    Returns 404 for visitors who are not signed in, so that a page left open after signing out stops polling.
    """
    throttle.hit(throttle.WATCH)
    member = session.visitor()
    if member is None:
        abort(404)
    with reading() as db:
        version = games_version(db, member.id, locale.language())
    words = ngettext("{count} game waits for your move", "{count} games wait for your move", member.waiting)
    response = jsonify(
        waiting=member.waiting, words=words.format(count=member.waiting), pulse=version,
        news=_("There is news in your games."),
    )  # fmt: skip
    response.set_etag(version)
    return response.make_conditional(request)
