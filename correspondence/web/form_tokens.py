"""The tokens of forms: templates write a mark, and each response gets its own token in its place.

So whatever was drawn can be remembered, pages and parts of them. The mark is made anew by each process and stands in no
page that leaves it.
"""

from __future__ import annotations

from functools import lru_cache
from secrets import token_hex

from flask import Flask, Response, current_app, session
from flask_wtf.csrf import generate_csrf

_MARK = f"form token {token_hex(16)}"


def attach(app: Flask) -> None:
    """Give the templates `form_token`, and put the visitor's token in its place in every page.

    Call this after the other hooks are attached: of hooks the last one comes first, and this one may change the cookie.
    """
    app.jinja_env.globals["form_token"] = _MARK
    app.after_request(_filled)


def _filled(response: Response) -> Response:
    if response.mimetype == "text/html" and not response.is_streamed:
        page, mark = response.get_data(), _MARK.encode()
        if mark in page:
            response.set_data(page.replace(mark, _token()))
    return response


def _token() -> bytes:
    """The visitor's token as forms hold it: that of their cookie, signed."""
    of_cookie = session.get("csrf_token")
    return _signed(str(current_app.secret_key), of_cookie) if of_cookie else _new()


def _new() -> bytes:
    return bytes(generate_csrf(), "ascii")


@lru_cache(maxsize=1_024)
def _signed(_key: str, _of_cookie: str) -> bytes:
    """Kept, because nothing asks when a token was signed (`WTF_CSRF_TIME_LIMIT`)."""
    return _new()
