"""The worker: a handful of sweeps over due rows, run at an interval by APScheduler.

Every due row is its own transaction that checks again that it is due, so any number of workers
may run against one database without doing anything twice; a row that raises is set aside and
logged, and cannot block the rest.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from apscheduler.schedulers.background import BackgroundScheduler
from sqlmodel import Session, col, select

from correspondence import mailbox, matches, openings, outbox, transport
from correspondence.course import players_of
from correspondence.db import reading, transaction
from correspondence.house import House
from correspondence.models import Letter, Match, Person

log = logging.getLogger(__name__)

BATCH = 200
"""How many due matches one sweep looks at."""


_SWITCHES = {"turn": "turn_letters", "talk": "talk_letters", "reminder": "reminders"}


def sweep_mail(house: House) -> int:
    """Act on every message received; returns how many."""
    return mailbox.drain(house.engine, house.settings, now=house.now(), lots=house.lots)


def sweep_deadlines(house: House) -> int:
    """Remind and expire every match that is due; returns how many were looked at."""
    now = house.now()
    late = _due(house, col(Match.deadline), now)
    near = _due(house, col(Match.remind_at), now)
    for number in late:
        _one(house, number, lambda session, n: matches.expire(session, n, now=now))
    for number in near:
        _one(house, number, lambda session, n: matches.remind(session, n, now=now))
    return len(late) + len(near)


def sweep_openings(house: House) -> int:
    """Enter the openings of matches that have ended into the archive; returns how many were looked at."""
    now = house.now()
    with reading(house.engine) as session:
        fresh = openings.unindexed(session, BATCH)
    for number in fresh:
        _one(house, number, lambda session, n: openings.enter(session, n, now=now))
    return len(fresh)


def sweep_outbox(house: House, post: transport.Post) -> int:
    """Post every letter that is due; returns how many."""
    rng = random.Random()
    return outbox.send_due(house.engine, post, house.settings, now=house.now, still_wanted=still_wanted, rng=rng)


def sweep_fetch(house: House) -> int:
    """Fetch mail from where MAIL_FETCH says; returns how many messages came."""
    return transport.fetch(house.settings, keeper(house))


def still_wanted(session: Session, letter: Letter) -> bool:
    """Whether a letter is worth sending now: not one that was stopped, nor a turn that was answered meanwhile."""
    reader = session.get(Person, letter.person_id) if letter.person_id is not None else None
    if reader is not None and not getattr(reader, _SWITCHES.get(letter.kind, ""), True):
        return False
    if letter.kind not in ("turn", "reminder") or letter.match_id is None:
        return True
    match = session.get_one(Match, letter.match_id)
    players = players_of(session, match.id)
    return any(
        player.since is not None and matches.answers_now(match, player, letter.ply or 0)
        for player in players
        if player.person_id == letter.person_id
    )


def keeper(house: House) -> Callable[[bytes, str, str], None]:
    """What a transport calls with raw bytes, recipient and sender; the message is durable when it returns."""

    def keep(raw: bytes, recipient: str, sender: str) -> None:
        mailbox.keep(house.engine, raw, recipient, sender, now=house.now())

    return keep


def knower(house: House) -> Callable[[str], bool]:
    """What a transport asks at RCPT: whether mail to this recipient is for us."""

    def is_known(recipient: str) -> bool:
        with reading(house.engine) as session:
            return mailbox.is_known(session, recipient, house.settings, now=house.now())

    return is_known


def start(house: House) -> BackgroundScheduler:
    """Start the sweeps in threads of this process; `shutdown()` of what is returned stops them."""
    post = transport.open_post(house.settings)
    scheduler = BackgroundScheduler(
        timezone="UTC", job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
    )
    jobs: dict[str, Callable[[], Any]] = {
        "mail": lambda: sweep_mail(house),
        "deadlines": lambda: sweep_deadlines(house),
        "openings": lambda: sweep_openings(house),
        "outbox": lambda: sweep_outbox(house, post),
    }
    if house.settings.mail_fetch:
        jobs["fetch"] = lambda: sweep_fetch(house)
    for name, job in jobs.items():
        scheduler.add_job(
            _logged(name, job),
            "interval",
            seconds=house.settings.worker_interval,
            id=name,
            next_run_time=house.now() + timedelta(seconds=0.05),
        )
    scheduler.start()
    return scheduler


def _logged(name: str, job: Callable[[], Any]) -> Callable[[], None]:
    def run() -> None:
        try:
            job()
        except Exception:
            log.exception("the sweep of %s failed; it runs again at its next turn", name)

    return run


def _due(house: House, column: Any, now: datetime) -> list[int]:
    with reading(house.engine) as session:
        return list(session.exec(select(Match.id).where(column <= now).order_by(column).limit(BATCH)))


def _one(house: House, number: int, act: Callable[[Session, int], None]) -> None:
    try:
        with transaction(house.engine) as session:
            act(session, number)
    except Exception:
        log.exception("match %s failed in a sweep", number)
