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

from apscheduler.events import EVENT_SCHEDULER_SHUTDOWN
from apscheduler.schedulers.background import BackgroundScheduler
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select

from correspondence import transport
from correspondence.accounts import relations, web_sessions
from correspondence.archive import openings
from correspondence.clocks import missing_games, outages, turns, vacations
from correspondence.core.db import reading, transaction
from correspondence.core.runtime import Runtime
from correspondence.inbound import fetch_progress, mailbox
from correspondence.matchmaking import letter_requests, pairing, seeks
from correspondence.models import Letter, Match, Person, Seek, SeekState
from correspondence.models.loading import players_of
from correspondence.ops import digests
from correspondence.outbound import dkim_signing, outbox
from correspondence.play import game_end, matches, unseen
from engines import GAMES

log = logging.getLogger(__name__)

BATCH = 200
"""How many due matches one sweep looks at."""

PAIRING_INTERVAL = timedelta(minutes=3)
"""How often partners are sought for those who have asked to be paired."""

TIDYING_INTERVAL = timedelta(minutes=10)
"""How often words of old messages and web sessions that nobody uses are dropped."""

_SWITCHES = {
    "turn": "turn_letters",
    "planned": "turn_letters",
    "plan_stopped": "turn_letters",
    "plans_wanted": "talk_letters",
    "talk": "talk_letters",
    "contact": "talk_letters",
    "reminder": "reminders",
    "nudge": "reminders",
    "over": "over_letters",
    "challenge": "challenge_letters",
}
_ABOUT_A_TURN = ("turn", "reminder", "nudge", "taken_back", "absence_spent")


def sweep_mail(runtime: Runtime) -> int:
    """Act on every message received; returns how many."""
    return mailbox.drain(runtime.engine, runtime.settings, now=runtime.now(), rng=runtime.rng)


def sweep_old_mail(runtime: Runtime) -> int:
    """Drop the words of messages that came long ago; returns of how many."""
    with transaction(runtime.engine) as session:
        return mailbox.drop_old(session, BATCH, now=runtime.now())


def tend_clocks(runtime: Runtime) -> int:
    """Note that this worker lives, then sweep the deadlines; after an outage first put all clocks right.

    One moment counts for both, so that a machine that slept in between ends no game.
    """
    now = runtime.now()
    with reading(runtime.engine) as session:
        is_fresh = outages.is_fresh(session, now)
    if not is_fresh:
        with transaction(runtime.engine) as session:
            outage = outages.record_heartbeat(session, now=now)
        if outage is not None:
            log.warning("the service was down from %s to %s; no clock ran", outage.begins_at, outage.ends_at)
    return sweep_deadlines(runtime, now)


def sweep_deadlines(runtime: Runtime, now: datetime | None = None) -> int:
    """Remind and expire every match that is due; returns how many were looked at."""
    now = now or runtime.now()
    missing_games.tend(runtime.engine, now=now)
    _put_right(runtime, now)
    late = _due(runtime, col(Match.deadline), now)
    near = _due(runtime, col(Match.remind_at), now)
    for number in late:
        _one(runtime, number, lambda session, n: game_end.expire(session, n, now=now))
    for number in near:
        _one(runtime, number, lambda session, n: matches.remind(session, n, now=now))
    return len(late) + len(near)


def sweep_seeks(runtime: Runtime) -> int:
    """Close every seek whose time is over; returns how many were due."""
    now = runtime.now()
    late = select(Seek.id).where(col(Seek.state) == SeekState.OPEN, col(Seek.expires_at) <= now)
    with reading(runtime.engine) as session:
        due = list(session.exec(late.order_by(col(Seek.expires_at)).limit(BATCH)))
    for number in due:
        _one(runtime, number, lambda session, n: seeks.expire(session, n, now=now), "seek")
    return len(due)


def sweep_pairing(runtime: Runtime) -> int:
    """Begin the matches of everybody who can be paired; returns how many began."""
    return sum(_pair_all(runtime, key) for key, game in GAMES.items() if len(game.seats) == 2)


