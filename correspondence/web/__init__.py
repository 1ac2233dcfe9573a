"""The web interface: each view reads a form, calls one use case or query, and responds.

Input: requests. Output: pages, pictures, feeds and files, redacted for their reader.
"""

from __future__ import annotations

import secrets

from flask import Flask

from correspondence.accounts.web_sessions import IDLE
from correspondence.core.log_format import log_from_now_on_about
from correspondence.web import (
    account,
    addresses,
    admin,
    admin_acts,
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
    dev_mailbox,
    directory,
    documents,
    embed,
    errors,
    exercises,
    fairness,
    feeds,
    first_steps,
    form_guard,
    forms,
    game_list,
    game_pages,
    games,
    guest_deal,
    headers,
    health,
    help_parts,
    history,
    home,
    invitations,
    links,
    locale,
    looks,
    mail_log,
    mail_settings,
    metrics,
    openings,
    page_times,
    pictures,
    plan_board,
    play,
    previews,
    proposals,
    push_settings,
    puzzles,
    ratings,
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
    typed,
    unsubscribe,
    waiting,
    watch,
)
from correspondence.web.current import runtime_of

PAGES = (
    account, addresses, analysis, api_tokens, archive_files, blocking, board_settings, by_post, challenges,
    clock_settings, clocks, conditional, crawlers, data_export, admin, admin_acts, directory, documents, embed,
    exercises, fairness,
    feeds, first_steps, game_list, games, guest_deal, health, history, home, invitations, looks, mail_log, mail_settings,
    metrics, openings,
    pictures, plan_board, play, previews, proposals, push_settings, puzzles, ratings, robots, rules,
    scenes, seeks, service_state, settings, talk, tryout, unsubscribe, waiting, watch,
)  # fmt: skip
"""The page modules, each with a blueprint `bp`."""


def attach(app: Flask) -> None:
    """Register every page and every hook with the application."""
    app.permanent_session_lifetime = IDLE
    templates.attach(app)
    links.attach(app)
    app.url_map.converters["number"] = forms.RowNumber
    page_times.attach(app)
    compression.attach(app)
    app.before_request(lambda: log_from_now_on_about(f"request {secrets.token_hex(3)}"))
    db_session.attach(app)
    session.attach(app)
    locale.attach(app)
    looks.attach(app)
    help_parts.attach(app)
    game_pages.attach(app)
    throttle.attach(app)
    previews.attach(app)
    form_guard.attach(app)
    service_state.attach(app)
    session.attach_use_tracking(app)
    errors.attach(app)
    headers.attach(app)
    typed.attach(app)
    _register_pages(app)


def _register_pages(app: Flask) -> None:
    """Register every page; the mailbox page only if the service sends no mail."""
    for module in PAGES:
        app.register_blueprint(module.bp)
    if runtime_of(app).settings.shows_letters:
        app.register_blueprint(dev_mailbox.bp)
