"""Registry of processes: a row with the last heartbeat for each part of a process.

A process that stops deletes its rows. If it crashes, its rows remain and it counts as missing. That ends when the next
start on the same host takes over the name, when an operator removes it, or after a day. So the expected number of
processes needs no configuration.
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
"""Names of the parts of a process."""

TAKES_MAIL = frozenset({LISTENER, FETCHER})
"""The parts that receive mail."""

MAIL = "mail"
"""The name by which an operator declares that the service no longer receives mail."""

FORGOTTEN = timedelta(days=1)
"""Time after which a crashed process no longer counts as missing."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a name: its host, its process id, and a random id."""

    host: str
    pid: int
    word: str


def claim(session: Session, part: str, holder: Holder, is_ended: Callable[[Process], bool], *, now: datetime) -> str:
    """Claim a name for a part of a process, and return it.

    It takes over the name of a process that has ended on this host, or else gets a new one.
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
    """Record a heartbeat under a name; return False if the process no longer holds it."""
    held = update(Process).where(col(Process.name) == name, col(Process.holder) == holder.word)
    return bool(session.connection().execute(held.values(at=at)).rowcount)


def leave(session: Session, holder: Holder) -> None:
    """Delete the rows of a process that is stopping."""
    session.execute(delete(Process).where(col(Process.holder) == holder.word))


def forget(session: Session, name: str) -> bool:
    """Stop expecting a process, or incoming mail for `MAIL`; return whether it was expected."""
    if name == MAIL:
        return outages.expect_no_mail(session)
    return bool(session.connection().execute(delete(Process).where(col(Process.name) == name)).rowcount)


def known(session: Session, *, now: datetime) -> Sequence[Process]:
    """Return the processes that are running or missing."""
    return session.exec(select(Process).where(col(Process.at) >= now - FORGOTTEN).order_by(col(Process.name))).all()


def is_missing(process: Process, now: datetime) -> bool:
    """Whether a process has recorded no heartbeat for longer than `LOST`."""
    return now - process.at > outages.LOST
