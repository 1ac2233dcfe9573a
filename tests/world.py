"""A test world: one installation in a folder, its people with browsers and mail programs, a clock, and known dice."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.serving import WSGIRequestHandler, make_server

from correspondence.accounts import accounts, joining, web_sessions
from correspondence.core import db, log_redaction, schema
from correspondence.core.config import Settings, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.core.tokens import spell
from correspondence.matchmaking import challenges
from correspondence.models import By, Letter, Match, Person, Seek, Token, loading
from correspondence.ops.sending_sweeps import sweep_letter_requests
from correspondence.ops.worker import sweep_deadlines
from correspondence.play import matches
from correspondence.web.current import bind, runtime_of
from tests.beginnings import Beginning
from tests.idle_apps import IDLE_APPS
from tests.inbox import Inbox
from tests.post import Post
from tests.tables import START, lay_tables, prepare_fairness, quicken

KEY = "a key for tests"
MAIL = {"mail_domain": "games.example", "base_url": "https://games.example"}
"""The settings of a world where people play by mail."""


class Quiet(WSGIRequestHandler):
    def log_request(self, *_args: object) -> None:
        """Say nothing."""


@dataclass
class Clock:
    """A clock that only moves when a test moves it."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now

    def go(self, **span: float) -> None:
        self.now += timedelta(**span)


