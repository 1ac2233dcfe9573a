"""Joining, signing in by a mailed link, signing out, and the pages such links open."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts, web_sessions
from correspondence.community import erasure
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.core.i18n import zones
from correspondence.matchmaking import challenges, seeks
from correspondence.models import Purpose
from correspondence.play import matches
from correspondence.queries.queries import asked_by
from correspondence.queries.view_models import LinkPurpose
from correspondence.web import data_export, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.dev_mailbox import are_shown
from correspondence.web.forms import written
from correspondence.web.locale import language
from engines.wording import _

bp = Blueprint("account", __name__)

_LINKED = (
    Purpose.JOIN, Purpose.SIGN_IN, Purpose.RESIGN, Purpose.RENEW, Purpose.INVITE, Purpose.EXPORT, Purpose.FORGET,
    Purpose.PROPOSAL,
)  # fmt: skip


@bp.get("/join")
def join() -> ResponseReturnValue:
    """A form that asks for a handle, an address and a time zone."""
    if session.visitor() is not None:
        return redirect(url_for("games.mine"))
    return _join_page("")


@bp.post("/join")
def ask_to_join() -> ResponseReturnValue:
    """A letter goes to the address, and the page says so, whoever has it; a refusal keeps what was typed."""
    throttle.hit(throttle.JOIN)
    runtime = current_runtime()
    handle, mail, zone = written("handle"), written("mail", 320), written("zone", 60)
    try:
        with transaction(runtime.engine) as acting:
            accounts.ask_to_join(acting, handle, mail, now=runtime.now(), language=language(), zone=zone or "UTC")
    except accounts.PeopleError as error:
        return _join_page(str(error)), 422
    return _letter_sent(mail)


def _join_page(refused: str) -> str:
    return render_template("join.html", refused=refused, typed=request.form, zones=zones())


@bp.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    """A form that asks for a handle or address; members who are signed in go to their games."""
    if session.visitor() is not None:
        return redirect(url_for("games.mine"))
    return render_template("sign_in.html", refused="", typed={})


@bp.post("/sign-in")
def ask_to_sign_in() -> ResponseReturnValue:
    """A link goes to the member; the page says the same whether there is one or not."""
    throttle.hit(throttle.SIGN_IN)
    runtime, who = current_runtime(), written("who", 320)
    if not who:
        refused = _("Please write your handle or your mail address.")
        return render_template("sign_in.html", refused=refused, typed=request.form), 422
    with transaction(runtime.engine) as acting:
        accounts.ask_to_sign_in(acting, who, now=runtime.now())
    return _letter_sent(who)


def _letter_sent(who: str) -> str:
    return render_template("letter_sent.html", who=who, letters_here=are_shown())


@bp.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """This browser forgets who was signed in, and a copy of its cookie is worth nothing."""
    with transaction(current_runtime().engine) as acting:
        web_sessions.end_by_key(acting, session.key())
    session.end()
    flash(_("You are signed out."))
    return redirect(url_for("home.front"), 303)


@bp.get("/t/<token>")
def link(token: str) -> ResponseReturnValue:
    """What a link from a letter asks, with a button; looking changes nothing."""
    throttle.hit(throttle.SIGN_IN)
    asked = _asked(token)
    if asked is not None and asked.purpose == Purpose.INVITE:
        return redirect(url_for("invitations.show", token=token), 303)
    if asked is not None and asked.purpose == Purpose.PROPOSAL:
        return redirect(url_for("proposals.ask", token=token), 303)
    return _dead_link() if asked is None else render_template("link.html", asked=asked, refused="")


@bp.post("/t/<token>")
def use_link(token: str) -> ResponseReturnValue:
    """Do what the link asks; one that was used or is too old says so."""
    throttle.hit(throttle.SIGN_IN)
    asked = _asked(token)
    if asked is None or asked.purpose in (Purpose.INVITE, Purpose.PROPOSAL):
        return _dead_link()
    try:
        if asked.purpose == Purpose.EXPORT:
            return data_export.fetched_by(asked)
        return redirect(_do(asked), 303)
    except (accounts.PeopleError, matches.MatchError, challenges.ChallengeError) as error:
        return render_template("link.html", asked=asked, refused=str(error)), 422


def _asked(token: str) -> LinkPurpose | None:
    runtime = current_runtime()
    with reading() as looking:
        found = asked_by(looking, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
    return found if found is not None and found.purpose in _LINKED else None


def _dead_link() -> ResponseReturnValue:
    return render_template("dead_link.html"), 404


def _do(asked: LinkPurpose) -> str:
    """Act on a link; the page to go on to."""
    runtime = current_runtime()
    with transaction(runtime.engine) as acting:
        if asked.purpose == Purpose.RESIGN:
            match = matches.confirm_resignation(acting, asked.number, now=runtime.now())
            return url_for("games.show", number=match.id)
        if asked.purpose == Purpose.RENEW:
            seeks.renew_by_token(acting, asked.number, now=runtime.now(), rng=runtime.rng)
            flash(_("Your seek is open once more."))
            return url_for("seeks.listed")
        if asked.purpose == Purpose.FORGET:
            erasure.confirm(acting, asked.number, now=runtime.now())
            return data_export.farewell()
        enter = accounts.sign_in_by_join_link if asked.purpose == Purpose.JOIN else accounts.sign_in
        person = enter(acting, asked.number, now=runtime.now())
        web_sessions.end_by_key(acting, session.key())
        key = web_sessions.begin(acting, person, *session.agent(), now=runtime.now())
    wanted = session.begin(key)
    flash(_("Welcome, {handle}.").format(handle=person.handle))
    return wanted
