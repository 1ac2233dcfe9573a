"""Metrics: gauges of processes, queues, delays, games, members and the disk.

Counters of events are in core/counting.py. Nothing here names a person, an address or a game.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import accumulate, product
from math import inf
from typing import Any, NamedTuple

from sqlmodel import Session, col, func, select

from correspondence.clocks import outages, processes
from correspondence.core import counting, db
from correspondence.core.config import Settings
from correspondence.models import Inbound, Letter, Match, Person, RobotTurn, Seek, StrangerAnswer
from correspondence.models.mail import LETTER_IS_HELD, LETTER_IS_OPEN, MESSAGE_IS_OPEN, MESSAGE_WAS_DROPPED
from correspondence.models.matches import MATCH_HAS_CLOCK
from correspondence.models.matchmaking import SEEK_EXPIRES
from correspondence.models.robots import TURN_IS_DUE, TURN_KEEPS_FAILING
from correspondence.outbound import refusals
from correspondence.queries import dead_mail


class Measure(NamedTuple):
    """One gauge: its name in Prometheus style, its meaning, and its value; ages are in seconds.

    With `label`, it is the sum of the numbers in `by_label`.
    """

    name: str
    meaning: str
    value: float = 0.0
    label: str = ""
    by_label: Mapping[str, float] = {}


class Happened(NamedTuple):
    """A counter: its name, meaning, label names, and a number for each of their values."""

    name: str
    meaning: str
    labels: tuple[str, ...]
    numbers: Mapping[tuple[str, ...], int]


class PageTimes(NamedTuple):
    """Page times of one status: count, count within each of BOUNDS, and total seconds."""

    status: str
    number: int
    within: Mapping[float, int]
    seconds: float


BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the histogram of page times, in seconds."""

PAGES, PAGE_TIME = "pages", "page_milliseconds"
"""Names of the page counters: number by status and histogram bound, and time by status."""

_COUNTERS = {
    "moves": (
        "Moves of players and robots, by interface.", ("by",),
        tuple(product(("web", "mail", "api", "plan", "post", "robot"))),
    ),
    "messages": (
        "Received messages, by outcome.", ("outcome",),
        tuple(product(("done", "ignored", "rejected", "dropped", "dead", "retried"))),
    ),
    "letters": (
        "Attempts to send letters and returned letters, by result and kind of letter.", ("result", "kind"),
        tuple(product(("sent", "failed"), ("turn",))),
    ),
    "suppressions": (
        "Addresses to which sending was stopped, by scope.", ("scope",), tuple(product(("all", "notices")))
    ),
}  # fmt: skip
"""Counters: meaning, labels, and label values exported as 0 until their first event."""


def _count(row: Any, *conditions: Any) -> Any:
    return select(func.count()).select_from(row).where(*conditions)


_COUNTS = {
    "letters_waiting": ("Letters waiting to be sent.", _count(Letter, LETTER_IS_OPEN)),
    "letters_held": ("Letters held for a digest.", _count(Letter, LETTER_IS_HELD)),
    "messages_waiting": ("Received messages waiting to be processed.", _count(Inbound, MESSAGE_IS_OPEN)),
    "games_running": ("Games with a running clock.", _count(Match, MATCH_HAS_CLOCK)),
    "seeks_open": ("Open seeks that will expire.", _count(Seek, SEEK_EXPIRES)),
    "robot_turns_waiting": ("Robot moves that are due.", _count(RobotTurn, TURN_IS_DUE)),
    "robot_turns_failing": (
        "Robot moves whose search has failed at least twice.", _count(RobotTurn, TURN_KEEPS_FAILING)
    ),
    "members": (
        "Current members, without robots.", _count(Person, col(Person.departed_at).is_(None), col(Person.robot_level) == 0)
    ),
}  # fmt: skip


def _oldest(column: Any, condition: Any) -> Any:
    return select(column).where(condition).order_by(column).limit(1)


_OLDEST = {
    "letters_late_seconds": (
        "Seconds by which the oldest waiting letter is overdue.",
        _oldest(Letter.due_at, LETTER_IS_OPEN),
    ),
    "messages_late_seconds": (
        "Seconds by which the oldest waiting message is overdue.",
        _oldest(Inbound.due_at, MESSAGE_IS_OPEN),
    ),
    "deadlines_late_seconds": (
        "Seconds by which the oldest missed deadline is overdue.",
        _oldest(Match.deadline, MATCH_HAS_CLOCK),
    ),
    "robot_turns_late_seconds": (
        "Seconds by which the oldest robot move is overdue.",
        _oldest(RobotTurn.due_at, TURN_IS_DUE),
    ),
}


