"""A world without sockets: the service's use cases, a clock that tests turn, and a postman who keeps every letter."""

from __future__ import annotations

import atexit
import random
import re
import secrets
import shutil
import tempfile
import threading
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import getaddresses, make_msgid
from functools import cache
from pathlib import Path

from sqlalchemy import create_engine, event, make_url
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.core import db, signing, tokens
from correspondence.core.config import Settings, with_defaults
from correspondence.core.runtime import Runtime
from correspondence.inbound import mailbox
from correspondence.matchmaking import challenges
from correspondence.models import By, Letter, LetterState, Match, Person, Token, loading
from correspondence.ops.worker import still_wanted, sweep_deadlines, sweep_letter_requests
from correspondence.outbound import compose as compose_letter
from correspondence.outbound import outbox, recovery_codes
from correspondence.play import matches
from engines.base import MoveError


def lay_tables(folder):
    """Put the tables, empty, where an installation in this folder has them: quicker than making them each time."""
    here = Path(folder) / "correspondence.db"
    here.parent.mkdir(parents=True, exist_ok=True)
    if not here.exists():
        shutil.copy(_tables(), here)
    key = here.with_name(signing.KEY_FILE)
    if not key.exists():  # the same in every world, so that two worlds in which the same happens sign alike
        key.touch(mode=0o600)
        key.write_text(f"{'A' * 43}=\n")


@cache
def _tables():
    made = Path(tempfile.mkdtemp(prefix="tables")) / "correspondence.db"
    atexit.register(shutil.rmtree, made.parent, ignore_errors=True)
    engine = db.make_engine(f"sqlite:///{made}")
    db.prepare(engine)
    engine.dispose()
    return made


_COMPILED = {}


def quicken(engine):
    """Let statements that an earlier test compiled serve this engine too, and let the disk take its time.

    Each test has a database of its own that dies with it. What must survive a crash is tested in processes of its own.
    """
    first = _COMPILED.setdefault(engine.dialect.name, engine)
    engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
    engine.dispose()
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda connection, _record: connection.execute("PRAGMA synchronous=OFF"))
    return engine


START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def reply_address(letter):
    """The bare address in the Reply-To of a letter, to which a reply goes."""
    [(_name, address)] = getaddresses([str(letter["Reply-To"])])
    return address


