"""Operators' notices on every page, and the refusal of all forms in read-only mode."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from flask import Blueprint, Flask, Response, current_app, g, make_response, redirect, request, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from correspondence.clocks import read_only
from correspondence.core.integers import whole
from correspondence.models import ServiceState
from correspondence.web import throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import LARGEST, form_text
from correspondence.web.locale import language
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("service_state", __name__)

RETRY_AFTER = 600
"""Retry-After header in read-only mode, in seconds."""

_LOST_DEVICE = "it ends access, and a member who lost a device cannot wait"

STAYS_OPEN = {
    "account.ask_to_sign_in": "operators must get in",
    "account.use_link": "operators must get in; it refuses all but signing in and what ends access",
    "account.sign_out": "it changes no game",
    "settings.sign_out_everywhere": _LOST_DEVICE,
    "settings.end_session": _LOST_DEVICE,
    "api_tokens.revoke": _LOST_DEVICE,
    "webhooks.remove": _LOST_DEVICE,
    "clock_settings.close_calendar": _LOST_DEVICE,
    "push_settings.unsubscribe": _LOST_DEVICE,
    "by_post.name_helper": "it refuses all but letting a helper go, who sees secrets",
    "by_post.help_somebody": "it refuses all but ending the help",
    "unsubscribe.stop": "mail programs do not try again (RFC 8058)",
    "service_state.dismiss": "it changes the cookie alone",
    "admin_acts.do": "operators must be able to switch it off",
    "admin_acts.undo": "operators must be able to switch it off",
}
"""Endpoints that accept POSTs in read-only mode, with the reasons."""

LOOKED_UP_EVERY = timedelta(seconds=5)
"""Maximum age of the cached service state.

The refusal of forms always reads the database.
"""

_DISMISSED, _LOOKED_UP = "dismissed", "correspondence_service_state"


class ReadOnlyMode(HTTPException, Refusal):
    """Raised if a form is sent in read-only mode."""

    code = 503

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Notices:
    """The notices on every page: the reason for read-only mode and the operators' announcement.

    An empty text means that there is no such notice. `number` identifies the announcement, and `language` is its
    language. Pages that promise a letter mention `letters_are_paused`.
    """

    read_only: str = ""
    announcement: str = ""
    language: str = ""
    number: int = 0
    letters_are_paused: bool = False


def attach(app: Flask) -> None:
    """Refuse forms in read-only mode, and add `notices` to templates."""
    app.before_request(_refuse_changes)
    app.register_error_handler(ReadOnlyMode, _read_only_page)
    app.context_processor(lambda: {"notices": notices})


def _refuse_changes() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS") or request.endpoint in STAYS_OPEN:
        return
    refuse_read_only()


def refuse_read_only() -> None:
    """Raise ReadOnlyMode if the service is read-only."""
    with reading() as db_session:
        why = read_only.reason(db_session)
    if why is not None:
        raise ReadOnlyMode(read_only.sentence(why))


def _read_only_page(error: ReadOnlyMode) -> ResponseReturnValue:
    response: Response = make_response(refusal(503, _("Back soon"), error.sentence))
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def notices() -> Notices:
    """The current notices, without an announcement that this visitor has dismissed."""
    if "notices" not in g:
        g.notices = _told(_state())
    shown: Notices = g.notices
    return shown


def look_again() -> None:
    """Drop the cached service state, so that this process reads it for the next page."""
    current_app.extensions.pop(_LOOKED_UP, None)


def _state() -> ServiceState | None:
    """The service state, cached for `LOOKED_UP_EVERY`; None also while the database is down."""
    runtime = current_runtime()
    mark, at, state = current_app.extensions.get(_LOOKED_UP, (None, runtime.now(), None))
    if mark == runtime.mark and timedelta(0) <= runtime.now() - at < LOOKED_UP_EVERY:
        known: ServiceState | None = state
        return known
    try:
        with reading() as db_session:
            state = db_session.get(ServiceState, 1)
    except SQLAlchemyError:
        return None
    current_app.extensions[_LOOKED_UP] = (runtime.mark, runtime.now(), state)
    return state


def _told(state: ServiceState | None) -> Notices:
    if state is None:
        return Notices()
    why = read_only.told_reason(state.read_only_for) if state.read_only_since is not None else ""
    until, number = state.announcement_until, state.announcement_id or 0
    is_paused = state.mail_paused_since is not None
    if until is None or until <= current_runtime().now() or cookie.get(_DISMISSED) == number:
        return Notices(why, letters_are_paused=is_paused)
    is_italian = language() == "it" and bool(state.italian)
    return Notices(why, state.italian if is_italian else state.english, "it" if is_italian else "en", number, is_paused)


@bp.post("/announcements/dismiss")
def dismiss() -> ResponseReturnValue:
    """Dismiss an announcement, in this browser only."""
    throttle.hit(throttle.ACT)
    number = whole(form_text("number", 12), LARGEST)
    if number:
        cookie[_DISMISSED] = number
    return redirect(url_for("home.front"), 303)
