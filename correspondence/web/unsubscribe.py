"""The page that a letter names for stopping letters: mail programs send its form by themselves."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from correspondence.accounts import accounts
from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.models import Purpose
from correspondence.queries.queries import asked_by
from correspondence.web.current import this_house
from correspondence.web.db_session import reading

bp = Blueprint("stop", __name__)


@bp.get("/u/<token>")
def ask(token: str) -> ResponseReturnValue:
    """A button that stops letters; looking changes nothing, because mail scanners look at every link."""
    house = this_house()
    with reading() as looking:
        asked = asked_by(looking, tokens.read(house.settings.secret_key, token), now=house.now())
    if asked is None or asked.purpose != Purpose.STOP:
        return render_template("dead_link.html"), 404
    return render_template("stop.html", handle=asked.handle, done=False)


@bp.post("/u/<token>")
def stop(token: str) -> ResponseReturnValue:
    """Letters stop at once: no visit, no cookie and no second page is asked for (RFC 8058)."""
    house = this_house()
    try:
        with transaction(house.engine) as acting:
            number = tokens.read(house.settings.secret_key, token)
            person = accounts.stop_by_token(acting, number, now=house.now())
    except accounts.PeopleError:
        return render_template("dead_link.html"), 404
    return render_template("stop.html", handle=person.handle, done=True)
