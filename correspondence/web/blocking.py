"""Keeping others away: blocking, muting and reporting members, and the page that lists who is kept away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts.accounts import PeopleError, person_called
from correspondence.community import blocking, reports
from correspondence.core.db import transaction
from correspondence.models import Match, Person, Player
from correspondence.play.matches import TALK_LIMIT
from correspondence.queries.queries import player_of
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import asked_for, number, written
from engines.wording import _

bp = Blueprint("blocking", __name__)


@bp.get("/settings/people")
def people() -> str:
    """Whom the member has blocked and muted, and a form to do so by handle."""
    return _people("", "")


@bp.post("/settings/people")
def keep_away() -> ResponseReturnValue:
    """Block or mute whom the form names; a refusal keeps what was typed."""
    throttle.hit(throttle.ACT)
    handle, is_block = written("handle", 60), written("how", 10) != "mute"
    try:
        told = _do(blocking.block if is_block else blocking.mute, handle, _blocked if is_block else _muted)
    except PeopleError as error:
        return _people(handle, str(error)), 422
    flash(told)
    return redirect(url_for("blocking.people"), 303)


@bp.post("/players/<handle>/block")
def block(handle: str) -> ResponseReturnValue:
    """Nothing more to do with this member."""
    return _towards(handle, blocking.block, _blocked)


@bp.post("/players/<handle>/unblock")
def unblock(handle: str) -> ResponseReturnValue:
    """The block is taken back."""
    free = _("{handle} is no longer blocked.")
    return _towards(handle, _timeless(blocking.unblock), lambda who: free.format(handle=who))


@bp.post("/players/<handle>/mute")
def mute(handle: str) -> ResponseReturnValue:
    """No more words from this member."""
    return _towards(handle, blocking.mute, _muted)


@bp.post("/players/<handle>/unmute")
def unmute(handle: str) -> ResponseReturnValue:
    """This member is heard again."""
    return _towards(handle, _timeless(blocking.unmute), lambda who: _("You hear {handle} again.").format(handle=who))


@bp.get("/players/<handle>/report")
def ask_to_report(handle: str) -> ResponseReturnValue:
    """A form to tell the operator about this member; a game can be named in the address."""
    session.signed_in()
    return _report_page(handle, "", "", number(asked_for("game", 12)))


@bp.post("/players/<handle>/report")
def report(handle: str) -> ResponseReturnValue:
    """The operator is told; a refusal keeps what was typed."""
    throttle.hit(throttle.ACT)
    runtime, member = current_runtime(), session.signed_in()
    words, game = written("words", TALK_LIMIT), number(written("game", 12))
    try:
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            reports.report(
                acting, person, handle[:60], words, match_id=game, now=runtime.now(),
                operator=runtime.settings.operator,
            )  # fmt: skip
    except PeopleError as error:
        return _report_page(handle, words, str(error), game), 422
    flash(_("Your report is kept and goes to whoever runs this place. Thank you."))
    return redirect(url_for("history.player", handle=handle), 303)


@bp.post("/games/<number:match>/mute")
def mute_match(match: int) -> ResponseReturnValue:
    """No more words from the others in this game."""
    return _at_table(match, blocking.mute_match, _("In this game you hear no more of what your opponent says."))


@bp.post("/games/<number:match>/unmute")
def unmute_match(match: int) -> ResponseReturnValue:
    """The others in this game are heard again."""
    return _at_table(match, blocking.unmute_match, _("You hear your opponent again."))


def _blocked(who: str) -> str:
    return _("{handle} is blocked: you do not meet here any more, but your games go on.").format(handle=who)


def _muted(who: str) -> str:
    return _("{handle} is muted: you hear no more of what {handle} says.").format(handle=who)


def _timeless(use_case: Callable[[Session, Person, str], Person]) -> Callable[..., Person]:
    return lambda acting, person, handle, now: use_case(acting, person, handle)


def _do(use_case: Callable[..., Person], handle: str, tell: Callable[[str], str]) -> str:
    runtime, member = current_runtime(), session.signed_in()
    with transaction(runtime.engine) as acting:
        return tell(use_case(acting, acting.get_one(Person, member.id), handle[:60], now=runtime.now()).handle)


def _towards(handle: str, use_case: Callable[..., Person], tell: Callable[[str], str]) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    session.signed_in()
    _handle_of(handle)
    try:
        flash(_do(use_case, handle, tell))
    except PeopleError as error:
        flash(str(error))
    return redirect(url_for("history.player", handle=handle), 303)


def _at_table(match: int, use_case: Callable[..., None], told: str) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    runtime, member = current_runtime(), session.signed_in()
    with transaction(runtime.engine) as acting:
        player: Player | None = player_of(acting, match, member.id)
        if player is None:
            abort(404 if acting.get(Match, match) is None else 403)
        use_case(acting, player, now=runtime.now())
    flash(told)
    return redirect(url_for("games.show", number=match) + "#talk", 303)


def _handle_of(handle: str) -> str:
    with reading() as looking:
        person = person_called(looking, handle[:60])
    if person is None:
        abort(404)
    return person.handle


def _people(typed: str, refused: str) -> str:
    member = session.signed_in()
    with reading() as looking:
        blocked, muted = blocking.kept_away(looking, member.id)
    known: dict[str, Any] = {"blocked": blocked, "muted": muted, "typed": typed, "refused": refused}
    return render_template("settings/people.html", **known)


def _report_page(handle: str, words: str, refused: str, game: int | None) -> str:
    name = _handle_of(handle)
    return render_template("report.html", handle=name, words=words, refused=refused, game=game, most=TALK_LIMIT)
