"""The members-only directory of partners, a member's entry in it, and writing to a member."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import member_settings
from correspondence.accounts.accounts import PeopleError, person_by_handle
from correspondence.accounts.relations import room_of
from correspondence.community import directory, directory_filter, member_mail
from correspondence.core.db import transaction
from correspondence.core.language_names import LANGUAGES_READ, name_of
from correspondence.matchmaking import challenges
from correspondence.models import Person
from correspondence.ratings.opponents import opponent_facts
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, is_ticked, number, plain, query_text
from engines import GAMES
from engines.wording import _

bp = Blueprint("directory", __name__)

LAST_PAGE = 10_000
"""Highest page number."""


@bp.after_request
def _keep_from_crawlers(response: Response) -> Response:
    """Ask search engines not to index the directory."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


@bp.get("/partners")
def members() -> ResponseReturnValue:
    """List members and their preferences as the reader wants them, a page at a time; for members only."""
    reader, now = session.require_member(), current_runtime().now()
    wanted, page = _wanted(), min(number(query_text("page", 6)) or 0, LAST_PAGE)
    with reading() as db:
        entries = directory.directory(db, reader.id, wanted, now=now, page=page)
        known = opponent_facts(db, [entry.person_id for entry in entries], now=now)
    return make_response(
        render_template(
            "partners.html",
            partners=entries[: directory.PAGE],
            opponents=known,
            page=page,
            has_more=len(entries) > directory.PAGE,
            wanted=wanted,
            chosen={name: query_text(name) for name in _WANTED if query_text(name)},
            sorts=directory_filter.SORTS,
            paces=directory.PACES,
            preferences_text=directory.preferences_text,
            language_names=_languages(),
            now=now,
        )
    )


_WANTED = ("name", "game", "language", "pace", "low", "high", "post", "here", "sort")


def _wanted() -> directory_filter.Wanted:
    """Read what the reader asked for; unknown values count as none."""

    def one_of(name: str, known: Container[str]) -> str:
        return query_text(name) if query_text(name) in known else ""

    return directory_filter.Wanted(
        query_text("name", 30),
        one_of("game", GAMES),
        one_of("language", LANGUAGES_READ),
        one_of("pace", directory.PACES),
        number(query_text("low", 5)),
        number(query_text("high", 5)),
        query_text("post") == "yes",
        query_text("here") == "yes",
        one_of("sort", directory_filter.SORTS) or "name",
    )


def _languages() -> list[tuple[str, str]]:
    return [(code, name_of(code)) for code in LANGUAGES_READ]


@bp.get("/settings/partners")
def settings() -> ResponseReturnValue:
    """Show the form for the member's entry in the directory."""
    member = session.require_member()
    with reading() as db:
        preferences = directory.preferences_of(db, member.id)
    return _settings_page(preferences, "")


@bp.post("/settings/partners")
def keep_settings() -> ResponseReturnValue:
    """Save the entry; a refusal changes nothing and keeps the input."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    preferences = _submitted()
    try:
        with transaction(current_runtime().engine) as db:
            directory.save_preferences(db, db.get_one(Person, member.id), preferences)
    except challenges.ChallengeError as error:
        return _settings_page(preferences, str(error)), 422
    flash(_("Your entry in the directory has been saved."))
    return redirect(url_for("directory.settings"), 303)


LIMIT_TEXT = 1_000
"""Maximum length of what is read as a limit, so that a refusal can show all of it again."""


@bp.post("/settings/partners/limit")
def limit() -> ResponseReturnValue:
    """Set the member's own limit of games at once; without a number, that of the service counts."""
    throttle.hit(throttle.ACT)
    member, typed = session.require_member(), form_text("limit", LIMIT_TEXT)
    try:
        with transaction(current_runtime().engine) as db:
            member_settings.limit_games(db, db.get_one(Person, member.id), (number(typed) or 0) if typed else None)
    except PeopleError as error:
        with reading() as db:
            preferences = directory.preferences_of(db, member.id)
        return _settings_page(preferences, "", limit=typed, limit_refused=str(error)), 422
    flash(_("Your limit of games has been saved."))
    return redirect(url_for("directory.settings", _anchor="limit"), 303)


def _submitted() -> directory.DirectoryPreferences:
    switches = {
        name: is_ticked(name) for name in ("shows_handle", "shows_mail", "shows_post", "takes_letters", "shows_seen")
    }
    lists = {name: tuple(plain(key, 40) for key in request.form.getlist(name)[:60]) for name in _LIST_FIELDS}
    texts = {"options": form_text("options", 1_000), "post": form_text("post", 1_000)}
    return directory.DirectoryPreferences(**switches, **lists, **texts)  # type: ignore[arg-type]


_LIST_FIELDS = ("games", "paces", "languages")


def _settings_page(
    preferences: directory.DirectoryPreferences, refused: str, *, limit: str | None = None, limit_refused: str = ""
) -> str:
    member = session.require_member()
    with reading() as db:
        room = room_of(db, member.id, None)
    context: dict[str, Any] = {"shown": asdict(preferences), "paces": directory.PACES, "language_names": _languages()}
    context |= {"room": room, "limit": member.games_limit if limit is None else limit, "limit_refused": limit_refused}
    return render_template("settings/partners.html", refused=refused, **context)


@bp.get("/players/<handle>/write")
def ask(handle: str) -> ResponseReturnValue:
    """Show the form for a letter to a member; the service forwards the answer."""
    session.require_member()
    return _letter_page(_handle(handle), "")


@bp.post("/players/<handle>/write")
def write(handle: str) -> ResponseReturnValue:
    """Send the letter without revealing either member's address. A refusal keeps the input."""
    throttle.hit(throttle.ACT)
    member, runtime, canonical = session.require_member(), current_runtime(), _handle(handle)
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            member_mail.write(db, person, canonical, form_text("text", member_mail.LONGEST), now=runtime.now())
    except challenges.ChallengeError as error:
        return _letter_page(canonical, str(error)), 422
    flash(_("Your letter is on its way to {handle}. An answer comes to you by mail.").format(handle=canonical))
    return redirect(url_for("history.player", handle=canonical), 303)


def _handle(handle: str) -> str:
    """The handle as its owner spells it; 404 if there is none."""
    with reading() as db:
        person = person_by_handle(db, handle[:60])
    if person is None:
        abort(404)
    return person.handle


def _letter_page(handle: str, refused: str) -> str:
    return render_template("write.html", handle=handle, refused=refused, text=form_text("text", member_mail.LONGEST))
