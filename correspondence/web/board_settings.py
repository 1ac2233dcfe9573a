"""The setting whether the pages show a move once more before it is played."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import is_ticked
from engines.wording import _

bp = Blueprint("board_settings", __name__, url_prefix="/settings/board")


@bp.get("")
def show() -> str:
    """The member's current choice."""
    return render_template("settings/board.html", confirm_moves=session.require_member().confirm_moves)


@bp.post("")
def change() -> ResponseReturnValue:
    """Save the choice; it applies from the next move on."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    with transaction(current_runtime().engine) as db:
        accounts.confirm_moves(db, db.get_one(Person, member.id), is_ticked("confirm_moves"))
    flash(_("Your settings are saved."))
    return redirect(url_for("board_settings.show"), 303)
