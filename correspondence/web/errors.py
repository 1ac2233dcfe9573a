"""Error pages: each says in a sentence what happened and what to do next."""

from __future__ import annotations

import logging
from datetime import datetime

from flask import Flask, Response, abort, current_app, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from correspondence.core.i18n import moment
from correspondence.web import missing
from correspondence.web.current import current_runtime
from correspondence.web.form_guard import ForgedRequest, OtherMember
from correspondence.web.locale import language, zone
from correspondence.web.session import API, SignedOut, visitor
from engines import UnknownGame
from engines.refusal import Refusal
from engines.wording import N_, _

log = logging.getLogger(__name__)

RETRY_AFTER = 30
"""Retry-After header while the database is down, in seconds."""

_SENTENCES = {
    400: (
        N_("That could not be read"),
        N_("Something in this request could not be read. Please go back and try again."),
    ),
    401: (N_("Sign in first"), N_("This needs a member's token. You can make one on your settings page.")),
    403: (N_("Not allowed"), N_("This page belongs to another member.")),
    404: (N_("Not found"), N_("There's no such page, or it has been removed.")),
    405: (N_("That didn't work"), N_("This page can't be used like that. Please go back and use its buttons.")),
    413: (N_("Too long"), N_("That's more than we accept at once. Please send something shorter.")),
    415: (N_("That didn't work"), N_("Please send JSON, with the header Content-Type: application/json.")),
    429: (N_("One moment"), N_("That was a little too fast. Please wait a minute and try again.")),
    500: (
        N_("Our mistake"),
        N_("Something went wrong on our side; nothing was changed. Please try again in a moment."),
    ),
    503: (N_("Not now"), N_("This cannot be done at the moment. Please try again later.")),
}
_FOR_PROGRAMS = {
    403: N_("Only the players of this game can do that."),
    404: N_("This does not exist, or you may not see it."),
    405: N_("That method isn't allowed here; the Allow header lists those that are."),
}
"""Sentences for API clients, replacing those that speak of pages."""

_AWAY = (
    N_("Back soon"),
    N_("Our database isn't answering at the moment, so nothing was changed. Please try again in half a minute."),
)
_PERHAPS_DONE = N_(
    "Our database isn't answering at the moment, so we can't say whether that was done. Please check in "
    "half a minute, and send it again only if it wasn't."
)
"""The sentence for a failed POST.

It may have been committed although the database did not answer.
"""


def attach(app: Flask) -> None:
    """Answer every HTTP error with an error page, or with JSON if the client asked for it."""
    app.before_request(_refuse_nul)
    app.register_error_handler(ForgedRequest, _forged)
    app.register_error_handler(OtherMember, _other_member)
    app.register_error_handler(SignedOut, _signed_out)
    app.register_error_handler(HTTPException, _error_page)
    app.register_error_handler(UnknownGame, _unknown_game)
    app.register_error_handler(DBAPIError, _database_error)
    app.register_error_handler(PoolTimeout, _database_away)
    app.register_error_handler(Refusal, _refused)


def _refuse_nul() -> None:
    """Refuse paths that contain NUL: no URL has one, and PostgreSQL rejects it in text."""
    if "\x00" in request.path:
        abort(404)


def _error_page(error: HTTPException) -> ResponseReturnValue:
    if error.code is None or error.code < 400:
        return error.get_response()
    code = error.code if error.code in _SENTENCES else 400 if error.code < 500 else 500
    if code == 413:
        _drop_what_is_sent()
    title, sentence = (_(words) for words in _SENTENCES[code])
    if code == 404:
        sentence = missing.sentence_about(request.path) or sentence
    response = make_response(refusal(code, title, sentence))
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))  # RFC 9110, section 15.5.6
    return response


def _drop_what_is_sent() -> None:
    """Read and discard a body of up to twice the maximum length.

    Otherwise a proxy that is still sending the body would lose the response. A body over the limit is refused by its
    Content-Length, before any of it is read.
    """
    limit, left = current_app.config["MAX_CONTENT_LENGTH"], request.content_length or 0
    if not limit < left <= 2 * limit:
        return
    while left > 0 and (part := request.environ["wsgi.input"].read(min(left, 1 << 16))):
        left -= len(part)


def _forged(_error: ForgedRequest) -> ResponseReturnValue:
    sentence = _(
        "We can't tell that this was sent from one of our own pages, so nothing was done. Please open "
        "{address} and send it from there. If that doesn't help, a proxy or an extension in your browser is "
        "removing the headers Sec-Fetch-Site and Origin."
    ).format(address=current_runtime().settings.base_url)
    return refusal(403, _("Please send it from our pages"), sentence)


def _other_member(_error: OtherMember) -> ResponseReturnValue:
    current = visitor()
    sentence = _(
        "Since this page was loaded, {handle} has signed in with this browser, so nothing was done. To do it "
        "as {handle}, please reload the page and send it again."
    ).format(handle=current.handle if current else "")
    return refusal(409, _("Somebody else has signed in"), sentence)


def _refused(error: Refusal) -> ResponseReturnValue:
    """Show a refusal that no view caught as a sentence, not as a server error."""
    return refusal(422, _("That cannot be done"), str(error))


def _signed_out(_error: SignedOut) -> ResponseReturnValue:
    sentence = _("You're not signed in here, so nothing was done. Please sign in and send it again.")
    return refusal(403, _("Sign in first"), sentence)


def _database_error(error: DBAPIError) -> ResponseReturnValue:
    """Return a Retry-After page if the database is down, locked or full; re-raise other errors."""
    if error.connection_invalidated or isinstance(error, (OperationalError, InterfaceError)):
        return _database_away(error)
    raise error


def _database_away(error: Exception) -> ResponseReturnValue:
    log.error("the database does not answer", exc_info=error)
    title, sentence = _AWAY if request.method in ("GET", "HEAD") else (_AWAY[0], _PERHAPS_DONE)
    response = make_response(refusal(503, _(title), _(sentence)))
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _unknown_game(error: UnknownGame) -> ResponseReturnValue:
    return refusal(404, _("No such game"), str(error))


def lost_game(number: int, kept_until: datetime) -> Response:
    """Return the 404 page for a game number that may have been lost with a failed server."""
    sentence = _(
        "There is no game {number}. If one of our letters names it, it began after {when}; we have lost a "
        "machine since then, and everything that happened after that."
    )
    when = moment(kept_until, zone(), language())
    return make_response(refusal(404, _("Not found"), sentence.format(number=number, when=when)))


def problem(code: int, title: str, sentence: str, **more: object) -> tuple[Response, int]:
    """Return an API error: problem details (RFC 9457) with the page's sentence.

    `more` adds members to the JSON object.
    """
    response = jsonify(title=title, status=code, detail=sentence, **more)
    response.mimetype = "application/problem+json"
    return response, code


def refusal(code: int, title: str, sentence: str) -> ResponseReturnValue:
    """Return an error page, or JSON for API clients and if the client asked for it."""
    if request.path.startswith(API):
        return problem(code, title, _(_FOR_PROGRAMS[code]) if code in _FOR_PROGRAMS else sentence)
    if request.accept_mimetypes.best == "application/json":
        return jsonify(sentence=sentence), code
    words = missing.words_in(request.path) if code == 404 else None
    return render_template("refusal.html", title=title, sentence=sentence, search=words), code