class World(Post):
    """One installation, and the actions of its people.

    `delivers`: letters go to `received` as soon as they are written; otherwise they stay queued.
    `rng`: the generator of all dice.
    """

    def __init__(self, folder: Path, *, delivers: bool = False, rng: int = 1, **settings: str) -> None:
        usual = {"instance_dir": str(folder), "secret_key": KEY, "mail_listen": ""}
        self._given = Settings(**{**usual, **settings})
        self.settings = with_defaults(self._given)
        redaction = log_redaction.attach(self.settings)
        self.delivers = delivers
        self.clock, self.rng = Clock(), random.Random(rng)
        self.engine = self._prepared_engine()
        self._runtime = Runtime(self.settings, self.engine, now=self.clock, rng=self.rng, redaction=redaction)
        self._app: Flask | None = None
        self.received = Inbox()
        self.keys: dict[str, str] = {}
        """Web session keys of the people who have signed in."""
        self._beginning = Beginning(self, folder / "correspondence.db") if self._is_laid else None

    def _prepared_engine(self):
        self._is_laid = not self._given.database_url and lay_tables(self._given.instance_dir)
        engine = quicken(db.make_engine(self.settings.database_url))
        if not self._is_laid:
            schema.prepare(engine)
        if self._given.database_url:
            prepare_fairness(engine, self.settings)
        return engine

    def begin(self, name, words, act):
        """Run a common first step, or copy its effect from another world; see `tests/beginnings.py`."""
        return act() if self._beginning is None else self._beginning.step(name, words, act)

    @property
    def app(self) -> Flask:
        """The Flask application, taken from the pool when a test first needs it."""
        if self._app is None:
            self._app = IDLE_APPS.take(self._given)
            bind(self._app, self._runtime)
        return self._app

    @property
    def runtime(self) -> Runtime:
        return self._runtime if self._app is None else runtime_of(self._app)

    def close(self) -> None:
        self.runtime.close()
        if self._app is not None:
            IDLE_APPS.give_back(self._app, self._given)
            self._app = None

    # -- time ----------------------------------------------------------------------

    @property
    def time(self) -> datetime:
        return self.clock.now

    @time.setter
    def time(self, now: datetime) -> None:
        self.clock.now = now

    def wait(self, **span):
        """Advance the clock, and run everything that becomes due."""
        self.clock.go(**span)
        sweep_deadlines(self.runtime)
        self.deliver()

    # -- people and games ----------------------------------------------------------

    def join(self, *handles, domain="example.org", **settings):
        """Let people join; return the last of them.

        They get receipts only with `receipts`, because tests count letters. The letters about joining are removed.
        """
        return self.begin("join", (handles, domain, settings), lambda: self._join(handles, domain, settings))

    def _join(self, handles, domain, settings):
        for handle in handles:
            with db.transaction(self.engine) as session:
                joining.request_join(session, handle, f"{handle}@{domain}", now=self.time)
                number = session.exec(select(Token.id).order_by(col(Token.id).desc())).first()
                person = joining.confirm_join(session, number, now=self.time)
                for setting, value in {"vacation_hours_left": 0, "receipts": False, **settings}.items():
                    setattr(person, setting, value)
                session.add(person)
                self.keys[handle] = web_sessions.begin(session, person, now=self.time)
        self._deliver_at_once()
        self.received.clear()
        return person

    def _deliver_at_once(self):
        if self.delivers:
            self.deliver()

    def person(self, session, name):
        return accounts.person_by_handle(session, name)

    def match(self, game="proteus-dice", white="ann", black="bob", **options):
        """Begin a match with `white` in seat 0, and deliver its first letters."""
        return self.begin("match", (game, white, black, options), lambda: self._match(game, white, black, options))

    def _match(self, game, white, black, options):
        with db.transaction(self.engine) as session:
            seek = challenges.challenge(
                session, self.person(session, white), black, game, options, seat=0, now=self.time, rng=self.rng
            )
            number = challenges.accept(session, self.person(session, black), seek.id, now=self.time, rng=self.rng).id
        self._deliver_at_once()
        return number

    def player(self, session, number, name):
        person = self.person(session, name)
        return next(p for p in loading.players_of(session, number) if p.person_id == person.id)

    def play(self, number, name, text, **more):
        """Make a move on the page."""
        self.begin("play", (number, name, text, more), lambda: self._play(number, name, text, more))

    def _play(self, number, name, text, more):
        with db.transaction(self.engine) as session:
            player = self.player(session, number, name)
            matches.make_move(session, player, text, now=self.time, by=By.WEB, **more)
        self._deliver_at_once()

    def open(self, number, white="ann", black="bob"):
        """Make the first move of both sides, after which a game of Proteus with dice can be lost on time."""
        self.play(number, white, "c3/f2=B")
        self.play(number, black, "c6/a7=B")

    def offer(self, place=1):
        """Return the number of the first, or `place`th, challenge, seek or invitation."""
        with db.reading(self.engine) as session:
            made = (
                select(Seek.id).join(Person, col(Person.id) == col(Seek.person_id)).where(col(Person.robot_level) == 0)
            )
            later = col(Seek.after_match_id).is_not(None), col(Seek.answers_id).is_not(None)
            return session.exec(made.order_by(col(Seek.created_at), *later)).all()[place - 1]

    def stand(self, number):
        with db.reading(self.engine) as session:
            return session.get(Match, number)

    def moves(self, number):
        with db.reading(self.engine) as session:
            return [move.text for move in loading.moves_of(session, number)]

    def people(self):
        with db.reading(self.engine) as session:
            return [person.handle for person in session.exec(select(Person))]

    def resign(self, number, handle):
        self.begin("resign", (number, handle), lambda: self._resign(number, handle))

    def _resign(self, number, handle):
        with db.transaction(self.engine) as session:
            matches.resign(session, self.player(session, number, handle), now=self.time)
        self._deliver_at_once()

    # -- pages ---------------------------------------------------------------------

    def client(self, handle: str = "") -> FlaskClient:
        """Return a browser signed in as `handle`, with the previous web session unless it was ended."""
        client = self.app.test_client()
        if handle:
            with client.session_transaction() as cookie:
                cookie["key"] = self._key(handle)
        return client

    def _key(self, handle: str) -> str:
        with db.reading(self.engine) as session:
            if web_sessions.find(session, self.keys.get(handle, ""), now=self.time) is not None:
                return self.keys[handle]
        with db.transaction(self.engine) as session:
            person = accounts.person_by_handle(session, handle)
            self.keys[handle] = web_sessions.begin(session, person, now=self.time)
        return self.keys[handle]

    def link_in(self, kind: str) -> str:
        """Return the path of the link in the last letter of this kind; writes requested letters first."""
        sweep_letter_requests(self.runtime)
        with db.reading(self.engine) as session:
            found = select(Letter.link_token_id).where(col(Letter.kind) == kind)
            number = session.exec(found.order_by(col(Letter.id).desc())).first()
        return f"/t/{spell(KEY, number)}"

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Context manager: serve the pages on a separate port; yields their address."""
        if self._beginning is not None:
            self._beginning.end()
        server = make_server("127.0.0.1", 0, self.app, threaded=True, request_handler=Quiet)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def mail_world(folder: Path, **settings: str) -> World:
    """Return a world for play by mail: each letter is in `received` as soon as it is written."""
    return World(folder, delivers=True, **MAIL, **settings)
