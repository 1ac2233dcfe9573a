"""The demonstration: two people join, challenge and play a whole game by real mail.

It runs the real service on free ports of this machine, in a separate folder. Mails go in through the SMTP listener, and
letters are read from the Maildir.
"""

from __future__ import annotations

import re
import smtplib
import socket
import tempfile
import time
import urllib.request
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

from flask import Flask
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from correspondence import create_app
from correspondence.core.config import Settings
from correspondence.mime.policy import READ
from correspondence.ops.serve import running
from correspondence.outbound import kinds
from correspondence.web.current import runtime_of
from engines.refusal import Refusal

GAME = tuple(
    """
    a3/g1=B e6/d8=B h4/d2=B Bxh4/a7=B c3/e1=Y Bhxf2/a7=N Bxf2/c3=Y c5/h8=B Bxc5/c3=P Nc8/b8=B
    Bxf8/a3=Y Bg3/h8=N Bxg7/d2=P Nd6/e6=Y Bxh8/e1=P Bxe1/e6=P b3/d2=B Bxd2/d6=R Bf6/c3=B Bxc3/d6=Q
    Bxc3/b3=Y Qd8/e6=B Bb4/a3=P Qd5/e6=N Bd6^
    """.split()
)
"""A complete game of Proteus with dice, White first; the last move captures a queen."""

NO_ANSWER_DUE = (f"{kinds.BEGUN.name}:", f"{kinds.RECEIPT.name}:")
"""Prefixes of the Feedback-ID of letters that need no answer."""

TIMEOUT = 30.0
"""Time limit for one letter, in seconds; normally it arrives within a fraction of a second."""


class DemoError(Refusal):
    """Raised if the demonstration failed; str() says where."""


@dataclass(slots=True)
class Spool:
    """The Maildir of the service's letters; each is read once and queued for its recipient."""

    folder: Path
    _read: set[str] = field(default_factory=set)
    _waiting: defaultdict[str, deque[EmailMessage]] = field(default_factory=lambda: defaultdict(deque))

    def waiting_for(self, mail: str) -> deque[EmailMessage]:
        """Return the queue of a recipient's letters, oldest first.

        Letters that only announce the start of a game or confirm a move are left out.
        """
        new = [file for file in self.folder.glob("new/*") if file.name not in self._read]
        for file in sorted(new, key=lambda file: file.stat().st_mtime_ns):
            self._read.add(file.name)
            letter = message_from_bytes(file.read_bytes(), policy=READ)
            if not _only_announces(letter):
                self._waiting[letter["To"].addresses[0].addr_spec].append(letter)
        return self._waiting[mail]


@dataclass(slots=True)
class Correspondent:
    """A person with a mail program, who sends by SMTP and reads from the Maildir."""

    name: str
    spool: Spool
    port: int

    @property
    def mail(self) -> str:
        """The mail address of this person."""
        return f"{self.name}@example.org"

    def write(self, to: str, body: str, answering: EmailMessage | None = None) -> None:
        """Send a mail, either as an answer to a letter or a new one."""
        message = EmailMessage()
        message["From"], message["To"] = self.mail, to
        message["Subject"] = f"Re: {answering['Subject']}" if answering else "hello"
        message["Message-ID"] = make_msgid(domain="example.org")
        if answering:
            message["In-Reply-To"] = answering["Message-ID"]
            message["References"] = f"{answering.get('References', '')} {answering['Message-ID']}".strip()
        message.set_content(body + (_quotation(answering) if answering else "\n"))
        with smtplib.SMTP("127.0.0.1", self.port, timeout=TIMEOUT) as smtp:
            smtp.send_message(message)

    def answer(self, letter: EmailMessage, body: str) -> None:
        """Answer a letter as mail programs do: the text on top, the whole letter quoted below."""
        self.write(letter["Reply-To"], body, letter)

    def next_letter(self, about: str = "") -> EmailMessage:
        """Return the next letter with `about` in its subject; raises DemoError on timeout."""
        for _look in _looks():
            if letter := self.letter_here(about):
                return letter
        raise DemoError(f"No letter came for {self.name}.")

    def letter_here(self, about: str) -> EmailMessage | None:
        """Return that letter if it has arrived, else None; earlier letters count as read."""
        waiting = self.spool.waiting_for(self.mail)
        while waiting:
            letter = waiting.popleft()
            if about in str(letter["Subject"]):
                return letter
        return None


def _looks() -> Iterator[None]:
    """Yield repeatedly until the timeout."""
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        yield
        time.sleep(0.02)


