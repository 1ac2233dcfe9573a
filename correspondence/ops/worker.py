"""The worker: sweeps over due rows, run by `schedule.py`.

Every due row is handled in a transaction which checks again that it is due (due_rows.py). So several workers may share
one database without doing anything twice. A row that raises is logged and skipped, and cannot block the others.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import literal, tuple_
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col
from sqlmodel.sql.expression import SelectOfScalar

from correspondence import transport
from correspondence.accounts import api_tokens, suspensions, web_sessions
from correspondence.archive import monthly, openings
from correspondence.clocks import missing_games, outages, turns, vacations
from correspondence.clocks.read_only import unless_read_only
from correspondence.core.db import reading, rows, transaction, write_unless
from correspondence.core.runtime import Runtime
from correspondence.core.sweeps import SWEEPS
from correspondence.inbound import dead_letters, fetch_progress, mailbox
from correspondence.matchmaking import seek_ends
from correspondence.models import Match, Person, Seek
from correspondence.moderation import announcements
from correspondence.ops import digests, retention, robot_failures
from correspondence.ops.due import ASKED_SEEKS, EXPIRED_SEEKS, OUT_OF_TIME, OWED_EXERCISES, TO_REMIND
from correspondence.ops.due_rows import BATCH, due_ids, handle_matches, handle_row
from correspondence.ops.pairing_sweeps import sweep_near_pairs, sweep_pairing
from correspondence.ops.reception import store_callback
from correspondence.ops.rounds import NEAR_PAIRS_INTERVAL, PAIRING_INTERVAL, RETENTION_INTERVAL, one_round
from correspondence.ops.sending_sweeps import (
    still_wanted,
    sweep_awaited_letters,
    sweep_events,
    sweep_letters,
    sweep_pushes,
)
from correspondence.outbound import refusals
from correspondence.play import exercise_letters, game_end, puzzles, reminders
from correspondence.robots import robot_turns
from engines import GAMES

log = logging.getLogger(__name__)


@unless_read_only
def sweep_mail(runtime: Runtime) -> int:
    """Process every received message; returns how many."""
    return mailbox.drain(
        runtime.engine, runtime.settings, now=runtime.now(), rng=runtime.rng, is_stopping=runtime.stopping.is_set
    )


def sweep_old_mail(runtime: Runtime) -> int:
    """Delete the bodies of old messages; returns how many."""
    with transaction(runtime.engine) as session:
        return mailbox.drop_old(session, BATCH, now=runtime.now())


def sweep_retention(runtime: Runtime) -> int:
    """Delete data older than the settings allow; returns how many rows."""
    with one_round(runtime, "retention", RETENTION_INTERVAL) as until:
        if until is None:
            return 0
        pruned = retention.prune(
            runtime.engine, runtime.settings, now=runtime.now(),
            is_stopping=lambda: runtime.stopping.is_set() or runtime.now() >= until,
        )  # fmt: skip
    for one in pruned:
        if one.count:
            log.info("no longer kept after %s days: %s %s", one.days, one.count, one.what)
    return sum(one.count for one in pruned)


def sweep_dead_mail(runtime: Runtime) -> int:
    """Report dead-lettered mail to the operator, once a day at most; returns how many letters."""
    with transaction(runtime.engine) as session:
        return int(dead_letters.tell_operator(session, runtime.settings, now=runtime.now()) is not None)


def sweep_robot_failures(runtime: Runtime) -> int:
    """Report failed robot searches to the operator, at most daily; returns how many letters."""
    with transaction(runtime.engine) as session:
        return int(robot_failures.tell_operator(session, runtime.settings.operator, now=runtime.now()) is not None)


def sweep_clocks(runtime: Runtime) -> int:
    """Record a heartbeat, then sweep the deadlines; after an outage, correct all clocks first.

    Both use the same time, so that a machine that sleeps in between ends no game.
    """
    now = runtime.now()
    with reading(runtime.engine) as session:
        is_fresh = outages.is_fresh(session, now)
    if not is_fresh:
        with transaction(runtime.engine) as session:
            held_up = refusals.holding_up(session)
            found = outages.note_letters(session, held_up.at if held_up is not None else None, now=now)
            for outage in (found, outages.record_heartbeat(session, now=now)):
                if outage is not None:
                    log.warning("the service was down from %s to %s; no clock ran", outage.begins_at, outage.ends_at)
    return sweep_deadlines(runtime, now)


@unless_read_only
def sweep_deadlines(runtime: Runtime, now: datetime | None = None) -> int:
    """Send due reminders and end matches that ran out of time; returns how many were due.

    It continues until nothing is due, or until another heartbeat is due. Nobody loses on time while an earlier mail is
    unread, which may contain the move, or while no mail can arrive.
    """
    now, count = now or runtime.now(), 0
    end = now + outages.BEAT
    missing_games.sweep(runtime.engine, now=now)
    _correct_clocks(runtime, now)
    with reading(runtime.engine) as session:
        sure = outages.sure_until(session, now)
        until = min(mailbox.read_until(session, now=now), sure)
    for out_of_time in _due_matches(runtime, OUT_OF_TIME, col(Match.deadline), until, end):
        with reading(runtime.engine) as session:
            of_late_robots = robot_turns.of_late_robots(session, out_of_time, now=now)
        for match_id in out_of_time:
            if match_id in of_late_robots:
                handle_row(runtime, match_id, lambda session, n: _hurry_robots(session, n, now, runtime.rng))
        handle_matches(runtime, out_of_time, partial(game_end.on_timeout, now=now, until=until))
        count += len(out_of_time)
    for to_remind in _due_matches(runtime, TO_REMIND, col(Match.remind_at), sure, end):
        handle_matches(runtime, to_remind, partial(reminders.remind, now=now))
        count += len(to_remind)
    return count


def _due_matches(
    runtime: Runtime, query: SelectOfScalar[int], moment: Mapped[datetime | None], until: datetime, end: datetime
) -> Iterator[list[int]]:
    """Yield the ids of matches due at `until`, in batches, ordered by due time.

    It stops at `end`. Each match comes once, even if it stays due.
    """
    after = None
    ordered = query.add_columns(moment).order_by(moment, col(Match.id)).limit(BATCH)
    while not runtime.stopping.is_set() and runtime.now() < end:
        further = ordered if after is None else ordered.where(tuple_(moment, col(Match.id)) > after)
        with reading(runtime.engine) as session:
            found = rows(session, further, now=until, games=list(GAMES))
        if not found:
            return
        yield [number for number, _at in found]
        number, at = found[-1]
        after = tuple_(literal(at), literal(number))


def _hurry_robots(session: Session, match_id: int, now: datetime, rng: random.Random) -> None:
    """Let robots out of time play a legal move at once, so that our delay costs them nothing."""
    robot_turns.play_quickly(session, match_id, now=now, rng=rng, is_late=True)


@unless_read_only
def sweep_seeks(runtime: Runtime) -> int:
    """Ask about seeks that end soon, close expired ones, open others again; returns how many were due."""
    now = runtime.now()
    ending = due_ids(runtime, ASKED_SEEKS.order_by(col(Seek.ask_at)), now)
    for seek_id in ending:
        handle_row(runtime, seek_id, lambda session, n: seek_ends.ask(session, n, now=now), "seek")
    due = due_ids(runtime, EXPIRED_SEEKS.order_by(col(Seek.expires_at)), now)
    for seek_id in due:
        handle_row(runtime, seek_id, lambda session, n: seek_ends.expire(session, n, now=now), "seek")
    called_off = due_ids(runtime, seek_ends.TO_REOPEN, now)
    for number in called_off:
        handle_row(
            runtime, number, lambda session, n: seek_ends.reopen(session, n, now=now, rng=runtime.rng), "pairing"
        )
    return len(ending) + len(due) + len(called_off)


@unless_read_only
def sweep_days(runtime: Runtime) -> int:
    """Make the missing seeds of the deals of today and tomorrow; returns how many were due."""
    now = runtime.now()
    return write_unless(
        runtime.engine,
        lambda session: puzzles.are_days_prepared(session, now=now),
        lambda session: puzzles.prepare_days(session, now=now, rng=runtime.rng),
    )


def sweep_openings(runtime: Runtime) -> int:
    """Add the openings of finished matches to the archive's index; returns how many were due."""
    now = runtime.now()
    with reading(runtime.engine) as session:
        unindexed = openings.unindexed(session, BATCH)
    for match_id in unindexed:
        handle_row(runtime, match_id, lambda session, n: openings.index_opening(session, n, now=now))
    return len(unindexed)


