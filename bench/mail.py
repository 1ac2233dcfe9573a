"""Moves by mail in a second: `python -m bench.mail [GAMES …]`, 1,000 and 100,000 games in play unless told.

One worker, from accepted bytes to the committed letter to the opponent: the message is kept (one commit), claimed (one
more), read, recognised, played, and its letter written (the third). Each round times some of them and right after, on
the same database file with synchronous=FULL, as many commits of one small row through a SQLModel session.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine, insert
from sqlmodel import Session, col, select

from correspondence.accounts.accounts import confirm_join, request_join
from correspondence.core import db, tokens
from correspondence.core.config import Settings, with_defaults
from correspondence.core.db import transaction
from correspondence.core.runtime import utc_now
from correspondence.inbound import mailbox
from correspondence.matchmaking.challenges import accept, challenge
from correspondence.models import Inbound, Letter, Match, Player, Scope, Suppression, Token

ROUNDS, MOVES, COMMITS = 7, 40, 200
MOVE = "c3/f2=B"
CHUNK = 5_000


class Club:
    """A service with so many games of two persons in play, in each of which White is to make the first move."""

    def __init__(self, folder: Path, games: int) -> None:
        self.settings = with_defaults(
            Settings(instance_dir=str(folder), secret_key="a key", mail_domain="games.example")
        )
        self.engine: Engine = db.make_engine(self.settings.database_url)
        db.prepare(self.engine)
        self.now, self.rng = utc_now(), random.Random(1)
        self._begin()
        self._fill(games - 1)
        self.waiting = random.Random(2).sample(range(1, games + 1), min(games, ROUNDS * MOVES + MOVES))

    def _begin(self) -> None:
        for name in ("ann", "bob"):
            with transaction(self.engine) as session:
                request_join(session, name, f"{name}@example.org", now=self.now)
                number = max(session.exec(select(Token.id)))
                confirm_join(session, number, now=self.now)
        with transaction(self.engine) as session:
            ann, bob = session.exec(select(_person()).order_by("id"))
            seek = challenge(session, ann, "bob", "proteus-dice", {}, seat=0, now=self.now)
            accept(session, bob, seek.id, now=self.now, rng=self.rng)

    def _fill(self, games: int) -> None:
        """The one game again and again, with the letters that it began with."""
        with db.reading(self.engine) as session:
            match = session.exec(select(Match)).one().model_dump(exclude={"id"})
            players = [one.model_dump(exclude={"id"}) for one in session.exec(select(Player).order_by("seat"))]
            token = session.exec(select(Token).where(col(Token.match_id) == 1)).first().model_dump(exclude={"id"})
            letter = session.exec(select(Letter).where(col(Letter.kind) == "turn")).one().model_dump(exclude={"id"})
            first = max(session.exec(select(Token.id))) + 1
        self._first_token = first
        for start in range(0, games, CHUNK):
            numbers = range(start, min(start + CHUNK, games))
            with Session(self.engine) as session:
                rows = [{**match, "id": n + 2, "deadline": match["deadline"] + timedelta(seconds=n)} for n in numbers]
                session.execute(insert(Match), rows)
                ids = [(n, seat, first + 2 * n + seat) for n in numbers for seat in (0, 1)]
                owner = [one["person_id"] for one in players]
                session.execute(
                    insert(Token), [{**token, "id": i, "match_id": n + 2, "person_id": owner[s]} for n, s, i in ids]
                )
                session.execute(insert(Player), [{**players[s], "match_id": n + 2, "token_id": i} for n, s, i in ids])
                unique = [{"key": f"turn:g{n + 2}:p0:u1", "message_id": f"g{n + 2}.p0.u1.{n:08x}"} for n in numbers]
                session.execute(
                    insert(Letter),
                    [
                        {**letter, **names, "match_id": n + 2, "reply_token_id": first + 2 * n, "state": "sent"}
                        for n, names in zip(numbers, unique, strict=True)
                    ],
                )
                session.commit()

    def reply(self, number: int) -> tuple[bytes, str]:
        """A reply with a move to the letter of a game, and the address that it goes to."""
        with db.reading(self.engine) as session:
            turn = session.exec(select(Letter).where(col(Letter.match_id) == number, col(Letter.kind) == "turn")).one()
        to = f"r.{tokens.spell(self.settings.secret_key, turn.reply_token_id)}@games.example"
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = "Ann <ann@example.org>", to, f"Re: {turn.subject}"
        message["Message-ID"] = f"<{number}.{time.time_ns()}@example.org>"
        message["In-Reply-To"] = f"<{turn.message_id}@games.example>"
        quoted = "\n".join(f"> {line}" for line in turn.text.splitlines())
        message.set_content(f"{MOVE}\n\nOn Sat, 21 Nov 2026 at 10:05, Correspondence <{to}> wrote:\n{quoted}\n")
        return message.as_bytes(), to

    def play(self, count: int) -> float:
        """Seconds for so many moves, each in a game of its own."""
        mails = [self.reply(self.waiting.pop()) for _ in range(count)]
        start = time.perf_counter()
        for raw, to in mails:
            mailbox.store_message(self.engine, raw, to, "ann@example.org", now=self.now)
            mailbox.drain(self.engine, self.settings, now=self.now, rng=self.rng)
        seconds = time.perf_counter() - start
        with db.reading(self.engine) as session:
            last = session.exec(select(Inbound).order_by(col(Inbound.id).desc())).first()
        assert last is not None and last.reason == "played", last
        return seconds

    def commit(self, count: int) -> float:
        """Seconds for so many commits of one small row, each in a session of its own."""
        start = time.perf_counter()
        for number in range(count):
            with Session(self.engine) as session:
                mail = f"{time.time_ns()}.{number}"
                session.add(Suppression(mail_key=mail, scope=Scope.NOTICES, reason="bench", since=self.now))
                session.commit()
        return time.perf_counter() - start


def _person() -> type:
    from correspondence.models import Person

    return Person


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clubs = {}
        for size in sizes:
            (place := Path(folder) / str(size)).mkdir()
            clubs[size] = Club(place, size)
            clubs[size].play(MOVES // 2), clubs[size].commit(COMMITS)
        ratios: dict[int, list[float]] = {size: [] for size in sizes}
        speeds: dict[int, list[float]] = {size: [] for size in sizes}
        for _round in range(ROUNDS):
            for size, club in clubs.items():
                moves, commits = MOVES / club.play(MOVES), COMMITS / club.commit(COMMITS)
                ratios[size].append(moves / commits)
                speeds[size].append(moves)
        table = Table("games in play", "moves by mail /s", "ratio to commits: least", "median", "greatest")
        for size in sizes:
            row = sorted(ratios[size])
            told = (f"{value:.3f}" for value in (row[0], statistics.median(row), row[-1]))
            table.add_row(f"{size:,}", f"{statistics.median(speeds[size]):.0f}", *told)
        Console().print(table)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1_000, 100_000])
