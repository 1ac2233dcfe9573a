"""How the member plays on pages: whether a move is shown once more before it is played."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import ticked
from engines.wording import _

bp = Blueprint("board_settings", __name__, url_prefix="/settings/board")


@bp.get("")
def show() -> str:
    """The member's choice as it is."""
    return render_template("settings/board.html", confirm_moves=session.signed_in().confirm_moves)


@bp.post("")
def change() -> ResponseReturnValue:
    """The choice holds from the next move on."""
    throttle.hit(throttle.ACT)
    member = session.signed_in()
    with transaction(current_runtime().engine) as acting:
        accounts.confirm_moves(acting, acting.get_one(Person, member.id), ticked("confirm_moves"))
    flash(_("Your settings are kept."))
    return redirect(url_for("board_settings.show"), 303)
