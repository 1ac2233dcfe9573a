"""A small world for tests of faces: one installation, people who joined, a clock that stands, fixed lots."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from sqlmodel import col, select
from werkzeug.serving import WSGIRequestHandler, make_server

from correspondence import create_app, prepare_fairness
from correspondence.accounts import accounts, web_sessions
from correspondence.core import log_redaction
from correspondence.core.config import Settings, with_defaults
from correspondence.core.db import make_engine, prepare, reading, transaction
from correspondence.core.ratelimit import RateLimiter
from correspondence.core.runtime import Runtime
from correspondence.core.tokens import spell
from correspondence.matchmaking import challenges
from correspondence.models import By, DailySeed, Letter, Person, Player, Token
from correspondence.ops.worker import sweep_letter_requests
from correspondence.play import matches
from correspondence.web.current import bind, runtime_of
from tests.post import lay_tables, quicken

KEY = "a key for tests"


class _Compiled(BytecodeCache):
    """Templates as they were compiled for an earlier world: every test has an application of its own."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.known[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Quiet(WSGIRequestHandler):
    def log_request(self, *_args: object) -> None:
        """Say nothing."""


@dataclass
class Clock:
    """A clock that stands until it is moved."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def go(self, **span: float) -> None:
        self.now += timedelta(**span)


class _Idle:
    """Applications that a closed world has left as it found them: the next world on like settings takes one.

    To make an application takes longer than most tests. One whose configuration, views or hooks a test has changed
    is not used again.
    """

    def __init__(self) -> None:
        self._apps: dict[object, list[Flask]] = {}
        self._states: dict[int, tuple[object, ...]] = {}

    def take(self, settings: Settings, *, csrf: bool) -> Flask:
        """An application on these settings and their folder, with nothing of an earlier world in it."""
        apps = self._apps.get(self._kind(settings, csrf), [])
        if not apps or settings.database_url:
            return self._made(settings, csrf)
        app = apps.pop()
        full = with_defaults(settings)
        engine = make_engine(full.database_url)
        prepare(engine)
        runtime = Runtime(full, engine, redaction=log_redaction.attach(full))
        prepare_fairness(runtime)
        bind(app, runtime)
        app.extensions["correspondence_rate_limiter"] = RateLimiter()
        return app

    def give_back(self, app: Flask, settings: Settings, *, csrf: bool) -> None:
        """Keep the application for the next world, if it is as it was made."""
        if self._states.get(id(app)) == self._state(app):
            self._apps.setdefault(self._kind(settings, csrf), []).append(app)

    def _made(self, settings: Settings, csrf: bool) -> Flask:
        app = create_app(settings)
        app.jinja_env.bytecode_cache = _COMPILED
        app.config.update(TESTING=True, WTF_CSRF_ENABLED=csrf)
        self._states[id(app)] = self._state(app)
        return app

    @staticmethod
    def _kind(settings: Settings, csrf: bool) -> object:
        return replace(settings, instance_dir="", database_url=""), csrf

    @staticmethod
    def _state(app: Flask) -> tuple[object, ...]:
        hooks = [{name: list(one) for name, one in kind.items()} for kind in
                 (app.before_request_funcs, app.after_request_funcs, app.teardown_request_funcs)]  # fmt: skip
        return dict(app.config), dict(app.view_functions), hooks, set(app.extensions), dict(app.jinja_env.globals)


_IDLE = _Idle()


@dataclass
class World:
    """An application on a folder of its own, and the few things that tests do in it."""

    app: Flask
    clock: Clock
    settings: Settings
    csrf: bool = False
    keys: dict[str, str] = field(default_factory=dict)
    """The key of a web session of everybody who joined."""

    @property
    def runtime(self) -> Runtime:
        return runtime_of(self.app)

    def close(self) -> None:
        self.runtime.close()
        _IDLE.give_back(self.app, self.settings, csrf=self.csrf)

    def join(self, handle: str, language: str = "en", zone: str = "UTC") -> Person:
        with transaction(self.runtime.engine) as session:
            accounts.request_join(
                session, handle, f"{handle}@example.com", now=self.clock(), language=language, zone=zone
            )
            number = session.exec(select(Token.id).order_by(col(Token.id).desc())).first()
            person = accounts.confirm_join(session, number, now=self.clock())
            self.keys[handle] = web_sessions.begin(session, person, now=self.clock())
            return person

    def begin(self, one: str, other: str, game: str = "duel", options: Mapping[str, str] | None = None) -> int:
        """A match, `one` at the first seat."""
        with transaction(self.runtime.engine) as session:
            first, second = (accounts.person_by_handle(session, handle) for handle in (one, other))
            rng = self.runtime.rng
            seek = challenges.challenge(session, first, other, game, options or {}, seat=0, now=self.clock(), rng=rng)
            return challenges.accept(session, second, seek.id, now=self.clock(), rng=self.runtime.rng).id

    def move(self, number: int, handle: str, text: str, comment: str = "") -> None:
        with transaction(self.runtime.engine) as session:
            player = self._player(session, number, handle)
            matches.make_move(session, player, text, now=self.clock(), by=By.WEB, comment=comment)

    def resign(self, number: int, handle: str) -> None:
        with transaction(self.runtime.engine) as session:
            matches.resign(session, self._player(session, number, handle), now=self.clock())

    def _player(self, session, number: int, handle: str) -> Player:
        person = accounts.person_by_handle(session, handle)
        found = select(Player).where(col(Player.match_id) == number, col(Player.person_id) == person.id)
        return session.exec(found).one()

    def client(self, handle: str = "") -> FlaskClient:
        """A browser, signed in as `handle`: the same web session as before, unless it was ended."""
        client = self.app.test_client()
        if handle:
            with client.session_transaction() as cookie:
                cookie["key"] = self._key(handle)
        return client

    def _key(self, handle: str) -> str:
        with reading(self.runtime.engine) as session:
            if web_sessions.find(session, self.keys.get(handle, ""), now=self.clock()) is not None:
                return self.keys[handle]
        with transaction(self.runtime.engine) as session:
            person = accounts.person_by_handle(session, handle)
            self.keys[handle] = web_sessions.begin(session, person, now=self.clock())
        return self.keys[handle]

    def link_in(self, kind: str) -> str:
        """The path of the link in the last letter of this kind; what was asked for on pages is written before."""
        sweep_letter_requests(self.runtime)
        with reading(self.runtime.engine) as session:
            found = select(Letter.link_token_id).where(col(Letter.kind) == kind)
            number = session.exec(found.order_by(col(Letter.id).desc())).first()
        return f"/t/{spell(KEY, number)}"

    @contextmanager
    def serving(self) -> Iterator[str]:
        """The pages on a port of their own; the address they are at."""
        server = make_server("127.0.0.1", 0, self.app, threaded=True, request_handler=Quiet)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def make_world(folder: Path, *, rng: int = 1, csrf: bool = False, **settings: str) -> World:
    """A world in `folder`; `csrf` asks for the tokens that forms carry, as outside of tests."""
    if "database_url" not in settings:
        lay_tables(folder)
    given = Settings(**{"instance_dir": str(folder), "secret_key": KEY, "mail_listen": "", **settings})
    world = World(_IDLE.take(given, csrf=csrf), Clock(), given, csrf)
    quicken(world.runtime.engine)
    bind(world.app, replace(world.runtime, now=world.clock, rng=random.Random(rng)))
    _make_days(world)
    return world


def _make_days(world: World) -> None:
    """Make the deals of the next days, the same in every world."""
    with transaction(world.runtime.engine) as session:
        for day in (NOON.date() + timedelta(days=ahead) for ahead in range(8)):
            session.merge(DailySeed(day=day, secret=sha256(day.isoformat().encode()).digest()))
