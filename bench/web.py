"""Pages in a second: `python -m bench.web [GAMES …]`, with 1,000 finished games stored unless told.

Each page is compared with a bare Flask page that fetches one row of the same SQLite database through SQLModel and
renders it with Jinja. Both are WSGI applications and are called as such, in turn, in this process; README.md beside
this file says what the figures mean.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, render_template_string
from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine, text
from sqlmodel import Session, SQLModel, col, select
from werkzeug.test import EnvironBuilder

from correspondence import create_app
from correspondence.accounts import accounts, web_sessions
from correspondence.core import db
from correspondence.core.caching import clear_caches
from correspondence.core.config import Settings
from correspondence.core.runtime import utc_now
from correspondence.matchmaking import challenges
from correspondence.models import By, Match, Move, Player, Token
from correspondence.models.loading import persons_of, players_of, position_of
from correspondence.play import matches
from correspondence.web.current import runtime_of

ROUNDS, PAGES = 5, 20
"""Rounds, and how often each page is fetched in one."""

PEOPLE, RUNNING, WITH_MOVES = 50, 20, 1_000
"""Members, games in play of the one who looks, and how many of the finished games have their moves stored."""

MODELS = 5
"""Finished games of each kind that are played by lot; all others are copies of them."""

KINDS = ("proteus-dice", "proteus-tiles", "duel", "plateau")

BARE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ match.id }}</title></head>
<body><h1>{{ match.game }}</h1><p>{{ match.result }}, {{ match.started_at }}</p></body></html>"""

GOAL = 0.5
"""The ratio to the bare page that is aimed at."""

Fetch = Callable[[str], int]


class Page(NamedTuple):
    """A page that is timed: what it is called, the addresses it has, and whether somebody is signed in."""

    name: str
    paths: tuple[str, ...]
    is_member: bool
    is_fresh: bool = False
    """Whether nothing is remembered of it when it is fetched, as after a move."""


class Club:
    """A service with so many finished games, and one member with games in play."""

    def __init__(self, folder: Path, games: int) -> None:
        self.app = create_app(Settings(instance_dir=str(folder), secret_key="a key", mail_listen=""))
        self.engine: Engine = runtime_of(self.app).engine
        self.now, self.rng = utc_now() - timedelta(days=1), random.Random(1)
        for number in range(PEOPLE):
            self._join(f"member{number}")
        self.finished = [self._play(kind, 400, is_over=True) for kind in KINDS for _model in range(MODELS)]
        self._copy(games - len(self.finished))
        self.running = [self._play(KINDS[number % len(KINDS)], 16 + number) for number in range(RUNNING)]
        self.mine = [number for number in self.running if self._waits_for_me(number)]
        self.bare = bare_app(self.engine)
        self.cookie = self._cookie()

    # -- people and games ------------------------------------------------------------------

    def _join(self, handle: str) -> None:
        with db.transaction(self.engine) as session:
            accounts.request_join(session, handle, f"{handle}@example.org", now=self.now)
            number = session.exec(select(Token.id).order_by(col(Token.id).desc())).first()
            accounts.confirm_join(session, number, now=self.now)

    def _play(self, kind: str, plies: int, *, is_over: bool = False) -> int:
        """A game of the first two members by lot; one that ought to be over and is not is resigned."""
        with db.transaction(self.engine) as session:
            one, other = (accounts.person_by_handle(session, f"member{number}") for number in (0, 1))
            seek = challenges.challenge(session, one, "member1", kind, {}, seat=0, now=self.now)
            number = challenges.accept(session, other, seek.id, now=self.now, rng=self.rng).id
        for _ply in range(plies if not is_over else 40):
            with db.transaction(self.engine) as session:
                match = session.get_one(Match, number)
                position = position_of(match)
                if match.ended_at is not None or not position.to_act:
                    return number
                seat = position.to_act[0]
                move = position.random_move(seat, self.rng)
                player = players_of(session, number)[seat]
                said = position.view(seat).write(seat, move)
                matches.make_move(session, player, said, now=self.now, by=By.WEB)
        if is_over:
            with db.transaction(self.engine) as session:
                matches.resign(session, players_of(session, number)[0], now=self.now)
        return number

    def _waits_for_me(self, number: int) -> bool:
        with db.reading(self.engine) as session:
            match = session.get_one(Match, number)
            to_act = position_of(match).to_act
            return bool(to_act) and persons_of(session, players_of(session, number))[to_act[0]].handle == "member0"

    def _copy(self, games: int) -> None:
        """The finished games again and again, ended a minute apart, with all members in turn at their seats."""
        last = max(self.finished)
        with Session(self.engine) as session:
            session.execute(text("CREATE TEMP TABLE copy (number INTEGER PRIMARY KEY, model INTEGER)"))
            numbers = ({"number": last + 1 + n, "model": self.finished[n % len(self.finished)]} for n in range(games))
            for chunk in chunks(numbers, 50_000):
                session.execute(text("INSERT INTO copy VALUES (:number, :model)"), chunk)
            earlier = f"strftime('%Y-%m-%d %H:%M:%S.000000', {{}}, '-' || (copy.number - {last}) || ' minutes')"
            ended = earlier.format("it.ended_at")
            _insert(session, Match, "it.id = copy.model", id="copy.number", ended_at=ended)
            person = f"1 + (copy.number + it.seat * (1 + copy.number % {PEOPLE - 1})) % {PEOPLE}"
            seats = {"match_id": "copy.number", "person_id": person, "ended_at": ended}
            _insert(session, Player, "it.match_id = copy.model", **seats)
            few = f"it.match_id = copy.model AND copy.number <= {last + WITH_MOVES}"
            _insert(session, Move, few, match_id="copy.number")
            session.execute(text("DROP TABLE copy"))
            session.commit()
        with self.engine.connect() as connection:
            connection.execute(text("ANALYZE"))

    # -- pages -------------------------------------------------------------------------------

    def _cookie(self) -> str:
        signer: Any = self.app.session_interface.get_signing_serializer(self.app)  # type: ignore[attr-defined]
        with db.transaction(self.engine) as session:
            me = accounts.person_by_handle(session, "member0")
            assert me is not None
            key = web_sessions.begin(session, me, now=utc_now())
        return f"session={signer.dumps({'key': key})}"

    def pages(self) -> tuple[Page, ...]:
        """What is timed."""
        to_play = tuple(f"/games/{number}" for number in self.mine)
        over = tuple(f"/games/{number}" for number in self.finished)
        return (
            Page("game page, my turn, looked at again", to_play, True),
            Page("game page, my turn, after a move", to_play, True, True),
            Page("game page, somebody else's, looked at again", to_play, False),
            Page("history of a finished game", over, False),
            Page(f"my games ({RUNNING} in play)", ("/games",), True),
            Page("archive, first page", ("/archive",), False),
            Page("archive of one game", tuple(f"/archive?game={kind}" for kind in KINDS), False),
        )

    def fetcher(self, page: Page) -> Fetch:
        """What fetches this page once; returns its size in bytes."""
        cookie = self.cookie if page.is_member else ""

        def fetch(path: str) -> int:
            if page.is_fresh:
                clear_caches()
            return fetched(self.app, path, cookie)

        return fetch


