"""What every open page of a member asks for while it is in sight: how many games wait for them."""

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
    """The number of games that wait for the member, in words too; 304 while their list of games would look the same.

    404 for anybody who is not signed in, so a page that was left open after signing out asks no more.
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