def sweep_archive(runtime: Runtime) -> int:
    """Make the file of the earliest past month that has none; returns how many were made."""
    now = runtime.now()
    with reading(runtime.engine) as session:
        month = monthly.due_month(session, now=now)
    if month is None:
        return 0
    with transaction(runtime.engine) as session:
        monthly.make(session, month, runtime.signer, now=now)
    return 1


def sweep_announcements(runtime: Runtime) -> int:
    """Write the next letters of an announcement; returns how many members were processed."""
    with transaction(runtime.engine) as session:
        return announcements.write_letters(session, now=runtime.now())


def sweep_suspensions(runtime: Runtime) -> int:
    """End every expired suspension; returns how many were due."""
    now = runtime.now()
    due = due_ids(runtime, suspensions.ENDED, now)
    for person_id in due:
        handle_row(runtime, person_id, lambda session, n: suspensions.lift_ended(session, n, now=now), "person")
    return len(due)


def sweep_web_sessions(runtime: Runtime) -> int:
    """Delete web sessions and API tokens unused for too long; returns how many."""
    with transaction(runtime.engine) as session:
        ended = api_tokens.prune(session, BATCH, now=runtime.now())
        return ended + web_sessions.prune(session, BATCH, now=runtime.now())


def sweep_digests(runtime: Runtime) -> int:
    """Write every due digest; returns how many were due."""
    now = runtime.now()
    with reading(runtime.engine) as session:
        due = digests.due(session, now)
    for person_id in due:
        try:
            with transaction(runtime.engine) as session:
                digests.write(session, person_id, still_wanted, now=now)
        except Exception:
            log.exception("the digest of person %s failed", person_id)
    return len(due)


