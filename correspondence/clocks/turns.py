"""The clocks of a game: turns begin, time is used, and deadlines move when something stops the clock.

All of it applies the arithmetic of deadlines.py to stored rows: the player's hours as they were when the turn began,
pauses, absences, and outages of the service. Deadlines are never added to, only recomputed, so that repeating it, or
several workers doing it at once, gives the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Executable, bindparam, null, union_all
from sqlalchemy import select as select_values
from sqlmodel import Session, col, select

from correspondence.clocks import calendars, deadlines, outages
from correspondence.core import db
from correspondence.models import ClockStop, Match, Outage, Player, Vacation
from correspondence.models.loading import locked, person_of, players_of

FORGOTTEN = timedelta(days=60)
"""How long after a timeout a game is called off in which nobody has moved, claimed or resigned."""

_STOPS: Executable = union_all(
    select_values(
        col(ClockStop.match_id), col(ClockStop.player_id), null(), col(ClockStop.begins_at), col(ClockStop.ends_at)
    ).where(
        col(ClockStop.match_id).in_(bindparam("matches", expanding=True)), col(ClockStop.ends_at) > bindparam("since")
    ),
    select_values(null(), null(), col(Vacation.person_id), col(Vacation.begins_at), col(Vacation.ends_at)).where(
        col(Vacation.person_id).in_(bindparam("persons", expanding=True)), col(Vacation.ends_at) > bindparam("since")
    ),
    select_values(null(), null(), null(), col(Outage.begins_at), col(Outage.ends_at)).where(
        col(Outage.ends_at) > bindparam("since")
    ),
)
"""Everything that stops clocks of these players: whose (null: anybody's), from when, and until when."""


def begin_turn(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Start a player's clock, with the hours the player has set at this moment."""
    person = person_of(session, player)
    player.since, player.turn_ply, player.flagged_at = now, match.ply, None
    player.off_hours = calendars.with_zone(person.off_hours, person.zone)
    retime(session, player)


def end_turn(player: Player) -> None:
    """Stop a player's clock."""
    player.since = player.deadline = player.remind_at = player.flagged_at = None


def retime(session: Session, player: Player) -> None:
    """Recompute the deadline and the reminder of a player whose clock runs."""
    if player.since is None:
        return
    calendar, bank = calendar_of(session, player), timedelta(seconds=player.bank)
    player.deadline = deadlines.deadline_of(player.since, bank, calendar)
    lead = timedelta(hours=person_of(session, player).reminder_lead)
    by_lead = player.deadline - lead
    by_share = deadlines.reminder_of(player.since, bank, calendar)
    player.remind_at = by_lead if lead and by_lead > player.since else by_share


def spent(session: Session, player: Player, now: datetime) -> timedelta:
    """How much time a player has used in the turn that began at `since`."""
    if player.since is None:
        return timedelta(0)
    return deadlines.counted_time(player.since, now, calendar_of(session, player, now))


def left(session: Session, player: Player, now: datetime) -> timedelta:
    """How much of a player's bank is left now."""
    return max(timedelta(seconds=player.bank) - spent(session, player, now), timedelta(0))


def calendar_of(session: Session, player: Player, now: datetime | None = None) -> deadlines.Calendar:
    """The calendar of a player's turn; with `now`, it also excludes a gap that no worker has recorded yet."""
    assert player.since is not None
    stops = _stops_of(session, player)
    gap = outages.unrecorded_gap(session, now) if now is not None else None
    return calendars.calendar_of(player.off_hours, player.since).with_stops((*stops, gap) if gap else tuple(stops))


def ask_ahead(session: Session, players: Sequence[Player]) -> None:
    """Let a block of `db.asking_once` ask once what has stopped the clocks of these players that run.

    Only the next look at each clock is told that, because what is found there may stop it again.
    """
    late = [player for player in players if player.since is not None]
    for player, stops in zip(late, _stops_of_all(session, late), strict=True):
        db.asked(session)[ClockStop, player.id] = stops


def _stops_of(session: Session, player: Player) -> list[tuple[datetime, datetime]]:
    if all(db.is_absent(session, table, player.match_id) for table in (ClockStop, Vacation, Outage)):
        return []
    kept: list[tuple[datetime, datetime]] | None = db.asked(session).pop((ClockStop, player.id), None)
    return kept if kept is not None else _stops_of_all(session, [player])[0]


def _stops_of_all(session: Session, players: Sequence[Player]) -> list[list[tuple[datetime, datetime]]]:
    """For each of these players, whose clocks run, what has stopped or will stop it and ends after the turn began."""
    begins = [player.since for player in players if player.since is not None]
    if not begins:
        return []
    wanted = {"matches": [one.match_id for one in players], "persons": [one.person_id for one in players]}
    found = db.rows(session, _STOPS, since=min(begins), **wanted)
    return [
        [(begins, ends) for *whose, begins, ends in found if _is_own(player, *whose) and ends > since]
        for player, since in zip(players, begins, strict=True)
    ]


def _is_own(player: Player, match_id: int | None, player_id: int | None, person_id: int | None) -> bool:
    """Whether what stops the clocks of these, where None is anybody, stops this player's."""
    own = (player.match_id, player.id, player.person_id)
    return all(one is None or one == mine for one, mine in zip((match_id, player_id, person_id), own, strict=True))


def overdue(session: Session, match: Match, now: datetime) -> list[Player]:
    """The players whose time has just run out, after recomputing their deadlines.

    Something that stopped the clock may not be in the stored deadline yet.
    """
    for player in running(session, match):
        retime(session, player)
    return [p for p in running(session, match) if p.flagged_at is None and p.deadline is not None and p.deadline <= now]


def flagged(session: Session, match: Match, now: datetime) -> list[Player]:
    """The players whose time has run out, whether or not that has been recorded."""
    running_now = running(session, match)
    return [p for p in running_now if p.flagged_at or (p.deadline is not None and p.deadline <= now)]


def running(session: Session, match: Match) -> list[Player]:
    """The players whose clocks run."""
    return [player for player in players_of(session, match.id) if player.since is not None]


def schedule_sweeps(session: Session, match: Match, now: datetime) -> None:
    """Record in the match when a worker has to look at it next."""
    players = running(session, match)
    match.deadline = min((due for player in players if (due := _due(player)) is not None), default=None)
    match.remind_at = min((at for player in players if (at := player.remind_at) and at > now), default=None)


def _due(player: Player) -> datetime | None:
    return player.flagged_at + FORGOTTEN if player.flagged_at is not None else player.deadline


def retime_match(session: Session, match_id: int, *, now: datetime) -> None:
    """Recompute all deadlines of a match; does nothing where it is over."""
    match = locked(session, match_id)
    if match.ended_at is not None:
        return
    for player in running(session, match):
        retime(session, player)
    schedule_sweeps(session, match, now)


def turns_of(session: Session, person_id: int) -> Sequence[int]:
    """The ids of the matches in which a person's clock runs."""
    query = select(Player.match_id).where(col(Player.person_id) == person_id, col(Player.since).is_not(None))
    return session.exec(query.order_by(col(Player.match_id))).all()
