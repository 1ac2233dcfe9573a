"""Handling of due rows by a sweep: one row per transaction, or several games in one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import bindparam
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from correspondence.core.db import reading, rows, transaction
from correspondence.core.log_repeats import DATABASE
from correspondence.core.runtime import Runtime
from correspondence.models import Match, Player
from correspondence.models.loading import locked, locked_if_free
from engines import GAMES

log = logging.getLogger(__name__)

BATCH = 200
"""Maximum rows that a sweep loads at once."""

TOGETHER = 16
"""Maximum games in one transaction, which holds up others, on SQLite all of them."""

_SEATED = select(Player.match_id, Player.person_id).where(
    col(Player.match_id).in_(bindparam("matches", expanding=True))
)


def due_ids(runtime: Runtime, query: SelectOfScalar[int], now: datetime) -> list[int]:
    """Return the ids of at most BATCH rows that are due `now` by this query."""
    with reading(runtime.engine) as session:
        return [number for (number,) in rows(session, query.limit(BATCH), now=now, games=list(GAMES))]


def handle_row(runtime: Runtime, row_id: int, handle: Callable[[Session, int], object], what: str = "match") -> None:
    """Handle a row in a separate transaction, unless the process stops; errors are logged."""
    if runtime.stopping.is_set():
        return
    try:
        with transaction(runtime.engine) as session:
            handle(session, row_id)
    except OperationalError as error:  # the database is away or full: a traceback for each due row would flood the log
        log.error("%s %s failed in its sweep: %s", what, row_id, str(error.orig).partition("\n")[0], extra=DATABASE)
    except Exception:
        log.exception("%s %s failed in its sweep", what, row_id)


def handle_matches(
    runtime: Runtime, match_ids: Collection[int], handle: Callable[[Session, Sequence[Match]], object]
) -> None:
    """Handle several matches per transaction, in groups without a common person.

    `handle` gets the matches locked. Matches locked by another worker or a player are retried after the rest, and at
    last one by one, waiting for each. So are those of a group that fails.
    """
    left, alone = list(match_ids), set[int]()
    while further := [number for number in left if number not in alone]:
        handled = set[int]()
        for group in groups_without_a_common_person(_persons_by_match(runtime, further), TOGETHER):
            try:
                handled |= _handle_group(runtime, group, handle)
            except Exception as error:
                log.info("games %s are handled one by one, since one of them failed: %s", group, type(error).__name__)
                alone.update(group)
        if not handled:
            break
        left = [number for number in left if number not in handled]
    for number in left:
        handle_row(runtime, number, lambda session, n: handle(session, [locked(session, n)]))


def _handle_group(
    runtime: Runtime, group: Sequence[int], handle: Callable[[Session, Sequence[Match]], object]
) -> set[int]:
    """Handle those of these matches that are not locked; returns their ids."""
    if runtime.stopping.is_set():
        return set()
    with transaction(runtime.engine) as session:
        matches = locked_if_free(session, group)
        handle(session, matches)
        return {match.id for match in matches}


def _persons_by_match(runtime: Runtime, match_ids: Collection[int]) -> dict[int, set[int]]:
    """Return the ids of the players of each match."""
    persons: dict[int, set[int]] = {number: set() for number in match_ids}
    with reading(runtime.engine) as session:
        for match_id, person_id in rows(session, _SEATED, matches=list(match_ids)):
            persons[match_id].add(person_id)
    return persons


def groups_without_a_common_person(persons: Mapping[int, Collection[int]], most: int) -> list[list[int]]:
    """Split matches into few groups of at most `most`, with nobody in two matches of a group.

    `persons` maps each match to its players. The greedy split keeps the order as far as possible.
    """
    groups: list[tuple[list[int], set[int]]] = []
    for number, seated in persons.items():
        free = (group for group in groups if len(group[0]) < most and group[1].isdisjoint(seated))
        matches, taken = next(free, ([], set()))
        if not matches:
            groups.append((matches, taken))
        matches.append(number)
        taken.update(seated)
    return [matches for matches, _taken in groups]
