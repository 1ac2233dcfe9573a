"""The settings page for a member's mail addresses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import accounts, addresses, recovery, web_sessions
from correspondence.accounts.address_changes import addresses_of
from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text
from engines.wording import _

bp = Blueprint("addresses", __name__)


@bp.get("/settings/addresses")
def show() -> str:
    """Show the member's addresses, unconfirmed ones, and whether there is a recovery code."""
    session.require_member()
    return _page("", "")


@bp.post("/settings/addresses/add")
def add() -> ResponseReturnValue:
    """Mail a confirmation link to a new address.

    The answer does not reveal whether it is another member's.
    """
    throttle.hit(throttle.JOIN)
    mail = form_text("mail", 320)

    def ask(db: Session, member: Person, now: datetime) -> str:
        web_sessions.require_recent(db, session.require_member().session_id, now=now)
        return addresses.asked_sentence(addresses.ask_to_add(db, member, mail, now=now))

    return _changed(ask, mail)


@bp.post("/settings/addresses/main")
def main() -> ResponseReturnValue:
    """Send letters to another of the member's addresses."""
    mail = form_text("mail", 320)

    def choose(db: Session, member: Person, now: datetime) -> str:
        addresses.choose_main(db, member, mail, now=now)
        return _("Your letters now go to {mail}.").format(mail=mail)

    return _changed(choose)


@bp.post("/settings/addresses/remove")
def remove() -> ResponseReturnValue:
    """Remove one of the member's addresses, or cancel the confirmation of a new one."""
    mail = form_text("mail", 320)

    def take_away(db: Session, member: Person, now: datetime) -> str:
        if addresses.remove(db, member, mail, now=now):
            return _("{mail} has been removed from your addresses.").format(mail=mail)
        return addresses.cancelled_sentence(mail)

    return _changed(take_away)


@bp.post("/settings/addresses/code")
def new_code() -> ResponseReturnValue:
    """Mail a new recovery code, which no page shows; the old one is revoked."""

    def send(db: Session, member: Person, now: datetime) -> str:
        recovery.send_new_code(db, member, now=now)
        return _("We've sent a letter with your new recovery code to your main address. The old one no longer works.")

    return _changed(send)


def _changed(change: Callable[[Session, Person, datetime], str], typed: str = "") -> ResponseReturnValue:
    """Apply a change and report it; a refusal changes nothing and keeps the input."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            sentence = change(db, db.get_one(Person, member.id), runtime.now())
    except accounts.PeopleError as error:
        return _page(str(error), typed), 422
    flash(sentence)
    return redirect(url_for("addresses.show"), 303)


def _page(refused: str, typed: str) -> str:
    member, now = session.require_member(), current_runtime().now()
    with reading() as db:
        person = db.get_one(Person, member.id)
        own = [(one.mail, one.is_main) for one in addresses_of(db, person)]
        waiting, made_at = addresses.asked_mails(db, person, now=now), recovery.code_made_at(db, person)
        is_recent = web_sessions.is_recent(db, member.session_id, now=now)
    context = {"own": own, "asked": waiting, "most": addresses.MOST, "made_at": made_at, "is_recent": is_recent}
    return render_template("settings/addresses.html", refused=refused, typed=typed, **context)
