"""Operators' acts on pages: the form, the preview, the execution, and the log of acts."""

from __future__ import annotations

from dataclasses import fields
from functools import partial

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.core.db import transaction
from correspondence.moderation import acts, register, talk
from correspondence.moderation.acts import Act, Given
from correspondence.web import service_state, throttle
from correspondence.web.admin import Rows, asked_page, require_operator, rows_of_page
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, is_ticked, plain, query_text
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("admin_acts", __name__)

LISTED = 200
"""Number of acts on a page of the log."""

LONGEST = 4_000
"""Maximum length of a field, in characters."""


@bp.get("/desk/acts")
def listed() -> str:
    """List operators' acts, newest first; filtered by a member if the URL names one."""
    handle, page = query_text("handle"), asked_page()
    with reading() as db:
        require_operator(db)
        try:
            kept, refused = rows_of_page(partial(acts.kept, handle=handle), db, LISTED, page * LISTED), ""
        except Refusal as error:
            kept, refused = Rows([], has_more=False), str(error)
        hidden = talk.hidden_by(db, [one.number for one in kept.rows])
    context = {"kept": kept.rows, "has_more": kept.has_more, "hidden": hidden, "refused": refused}
    return render_template("admin/acts.html", register=register, handle=handle, page=page, **context)


@bp.get("/desk/do/<kind>")
def ask(kind: str) -> str:
    """Show the form of an act; the URL may fill in its fields."""
    act = _act(kind)
    with reading() as db:
        require_operator(db)
    typed = {name: plain(request.args.get(name, ""), LONGEST) for name in _names(act)}
    return render_template("admin/act.html", act=act, typed=typed, refused="", will="")


@bp.post("/desk/do/<kind>")
def do(kind: str) -> ResponseReturnValue:
    """Preview the act; execute it if the form confirms that the preview was read."""
    throttle.hit(throttle.ACT)
    act, runtime = _act(kind), current_runtime()
    typed = {name: form_text(name, LONGEST) for name in _names(act)}
    is_sure = is_ticked("sure")
    try:
        with transaction(runtime.engine) as db:
            operator, given = require_operator(db), Given(**typed)
            will = acts.plan(db, act, operator, given, now=runtime.now()).sentence
            if is_sure:
                acts.perform(db, act, operator, given, now=runtime.now())
    except Refusal as error:
        return render_template("admin/act.html", act=act, typed=typed, refused=str(error), will=""), 422
    if not is_sure:
        return render_template("admin/act.html", act=act, typed=typed, refused="", will=will)
    service_state.look_again()
    flash(_("Done: {title}.").format(title=_(act.title)))
    return redirect(url_for("admin_acts.listed"), 303)


@bp.post("/desk/acts/<number:number>/undo")
def undo(number: int) -> ResponseReturnValue:
    """Reverse an act."""
    throttle.hit(throttle.ACT)
    runtime = current_runtime()
    try:
        with transaction(runtime.engine) as db:
            register.undo(db, number, require_operator(db), now=runtime.now())
    except Refusal as error:
        flash(str(error))
    else:
        service_state.look_again()
        flash(_("Act {number} has been reversed.").format(number=number))
    return redirect(url_for("admin_acts.listed"), 303)


def _act(kind: str) -> Act:
    """The act of this name; 404 if there is none, and for all but operators."""
    with reading() as db:
        require_operator(db)
    if kind not in register.ACTS:
        abort(404)
    return register.ACTS[kind]


def _names(act: Act) -> tuple[str, ...]:
    """The fields of an act's form, in the order of `Given`."""
    return tuple(field.name for field in fields(Given) if field.name in ("reason", *act.needs, *act.takes))