def measures(session: Session, settings: Settings, *, now: datetime) -> Iterator[Measure]:
    """Yield every gauge in a stable order, except those with no known value."""
    for name, (meaning, count) in _COUNTS.items():
        yield Measure(name, meaning, db.value(session, count))
    for name, (meaning, oldest) in _OLDEST.items():
        yield Measure(name, meaning, _age(db.value(session, oldest), now))
    day_ago = now - timedelta(days=1)
    failed = dead_mail.count_failed(session, since=day_ago)
    yield Measure("letters_failed", "Letters found in the last day not to have been delivered.", failed)
    is_stopped = refusals.holding_up(session) is not None
    yield Measure("letters_refused", "1 while our mail server accepts no letters, otherwise 0.", float(is_stopped))
    resting = len(refusals.resting(session, now=now))
    yield Measure("domains_refusing", "Domains to which sending is paused because they refuse our letters.", resting)
    answered = db.value(session, _count(StrangerAnswer, col(StrangerAnswer.at) > day_ago))
    yield Measure("strangers_answered", "Answers to people without an account in the last day.", answered)
    dropped = db.value(session, _count(Inbound, col(Inbound.received_at) > day_ago, MESSAGE_WAS_DROPPED))
    yield Measure("strangers_dropped", "Dropped messages from people without an account in the last day.", dropped)
    yield from _signs_of_life(session, now)
    usage = shutil.disk_usage(settings.instance)
    yield Measure("disk_free_bytes", "Free bytes on the disk of the instance folder.", usage.free)
    yield Measure("disk_size_bytes", "Size of that disk, in bytes.", usage.total)


def _signs_of_life(session: Session, now: datetime) -> Iterator[Measure]:
    signs, found = outages.signs_of(session), processes.known(session, now=now)
    missing = Counter(one.part for one in found if processes.is_missing(one, now))
    running = Counter(one.part for one in found)
    running.subtract(missing)
    for name, meaning, numbers in (
        ("processes_running", "Parts of running processes.", running),
        ("processes_missing", "Parts of processes that have died and were not restarted.", missing),
    ):
        by_part = {part: numbers[part] for part in processes.PARTS}
        yield Measure(name, meaning, sum(by_part.values()), label="part", by_label=by_part)
    is_closed = signs.mail_at is not None and now - signs.mail_at > outages.LOST
    closed = _age(signs.mail_at if is_closed else None, now)
    yield Measure("mail_closed_seconds", "Seconds for which no mail could be received; 0 while it can.", closed)
    if signs.worked_at is not None:
        yield Measure(
            "worker_beat_age_seconds", "Seconds since the last sign of life of a worker.", _age(signs.worked_at, now)
        )


def happened(session: Session) -> tuple[list[Happened], list[PageTimes]]:
    """Return every counter, and the times of pages."""
    kept = counting.kept(session)
    counters = []
    for name, (meaning, labels, first) in _COUNTERS.items():
        numbers = {tuple(values.split(" ")): number for (counted, values), number in kept.items() if counted == name}
        counters.append(Happened(name, meaning, labels, dict.fromkeys(first, 0) | numbers))
    return counters, [_page_times(status, kept) for status in sorted({*_FIRST_STATUSES, *_statuses(kept)})]


_FIRST_STATUSES = ("200", "500", "503")
"""Statuses of pages that are exported from the start."""


def _statuses(kept: Mapping[counting.Key, int]) -> Iterator[str]:
    return (values.partition(" ")[0] for name, values in kept if name == PAGES)


def _page_times(status: str, kept: Mapping[counting.Key, int]) -> PageTimes:
    numbers = [kept.get((PAGES, f"{status} {bound}"), 0) for bound in (*BOUNDS, inf)]
    within = dict(zip(BOUNDS, accumulate(numbers), strict=False))
    return PageTimes(status, sum(numbers), within, kept.get((PAGE_TIME, status), 0) / 1_000)


def _age(moment: datetime | None, now: datetime) -> float:
    return 0.0 if moment is None else max((now - moment) / timedelta(seconds=1), 0.0)
