"""The application factory: settings, database, pages and commands."""

from __future__ import annotations

import logging

from flask import Flask
from sqlmodel import Session

from correspondence import api, features, web
from correspondence.core import db, log_redaction, schema
from correspondence.core.config import Settings, read_settings, restrict_umask, with_defaults
from correspondence.core.resources import folder
from correspondence.core.runtime import Runtime
from correspondence.fairness import ends, keys
from correspondence.ops import fingerprints
from correspondence.play.puzzles import are_days_prepared, prepare_days
from correspondence.web.current import bind

__all__ = ["create_app"]


def create_app(settings: Settings | None = None, *, checks_host: bool = False) -> Flask:
    """Create the application; the only place that wires settings, database, pages and commands.

    Without `settings` the environment and `.env` are read. Makes the instance folder and the tables, and restricts the
    umask so that only the process's user can read its files.

    With `checks_host` a process that differs from the service's other processes is refused (ops/fingerprints.py); the
    check takes 0.1 seconds. Raises SettingError, also if the database cannot be used.
    """
    restrict_umask()
    settings = read_settings() if settings is None else with_defaults(settings)
    features.check(settings)
    redaction = log_redaction.attach(settings)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    pages = str(folder("templates") / "web")
    app = Flask("correspondence", template_folder=pages, static_folder="web/static", static_url_path="/static")
    is_https = settings.base_url.startswith("https:")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        MAX_CONTENT_LENGTH=1 << 20,
        SESSION_COOKIE_NAME="__Host-session"
        if is_https
        else "session",  # sibling subdomains cannot set a __Host- cookie
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=is_https,
    )
    engine = db.make_engine(settings.database_url)
    schema.prepare(engine, migrates=settings.migrate)
    if checks_host:
        fingerprints.check(engine, settings)
        fingerprints.refuse_promoted(engine)
    runtime = Runtime(settings, engine, redaction=redaction)
    _prepare_fairness(runtime)
    bind(app, runtime)
    web.attach(app)
    api.attach(app)
    features.attach(app, settings)
    return app


def _prepare_fairness(runtime: Runtime) -> None:
    """Register the signing key, make the deals of today and tomorrow, and sign earlier ends.

    The commitments of those deals are published.
    """
    now, signer = runtime.now(), runtime.signer

    def prepare(session: Session) -> None:
        keys.register(session, signer, today=now.date())
        prepare_days(session, now=now, rng=runtime.rng)

    db.write_unless(
        runtime.engine,
        lambda session: keys.is_listed(session, signer) and are_days_prepared(session, now=now),
        prepare,
    )
    ends.sign_earlier(runtime.engine, now=now)
