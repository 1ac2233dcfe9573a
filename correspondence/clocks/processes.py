"""The processes of the service: each part of one keeps a row with its last sign of life.

A process that stops takes its rows away. One that died leaves them, and they are missed until the next start on the same
host takes over the name, until an operator removes it, or for a day. So nobody has to say how many there should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from correspondence.clocks import outages
from correspondence.core import db
from correspondence.models import Process

WORKER, LISTENER, FETCHER, WEB, ROBOTS = PARTS = ("worker", "listener", "fetcher", "web", "robots")
"""What the parts of a process are called."""

TAKES_MAIL = frozenset({LISTENER, FETCHER})
"""The parts by which mail comes in."""

MAIL = "mail"
"""The name by which an operator says that no mail is to come in any more."""

FORGOTTEN = timedelta(days=1)
"""After this time nobody misses a process any more."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds names: its host, its number there, and a random word."""

    host: str
    pid: int
    word: str


def claim(session: Session, part: str, holder: Holder, is_ended: Callable[[Process], bool], *, now: datetime) -> str:
    """Give a part of a process its name, and return it.

    It takes over the name of a process that has ended on this host; if there is none, it gets a new one.
    """
    session.execute(delete(Process).where(col(Process.at) < now - FORGOTTEN))
    of_host = select(Process).where(col(Process.part) == part, col(Process.host) == holder.host)
    rows = session.exec(of_host.order_by(col(Process.name)).with_for_update()).all()
    ended = next((row for row in rows if is_ended(row)), None)
    if ended is not None:
        ended.pid, ended.holder, ended.at = holder.pid, holder.word, now
        session.add(ended)
        return ended.name
    taken = {row.name for row in rows}
    for name in _names(part, holder.host):
        if name not in taken:
            row = Process(name=name, part=part, host=holder.host, pid=holder.pid, holder=holder.word, at=now)
            db.add_unless_there(session, row)
            if session.get_one(Process, name).holder == holder.word:
                return name
    raise AssertionError("there is always a further name")


def _names(part: str, host: str) -> Iterator[str]:
    yield f"{part}@{host}"
    yield from (f"{part}@{host}/{number}" for number in count(2))


def beat(session: Session, name: str, holder: Holder, at: datetime) -> bool:
    """Record the last sign of life under a name; False if the process no longer holds it."""
    held = update(Process).where(col(Process.name) == name, col(Process.holder) == holder.word)
    return bool(session.connection().execute(held.values(at=at)).rowcount)


def leave(session: Session, holder: Holder) -> None:
    """Take away the rows of a process that stops."""
    session.execute(delete(Process).where(col(Process.holder) == holder.word))


def forget(session: Session, name: str) -> bool:
    """Stop missing a process, or a way in for mail; return whether there was one of this name."""
    if name == MAIL:
        return outages.expect_no_mail(session)
    return bool(session.connection().execute(delete(Process).where(col(Process.name) == name)).rowcount)


def known(session: Session, *, now: datetime) -> Sequence[Process]:
    """Return the processes that run or are missed."""
    return session.exec(select(Process).where(col(Process.at) >= now - FORGOTTEN).order_by(col(Process.name))).all()


def is_missing(process: Process, now: datetime) -> bool:
    """Whether a process has given no sign of life for too long."""
    return now - process.at > outages.LOST
