"""Moves by mail in a second: `python -m bench.mail [GAMES …] [--database KIND]`, 1,000 and 100,000 in play unless told.

One worker, from accepted bytes to the committed letter to the opponent: the message is kept (one commit), claimed (one
more), read, recognised, played, and its letter written (the third). Each round times some of them and right after, on
the same database file with synchronous=FULL, as many commits of one small row through a SQLModel session. Who moves
wants no receipts in these rounds, of which a member gets sixty a day; two last rounds time moves with a receipt each.

Two rounds more time moves with their letters: a picture is drawn for each, as no two positions were alike, and the letters go
to a mail server on this machine, which is a process of its own.
"""

from __future__ import annotations

import multiprocessing
import random
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine, text
from sqlmodel import Session, col, select

from bench import postgres
from bench.copies import add_messages, filling, insert_copies, later, number_copies
from correspondence.accounts.joining import confirm_join, request_join
from correspondence.core import db, schema, tokens
from correspondence.core.config import Settings, with_defaults
from correspondence.core.db import transaction
from correspondence.core.garbage_collection import without_garbage_collection
from correspondence.core.runtime import utc_now
from correspondence.inbound import mailbox
from correspondence.matchmaking.challenges import accept, challenge
from correspondence.models import Inbound, Letter, LetterState, Match, Person, Player, Scope, Suppression, Token
from correspondence.outbound import outbox
from correspondence.render import raster
from correspondence.transport import open_post

ROUNDS, MOVES, COMMITS = 20, 20, 200
"""Moves and commits of a round take about as long, so that what else the machine does spares a round of either as often."""

RECEIPT_ROUNDS = 2
"""Rounds in which each move is also told to whoever made it, within the sixty that an address gets in a day."""

LETTER_ROUNDS = 2
"""Rounds in which the letter to the opponent is sent as well."""

MOVE = "c3/f2=B"


class Took(NamedTuple):
    """Seconds by the clock on the wall, and of the processor."""

    seconds: float
    processor: float


