"""The pages: each view reads a form, calls one use case or query, then redirects or renders.

In come requests; out go pages, pictures, feeds and files, as their reader may see them.
"""

from __future__ import annotations

from flask import Flask
from flask_wtf import CSRFProtect
from jinja2 import StrictUndefined

from correspondence.accounts.web_sessions import IDLE
from correspondence.web import (
    account,
    board_settings,
    challenges,
    clocks,
    courtesy,
    directory,
    feeds,
    games,
    headers,
    health,
    history,
    home,
    invitations,
    letter_wishes,
    letters,
    limits,
    mail_log,
    mydata,
    packing,
    pictures,
    plans,
    play,
    proposals,
    puzzles,
    ratings,
    reads,
    refusals,
    rules,
    seeks,
    session,
    settings,
    speech,
    stop,
    talk,
    time,
    tries,
)
from correspondence.web.current import house_of
from correspondence.web.forms import RowNumber

_PAGES = (
    *(home, rules, account, settings, board_settings, letter_wishes, time, mydata, games, play, talk, clocks, tries),
    *(history, feeds, ratings, courtesy, pictures, puzzles, challenges, seeks, directory, invitations),
    *(mail_log, stop, plans, health, proposals),
)


def attach(app: Flask) -> None:
    """Add every page to the application."""
    app.permanent_session_lifetime = IDLE
    app.config["WTF_CSRF_TIME_LIMIT"] = None  # a page may be thought over for days
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.url_map.converters["number"] = RowNumber
    reads.attach(app)
    session.attach(app)
    speech.attach(app)
    limits.attach(app)
    CSRFProtect(app).exempt(stop.bp)  # a mail program has no form of ours (RFC 8058)
    session.attach_noting(app)
    refusals.attach(app)
    headers.attach(app)
    packing.attach(app)
    for pages in _PAGES:
        app.register_blueprint(pages.bp)
    if house_of(app).settings.shows_letters:
        app.register_blueprint(letters.bp)
