"""Joining, signing in by a mailed link, signing out, and the pages of mailed links."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import accounts, address_changes, addresses, helper_undo, joining, recovery, web_sessions
from correspondence.community import erasure
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.core.i18n import listed_zones
from correspondence.matchmaking import seek_ends
from correspondence.models import Purpose
from correspondence.play import matches
from correspondence.queries.view_models import LinkPurpose
from correspondence.queries.visitors import link_purpose
from correspondence.web import arrivals, data_export, dead_links, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.dev_mailbox import is_available
from correspondence.web.forms import form_text
from correspondence.web.locale import language
from correspondence.web.service_state import refuse_read_only
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("account", __name__)

_LINK_PURPOSES = (
    Purpose.JOIN, Purpose.SIGN_IN, Purpose.RESIGN, Purpose.RENEW, Purpose.INVITE, Purpose.EXPORT, Purpose.FORGET,
    Purpose.PROPOSAL, Purpose.ADDRESS, Purpose.ADDRESS_UNDO, Purpose.HELPER_UNDO,
)  # fmt: skip

_OPEN_IN_READ_ONLY = (Purpose.SIGN_IN, Purpose.EXPORT, Purpose.ADDRESS_UNDO, Purpose.HELPER_UNDO)
"""Purposes of links that sign in, only read, or take access from somebody else."""


@bp.get("/join")
def join() -> ResponseReturnValue:
    """Show the form to join: handle, mail address and time zone."""
    if session.visitor() is not None:
        return redirect(url_for("games.mine"))
    return _join_page({})


@bp.post("/join")
def ask_to_join() -> ResponseReturnValue:
    """Send a letter to the address of a visitor who wants to join.

    The answer does not reveal whether the address has an account. A refusal names every fault and keeps the input.
    """
    throttle.hit(throttle.JOIN)
    runtime = current_runtime()
    handle, mail, zone = form_text("handle"), form_text("mail", 320), form_text("zone", 60)
    with transaction(runtime.engine) as db:
        faults = joining.faults_of(db, handle, mail)
        if not faults:
            joining.ask_to_join(db, handle, mail, now=runtime.now(), language=language(), zone=zone or "UTC")
    if faults:
        return _join_page(faults), 422
    return _letter_sent(mail)


def _join_page(faults: Mapping[str, str]) -> str:
    return render_template("join.html", faults=faults, typed=request.form, zones=listed_zones())


@bp.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    """Show the form to sign in by handle or address; redirect signed-in members to their games."""
    if session.visitor() is not None:
        return redirect(url_for("games.mine"))
    return render_template("sign_in.html", refused="", typed={}, goal=session.goal())


@bp.post("/sign-in")
def ask_to_sign_in() -> ResponseReturnValue:
    """Mail a sign-in link; the page does not reveal whether the member exists."""
    throttle.hit(throttle.SIGN_IN)
    runtime, who = current_runtime(), form_text("who", 320)
    if not who:
        refused = _("Please write your handle or your mail address.")
        return render_template("sign_in.html", refused=refused, typed=request.form, goal=session.goal()), 422
    with transaction(runtime.engine) as db:
        accounts.ask_to_sign_in(db, who, now=runtime.now())
    return _letter_sent(who)


@bp.get("/recover")
def recover() -> str:
    """Show the form to recover an account by its recovery code."""
    return render_template("recover.html", refused="", typed={})


@bp.post("/recover")
def ask_to_recover() -> ResponseReturnValue:
    """Send a letter to the new address; the account is recovered only when its link is used."""
    throttle.hit(throttle.SIGN_IN)
    runtime, code, mail = current_runtime(), form_text("code"), form_text("mail", 320)
    try:
        with transaction(runtime.engine) as db:
            recovery.ask(db, code, mail, key=runtime.settings.secret_key, now=runtime.now())
    except accounts.PeopleError as error:
        return render_template("recover.html", refused=str(error), typed=request.form), 422
    return _letter_sent(mail)


def _letter_sent(who: str) -> str:
    return render_template("letter_sent.html", who=who, letters_here=is_available())


@bp.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End this browser's web session, so that copies of its cookie are useless too."""
    with transaction(current_runtime().engine) as db:
        web_sessions.end_by_key(db, session.key())
    session.end()
    flash(_("You have signed out."))
    response = redirect(url_for("home.front"), 303)
    response.headers["Clear-Site-Data"] = '"cache"'  # the next user of this browser cannot go back to a page
    return response