class Town:
    """People, their mail programs, and the service between them."""

    def __init__(self, folder, database_url=""):
        self.settings = with_defaults(
            Settings(
                instance_dir=str(folder),
                database_url=database_url,
                secret_key="a key for tests",
                mail_domain="games.example",
                mail_listen="",
                base_url="https://games.example",
            )
        )
        self.time = START
        self.rng = random.Random(7)
        if not database_url:
            lay_tables(folder)
        self.engine = quicken(db.make_engine(self.settings.database_url))
        db.prepare(self.engine)
        self.runtime = Runtime(self.settings, self.engine, now=lambda: self.time, rng=self.rng)
        self.received: list[EmailMessage] = []

    def close(self):
        self.engine.dispose()

    # -- time ----------------------------------------------------------------------

    def wait(self, **span):
        self.time += timedelta(**span)
        sweep_deadlines(self.runtime)
        self.deliver()

    # -- mail ----------------------------------------------------------------------

    def mail(self, sender, to, body, *, answering=None, subject="", **headers):
        """One mail in, everything it causes, and all letters out; returns the outcome of the message."""
        self.put(self.compose(sender, to, body, answering=answering, subject=subject, **headers), to, sender)
        return self.sweep()

    def compose(self, sender, to, body, *, answering=None, subject="", **headers):
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, subject or "hello"
        message["Message-ID"] = make_msgid(domain="example.org")
        if answering is not None:
            message["In-Reply-To"] = answering["Message-ID"]
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(body)
        return message.as_bytes()

    def put(self, raw, to, sender="ann@example.org"):
        mailbox.store_message(self.engine, raw, to, sender, now=self.time)

    def sweep(self):
        mailbox.drain(self.engine, self.settings, now=self.time, rng=self.rng)
        self.deliver()
        return self.outcome()

    def outcome(self):
        from correspondence.models import Inbound

        with db.reading(self.engine) as session:
            last = session.exec(select(Inbound).order_by(Inbound.id.desc())).first()
            return f"{last.state.value}: {last.reason}"

    def answer(self, letter, body, *, sender=None, **headers):
        return self.mail(sender or str(letter["To"]), reply_address(letter), body, answering=letter, **headers)

    def deliver(self):
        sweep_letter_requests(self.runtime)
        with db.transaction(self.engine) as session:
            due = session.exec(select(Letter).where(Letter.state == LetterState.QUEUED).order_by(Letter.id))
            for letter in list(due):
                why_not = outbox.reason_not_to_send(session, letter, still_wanted)
                letter.state = LetterState.SENT if why_not is None else LetterState.CANCELLED
                letter.answer = why_not or ""
                session.add(letter)
                if why_not is None:
                    raw = compose_letter.compose(letter, self.settings)
                    self.received.append(message_from_bytes(raw, policy=default))
                    recovery_codes.settle(session, letter, self.settings.secret_key)

    def agree(self, name, body, *, subject=""):
        """What somebody does who writes to the open address: the mail, and a yes to the letter that proposes it."""
        outcome = self.mail(f"{name}@example.org", "play@games.example", body, subject=subject)
        return self.answer(self.letter(name), "yes") if outcome.endswith("proposed") else outcome

    def letters(self, name):
        return [letter for letter in self.received if _addressee(letter).startswith(f"{name}@")]

    def letter(self, name):
        """The newest letter to somebody."""
        return self.letters(name)[-1]

    # -- people and games ----------------------------------------------------------

    def join(self, *names, **settings):
        """People join. They get no receipts unless `receipts` says so: tests count the other letters."""
        for name in names:
            with db.transaction(self.engine) as session:
                accounts.request_join(session, name, f"{name}@example.org", now=self.time)
            with db.transaction(self.engine) as session:
                number = max(session.exec(select(Token.id)))
                person = accounts.confirm_join(session, number, now=self.time)
                for setting, value in {"vacation_hours_left": 0, "receipts": False, **settings}.items():
                    setattr(person, setting, value)
                session.add(person)
        self.deliver()
        self.received.clear()

    def person(self, session, name):
        return accounts.person_by_handle(session, name)

    def match(self, game="proteus-dice", white="ann", black="bob", **options):
        """A match just begun, `white` in seat 0; the letters of its beginning are delivered."""
        with db.transaction(self.engine) as session:
            seek = challenges.challenge(
                session, self.person(session, white), black, game, options, seat=0, now=self.time, rng=self.rng
            )
            number = challenges.accept(session, self.person(session, black), seek.id, now=self.time, rng=self.rng).id
        self.deliver()
        return number

    def player(self, session, number, name):
        person = self.person(session, name)
        return next(p for p in loading.players_of(session, number) if p.person_id == person.id)

    def play(self, number, name, text, **more):
        """A move on the page."""
        with db.transaction(self.engine) as session:
            player = self.player(session, number, name)
            matches.make_move(session, player, text, now=self.time, by=By.WEB, **more)
        self.deliver()

    def open(self, number, white="ann", black="bob"):
        """The first move of either side: from now on time decides a game of Proteus with dice."""
        self.play(number, white, "c3/f2=B")
        self.play(number, black, "c6/a7=B")

    def stand(self, number):
        with db.reading(self.engine) as session:
            return session.get(Match, number)

    def moves(self, number):
        with db.reading(self.engine) as session:
            return [move.text for move in loading.moves_of(session, number)]

    def people(self):
        with db.reading(self.engine) as session:
            return [person.handle for person in session.exec(select(Person))]

    def token_of(self, letter):
        return tokens.read(self.settings.secret_key, re.search(r"r\.(\w{26})@", reply_address(letter))[1])


def _addressee(letter):
    """To whom a letter goes, parsed once: a long game has many letters, and they are looked through often."""
    known = vars(letter)
    if "addressee" not in known:
        known["addressee"] = str(letter["To"])
    return known["addressee"]


def text_of(letter):
    return letter.get_body(("plain",)).get_content()


def html_of(letter):
    return letter.get_body(("html",)).get_content()


def at_once(*acts, refusals=(MoveError,)):
    """Do all of this in threads at the same moment: what each gave, or the words with which it was refused."""
    barrier, results = threading.Barrier(len(acts)), []

    def run(act):
        barrier.wait()
        try:
            results.append(act() or "done")
        except refusals as error:
            results.append(str(error))

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def fresh_database(url):
    """A new, empty database on this PostgreSQL server."""
    name = f"t{secrets.token_hex(6)}"
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    server.dispose()
    return make_url(url).set(database=name).render_as_string(hide_password=False)
