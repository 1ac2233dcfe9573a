"""Blocking, muting and reporting members, and the list of blocked and muted members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts.accounts import PeopleError, person_by_handle
from correspondence.community import blocking, reports
from correspondence.core.db import transaction
from correspondence.models import Match, Person, Player
from correspondence.play.matches import TALK_LIMIT
from correspondence.queries.queries import player_of
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, number, query_text
from engines.wording import _

bp = Blueprint("blocking", __name__)


@bp.get("/settings/people")
def people() -> str:
    """Show the members whom the reader has blocked and muted, and a form to add one by handle."""
    return _people("", "")


@bp.post("/settings/people")
def block_or_mute() -> ResponseReturnValue:
    """Block or mute the member named in the form; a refusal keeps the input."""
    throttle.hit(throttle.ACT)
    handle, is_block = form_text("handle", 60), form_text("how", 10) != "mute"
    try:
        message = _do(blocking.block if is_block else blocking.mute, handle, _blocked if is_block else _muted)
    except PeopleError as error:
        return _people(handle, str(error)), 422
    flash(message)
    return redirect(url_for("blocking.people"), 303)


@bp.post("/players/<handle>/block")
def block(handle: str) -> ResponseReturnValue:
    """Block this member."""
    return _do_and_return(handle, blocking.block, _blocked)


@bp.post("/players/<handle>/unblock")
def unblock(handle: str) -> ResponseReturnValue:
    """Unblock this member."""
    sentence = _("{handle} is no longer blocked.")
    return _do_and_return(handle, _without_now(blocking.unblock), lambda who: sentence.format(handle=who))


@bp.post("/players/<handle>/mute")
def mute(handle: str) -> ResponseReturnValue:
    """Mute this member."""
    return _do_and_return(handle, blocking.mute, _muted)


@bp.post("/players/<handle>/unmute")
def unmute(handle: str) -> ResponseReturnValue:
    """Unmute this member."""
    return _do_and_return(
        handle, _without_now(blocking.unmute), lambda who: _("You'll see what {handle} says again.").format(handle=who)
    )


@bp.get("/players/<handle>/report")
def ask_to_report(handle: str) -> ResponseReturnValue:
    """Show the form to report this member to the operator; the URL can name a game."""
    session.require_member()
    return _report_page(handle, "", "", number(query_text("game", 12)))


@bp.post("/players/<handle>/report")
def report(handle: str) -> ResponseReturnValue:
    """Send the report to the operator; a refusal keeps the input."""
    throttle.hit(throttle.ACT)
    runtime, member = current_runtime(), session.require_member()
    words, game = form_text("words", TALK_LIMIT), number(form_text("game", 12))
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            reports.report(
                db, person, handle[:60], words, match_id=game, now=runtime.now(),
                operator=runtime.settings.operator,
            )  # fmt: skip
    except PeopleError as error:
        return _report_page(handle, words, str(error), game), 422
    flash(_("Your report has been saved and goes to the operator of this site. Thank you."))
    return redirect(url_for("history.player", handle=handle), 303)


@bp.post("/games/<number:match>/mute")
def mute_match(match: int) -> ResponseReturnValue:
    """Mute the other players in this game."""
    return _do_in_match(match, blocking.mute_match, _("You no longer see what your opponent says in this game."))


@bp.post("/games/<number:match>/unmute")
def unmute_match(match: int) -> ResponseReturnValue:
    """Unmute the other players in this game."""
    return _do_in_match(match, blocking.unmute_match, _("You will see again what your opponent says."))


def _blocked(who: str) -> str:
    return _("{handle} is blocked: you will no longer meet here, but your games go on.").format(handle=who)


def _muted(who: str) -> str:
    return _("{handle} is muted: you no longer see what they say.").format(handle=who)


def _without_now(use_case: Callable[[Session, Person, str], Person]) -> Callable[..., Person]:
    """Wrap a use case to accept and ignore `now`, so that all can be called alike."""
    return lambda db, person, handle, now: use_case(db, person, handle)


def _do(use_case: Callable[..., Person], handle: str, tell: Callable[[str], str]) -> str:
    runtime, member = current_runtime(), session.require_member()
    with transaction(runtime.engine) as db:
        return tell(use_case(db, db.get_one(Person, member.id), handle[:60], now=runtime.now()).handle)


def _do_and_return(handle: str, use_case: Callable[..., Person], tell: Callable[[str], str]) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    session.require_member()
    _handle_of(handle)
    try:
        flash(_do(use_case, handle, tell))
    except PeopleError as error:
        flash(str(error))
    return redirect(url_for("history.player", handle=handle), 303)


def _do_in_match(match: int, use_case: Callable[..., None], message: str) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    runtime, member = current_runtime(), session.require_member()
    with transaction(runtime.engine) as db:
        player: Player | None = player_of(db, match, member.id)
        if player is None:
            abort(404 if db.get(Match, match) is None else 403)
        use_case(db, player, now=runtime.now())
    flash(message)
    return redirect(url_for("games.show", number=match) + "#talk", 303)


def _handle_of(handle: str) -> str:
    with reading() as db:
        person = person_by_handle(db, handle[:60])
    if person is None:
        abort(404)
    return person.handle


def _people(typed: str, refused: str) -> str:
    member = session.require_member()
    with reading() as db:
        blocked, muted = blocking.blocked_and_muted(db, member.id)
    context: dict[str, Any] = {"blocked": blocked, "muted": muted, "typed": typed, "refused": refused}
    return render_template("settings/people.html", **context)


def _report_page(handle: str, words: str, refused: str, game: int | None) -> str:
    name = _handle_of(handle)
    return render_template("report.html", handle=name, words=words, refused=refused, game=game, most=TALK_LIMIT)