@bp.get("/t/<token>")
def link(token: str) -> ResponseReturnValue:
    """Show what a link from a letter does, with a button; a GET changes nothing."""
    throttle.hit(throttle.SIGN_IN)
    details = _link_details(token)
    if details is not None and details.purpose == Purpose.INVITE:
        return redirect(url_for("invitations.show", token=token), 303)
    if details is not None and details.purpose == Purpose.PROPOSAL:
        return redirect(url_for("proposals.ask", token=token), 303)
    return dead_links.page(token) if details is None else render_template("link.html", link=details, refused="")


@bp.post("/t/<token>")
def use_link(token: str) -> ResponseReturnValue:
    """Do what the link is for; refuse a used or expired link with a sentence."""
    throttle.hit(throttle.SIGN_IN)
    details = _link_details(token)
    if details is None or details.purpose in (Purpose.INVITE, Purpose.PROPOSAL):
        return dead_links.page(token)
    if details.purpose not in _OPEN_IN_READ_ONLY:
        refuse_read_only()
    try:
        if details.purpose == Purpose.EXPORT:
            return data_export.download_by_link(details)
        return redirect(_do(details), 303)
    except Refusal as error:
        return render_template("link.html", link=details, refused=str(error)), 422


def _link_details(token: str) -> LinkPurpose | None:
    runtime = current_runtime()
    with reading() as db:
        details = link_purpose(db, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
    return details if details is not None and details.purpose in _LINK_PURPOSES else None


def _do(details: LinkPurpose) -> str:
    """Do what a link is for; return the URL of the next page."""
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        if details.purpose == Purpose.RESIGN:
            match = matches.confirm_resignation(db, details.number, now=runtime.now())
            return url_for("games.show", number=match.id)
        if details.purpose == Purpose.RENEW:
            seek_ends.renew_by_token(db, details.number, now=runtime.now(), rng=runtime.rng)
            flash(_("Your seek is open again."))
            return url_for("seeks.listed")
        if details.purpose == Purpose.FORGET:
            erasure.confirm(db, details.number, now=runtime.now())
            return data_export.sign_out_erased()
        if details.purpose in (Purpose.ADDRESS, Purpose.ADDRESS_UNDO):
            return _change_addresses(db, details, runtime.now())
        if details.purpose == Purpose.HELPER_UNDO:
            helper_undo.undo(db, details.number, now=runtime.now())
            session.end()
            flash(_("The change has been undone, and every browser has been signed out."))
            return url_for("account.sign_in")
        enter = joining.sign_in_by_join_link if details.purpose == Purpose.JOIN else accounts.sign_in
        person = enter(db, details.number, now=runtime.now())
        web_sessions.end_by_key(db, session.key())
        key = web_sessions.begin(db, person, *session.agent(), now=runtime.now())
        kept = arrivals.take_over(db, person)
    next_page = session.begin(key, "first_steps.show" if details.purpose == Purpose.JOIN else "games.mine")
    flash(_("Welcome, {handle}.").format(handle=person.handle))
    for sentence in kept:
        flash(sentence)
    return next_page


def _change_addresses(db: Session, details: LinkPurpose, now: datetime) -> str:
    """Add the address that a link confirms, or undo the address change that the link reports."""
    if details.purpose == Purpose.ADDRESS:
        addresses.confirm(db, details.number, now=now)
        sentence = _("{mail} has been added to the addresses of {handle}.")
        flash(sentence.format(mail=details.mails[0], handle=details.handle))
        return url_for("home.front")
    address_changes.undo(db, details.number, now=now)
    session.end()
    flash(_("Your addresses are as they were before, and every browser has been signed out."))
    return url_for("account.sign_in")