def sweep_exercises(runtime: Runtime) -> int:
    """Write the weekly exercise to everybody to whom it is due; returns how many were due."""
    now = runtime.now()
    due = due_ids(runtime, OWED_EXERCISES.order_by(col(Person.exercise_due_at)), now)
    for person_id in due:
        handle_row(runtime, person_id, lambda session, n: exercise_letters.write_weekly(session, n, now=now), "person")
    return len(due)


def sweep_fetch(runtime: Runtime, note_sign: Callable[[], object] = lambda: None) -> int:
    """Fetch mail from MAIL_FETCH, with a sign of life for each message; returns how many."""
    where, keep = runtime.settings.mail_fetch, store_callback(runtime)

    def store(raw: bytes, recipient: str, sender: str) -> None:
        keep(raw, recipient, sender)
        note_sign()

    with reading(runtime.engine) as session:
        progress = fetch_progress.progress_of(session, where)
    try:
        count = transport.collecting.fetch(runtime.settings, store, progress)
        note_sign()
        return count
    finally:
        if progress.uid_validity:
            with transaction(runtime.engine) as session:
                fetch_progress.save_progress(session, where, progress)


def sweeps(runtime: Runtime, post: transport.Post, awaited_post: transport.Post) -> dict[str, Callable[[], Any]]:
    """Return the sweeps that every worker runs, by name."""
    push_post = transport.PushPost()
    return {
        "mail": lambda: sweep_mail(runtime),
        "old mail": lambda: sweep_old_mail(runtime),
        "retention": lambda: sweep_retention(runtime),
        "dead mail": lambda: sweep_dead_mail(runtime),
        "robots that failed": lambda: sweep_robot_failures(runtime),
        "web sessions": lambda: sweep_web_sessions(runtime),
        "announcements": lambda: sweep_announcements(runtime),
        "suspensions": lambda: sweep_suspensions(runtime),
        "deadlines": lambda: sweep_clocks(runtime),
        "digests": lambda: sweep_digests(runtime),
        "exercises by mail": lambda: sweep_exercises(runtime),
        "openings": lambda: sweep_openings(runtime),
        "deals of the day": lambda: sweep_days(runtime),
        "archive": lambda: sweep_archive(runtime),
        "awaited letters": lambda: sweep_awaited_letters(runtime, awaited_post),
        "outbox": lambda: sweep_letters(runtime, post),
        "notifications": lambda: sweep_pushes(runtime, push_post),
        "events": lambda: sweep_events(runtime),
        "seeks": lambda: sweep_seeks(runtime),
        "pairing": lambda: sweep_pairing(runtime, PAIRING_INTERVAL),
        "near pairs": lambda: sweep_near_pairs(runtime, NEAR_PAIRS_INTERVAL),
        **{sweep.name: partial(sweep.run, runtime) for sweep in SWEEPS if runtime.settings.has_feature(sweep.feature)},
    }


def _correct_clocks(runtime: Runtime, now: datetime) -> None:
    """Recompute deadlines in batches, after an outage and after newly begun absences."""
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
        handle_row(runtime, number, lambda session, n: vacations.apply(session, n, now=now))
