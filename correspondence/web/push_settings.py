"""The settings page for push notifications, and the service worker that shows them."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import new_access
from correspondence.core.db import transaction
from correspondence.core.push_key import push_key_of
from correspondence.models import Person
from correspondence.outbound import pushes
from correspondence.transport.pushing import LONGEST_ENDPOINT
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("push_settings", __name__)


@bp.get("/service-worker.js")
def worker() -> Response:
    """Return the service worker.

    Its URL is at the root, because its scope is limited to its own folder.
    """
    script = Path(current_app.static_folder or "") / "service-worker.js"
    return Response(script.read_text("utf-8"), mimetype="text/javascript")


@bp.get("/settings/notifications")
def show() -> str:
    """Show the number of subscribed browsers, and buttons for this one."""
    return _page("")


@bp.post("/settings/notifications/on")
def subscribe() -> ResponseReturnValue:
    """Subscribe this browser to push notifications, at the endpoint that its script obtained."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            endpoint = form_text("endpoint", LONGEST_ENDPOINT + 1)
            new_access.show_notifications(db, person, member.session_id, endpoint, now=runtime.now())
    except Refusal as error:
        return _page(str(error)), 422
    return redirect(url_for("push_settings.show"), 303)


@bp.post("/settings/notifications/off")
def unsubscribe() -> ResponseReturnValue:
    """Unsubscribe the browser whose endpoint is in the form.

    Without an endpoint, unsubscribe all the member's browsers.
    """
    throttle.hit(throttle.ACT)
    member = session.require_member()
    with transaction(current_runtime().engine) as db:
        pushes.unsubscribe(db, member.id, form_text("endpoint", LONGEST_ENDPOINT + 1) or None)
    flash(_("Your settings have been saved."))
    return redirect(url_for("push_settings.show"), 303)


def _page(refused: str) -> str:
    member = session.require_member()
    with reading() as db:
        browsers = pushes.count(db, member.id)
    key = push_key_of(current_runtime().settings).public_key
    return render_template("settings/notifications.html", browsers=browsers, key=key, refused=refused)
