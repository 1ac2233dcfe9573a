"""The clocks of a match: turns begin, time is spent, deadlines move when something stops the clock.

All of it is arithmetic of clock.py over what rows say: the hours of the player as they were when the turn
began, pauses, absences, and times when the service was down. Deadlines are never added to, only reckoned again,
so that doing it twice, or by several workers, comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, union_all
from sqlmodel import Session, col, or_, select

from correspondence.clocks import calendars, deadlines, outages
from correspondence.models import Absence, Halt, Match, Outage, Person, Player
from correspondence.models.loading import locked, person_of, players_of

FORGOTTEN = timedelta(days=60)
"""How long after time has run out a game is called off in which nobody has moved, claimed or resigned."""

_STOPS = union_all(
    select(Halt.begins_at, Halt.ends_at).where(
        col(Halt.match_id) == bindparam("match"),
        or_(col(Halt.player_id).is_(None), col(Halt.player_id) == bindparam("player")),
        col(Halt.ends_at) > bindparam("since"),
    ),
    select(Absence.begins_at, Absence.ends_at).where(
        col(Absence.person_id) == bindparam("person"), col(Absence.ends_at) > bindparam("since")
    ),
    select(Outage.begins_at, Outage.ends_at).where(col(Outage.ends_at) > bindparam("since")),
)
"""Everything that has stopped, or will stop, the clock of a player and ends after the turn began."""


def begin_turn(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Let the clock of a player run, by the hours that he keeps at this moment."""
    person = person_of(session, player)
    player.since, player.turn_ply, player.flagged_at = now, match.ply, None
    player.hours = calendars.in_zone(person.hours, person.zone)
    retime(session, player)


def end_turn(player: Player) -> None:
    """Stop the clock of a player."""
    player.since = player.deadline = player.remind_at = player.flagged_at = None


def retime(session: Session, player: Player) -> None:
    """Reckon again when the time of a player whose clock runs is up, and when to remind him."""
    if player.since is None:
        return
    calendar, bank = calendar_of(session, player), timedelta(seconds=player.bank)
    player.deadline = deadlines.deadline_of(player.since, bank, calendar)
    lead = timedelta(hours=person_of(session, player).reminder_lead)
    chosen = player.deadline - lead
    shares = deadlines.reminder_of(player.since, bank, calendar)
    player.remind_at = chosen if lead and chosen > player.since else shares
    session.add(player)


def spent(session: Session, player: Player, now: datetime) -> timedelta:
    """How much time a player has used in the turn that began at `since`."""
    if player.since is None:
        return timedelta(0)
    return deadlines.counted(player.since, now, calendar_of(session, player, now))


def left(session: Session, player: Player, now: datetime) -> timedelta:
    """How much of the bank is left to a player now."""
    return max(timedelta(seconds=player.bank) - spent(session, player, now), timedelta(0))


def calendar_of(session: Session, player: Player, now: datetime | None = None) -> deadlines.Calendar:
    """What counts in the turn of a player; with `now` also a gap that no worker has noted yet does not."""
    assert player.since is not None
    named = {"since": player.since, "match": player.match_id, "player": player.id, "person": player.person_id}
    stops = [(begins, ends) for begins, ends in session.execute(_STOPS, named)]
    gap = outages.unnoticed(session, now) if now is not None else None
    return calendars.calendar_of(player.hours, player.since).with_stops((*stops, gap) if gap else tuple(stops))


def overdue(session: Session, match: Match, now: datetime) -> list[Player]:
    """Those whose time is up, after it was reckoned again: what stopped the clock may not be in the deadline yet."""
    for player in running(session, match):
        retime(session, player)
    return [p for p in running(session, match) if p.flagged_at is None and p.deadline is not None and p.deadline <= now]


def flagged(session: Session, match: Match, now: datetime) -> list[Player]:
    """Those whose time has run out, whether that was noted already or not."""
    running_now = running(session, match)
    return [p for p in running_now if p.flagged_at or (p.deadline is not None and p.deadline <= now)]


def running(session: Session, match: Match) -> list[Player]:
    """The players whose clocks run."""
    return [player for player in players_of(session, match.id) if player.since is not None]


def set_sweeps(session: Session, match: Match, now: datetime) -> None:
    """Note in the match when a worker has to look at it again."""
    players = running(session, match)
    match.deadline = min((due for player in players if (due := _due(player)) is not None), default=None)
    match.remind_at = min((at for player in players if (at := player.remind_at) and at > now), default=None)
    session.add(match)


def _due(player: Player) -> datetime | None:
    return player.flagged_at + FORGOTTEN if player.flagged_at is not None else player.deadline


def retime_match(session: Session, number: int, *, now: datetime) -> None:
    """Reckon all deadlines of a match again; nothing where it is over."""
    match = locked(session, number)
    if match.ended_at is not None:
        return
    for player in running(session, match):
        retime(session, player)
    set_sweeps(session, match, now)


def retime_turns(session: Session, person: Person, *, now: datetime) -> None:
    """Reckon again every deadline of a person, in all games, in the order of their numbers."""
    for number in turns_of(session, person.id):
        retime_match(session, number, now=now)


def turns_of(session: Session, person_id: int) -> Sequence[int]:
    """The numbers of the matches in which the clock of a person runs."""
    found = select(Player.match_id).where(col(Player.person_id) == person_id, col(Player.since).is_not(None))
    return session.exec(found.order_by(col(Player.match_id))).all()
