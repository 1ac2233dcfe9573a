"""What happened to the letters of a game, and the letter that tries whether letters arrive."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
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
    """Every letter to the player who looks, every mail from him, and what came of each."""
    member = session.signed_in()
    with reading() as looking:
        if looking.get(Match, number) is None:
            abort(404)
        if player_of(looking, number, member.id) is None:
            abort(403)
        posted = delivery_log.letters_about(looking, number, member.id)
        arrived = delivery_log.mails_about(looking, number, member.id)
        stopped = suppressions.why_unreachable(looking, member.id)
    return render_template("game_mail.html", number=number, posted=posted, arrived=arrived, stopped=stopped)


@bp.post("/settings/test-letter")
def test() -> ResponseReturnValue:
    """A letter is on its way to the member; where letters had been stopped, they begin again with it."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    try:
        with transaction(runtime.engine) as acting:
            accounts.resume_letters(acting, acting.get_one(Person, member.id), now=runtime.now())
        flash(_("A test letter is on its way to you."))
    except accounts.PeopleError as error:
        flash(str(error))
    return redirect(url_for("settings.show"), 303)
