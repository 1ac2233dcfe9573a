"""Processor time that the longest mails take: `python -m bench.long_mails [GAMES …]`, at most 0.5 s for each.

A mail of 2,000 lines is made of what costs most: squares, signs, legal moves, names of pieces, dictated moves, talk. A
hill climb replaces lines as long as that makes it dearer. Nothing is kept: each mail is read and rolled back.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from email.message import EmailMessage
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from sqlalchemy import Engine
from sqlmodel import Session, select

from correspondence.accounts.joining import confirm_join, request_join
from correspondence.core import db, schema, tokens
from correspondence.core.caching import clear_caches
from correspondence.core.config import Settings, with_defaults
from correspondence.core.runtime import utc_now
from correspondence.inbound import mailbox
from correspondence.matchmaking.challenges import accept, challenge
from correspondence.mime.limits import LINE_LIMIT, TEXT_LIMIT
from correspondence.models import By, Inbound, Match, Person, Token
from correspondence.models.loading import players_of, position_of
from correspondence.play.matches import make_move
from engines.base import Position

TABLES = {
    "plateau": ("plateau", {}, 0), "plateau, later": ("plateau", {}, 8), "proteus-dice": ("proteus-dice", {}, 6),
    "proteus-dice, secret": ("proteus-dice", {"wall_street": "secret"}, 0), "duel": ("duel", {}, 0),
    "duel, later": ("duel", {}, 8), "proteus-tiles": ("proteus-tiles", {}, 0), "proteus-tiles, later": ("proteus-tiles", {}, 8),
}  # fmt: skip
"""Games by name, with their options and how many random moves are played first."""

WORDS = (
    *"a1 b2 c3 d4 x xr rb red blue mask mute queen pawn =bishop -> to takes army setup PPPQPPPP tender RM,TW my".split(),
    *"the bar hello 1 2 5 @ + / = # slash pass if then refuse A Cf3 Cxd4 circle Mo one on 5@ r 12 zz9 =A draw".split(),
    *("say:", "1)", "3.", "move", "f five", "b seven equals y", "one at a two", "f2/d6", "game 1", "my move:"),
)

ROUNDS, CHANGED = 12, 200


class Desk:
    """A service with one game, and what mails of the player to move cost."""

    def __init__(self, folder: Path, game: str, options: dict[str, str], moves: int) -> None:
        self.settings = with_defaults(
            Settings(instance_dir=str(folder), secret_key="a key", mail_domain="games.example", mail_listen="")
        )
        self.engine: Engine = db.make_engine(self.settings.database_url)
        schema.prepare(self.engine)
        self.now, self.rng = utc_now(), random.Random(1)
        with db.transaction(self.engine) as session:
            self.match, self.author, self.token = _begin(session, game, options, moves, self.now, self.rng)

    @property
    def position(self) -> Position[Any]:
        """Where the game stands."""
        with db.reading(self.engine) as session:
            return position_of(session.get_one(Match, self.match))

    def seconds(self, lines: Sequence[str]) -> float:
        """Processor time that it takes to read a mail of these lines and to answer it; nothing of it is kept."""
        number = self._arrived(lines)
        clear_caches()
        with Session(self.engine, expire_on_commit=False) as session:
            inbound = session.get_one(Inbound, number)
            began = time.process_time()
            mailbox.process_message(session, inbound, self.settings, now=self.now, rng=self.rng)
            seconds = time.process_time() - began
            session.rollback()
        return seconds

    def process(self, lines: Sequence[str]) -> None:
        """Process a mail of these lines as the service does, with nothing remembered of others."""
        self._arrived(lines)
        clear_caches()
        mailbox.drain(self.engine, self.settings, now=self.now, rng=self.rng)

    def _arrived(self, lines: Sequence[str]) -> int:
        """Store a mail of these lines; returns its number."""
        address = f"r.{tokens.spell(self.settings.secret_key, self.token)}@games.example"
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.author, address, "hello"
        message["Message-ID"] = f"<{self.rng.random()}@example.org>"
        message.set_content("\n".join(lines))
        mailbox.store_message(self.engine, message.as_bytes(), address, self.author, now=self.now)
        with Session(self.engine) as session:
            return session.exec(select(Inbound.id).order_by(Inbound.id.desc()).limit(1)).one()  # type: ignore[union-attr]


def _begin(
    session: Session, game: str, options: dict[str, str], moves: int, now: datetime, rng: random.Random
) -> tuple[int, str, int]:
    """Let ann and bob play some random moves; returns the game, and who is to move with their reply address."""
    ann, bob = (_joined(session, name, now) for name in ("ann", "bob"))
    seek = challenge(session, ann, bob.handle, game, options, seat=0, now=now, rng=rng)
    match = session.get_one(Match, accept(session, bob, seek.id, now=now, rng=rng).id)
    players = players_of(session, match.id)
    for _move in range(moves):
        seat = position_of(match).to_act[0]
        view = position_of(match).view(seat)
        make_move(session, players[seat], view.write(seat, view.random_move(seat, rng)), now=now, by=By.WEB)
    seat = position_of(match).to_act[0]
    token = players[seat].token_id
    assert token is not None
    return match.id, f"{(ann.handle, bob.handle)[seat]}@example.org", token


def _joined(session: Session, name: str, now: datetime) -> Person:
    request_join(session, name, f"{name}@example.org", now=now)
    number = session.exec(select(Token.id).order_by(Token.id.desc())).first()  # type: ignore[union-attr]
    assert number is not None
    return confirm_join(session, number, now=now)


def worst_mail(
    position: Position[Any],
    cost: Callable[[Sequence[str]], float],
    rng: random.Random,
    *,
    rounds: int = ROUNDS,
    length: int = LINE_LIMIT,
) -> list[str]:
    """The lines of the dearest mail of this `length` that a hill climb finds."""
    seat = position.to_act[0]
    view = position.view(seat)
    pieces = [*islice((view.write(seat, move) for move in view.legal_moves(seat)), 300), *WORDS * 2]
    best, most = [_line(pieces, rng) for _line_number in range(length)], 0.0
    for _round in range(rounds):
        lines = list(best)
        for _change in range(CHANGED):
            lines[rng.randrange(rng.choice([20, len(lines)]))] = _line(pieces, rng)
        dear = cost(lines)
        if dear >= most:
            best, most = lines, dear
    return best


def _line(pieces: Sequence[str], rng: random.Random) -> str:
    words = (rng.choice(pieces) for _word in range(rng.choice([1, 2, 2, 3, 4, 6])))
    return rng.choice(["", " "]).join(words)[: TEXT_LIMIT // LINE_LIMIT]


def measure(names: Sequence[str] = ()) -> dict[str, float]:
    """Processor seconds of the dearest mail found, by game."""
    found = {}
    for name in names or TABLES:
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(Path(folder), *TABLES[name])
            desk.seconds(["hello"])  # loads what the first mail loads
            lines = worst_mail(desk.position, desk.seconds, random.Random(name))
            found[name] = min(desk.seconds(lines) for _again in range(3))
    return found


if __name__ == "__main__":
    for name, seconds in measure(sys.argv[1:]).items():
        Console().print(f"{name}: {seconds:.2f} s")
