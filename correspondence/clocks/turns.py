"""Clocks of a game: start and end turns, measure time used, and recompute deadlines.

It applies the arithmetic of deadlines.py to stored rows: the player's off-hours when the turn began, pauses, absences
and outages. Deadlines are always recomputed, never incremented, so repeated or concurrent runs give the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Executable, bindparam, false, null, union_all
from sqlalchemy import select as select_values
from sqlmodel import Session, col, select

from correspondence.clocks import calendars, deadlines, outages
from correspondence.clocks.reminder_times import Stop, Turn, reminder_times, resumptions
from correspondence.core import db
from correspondence.models import Cause, ClockStop, Match, Outage, Player, Vacation
from correspondence.models.loading import locked, person_of, players_of

FORGOTTEN = timedelta(days=60)
"""Time after a timeout after which a game without a move, claim or resignation is cancelled."""

_STOPS: Executable = union_all(
    select_values(
        col(ClockStop.match_id),
        col(ClockStop.player_id),
        null(),
        col(ClockStop.begins_at),
        col(ClockStop.ends_at),
        col(ClockStop.cause) == Cause.PAUSE,
    ).where(
        col(ClockStop.match_id).in_(bindparam("matches", expanding=True)), col(ClockStop.ends_at) > bindparam("since")
    ),
    select_values(
        null(), null(), col(Vacation.person_id), col(Vacation.begins_at), col(Vacation.ends_at), col(Vacation.announced)
    ).where(
        col(Vacation.person_id).in_(bindparam("persons", expanding=True)), col(Vacation.ends_at) > bindparam("since")
    ),
    select_values(null(), null(), null(), col(Outage.begins_at), col(Outage.ends_at), false()).where(
        col(Outage.ends_at) > bindparam("since")
    ),
)
"""Query: all stops of these players' clocks, with owner, start, end, and whether announced.

A null in the first three columns matches every match, player or person.
"""


def begin_turn(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Start a player's clock with their current off-hours."""
    person = person_of(session, player)
    player.since, player.turn_ply, player.flagged_at = now, match.ply, None
    player.off_hours, player.remind_at = calendars.with_zone(person.off_hours, person.zone), None
    retime(session, player, now)


def end_turn(player: Player) -> None:
    """Stop a player's clock."""
    player.since = player.deadline = player.remind_at = player.flagged_at = None


def retime(session: Session, player: Player, now: datetime) -> None:
    """Recompute the deadline and the next reminder of a player whose clock runs."""
    if player.since is None:
        return
    turn = _turn_of(session, player, player.since)
    player.deadline = turn.deadline
    overdue = player.remind_at if player.remind_at is not None and player.remind_at <= now else None
    times = _reminder_times(session, player, turn) if turn.deadline > now else []
    player.remind_at = next((at for at in times if at > now or (overdue is not None and at >= overdue)), None)


def note_reminded(session: Session, player: Player, now: datetime) -> bool:
    """Advance to the next reminder; return whether the current one announces a resumption."""
    assert player.since is not None
    turn = _turn_of(session, player, player.since)
    is_resumption = player.remind_at in resumptions(turn)
    player.remind_at = next((at for at in _reminder_times(session, player, turn) if at > now), None)
    return is_resumption


def _turn_of(session: Session, player: Player, since: datetime) -> Turn:
    stops, bank = _stops_of(session, player), timedelta(seconds=player.bank)
    calendar = _with_stops(player, since, stops)
    return Turn(since, deadlines.deadline_of(since, bank, calendar), bank, calendar, stops)


def _reminder_times(session: Session, player: Player, turn: Turn) -> list[datetime]:
    leads = person_of(session, player).reminder_leads.split()
    return reminder_times(turn, [timedelta(hours=int(hours)) for hours in leads])


def spent(session: Session, player: Player, now: datetime) -> timedelta:
    """Return how much time a player has used in the current turn."""
    if player.since is None:
        return timedelta(0)
    return deadlines.counted_time(player.since, now, calendar_of(session, player, now))


def left(session: Session, player: Player, now: datetime) -> timedelta:
    """Return how much of a player's bank is left now."""
    return max(timedelta(seconds=player.bank) - spent(session, player, now), timedelta(0))


def calendar_of(session: Session, player: Player, now: datetime | None = None) -> deadlines.Calendar:
    """Return the calendar of a player's turn.

    With `now`, it also excludes an outage that is not recorded yet.
    """
    assert player.since is not None
    gap = outages.unrecorded_gap(session, now) if now is not None else None
    return _with_stops(player, player.since, [*_stops_of(session, player), *([Stop(*gap)] if gap else [])])


