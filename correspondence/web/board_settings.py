"""Board settings: how boards are shown, and whether a move is confirmed before it is played."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import member_settings
from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import form_text, is_ticked, number
from engines.wording import _

bp = Blueprint("board_settings", __name__)


@bp.get("/settings/board")
def show() -> str:
    """Show the member's current settings."""
    member = session.require_member()
    return render_template("settings/board.html", member=member)


@bp.post("/settings/board")
def change() -> ResponseReturnValue:
    """Save the settings, then redirect to the game whose page the member came from, if any."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    with transaction(current_runtime().engine) as db:
        person = db.get_one(Person, member.id)
        member_settings.show_boards_as(db, person, request.form.get("board", person.board))
        member_settings.confirm_moves(db, person, is_ticked("confirm_moves"))
        member_settings.step_on(db, person, is_ticked("steps_on"))
    flash(_("Your settings have been saved."))
    game = number(form_text("back", 12))
    return redirect(url_for("board_settings.show") if game is None else url_for("games.show", number=game), 303)
