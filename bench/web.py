"""Pages in a second: `python -m bench.web [GAMES …] [--database sqlite|postgresql|URL]`, 1,000 finished games unless told.

Each page is compared with a bare Flask page that fetches one row of the same SQLite database through SQLModel and
renders it with Jinja. Both are WSGI applications and are called as such, in turn, in this process; README.md beside
this file says what the figures mean.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, render_template_string
from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine
from sqlmodel import Session, col, select
from werkzeug.test import EnvironBuilder

from bench.copies import add_letters, add_messages, filling, insert_copies, later, number_copies
from bench.postgres import SQLITE, sizes_and_database
from bench.postgres import database as database_of
from correspondence import create_app
from correspondence.accounts import accounts, joining, web_sessions
from correspondence.core import db
from correspondence.core.config import Settings
from correspondence.core.garbage_collection import without_garbage_collection
from correspondence.core.runtime import utc_now
from correspondence.matchmaking import challenges
from correspondence.models import By, Match, Move, Person, Player, Token
from correspondence.models.loading import persons_of, players_of, position_of
from correspondence.play import matches
from correspondence.web.current import runtime_of

ROUNDS, PAGES = 5, 20
"""Rounds, and how often each page is fetched in one."""

PEOPLE, RUNNING, WITH_MOVES, GAMES_EACH = 50, 20, 1_000, 200
"""The fewest members, games in play of the one who looks, how many of the finished games have their moves stored, and from
how many games on there is one more member."""

MODELS = 5
"""Finished games of each kind played at random; all others are copies of them."""

KINDS = ("proteus-dice", "proteus-tiles", "duel", "plateau")

BARE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ match.id }}</title></head>
<body><h1>{{ match.game }}</h1><p>{{ match.result }}, {{ match.started_at }}</p></body></html>"""

DATABASE = "correspondence.db"

Fetch = Callable[[str], int]


class Page(NamedTuple):
    """A page that is timed.

    Its key in the figures, what it is called, the ratio to the bare page that is aimed at, its addresses, and whether
    somebody is signed in.
    """

    key: str
    name: str
    goal: float
    paths: tuple[str, ...]
    is_member: bool = True
    is_fresh: bool = False
    """Whether both players have moved since it was fetched last."""
    is_known: bool = False
    """Whether the browser has it already and asks whether it is another one now."""


