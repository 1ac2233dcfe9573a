"""Who is signed in: a signed cookie holds a person's number and session number, nothing else."""

from __future__ import annotations

from flask import Flask, g, redirect, request, session, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from correspondence.models import Person
from correspondence.queries import member
from correspondence.shown import Member
from correspondence.web.reads import reading

_PERSON, _NUMBER, _WANTED = "person", "number", "wanted"


class SignInFirst(HTTPException):
    """Raised where a page is for members: the visitor is led to the sign-in page, and back afterwards."""

    code = 303

    def get_response(self, *_args: object, **_more: object) -> Response:
        """The way to the sign-in page."""
        return redirect(url_for("account.sign_in"), 303)


class SignedOut(HTTPException):
    """Raised where somebody who is no longer signed in sends a form."""

    code = 403


def attach(app: Flask) -> None:
    """Look up the person of each request before its view."""
    app.before_request(_recognize)
    app.context_processor(lambda: {"me": visitor()})


def _recognize() -> None:
    g.member = None
    if request.endpoint != "static" and _PERSON in session:
        with reading() as looking:
            g.member = member(looking, session[_PERSON], session.get(_NUMBER))


def visitor() -> Member | None:
    """The member who is looking, None for anybody else."""
    found: Member | None = g.get("member")
    return found


def visitor_id() -> int | None:
    """The number of the member who is looking."""
    found = visitor()
    return found.id if found else None


def signed_in() -> Member:
    """The member who is looking; anybody else is led to the sign-in page, or told, if he sent a form."""
    found = visitor()
    if found is None and request.method != "GET":
        raise SignedOut
    if found is None:
        come_back()
        raise SignInFirst
    return found


def come_back() -> None:
    """Let whoever joins or signs in from this page be led back to it."""
    session[_WANTED] = request.full_path.rstrip("?")


def begin(person: Person) -> str:
    """Sign a person in, with a fresh session; returns the page that was wanted before, or “My games”."""
    wanted = session.get(_WANTED)
    session.clear()
    session.permanent = True
    session[_PERSON], session[_NUMBER] = person.id, person.session_number
    return str(wanted) if wanted else url_for("games.mine")


def end() -> None:
    """Sign out of this browser."""
    session.clear()
