"""The delivery log of a game's letters and mails, and the test letter."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import delivery_checks
from correspondence.accounts.accounts import PeopleError
from correspondence.core.db import transaction
from correspondence.models import Match, Person
from correspondence.outbound import delivery_log, suppressions
from correspondence.queries.queries import player_of
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines.wording import _

bp = Blueprint("mail_log", __name__)


@bp.get("/games/<number:number>/mail")
def of_game(number: int) -> str:
    """List the letters to the player about this game and their mails, with the outcomes."""
    member = session.require_member()
    with reading() as db:
        if db.get(Match, number) is None:
            abort(404)
        if player_of(db, number, member.id) is None:
            abort(403)
        posted = delivery_log.letters_about(db, number, member.id)
        arrived = delivery_log.mails_about(db, number, member.id)
        stopped = suppressions.why_unreachable(db, member.id)
    return render_template("game_mail.html", number=number, posted=posted, arrived=arrived, stopped=stopped)


@bp.post("/settings/test-letter")
def test() -> ResponseReturnValue:
    """Send a test letter to the member; this lifts a suppression of their address."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            delivery_checks.resume_letters(db, db.get_one(Person, member.id), now=runtime.now())
        flash(_("A test letter is on its way to you."))
    except PeopleError as error:
        flash(str(error))
    return redirect(url_for("settings.show"), 303)