def _pair_all(runtime: Runtime, game: str) -> int:
    now, begun = runtime.now(), []
    with reading(runtime.engine) as session:
        planned = pairing.plan(pairing.wishes(session, game, now=now), now=now)
    for two in planned:

        def begin(session: Session, _number: int, two: pairing.Planned = two) -> None:
            begun.append(pairing.pair(session, two, now=now, rng=runtime.rng))

        _one(runtime, two.one, begin, "seek")
    return len([match for match in begun if match is not None])


def sweep_openings(runtime: Runtime) -> int:
    """Enter the openings of matches that have ended into the archive; returns how many were looked at."""
    now = runtime.now()
    with reading(runtime.engine) as session:
        fresh = openings.unindexed(session, BATCH)
    for number in fresh:
        _one(runtime, number, lambda session, n: openings.enter(session, n, now=now))
    return len(fresh)


def sweep_outbox(runtime: Runtime, post: transport.Post) -> int:
    """Post every letter that is due; returns how many."""
    rng = random.Random()
    return outbox.send_due(runtime.engine, post, runtime.settings, now=runtime.now, still_wanted=still_wanted, rng=rng)


def sweep_letter_requests(runtime: Runtime) -> int:
    """Write the letters that were asked for on pages; returns how many were asked for."""
    now = runtime.now()
    with reading(runtime.engine) as session:
        asked = letter_requests.waiting(session, BATCH)
    for number in asked:
        try:
            with transaction(runtime.engine) as session:
                letter_requests.write(session, number, now=now)
        except OperationalError:
            log.exception("the database failed; the letter of request %s is tried again", number)
        except Exception:
            log.exception("the letter of request %s failed", number)
            with transaction(runtime.engine) as session:
                letter_requests.drop(session, number)
    return len(asked)


def sweep_letters(runtime: Runtime, post: transport.Post) -> int:
    """Write what was asked for on pages, then post every letter that is due; returns how many were posted."""
    sweep_letter_requests(runtime)
    return sweep_outbox(runtime, post)


def sweep_web_sessions(runtime: Runtime) -> int:
    """Drop the web sessions of browsers that were not used for too long; returns how many."""
    with transaction(runtime.engine) as session:
        return web_sessions.prune(session, BATCH, now=runtime.now())


def sweep_digests(runtime: Runtime) -> int:
    """Write every digest that is due; returns for how many persons."""
    now = runtime.now()
    with reading(runtime.engine) as session:
        due = digests.due(session, now)
    for number in due:
        try:
            with transaction(runtime.engine) as session:
                digests.write(session, number, still_wanted, now=now)
        except Exception:
            log.exception("the digest of person %s failed", number)
    return len(due)


def sweep_fetch(runtime: Runtime) -> int:
    """Fetch mail from where MAIL_FETCH says; returns how many messages came."""
    where = runtime.settings.mail_fetch
    with reading(runtime.engine) as session:
        progress = fetch_progress.progress_of(session, where)
    try:
        return transport.fetch(runtime.settings, keeper(runtime), progress)
    finally:
        if progress.validity:
            with transaction(runtime.engine) as session:
                fetch_progress.keep_progress(session, where, progress)


def still_wanted(session: Session, letter: Letter) -> bool:
    """Whether a letter is worth sending now.

    Not one that was stopped, nor a turn that was answered meanwhile, nor talk that was muted, nor what its reader
    was shown on the page since.
    """
    reader = session.get(Person, letter.person_id) if letter.person_id is not None else None
    if reader is not None and not getattr(reader, _SWITCHES.get(letter.kind, ""), True):
        return False
    if letter.match_id is None:
        return True
    match = session.get_one(Match, letter.match_id)
    players = players_of(session, match.id)
    own = [player for player in players if player.person_id == letter.person_id]
    if any(unseen.was_shown(player, letter) for player in own):
        return False
    if letter.kind == "talk":
        silent = relations.muted_ids(session, players, letter.person_id)
        return any(player.person_id not in silent | {letter.person_id} for player in players)
    if letter.kind not in _ABOUT_A_TURN:
        return True
    return any(player.since is not None and matches.answers_now(match, player, letter.ply or 0) for player in own)


