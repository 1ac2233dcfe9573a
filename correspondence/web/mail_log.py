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
from correspondence.web.forms import number as as_number
from correspondence.web.forms import query_text
from engines.wording import _

bp = Blueprint("mail_log", __name__)

PAGE = 25
"""Number of letters, and of mails, on a page."""


@bp.get("/games/<number:number>/mail")
def of_game(number: int) -> str:
    """List the letters to the player about this game and their mails, with the outcomes, a page at a time.

    The field `show` chooses only letters, or only mails; `page` counts from 0.
    """
    member = session.require_member()
    with reading() as db:
        if db.get(Match, number) is None:
            abort(404)
        if player_of(db, number, member.id) is None:
            abort(403)
        posted = delivery_log.letters_about(db, number, member.id)
        arrived = delivery_log.mails_about(db, number, member.id)
        stopped = suppressions.why_unreachable(db, member.id)
    show, page = query_text("show", 10), as_number(query_text("page", 6)) or 0
    lists = {"letters": posted, "mails": arrived}
    shown = {kind: found[page * PAGE : (page + 1) * PAGE] for kind, found in lists.items() if show in ("", kind)}
    has_more = any(len(lists[kind]) > (page + 1) * PAGE for kind in shown)
    return render_template(
        "game_mail.html", number=number, shown=shown, show=show if show in lists else "", page=page, has_more=has_more,
        stopped=stopped,
    )  # fmt: skip


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
