"""Operators' acts in tests, by use case and on pages, and what members read about them."""

from __future__ import annotations

import re

from sqlmodel import col, select

from correspondence.accounts import operators
from correspondence.core import db
from correspondence.models import OperatorAct
from correspondence.moderation import acts, register
from correspondence.moderation.acts import COMMAND_LINE, Given, Operator
from correspondence.web import service_state

REASON = "Rude words in game 1."

__all__ = ["COMMAND_LINE", "REASON", "act", "appoint", "do_on_page", "last_act", "plain_words", "undo"]


def appoint(world, handle, *, is_operator=True):
    world.begin("appoint", (handle, is_operator), lambda: _appoint(world, handle, is_operator))


def _appoint(world, handle, is_operator):
    with db.transaction(world.engine) as session:
        operators.appoint(session, handle, is_operator=is_operator)


def act(world, kind, *, by="", reason=REASON, **given):
    """Perform an act as an operator or as the command line; return its number."""
    with db.transaction(world.engine) as session:
        operator = Operator(world.person(session, by).id, world.time) if by else Operator()
        row = acts.perform(session, register.ACTS[kind], operator, Given(reason=reason, **given), now=world.time)
        number = row.id
    _told(world)
    return number


def undo(world, number, *, by=""):
    with db.transaction(world.engine) as session:
        operator = Operator(world.person(session, by).id, world.time) if by else Operator()
        register.undo(session, number, operator, now=world.time)
    _told(world)


def _told(world):
    """Deliver letters, and let pages read the operators' notices again at once."""
    world._deliver_at_once()
    with world.app.app_context():
        service_state.look_again()


def do_on_page(world, name, kind, **fields):
    """Send the form of an act and confirm its preview; return the first and the last response."""
    browser, fields = world.client(name), {"reason": REASON, **fields}
    preview = browser.post(f"/desk/do/{kind}", data=fields)
    return preview, browser.post(f"/desk/do/{kind}", data={**fields, "sure": "yes"})


def last_act(world):
    with db.reading(world.engine) as session:
        return session.exec(select(OperatorAct).order_by(col(OperatorAct.id).desc())).first()


def plain_words(text):
    """Return the words of a page or a letter, without markup and line ends."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())
