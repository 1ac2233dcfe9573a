"""The page of a proposal: what a mail asked for in somebody's name, and a button that does it, once."""

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
from correspondence.web import throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading

bp = Blueprint("proposals", __name__)


@bp.get("/yes/<token>")
def ask(token: str) -> ResponseReturnValue:
    """What the mail asked for, with a button; looking changes nothing, because mail scanners look at every link."""
    throttle.hit(throttle.SIGN_IN)
    runtime = current_runtime()
    with reading() as looking:
        proposal = proposals.open_proposal(looking, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
    if proposal is None:
        return render_template("dead_link.html"), 404
    return render_template("proposal.html", quoted=proposals.quoted(proposal.commands), done=None)


@bp.post("/yes/<token>")
def agree(token: str) -> ResponseReturnValue:
    """All of it is done, as if it had come by this address; the page tells what came of it."""
    throttle.hit(throttle.SIGN_IN)
    runtime = current_runtime()
    with transaction(runtime.engine) as acting:
        found = proposals.open_proposal(acting, tokens.read(runtime.settings.secret_key, token), now=runtime.now())
        done = _agreed(acting, found) if found is not None else None
    if done is None:
        return render_template("dead_link.html"), 404
    return render_template("proposal.html", quoted="", done=done, base=runtime.settings.base_url)


def _agreed(session: Session, proposal: proposals.Proposal) -> handlers.Outcome:
    runtime = current_runtime()
    person = session.get_one(Person, proposal.person_id)
    writer = handlers.Sender(
        person, None, None, now=runtime.now(), rng=runtime.rng, token=session.get_one(Token, proposal.token_id),
        operator=runtime.settings.operator, key=runtime.settings.secret_key,
    )  # fmt: skip
    with in_language(person.language):
        return handlers.execute(session, writer, [words.Yes()], "")