class Club:
    """A service with so many games of two persons in play, in each of which White is to make the first move."""

    def __init__(self, folder: Path, games: int, database_url: str = "") -> None:
        self.settings = with_defaults(
            Settings(
                instance_dir=str(folder), secret_key="a key", mail_domain="games.example", database_url=database_url
            )
        )
        self.engine: Engine = db.make_engine(self.settings.database_url)
        schema.prepare(self.engine)
        self.now, self.rng = utc_now(), random.Random(1)
        self._begin()
        self.waiting = random.Random(2).sample(
            range(1, games + 1), min(games, (ROUNDS + 2 + RECEIPT_ROUNDS + LETTER_ROUNDS) * MOVES)
        )
        self._fill(games - 1)

    def _begin(self) -> None:
        for name in ("ann", "bob"):
            with transaction(self.engine) as session:
                request_join(session, name, f"{name}@example.org", now=self.now)
                number = max(session.exec(select(Token.id)))
                confirm_join(session, number, now=self.now)
        self.switch_receipts(False)
        with transaction(self.engine) as session:
            ann, bob = session.exec(select(Person).order_by(col(Person.id)))
            seek = challenge(session, ann, "bob", "proteus-dice", {}, seat=0, now=self.now)
            accept(session, bob, seek.id, now=self.now, rng=self.rng)

    def switch_receipts(self, are_wanted: bool) -> None:
        """Say for both whether a letter is to tell them what their mail has played."""
        with transaction(self.engine) as session:
            for person in session.exec(select(Person)):
                person.receipts = are_wanted

    def _fill(self, games: int) -> None:
        """The one game again and again, with the letters that it began with; the words of few are kept."""
        with db.reading(self.engine) as session:
            first = max(session.exec(select(Token.id))) + 1
        token = f"{first} + 2 * (copy.number - 2)"
        with filling(self.engine) as session:
            number_copies(session, 2, games, [1])
            moments = {name: later(session, f"it.{name}", "copy.number") for name in ("deadline", "remind_at")}
            insert_copies(session, Match, "it.id = copy.model", id="copy.number", **moments)
            copied = {"id": f"{token} + CASE it.person_id WHEN 2 THEN 1 ELSE 0 END", "match_id": "copy.number"}
            insert_copies(session, Token, "it.match_id = copy.model AND it.purpose = 'play'", **copied)
            copied = {"match_id": "copy.number", "token_id": f"{token} + it.seat"}
            insert_copies(session, Player, "it.match_id = copy.model", **copied)
            insert_copies(session, Letter, "it.match_id = copy.model AND it.kind = 'turn'", **letter_columns(token))
            add_messages(session, max(games // 5, 2), self.now)
            answered = ", ".join(map(str, self.waiting))
            session.execute(
                text(
                    "UPDATE letter SET (text, html, picture) = (SELECT text, html, picture FROM letter it"
                    f" WHERE it.match_id = 1 AND it.kind = 'turn') WHERE kind = 'turn' AND match_id IN ({answered})"
                )
            )

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

    def play(self, count: int) -> Took:
        """What so many moves take, each in a game of its own."""
        mails = [self.reply(self.waiting.pop()) for _ in range(count)]
        start, began = time.perf_counter(), time.process_time()
        for raw, to in mails:
            mailbox.store_message(self.engine, raw, to, "ann@example.org", now=self.now)
            mailbox.drain(self.engine, self.settings, now=self.now, rng=self.rng)
        spent = Took(time.perf_counter() - start, time.process_time() - began)
        with db.reading(self.engine) as session:
            last = session.exec(select(Inbound).order_by(col(Inbound.id).desc())).first()
        assert last is not None and last.reason == "played", last
        return spent

    def play_and_send(self, count: int, server: str) -> Took:
        """What so many moves take with their letters, from kept mails to what the mail server has taken."""
        settings = replace(self.settings, mail_send=server)
        self._drop_queue()
        for raw, to in [self.reply(self.waiting.pop()) for _ in range(count)]:
            mailbox.store_message(self.engine, raw, to, "ann@example.org", now=self.now)
        with closing(open_post(settings)) as post:
            start, began = time.perf_counter(), time.process_time()
            mailbox.drain(self.engine, settings, now=self.now, rng=self.rng)
            sent = outbox.send_due(
                self.engine, post, settings, now=lambda: self.now, still_wanted=_draw_anew, rng=self.rng
            )
            spent = Took(time.perf_counter() - start, time.process_time() - began)
        assert sent == count, sent
        return spent

    def _drop_queue(self) -> None:
        """Let the letters of the rounds before wait for ever: they are not what is measured."""
        with transaction(self.engine) as session:
            session.execute(
                text(f"UPDATE letter SET state = '{LetterState.SENT}' WHERE state = '{LetterState.QUEUED}'")
            )

    def commit(self, count: int) -> float:
        """Seconds for so many commits of one small row, each in a session of its own."""
        start = time.perf_counter()
        for number in range(count):
            with Session(self.engine) as session:
                mail = f"{time.time_ns()}.{number}"
                session.add(Suppression(mail_key=mail, scope=Scope.NOTICES, reason="bench", since=self.now))
                session.commit()
        return time.perf_counter() - start


def _draw_anew(_session: Session, _letter: Letter) -> bool:
    """Forget the pictures, which in these copies of one game are all the same."""
    raster.png.cache.clear()
    return True


@contextmanager
def mail_server() -> Iterator[str]:
    """Context manager: the URL of a mail server in a process of its own, which forgets what it takes."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = multiprocessing.get_context("spawn").Process(target=_take_letters, args=(port,), daemon=True)
    server.start()
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"smtp://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.join()


def _take_letters(port: int) -> None:
    from aiosmtpd.controller import Controller
    from aiosmtpd.handlers import Sink

    Controller(Sink(), hostname="127.0.0.1", port=port).start()
    time.sleep(86_400)


def letter_columns(token: str) -> dict[str, str]:
    """What differs in the letter of each copied game, which was sent long ago; `token` is its reply token in SQL."""
    return {
        "match_id": "copy.number", "reply_token_id": token, "state": f"'{LetterState.SENT}'",
        "key": "'turn:g' || copy.number || ':p0:u1'", "message_id": "'g' || copy.number || '.p0.u1'",
        "text": "'Sent long ago.'", "html": "''", "picture": "''", "created_at": "'2026-01-01 00:00:00.000000'",
    }  # fmt: skip


class Figures(NamedTuple):
    """Moves and commits a second, in each round, and seconds of processor time for a move.

    `with_receipt` are the moves a second of the rounds in which each is also told to whoever made it; `with_letters`
    those with which the letter is sent too, and `letters_processor` is the processor time of these.
    """

    moves: list[float]
    commits: list[float]
    processor: list[float]
    with_receipt: list[float]
    with_letters: list[float]
    letters_processor: list[float]

    @property
    def ratios(self) -> list[float]:
        """Moves to commits, round by round."""
        return [moves / commits for moves, commits in zip(self.moves, self.commits, strict=True)]

    @property
    def ratio(self) -> float:
        """The quickest moves to the quickest commits: what else the machine does can only slow both down."""
        return max(self.moves) / max(self.commits)

    @property
    def ratio_with_receipt(self) -> float:
        """The same for moves with a receipt."""
        return max(self.with_receipt) / max(self.commits)


def measure(clubs: dict[int, Club], rounds: int = ROUNDS) -> dict[int, Figures]:
    """Moves and commits in turn, round after round, by the number of games."""
    found = {size: Figures([], [], [], [], [], []) for size in clubs}
    for club in clubs.values():
        club.play(2 * MOVES), club.commit(COMMITS)
    for _round in range(rounds):
        for size, club in clubs.items():
            spent = club.play(MOVES)
            found[size].moves.append(MOVES / spent.seconds)
            found[size].processor.append(spent.processor / MOVES)
            found[size].commits.append(COMMITS / club.commit(COMMITS))
    for size, club in clubs.items():
        club.switch_receipts(True)
        found[size].with_receipt.extend(MOVES / club.play(MOVES).seconds for _round in range(RECEIPT_ROUNDS))
    with mail_server() as server:
        for size, club in clubs.items():
            club.switch_receipts(False)
            for _round in range(LETTER_ROUNDS):
                spent = club.play_and_send(MOVES, server)
                found[size].with_letters.append(MOVES / spent.seconds)
                found[size].letters_processor.append(spent.processor / MOVES)
    return found


def table_of(found: dict[int, Figures]) -> Table:
    """The figures as a table."""
    ratios = ("ratio: least", "median", "greatest", "of the best", "with receipt")
    letters = ("with letters /s", "CPU ms")
    table = Table("games in play", "moves by mail /s", "CPU ms", "commits /s", *ratios, *letters)
    for size, figures in found.items():
        row = sorted(figures.ratios)
        kinds = (row[0], statistics.median(row), row[-1], figures.ratio, figures.ratio_with_receipt)
        cells = (f"{value:.3f}" for value in kinds)
        moves, commits = (f"{statistics.median(each):.0f}" for each in (figures.moves, figures.commits))
        sent = (f"{max(figures.with_letters):.0f}", f"{min(figures.letters_processor) * 1000:.1f}")
        table.add_row(f"{size:,}", moves, f"{min(figures.processor) * 1000:.1f}", commits, *cells, *sent)
    return table


def club_of(folder: Path, games: int, database_url: str = "") -> Club:
    """A club in a folder of its own."""
    (place := folder / str(games)).mkdir()
    with without_garbage_collection():  # as `correspondence.wsgi` loads the service
        return Club(place, games, database_url)


def main(sizes: list[int], database: str) -> None:
    """Measure services of these sizes, each with a database of its own of this kind, and print the table."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {size: stack.enter_context(postgres.database(database)) for size in sizes}
        clubs = {size: club_of(folder, size, urls[size]) for size in sizes}
        Console(width=140).print(table_of(measure(clubs)))
        for club in clubs.values():
            club.engine.dispose()


if __name__ == "__main__":
    main(*postgres.sizes_and_database("bench.mail", [1_000, 100_000]))
