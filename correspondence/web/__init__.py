"""The web interface: each view reads a form, calls one use case or query, then redirects or renders.

In come requests; out go pages, pictures, feeds and files, redacted for their reader.
"""

from __future__ import annotations

import secrets

from flask import Flask
from flask_wtf import CSRFProtect

from correspondence.accounts.web_sessions import IDLE
from correspondence.core.log_format import log_from_now_on_about
from correspondence.web import (
    account,
    addresses,
    analysis,
    api_tokens,
    archive_files,
    blocking,
    board_settings,
    by_post,
    challenges,
    clock_settings,
    clocks,
    compression,
    conditional,
    crawlers,
    data_export,
    db_session,
    desk,
    desk_acts,
    dev_mailbox,
    directory,
    errors,
    exercises,
    fairness,
    feeds,
    form_tokens,
    forms,
    game_pages,
    games,
    guest_deal,
    headers,
    health,
    history,
    home,
    invitations,
    locale,
    mail_log,
    mail_settings,
    metrics,
    openings,
    parts,
    pictures,
    plan_board,
    play,
    previews,
    proposals,
    push_settings,
    puzzles,
    ratings,
    reviews,
    robots,
    rules,
    scenes,
    seeks,
    service_state,
    session,
    settings,
    talk,
    templates,
    throttle,
    tryout,
    unsubscribe,
    waiting,
    watch,
    webhooks,
)
from correspondence.web.current import runtime_of

_PAGES = (
    *(
        home,
        rules,
        account,
        settings,
        board_settings,
        addresses,
        mail_settings,
        clock_settings,
        data_export,
        games,
        play,
        talk,
        clocks,
        analysis,
        archive_files,
    ),
    *(
        history,
        feeds,
        ratings,
        blocking,
        pictures,
        scenes,
        puzzles,
        exercises,
        challenges,
        seeks,
        directory,
        invitations,
    ),
    *(mail_log, unsubscribe, conditional, plan_board, health, metrics, proposals, by_post, fairness, previews),
    *(robots, reviews, watch, guest_deal, tryout, openings, waiting, push_settings, crawlers, desk, desk_acts),
    *(service_state, api_tokens, webhooks),
)


def attach(app: Flask) -> None:
    """Register every page and every hook with the application."""
    app.permanent_session_lifetime = IDLE
    app.config["WTF_CSRF_TIME_LIMIT"] = None  # a page may stay open for days
    templates.attach(app)
    app.url_map.converters["number"] = forms.RowNumber
    app.before_request(lambda: log_from_now_on_about(f"request {secrets.token_hex(3)}"))
    db_session.attach(app)
    session.attach(app)
    locale.attach(app)
    forms.attach(app)
    parts.attach(app)
    game_pages.attach(app)
    throttle.attach(app)
    previews.attach(app)
    CSRFProtect(app).exempt(unsubscribe.bp)  # a mail program has no form of ours (RFC 8058)
    service_state.attach(app)
    session.attach_use_tracking(app)
    errors.attach(app)
    headers.attach(app)
    compression.attach(app)
    form_tokens.attach(app)
    for module in _PAGES:
        app.register_blueprint(module.bp)
    if runtime_of(app).settings.shows_letters:
        app.register_blueprint(dev_mailbox.bp)
