"""The directory of partners, for members alone; what one shows there; and writing to a member through us."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts.accounts import person_called
from correspondence.community import directory, member_mail
from correspondence.core.db import transaction
from correspondence.core.language_names import LANGUAGES_READ, name_of
from correspondence.matchmaking import challenges
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import asked_for, plain, ticked, written
from engines import GAMES
from engines.wording import _

bp = Blueprint("directory", __name__)

HIDDEN = ("/partners", "/settings", "/mail", "/i/", "/t/", "/u/", "/yes/", "/seeks/new", "/challenge", "/invite")
"""What search engines are asked not to read."""


@bp.after_request
def _keep_out(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


@bp.get("/robots.txt")
def robots() -> ResponseReturnValue:
    """What search engines are asked to leave alone."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in HIDDEN), ""]
    return "\n".join(lines), 200, {"Content-Type": "text/plain; charset=utf-8"}


@bp.get("/partners")
def members() -> ResponseReturnValue:
    """Members who want to be seen, with what they like, by handle, a page at a time; for members."""
    reader = session.signed_in()
    game, language = asked_for("game"), asked_for("language")
    game, language = game if game in GAMES else "", language if language in LANGUAGES_READ else ""
    with reading() as looking:
        listed = directory.directory(looking, reader.id, after=asked_for("after"), game=game, language=language)
    more = listed[directory.PAGE - 1].handle if len(listed) > directory.PAGE else None
    chosen = {name: key for name, key in (("game", game), ("language", language)) if key}
    return make_response(
        render_template(
            "partners.html",
            partners=listed[: directory.PAGE],
            more=more,
            chosen=chosen,
            likes=directory.likes,
            tongues=_tongues(),
        )
    )


def _tongues() -> list[tuple[str, str]]:
    return [(code, name_of(code)) for code in LANGUAGES_READ]


@bp.get("/settings/partners")
def settings() -> ResponseReturnValue:
    """What one shows in the directory."""
    member = session.signed_in()
    with reading() as looking:
        shown = directory.shown_by(looking, member.id)
    return _settings_page(shown, "")


@bp.post("/settings/partners")
def keep_settings() -> ResponseReturnValue:
    """The directory shows it at once; a refusal changes nothing and keeps what was typed."""
    throttle.hit(throttle.ACT)
    member = session.signed_in()
    shown = _typed()
    try:
        with transaction(current_runtime().engine) as acting:
            directory.show(acting, acting.get_one(Person, member.id), shown)
    except challenges.ChallengeError as error:
        return _settings_page(shown, str(error)), 422
    flash(_("The directory shows you as you wish."))
    return redirect(url_for("directory.settings"), 303)


def _typed() -> directory.DirectoryPreferences:
    switches = {name: ticked(name) for name in ("shows_handle", "shows_mail", "shows_post", "takes_letters")}
    lists = {name: tuple(plain(key, 40) for key in request.form.getlist(name)[:60]) for name in _LISTS}
    texts = {"options": written("options", 1_000), "post": written("post", 1_000)}
    return directory.DirectoryPreferences(**switches, **lists, **texts)  # type: ignore[arg-type]


_LISTS = ("games", "paces", "languages")


def _settings_page(shown: directory.DirectoryPreferences, refused: str) -> str:
    known: dict[str, Any] = {"shown": asdict(shown), "paces": directory.PACES, "tongues": _tongues()}
    return render_template("settings/partners.html", refused=refused, **known)


@bp.get("/players/<handle>/write")
def ask(handle: str) -> ResponseReturnValue:
    """A form for a letter to a member, who answers through us."""
    session.signed_in()
    return _letter_page(_handle(handle), "")


@bp.post("/players/<handle>/write")
def write(handle: str) -> ResponseReturnValue:
    """The letter goes to the member; no address is told to anybody. A refusal keeps what was written."""
    throttle.hit(throttle.ACT)
    member, runtime, called = session.signed_in(), current_runtime(), _handle(handle)
    try:
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            member_mail.write(acting, person, called, written("text", member_mail.LONGEST), now=runtime.now())
    except challenges.ChallengeError as error:
        return _letter_page(called, str(error)), 422
    flash(_("Your letter is on its way to {handle}. An answer comes to you by mail.").format(handle=called))
    return redirect(url_for("history.player", handle=called), 303)


def _handle(handle: str) -> str:
    """The handle as its owner writes it; where nobody is called so, the page says that."""
    with reading() as looking:
        person = person_called(looking, handle[:60])
    if person is None:
        abort(404)
    return person.handle


def _letter_page(handle: str, refused: str) -> str:
    return render_template("write.html", handle=handle, refused=refused, text=written("text", member_mail.LONGEST))