def _with_stops(player: Player, since: datetime, stops: Sequence[Stop]) -> deadlines.Calendar:
    spans = tuple((stop.begins, stop.ends) for stop in stops)
    return calendars.calendar_of(player.off_hours, since).with_stops(spans)


def stopped_until(session: Session, player: Player, now: datetime) -> datetime | None:
    """Return until when a player's clock is stopped; None while it runs."""
    return max((stop.ends for stop in _stops_of(session, player) if stop.begins <= now < stop.ends), default=None)


def is_late(session: Session, player: Player, at: datetime) -> bool:
    """Whether a player's time had run out at `at`, considering recorded and unrecorded stops."""
    if player.since is None:
        return False
    bank = timedelta(seconds=player.bank)
    return deadlines.deadline_of(player.since, bank, calendar_of(session, player, at)) <= at


def ask_ahead(session: Session, players: Sequence[Player]) -> None:
    """Prefetch the stops of these players' running clocks into a `db.asking_once` block.

    They serve only the next read of each clock, because its result may stop the clock again.
    """
    late = [player for player in players if player.since is not None]
    for player, stops in zip(late, _stops_of_all(session, late), strict=True):
        db.asked(session)[ClockStop, player.id] = stops


def _stops_of(session: Session, player: Player) -> list[Stop]:
    if all(db.is_absent(session, table, player.match_id) for table in (ClockStop, Vacation, Outage)):
        return []
    kept: list[Stop] | None = db.asked(session).pop((ClockStop, player.id), None)
    return kept if kept is not None else _stops_of_all(session, [player])[0]


def _stops_of_all(session: Session, players: Sequence[Player]) -> list[list[Stop]]:
    """Return the stops of each player's clock that end after their turn began."""
    begins = [player.since for player in players if player.since is not None]
    if not begins:
        return []
    wanted = {"matches": [one.match_id for one in players], "persons": [one.person_id for one in players]}
    found = db.rows(session, _STOPS, since=min(begins), **wanted)
    return [
        [
            Stop(begins, ends, bool(is_announced))
            for *whose, begins, ends, is_announced in found
            if _is_own(player, *whose) and ends > since
        ]
        for player, since in zip(players, begins, strict=True)
    ]


def _is_own(player: Player, match_id: int | None, player_id: int | None, person_id: int | None) -> bool:
    """Whether a stop with these ids applies to this player; None matches everybody."""
    own = (player.match_id, player.id, player.person_id)
    return all(one is None or one == mine for one, mine in zip((match_id, player_id, person_id), own, strict=True))


def overdue(session: Session, match: Match, now: datetime) -> list[Player]:
    """Recompute deadlines and return the players whose time has just run out.

    The stored deadline may not include a recent stop yet.
    """
    for player in running(session, match):
        retime(session, player, now)
    return [p for p in running(session, match) if p.flagged_at is None and p.deadline is not None and p.deadline <= now]


def flagged(session: Session, match: Match, now: datetime) -> list[Player]:
    """Return the players whose time has run out, whether recorded or not."""
    running_now = running(session, match)
    return [p for p in running_now if p.flagged_at or (p.deadline is not None and p.deadline <= now)]


def running(session: Session, match: Match) -> list[Player]:
    """Return the players of a match whose clocks run."""
    return [player for player in players_of(session, match.id) if player.since is not None]


def schedule_sweeps(session: Session, match: Match) -> None:
    """Store in the match when a worker has to process it next."""
    players = running(session, match)
    match.deadline = min((due for player in players if (due := _due(player)) is not None), default=None)
    to_remind = [player for player in players if player.flagged_at is None]
    match.remind_at = min((at for player in to_remind if (at := player.remind_at) is not None), default=None)


def _due(player: Player) -> datetime | None:
    return player.flagged_at + FORGOTTEN if player.flagged_at is not None else player.deadline


def retime_match(session: Session, match_id: int, *, now: datetime) -> None:
    """Recompute all deadlines of a match, unless it is over."""
    match = locked(session, match_id)
    if match.ended_at is not None:
        return
    for player in running(session, match):
        retime(session, player, now)
    schedule_sweeps(session, match)


def turns_of(session: Session, person_id: int) -> Sequence[int]:
    """Return the ids of the matches in which a person's clock runs."""
    query = select(Player.match_id).where(col(Player.person_id) == person_id, col(Player.since).is_not(None))
    return session.exec(query.order_by(col(Player.match_id))).all()