def _insert(session: Session, table: type[SQLModel], joined: str, **changed: str) -> None:
    """Insert copies of rows, some columns changed."""
    columns = [column.name for column in table.__table__.columns]  # type: ignore[attr-defined]
    wanted = [name for name in columns if name in changed or name != "id"]
    values = ", ".join(changed.get(name, f'it."{name}"') for name in wanted)
    names = ", ".join(f'"{name}"' for name in wanted)
    name = table.__tablename__
    session.execute(text(f'INSERT INTO "{name}" ({names}) SELECT {values} FROM copy JOIN "{name}" it ON {joined}'))


def chunks(rows: Iterable[dict[str, Any]], size: int) -> Iterable[list[dict[str, Any]]]:
    """Rows in lists of at most `size`."""
    chunk: list[dict[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def bare_app(engine: Engine) -> Flask:
    """An application with one page: one row, one template."""
    app = Flask("bare")

    @app.get("/<int:number>")
    def show(number: int) -> str:
        with Session(engine) as session:
            return render_template_string(BARE, match=session.get(Match, number))

    return app


def fetched(app: Flask, path: str, cookie: str = "") -> int:
    """Call the application as a server does; bytes of its answer, which must be a page."""
    environ = EnvironBuilder(path, headers={"Cookie": cookie} if cookie else {}).get_environ()
    said: list[str] = []
    body = app.wsgi_app(environ, lambda status, _headers, _error=None: said.append(status))  # type: ignore[arg-type]
    size = sum(map(len, body))
    if hasattr(body, "close"):
        body.close()
    assert said[0].startswith("200"), f"{path}: {said[0]}"
    return size


def seconds(fetch: Fetch, paths: tuple[str, ...], count: int) -> float:
    """Seconds of processor time for so many fetches of these paths in turn."""
    start = time.process_time()
    for number in range(count):
        fetch(paths[number % len(paths)])
    return (time.process_time() - start) / count


class Figures(NamedTuple):
    """What came out of one page: seconds and ratios to the bare page in each round, and its bytes."""

    seconds: list[float]
    ratios: list[float]
    weight: int


def measure(club: Club, page: Page, rounds: int, count: int) -> Figures:
    """The bare page and this one in turn, round after round, after one round that does not count."""
    fetch, bare = club.fetcher(page), tuple(f"/{number}" for number in club.finished)
    weight = round(statistics.mean(fetch(path) for path in page.paths))
    took, ratios = [], []
    for number in range(rounds + 1):
        plain = seconds(lambda path: fetched(club.bare, path), bare, count)
        ours = seconds(fetch, page.paths, count)
        if number:
            took.append(ours)
            ratios.append(plain / ours)
    return Figures(took, ratios, weight)


def report(games: int, rounds: int = ROUNDS, count: int = PAGES, console: Console | None = None) -> dict[str, Figures]:
    """Measure every page beside so many finished games, and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        began = datetime.now()
        club = Club(Path(folder), games)
        title = f"{games:,} finished games (made in {(datetime.now() - began).seconds} s)"
        table = Table("page", "KB", "ms", "pages /s", "ratio: least", "median", "greatest", "goal", title=title)
        found = {page.name: measure(club, page, rounds, count) for page in club.pages()}
        for name, figures in found.items():
            took, ratio = statistics.median(figures.seconds), statistics.median(figures.ratios)
            told = f"{GOAL} {'met' if ratio >= GOAL else 'MISSED'}"
            spread = (f"{value:.2f}" for value in (min(figures.ratios), ratio, max(figures.ratios)))
            table.add_row(name, f"{figures.weight / 1024:.1f}", f"{took * 1000:.1f}", f"{1 / took:.0f}", *spread, told)
        (console or Console(width=140)).print(table)
        club.engine.dispose()
    return found


if __name__ == "__main__":
    for size in [int(word) for word in sys.argv[1:]] or [1_000]:
        report(size)
