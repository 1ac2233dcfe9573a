"""The page of a proposal: commands mailed in a member's name, to be executed once by button."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence import commands as words
from correspondence.commands import handlers, proposals
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.core.i18n import in_language
from correspondence.models import Person, Token
from correspondence.web import dead_links, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("proposals", __name__)


@bp.get("/yes/<token>")
def ask(token: str) -> ResponseReturnValue:
    """Show the proposed commands with a button.

    A GET changes nothing, because mail scanners open every link.
    """
    throttle.hit(throttle.SIGN_IN)
    runtime = current_runtime()
    with reading() as db:
        proposal = proposals.open_proposal(db, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
    if proposal is None:
        return dead_links.page(token)
    return render_template("proposal.html", quoted=proposals.quoted(proposal.commands), done=None)


@bp.post("/yes/<token>")
def agree(token: str) -> ResponseReturnValue:
    """Execute all commands as if they had been mailed with this token, and report the outcome."""
    throttle.hit(throttle.SIGN_IN)
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        proposal = proposals.open_proposal(db, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
        outcome = _execute(db, proposal) if proposal is not None else None
    if outcome is None:
        return dead_links.page(token)
    return render_template("proposal.html", quoted="", done=outcome, base=runtime.settings.base_url)


def _execute(session: Session, proposal: proposals.Proposal) -> handlers.MailOutcome:
    runtime = current_runtime()
    person = session.get_one(Person, proposal.person_id)
    sender = handlers.Sender(
        person, None, None, now=runtime.now(), rng=runtime.rng, token=session.get_one(Token, proposal.token_id),
        operator=runtime.settings.operator, signer=runtime.signer, features_off=runtime.settings.features_off,
    )  # fmt: skip
    with in_language(person.language):
        return handlers.execute(session, sender, [words.Yes()], "")