def run(folder: Path | None, *, stay: bool) -> int:
    """Play the demonstration, in a temporary folder without `folder`; returns the exit status."""
    console = Console()
    with nullcontext(str(folder)) if folder else tempfile.TemporaryDirectory() as place:
        try:
            with _service(Path(place), robots=stay) as (app, settings):
                address = _play(app, settings, console)
                if stay:
                    console.print("The pages stay up until Ctrl-C.")
                    _until_interrupted()
        except DemoError as error:
            console.print(f"[red]{error}[/red]")
            return 1
    if folder:
        console.print(f"Kept in {folder}. To look at it: INSTANCE_DIR={folder} python app.py")
    elif not stay:
        console.print(f"{address} is gone now with everything else; `flask demo --stay` leaves it up.")
    return 0


@contextmanager
def _service(folder: Path, *, robots: bool) -> Iterator[tuple[Flask, Settings]]:
    """Context manager: run the service, with `robots` if its pages stay open."""
    web, mail = _free_port(), _free_port()
    app = create_app(
        Settings(
            instance_dir=str(folder),
            base_url=f"http://127.0.0.1:{web}",
            http_listen=f"127.0.0.1:{web}",
            mail_listen=f"smtp://127.0.0.1:{mail}",
            worker_interval=0.05,
            robots=robots,
            features="-samples",
        )
    )
    runtime = runtime_of(app)
    try:
        with running(app, web=True):
            yield app, runtime.settings
    finally:
        runtime.close()


def _play(app: Flask, settings: Settings, console: Console) -> str:
    started = time.monotonic()
    port = int(settings.mail_listen.rpartition(":")[2])
    spool = Spool(Path(settings.mail_send.removeprefix("maildir:")))
    ann, bob = Correspondent("ann", spool, port), Correspondent("bob", spool, port)
    service_address = f"play@{settings.mail_domain}"
    welcome, _other = (_join(person, service_address, console) for person in (ann, bob))
    ann.answer(welcome, "challenge bob proteus-dice 3 days")
    console.print("ann answers [bold]challenge bob proteus-dice 3 days[/bold]")
    ann.next_letter()
    bob.answer(bob.next_letter(), "accept")
    console.print("bob answers [bold]accept[/bold]")
    number = _whole_game(ann, bob, console)
    address = f"{settings.base_url}/games/{number}"
    with urllib.request.urlopen(address, timeout=TIMEOUT) as page:
        title = re.search(r"<title>(.*?)</title>", page.read().decode(), re.S)
    console.print(f"{title[1].strip() if title else ''}")
    console.print(
        f"[bold]{len(GAME)} moves by mail in {time.monotonic() - started:.1f} s.[/bold] The whole game: {address}"
    )
    return address


def _join(person: Correspondent, service_address: str, console: Console) -> EmailMessage:
    """Join and return the welcome letter; commands that answer a letter need no confirmation."""
    person.write(service_address, f"join {person.name}")
    person.answer(person.next_letter(), "yes")
    welcome = person.next_letter()
    line = f"{person.name} writes  [bold]join {person.name}[/bold], answers [bold]yes[/bold]"
    console.print(f"{line}, and reads: {welcome['Subject']}")
    return welcome


def _whole_game(ann: Correspondent, bob: Correspondent, console: Console) -> int:
    """Play the game and return its number; the random White gets the first letter."""
    white, letter = _first_to_move(ann, bob)
    black = bob if white is ann else ann
    console.print(f"{white.name} plays White. The first letter:")
    console.print(_text(letter), highlight=False, markup=False, style="dim")
    number = int(re.search(r"Game (\d+)", letter["Subject"])[1])  # type: ignore[index]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("playing by mail", total=len(GAME))
        for ply, move in enumerate(GAME):
            player, other = (white, black) if ply % 2 == 0 else (black, white)
            player.answer(letter, move)
            progress.update(task, advance=1, description=f"{player.name} mails {move}")
            letter = other.next_letter("[Game ")
    console.print(_text(letter), highlight=False, markup=False, style="dim")
    return number


def _first_to_move(ann: Correspondent, bob: Correspondent) -> tuple[Correspondent, EmailMessage]:
    for _look in _looks():
        for person in (ann, bob):
            if letter := person.letter_here("[Game "):
                return person, letter
    raise DemoError("The game did not begin.")


def _only_announces(letter: EmailMessage) -> bool:
    """Whether a letter only announces a game or confirms a move, so that no answer is due."""
    return str(letter["Feedback-ID"]).startswith(NO_ANSWER_DUE)


def _text(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    return str(part.get_content()) if part else ""


def _quotation(letter: EmailMessage) -> str:
    quoted = "\n".join(f"> {line}" for line in _text(letter).splitlines())
    return f"\n\nOn {letter['Date']}, {letter['From']} wrote:\n{quoted}\n"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_interrupted() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        pass