def keeper(runtime: Runtime) -> Callable[[bytes, str, str], None]:
    """What a transport calls with raw bytes, recipient and sender; the message is durable when it returns."""

    def keep(raw: bytes, recipient: str, sender: str) -> None:
        mailbox.keep(runtime.engine, raw, recipient, sender, now=runtime.now())

    return keep


def knower(runtime: Runtime) -> Callable[[str], bool]:
    """What a transport asks at RCPT: whether mail to this recipient is for us."""

    def is_known(recipient: str) -> bool:
        with reading(runtime.engine) as session:
            return mailbox.is_known(session, recipient, runtime.settings, now=runtime.now())

    return is_known


def start(runtime: Runtime) -> BackgroundScheduler:
    """Start the sweeps in threads of this process; `shutdown()` of what is returned stops them. Raises SettingError."""
    dkim_signing.check(runtime.settings)
    post = transport.open_post(runtime.settings)
    scheduler = BackgroundScheduler(
        timezone="UTC", job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
    )
    jobs: dict[str, Callable[[], Any]] = {
        "mail": lambda: sweep_mail(runtime),
        "old mail": lambda: sweep_old_mail(runtime),
        "web sessions": lambda: sweep_web_sessions(runtime),
        "deadlines": lambda: tend_clocks(runtime),
        "digests": lambda: sweep_digests(runtime),
        "openings": lambda: sweep_openings(runtime),
        "outbox": lambda: sweep_letters(runtime, post),
        "seeks": lambda: sweep_seeks(runtime),
        "pairing": lambda: sweep_pairing(runtime),
    }
    tidying = TIDYING_INTERVAL.total_seconds()
    seldom = {"pairing": PAIRING_INTERVAL.total_seconds(), "old mail": tidying, "web sessions": tidying}
    if runtime.settings.mail_fetch.startswith("maildir:"):
        jobs["fetch"] = lambda: sweep_fetch(runtime)
    elif runtime.settings.mail_fetch:
        watch = transport.Watch(runtime.settings.mail_fetch, _logged("fetch", lambda: sweep_fetch(runtime)))
        scheduler.add_listener(lambda _event: watch.stop(), EVENT_SCHEDULER_SHUTDOWN)
    for name, job in jobs.items():
        scheduler.add_job(
            _logged(name, job),
            "interval",
            seconds=max(runtime.settings.worker_interval, seldom.get(name, 0)),
            id=name,
            next_run_time=runtime.now() + timedelta(seconds=0.05),
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


def _due(runtime: Runtime, column: Any, now: datetime) -> list[int]:
    with reading(runtime.engine) as session:
        found = select(Match.id).where(column <= now, col(Match.game).in_(list(GAMES)))
        return list(session.exec(found.order_by(column).limit(BATCH)))


def _put_right(runtime: Runtime, now: datetime) -> None:
    """Reckon deadlines again after an outage, and after absences that began by themselves, a batch at a time."""
    while True:
        with transaction(runtime.engine) as session:
            outage = outages.open_outage(session)
            if outage is None:
                break
            for number in outages.matches_after(session, outage, BATCH):
                turns.retime_match(session, number, now=now)
    with reading(runtime.engine) as session:
        fresh = [absence.id for absence in vacations.unapplied(session, BATCH)]
    for number in fresh:
        _one(runtime, number, lambda session, n: vacations.apply(session, n, now=now))


def _one(runtime: Runtime, number: int, act: Callable[[Session, int], None], what: str = "match") -> None:
    try:
        with transaction(runtime.engine) as session:
            act(session, number)
    except Exception:
        log.exception("%s %s failed in its sweep", what, number)