class Club:
    """A service with so many finished games, and one member with games in play; `models` of each kind are played."""

    def __init__(
        self,
        folder: Path,
        games: int,
        models: int = MODELS,
        running: int = RUNNING,
        database_url: str = "",
        like: Club | None = None,
    ) -> None:
        """Play all games, or begin with a copy of the folder of a club `like` this one, whose rows are not copied yet."""
        if like is not None:
            copy_instance(like.folder, folder)
        self.folder = folder
        settings = Settings(instance_dir=str(folder), secret_key="a key", mail_listen="", database_url=database_url)
        with without_garbage_collection():  # as `correspondence.wsgi` loads it
            self.app = create_app(settings)
        self.engine: Engine = runtime_of(self.app).engine
        self.now, self.rng = utc_now() - timedelta(days=1), random.Random(1)
        if like is None:
            self._begin(models, running)
        else:
            self.finished, self.running, self.mine = like.finished, like.running, like.mine
        if games > len(self.finished):
            self._copy(games - len(self.finished))
        self.bare = bare_app(self.engine)
        self.cookie = self._cookie()

    # -- people and games ------------------------------------------------------------------

    def _begin(self, models: int, running: int) -> None:
        for number in range(PEOPLE):
            self._join(f"member{number}")
        self.finished = [self._play(kind, 400, is_over=True) for kind in KINDS for _model in range(models)]
        self.running = [self._play(KINDS[number % len(KINDS)], 16 + number) for number in range(running)]
        self.mine = [number for number in self.running if self._waits_for_me(number)]

    def _join(self, handle: str) -> None:
        with db.transaction(self.engine) as session:
            joining.request_join(session, handle, f"{handle}@example.org", now=self.now)
            number = session.exec(select(Token.id).order_by(col(Token.id).desc())).first()
            joining.confirm_join(session, number, now=self.now)

    def _play(self, kind: str, plies: int, *, is_over: bool = False) -> int:
        """A random game of the first two members; one that ought to be over and is not is resigned."""
        with db.transaction(self.engine) as session:
            one, other = (accounts.person_by_handle(session, f"member{number}") for number in (0, 1))
            seek = challenges.challenge(session, one, "member1", kind, {}, seat=0, now=self.now)
            number = challenges.accept(session, other, seek.id, now=self.now, rng=self.rng).id
        for _ply in range(plies if not is_over else 40):
            if not self._move(number):
                return number
        if is_over:
            with db.transaction(self.engine) as session:
                matches.resign(session, players_of(session, number)[0], now=self.now)
        return number

    def _move(self, number: int) -> bool:
        """A random move in this game; whether one was possible."""
        with db.transaction(self.engine) as session:
            match = session.get_one(Match, number)
            position = position_of(match)
            if match.ended_at is not None or not position.to_act:
                return False
            seat = position.to_act[0]
            text = position.view(seat).write(seat, position.random_move(seat, self.rng))
            matches.make_move(session, players_of(session, number)[seat], text, now=self.now, by=By.WEB)
            return True

    def _moved_on(self, number: int) -> int:
        """A game in which both players have moved and it is my turn: this one, or a new one if this one ends."""
        while self._move(number):
            if self._waits_for_me(number):
                return number
        with db.reading(self.engine) as session:
            kind = session.get_one(Match, number).game
        return self._moved_on(self._play(kind, 16))

    def _waits_for_me(self, number: int) -> bool:
        with db.reading(self.engine) as session:
            match = session.get_one(Match, number)
            to_act = position_of(match).to_act
            return bool(to_act) and persons_of(session, players_of(session, number))[to_act[0]].handle == "member0"

    def _copy(self, games: int) -> None:
        """The finished games again and again, ended a minute apart, with all members in turn at their seats."""
        last, people = max(self.finished + self.running), max(PEOPLE, games // GAMES_EACH)
        with filling(self.engine) as session:
            if people > PEOPLE:
                number_copies(session, PEOPLE + 1, people - PEOPLE, [1])
                names = {"handle": "'member' || (copy.number - 1)", "handle_key": "'member' || (copy.number - 1)"}
                insert_copies(session, Person, "it.id = copy.model", id="copy.number", **names)
            number_copies(session, last + 1, games, self.finished)
            ended = later(session, "it.ended_at", f"-60 * (copy.number - {last})")
            insert_copies(session, Match, "it.id = copy.model", id="copy.number", ended_at=ended)
            person = f"1 + (copy.number + it.seat * (1 + copy.number % {people - 1})) % {people}"
            seats = {"match_id": "copy.number", "person_id": person, "ended_at": ended}
            insert_copies(session, Player, "it.match_id = copy.model", **seats)
            few = f"it.match_id = copy.model AND copy.number <= {last + WITH_MOVES}"
            insert_copies(session, Move, few, match_id="copy.number")
            add_letters(session, games, people)
            add_messages(session, max(games // 5, 1), self.now)

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
        kinds = tuple(f"/archive?game={kind}" for kind in KINDS)
        return (
            Page("own", "game page, my turn, looked at again", 0.5, to_play),
            Page("after_move", "game page, my turn, after a move", 0.12, to_play, is_fresh=True),
            Page("unchanged", "game page that has not changed", 0.8, to_play, is_known=True),
            Page("onlooker", "game page, somebody else's", 0.7, to_play, is_member=False),
            Page("history", "history of a finished game", 0.4, over, is_member=False),
            Page("my_games", f"my games ({len(self.running)} in play)", 0.3, ("/games",)),
            Page("archive", "archive, first page", 0.4, ("/archive",), is_member=False),
            Page("archive_game", "archive of one game", 0.4, kinds, is_member=False),
            Page("archive_player", "archive of one member", 0.4, ("/archive?player=member3",), is_member=False),
            Page("player", "page of a member", 0.4, ("/players/member3",)),
            Page("front", "front page", 0.4, ("/",), is_member=False),
        )

    def fetcher(self, page: Page) -> Fetch:
        """What fetches this page once; returns its size in bytes."""
        headers = {"Cookie": self.cookie} if page.is_member else {}
        tags = {path: fetched(self.app, path, headers).tag for path in page.paths} if page.is_known else {}

        def fetch(path: str) -> int:
            return fetched(self.app, path, headers | {"If-None-Match": tags[path]} if path in tags else headers).size

        return fetch

    def before(self, page: Page) -> Callable[[str], str]:
        """What happens before this page is fetched, and is not timed: where the page is afterwards."""
        games = {path: path for path in page.paths}

        def moved_on(path: str) -> str:
            games[path] = f"/games/{self._moved_on(int(games[path].rpartition('/')[2]))}"
            return games[path]

        return moved_on if page.is_fresh else str


def copy_instance(one: Path, other: Path) -> None:
    """Copy the folder of an installation with SQLite, whose database may be open."""
    other.mkdir(mode=0o700)
    for file in one.iterdir():
        if not file.name.startswith(DATABASE):
            shutil.copy2(file, other)
    with closing(sqlite3.connect(one / DATABASE)) as connection:
        connection.execute("VACUUM INTO ?", (str(other / DATABASE),))


def bare_app(engine: Engine) -> Flask:
    """An application with one page: one row, one template."""
    app = Flask("bare")

    @app.get("/<int:number>")
    def show(number: int) -> str:
        with Session(engine) as session:
            return render_template_string(BARE, match=session.get(Match, number))

    return app


class Answer(NamedTuple):
    """What came of a request: bytes, and the ETag, empty if there is none."""

    size: int
    tag: str


def fetched(app: Flask, path: str, headers: dict[str, str] | None = None) -> Answer:
    """Call the application as a server does; its answer must be a page, or that the known one is still the same."""
    environ = EnvironBuilder(path, headers=headers).get_environ()
    started: list[Any] = []
    body = app.wsgi_app(environ, lambda *begun: started.extend(begun))  # type: ignore[arg-type]
    size = sum(map(len, body))
    if hasattr(body, "close"):
        body.close()
    status, answered = started[:2]
    assert status.startswith(("200", "304")), f"{path}: {status}"
    return Answer(size, dict(answered).get("ETag", ""))


class Took(NamedTuple):
    """Seconds of the processor in this process, and by the clock on the wall, in which a server of databases counts too."""

    processor: float
    wall: float


def seconds(fetch: Fetch, paths: tuple[str, ...], count: int, before: Callable[[str], str] = str) -> Took:
    """What one of so many fetches of these paths in turn takes, without what happens before each."""
    processor = wall = 0.0
    for number in range(count):
        path = before(paths[number % len(paths)])
        start, began = time.perf_counter(), time.process_time()
        fetch(path)
        processor += time.process_time() - began
        wall += time.perf_counter() - start
    return Took(processor / count, wall / count)


class Figures(NamedTuple):
    """What came out of one page in each round: seconds, ratios to the bare page, seconds on the wall; and its bytes."""

    seconds: list[float]
    ratios: list[float]
    wall: list[float]
    weight: int

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)


def measure(club: Club, page: Page, rounds: int, count: int) -> Figures:
    """The bare page and this one in turn, round after round, after one round that does not count."""
    fetch, before, bare = club.fetcher(page), club.before(page), tuple(f"/{number}" for number in club.finished)
    weight = round(statistics.mean(fetch(path) for path in page.paths))
    processor, ratios, wall = [], [], []
    for number in range(rounds + 1):
        plain = seconds(lambda path: fetched(club.bare, path).size, bare, count)
        ours = seconds(fetch, page.paths, count, before)
        if number:
            processor.append(ours.processor)
            ratios.append(plain.processor / ours.processor)
            wall.append(ours.wall)
    return Figures(processor, ratios, wall, weight)


def report(
    games: int, rounds: int = ROUNDS, count: int = PAGES, console: Console | None = None,
    models: int = MODELS, running: int = RUNNING, database: str = SQLITE,
) -> dict[str, Figures]:  # fmt: skip
    """Measure every page beside so many finished games, and print the table; the figures by the keys of the pages."""
    with tempfile.TemporaryDirectory() as folder, database_of(database) as url:
        began = datetime.now()
        club = Club(Path(folder), games, models, running, url)
        title = f"{games:,} finished games and letters (made in {(datetime.now() - began).seconds} s)"
        found = {page: measure(club, page, rounds, count) for page in club.pages()}
        (console or Console(width=140)).print(table_of(found, title))
        runtime_of(club.app).close()
    return {page.key: figures for page, figures in found.items()}


def table_of(found: dict[Page, Figures], title: str) -> Table:
    """The figures as a table."""
    table = Table(
        "page", "KB", "ms", "pages /s", "wall ms: least", "ratio: least", "median", "greatest", "goal", title=title
    )
    for page, figures in found.items():
        seconds = statistics.median(figures.seconds)
        aim = f"{page.goal} {'met' if figures.ratio >= page.goal else 'MISSED'}"
        spread = (f"{value:.2f}" for value in (min(figures.ratios), figures.ratio, max(figures.ratios)))
        table.add_row(
            page.name,
            f"{figures.weight / 1024:.1f}",
            f"{seconds * 1000:.1f}",
            f"{1 / seconds:.0f}",
            f"{min(figures.wall) * 1000:.1f}",
            *spread,
            aim,
        )
    return table


if __name__ == "__main__":
    for size in (options := sizes_and_database("bench.web", [1_000])).games:
        report(size, database=options.database)
