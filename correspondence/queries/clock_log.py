"""Clocks on a game's page: time left, off-hours, possible claims, and a log of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.clocks import calendars, turns
from correspondence.core import db, time_control
from correspondence.models import (
    Cause,
    ClockStop,
    Match,
    OfferKind,
    Outage,
    Person,
    Player,
    TakenBackMove,
    Vacation,
)
from correspondence.models.loading import MadeMove, moves_of, persons_of, players_of
from correspondence.play import offers, record_moves, standing_offers, take_backs, timeouts
from engines.base import CHANCE, Viewer
from engines.wording import _

_CLOCK_STOPS = select(ClockStop).where(col(ClockStop.match_id) == bindparam("match"))

_ABSENCES = (
    select(Vacation)
    .where(
        col(Vacation.person_id).in_(bindparam("persons", expanding=True)), col(Vacation.ends_at) > bindparam("since")
    )
    .order_by(col(Vacation.begins_at))
)

_OUTAGES = select(Outage).where(col(Outage.ends_at) > bindparam("since"), col(Outage.begins_at) < bindparam("ended"))


class ClockChange(NamedTuple):
    """One change of a clock; `who` is empty for both, `spent` and `left` are for moves only.

    It is a tuple for speed: each move has one, and its line is looked up by it.
    """

    at: datetime
    who: str
    why: str
    spent: timedelta | None = None
    left: timedelta | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """One player's clock; `off_hours` names the hours that do not count, empty if all do.

    `left` is the time left in the bank; `away` is the begin and end of the player's current or announced vacation.
    """

    seat: int
    handle: str
    left: timedelta
    off_hours: str
    away: tuple[datetime, datetime] | None
    is_away: bool
    flagged_at: datetime | None


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An open offer; `days` is for pauses, `plies` are the entries that a take-back removes."""

    kind: str
    seat: int
    handle: str
    days: int
    number: int
    plies: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clocks:
    """Everything a viewer may know about the time of a match."""

    policy: time_control.Policy
    players: tuple[PlayerClock, ...]
    offered: tuple[OpenOffer, ...]
    paused_until: datetime | None
    claim_from: datetime | None
    undo: tuple[int, ...]
    """Entries removed if the viewer takes their last move back; empty if they cannot."""
    declined: tuple[OfferKind, ...]
    """Offers of the viewer that the opponent declined since the last entry."""
    takebacks: int
    log: tuple[ClockChange, ...]

    @property
    def going(self) -> tuple[int, ...]:
        """Entries that the open take-back offer would remove."""
        return next((offer.plies for offer in self.offered if offer.plies), ())

    @property
    def every_hour_counts(self) -> bool:
        """Whether no player has off-hours, as far as the viewer may know."""
        return not any(player.off_hours for player in self.players)


def clocks_of(session: Session, match: Match, viewer: Viewer, *, now: datetime, language: str) -> Clocks:
    """Return the clocks of a match, redacted for this viewer; `language` is for names of days.

    Only the players of a match may know when one of them sleeps or is away.
    """
    players = players_of(session, match.id)
    people = dict(zip((player.id for player in players), persons_of(session, players), strict=True))
    moves = moves_of(session, match.id)
    is_over, own = match.ended_at is not None, next((p for p in players if p.seat == viewer), None)
    is_played = own is not None and not is_over
    clock_stops = _clock_stops_of(session, match)
    away = _absences_of(session, match, players, now) if own is not None else {}
    paused_until = None if is_over else next((h.ends_at for h in clock_stops if offers.is_pause(h, now)), None)
    return Clocks(
        match.policy,
        tuple(_player_clock(session, p, people[p.id], away[p.person_id], now, language) for p in players if is_played),
        _offered(session, match, players, people, moves) if is_played else (),
        paused_until,
        _claim_from(session, match, players, own, now),
        _undone_with(moves, own.seat) if is_played and own is not None and len(players) > 1 else (),
        tuple(standing_offers.declined(session, match, own)) if is_played and own is not None else (),
        match.takebacks,
        _log(session, match, players, people, moves, clock_stops, away, now),
    )


def _clock_stops_of(session: Session, match: Match) -> Sequence[ClockStop]:
    if db.is_absent(session, ClockStop, match.id):
        return ()
    return session.exec(_CLOCK_STOPS, params={"match": match.id}).all()


def _absences_of(session: Session, match: Match, players: Sequence[Player], now: datetime) -> dict[int, list[Vacation]]:
    """Return the players' absences since the match began, by person id, earliest first."""
    persons = [player.person_id for player in players]
    if db.is_absent(session, Vacation, match.id):
        return {person: [] for person in persons}
    rows = session.exec(_ABSENCES, params={"persons": persons, "since": min(match.started_at, now)}).all()
    return {person: [absence for absence in rows if absence.person_id == person] for person in persons}


def _player_clock(
    session: Session, player: Player, person: Person, away: Sequence[Vacation], now: datetime, language: str
) -> PlayerClock:
    vacation = next((absence for absence in away if absence.announced and absence.ends_at > now), None)
    hours = player.off_hours if player.since is not None else calendars.with_zone(person.off_hours, person.zone)
    return PlayerClock(
        player.seat,
        person.handle,
        turns.left(session, player, now) if player.since else timedelta(seconds=player.bank),
        calendars.in_words(hours, language),
        (vacation.begins_at, vacation.ends_at) if vacation else None,
        vacation is not None and vacation.begins_at <= now,
        player.flagged_at,
    )


def _offered(
    session: Session, match: Match, players: Sequence[Player], people: dict[int, Person], moves: Sequence[MadeMove]
) -> tuple[OpenOffer, ...]:
    return tuple(
        OpenOffer(
            one.kind.value,
            one.seat,
            people[players[one.seat].id].handle,
            one.days,
            standing_offers.number_of(one),
            _undone_with(moves, one.seat) if one.kind == OfferKind.TAKEBACK else (),
        )
        for one in record_moves.open_offers(session, match.id)
    )


def _undone_with(moves: Sequence[MadeMove], seat: int) -> tuple[int, ...]:
    """Return the entries removed if a seat takes its last move back; empty if chance followed."""
    removed = take_backs.last_and_after(moves, seat)
    return () if any(move.seat == CHANCE for move in removed) else tuple(move.ply for move in removed)


def _claim_from(
    session: Session, match: Match, players: Sequence[Player], own: Player | None, now: datetime
) -> datetime | None:
    """Return when the viewer may claim the win: not while the late player's clock is stopped."""
    if own is None or own.flagged_at is not None:
        return None
    late = [player for player in players if player.flagged_at is not None]
    claimable = [due for player in late if (due := timeouts.claimable_at(match, player)) is not None]
    stopped = [until for player in late if (until := turns.stopped_until(session, player, now)) is not None]
    return max([*claimable, *stopped], default=None)


# -- the log -----------------------------------------------------------------------------


def _log(
    session: Session,
    match: Match,
    players: Sequence[Player],
    people: dict[int, Person],
    moves: Sequence[MadeMove],
    clock_stops: Sequence[ClockStop],
    away: Mapping[int, Sequence[Vacation]],
    now: datetime,
) -> tuple[ClockChange, ...]:
    ended = match.ended_at or now
    names = {player.id: people[player.id].handle for player in players}
    by_seat = {player.seat: names[player.id] for player in players}
    changes = [
        *_moves(match, moves, by_seat),
        *(_undone(session, match, by_seat) if match.takebacks else ()),
        *_clock_stops(clock_stops, names),
        *_absences(players, away, names, ended),
        *_outages(session, match, ended),
        *(
            ClockChange(p.flagged_at, names[p.id], _("time ran out; a move still counts"))
            for p in players
            if p.flagged_at
        ),
    ]
    return tuple(sorted(changes, key=attrgetter("at"), reverse=True))


def _moves(match: Match, moves: Sequence[MadeMove], names: dict[int, str]) -> list[ClockChange]:
    """Return the effect of each move on the clock of its player."""
    terms, changes = match.time_control, []
    for move in moves:
        if move.seat in names and move.bank is not None:
            spent, bank = timedelta(seconds=move.spent), timedelta(seconds=move.bank)
            left = time_control.bank_after(terms, bank, spent)
            changes.append(ClockChange(move.at, names[move.seat], _("move {ply}").format(ply=move.ply), spent, left))
    return changes


def _undone(session: Session, match: Match, names: dict[int, str]) -> list[ClockChange]:
    taken_back = session.exec(
        select(TakenBackMove).where(col(TakenBackMove.match_id) == match.id).order_by(col(TakenBackMove.id))
    )
    return [
        ClockChange(
            move.taken_back_at,
            names[move.seat],
            _("move {ply}, {text}, was taken back by consent").format(ply=move.ply, text=move.text),
        )
        for move in taken_back
        if move.seat in names
    ]


def _clock_stops(clock_stops: Sequence[ClockStop], names: dict[int, str]) -> list[ClockChange]:
    causes = {Cause.PAUSE: _("pause by consent"), Cause.EXTENSION: _("our letters did not arrive")}
    return [
        ClockChange(h.begins_at, names.get(h.player_id or 0, ""), causes[h.cause], until=h.ends_at) for h in clock_stops
    ]


def _absences(
    players: Sequence[Player], away: Mapping[int, Sequence[Vacation]], names: dict[int, str], ended: datetime
) -> list[ClockChange]:
    announced, spent = _("away, as announced"), _("time ran out: leave was used automatically")
    return [
        ClockChange(one.begins_at, names[player.id], announced if one.announced else spent, until=one.ends_at)
        for player in players
        for one in away.get(player.person_id, ())
        if one.begins_at < min(ended, one.ends_at)
    ]


def _outages(session: Session, match: Match, ended: datetime) -> list[ClockChange]:
    if db.is_absent(session, Outage, match.id):
        return []
    rows = session.exec(_OUTAGES, params={"since": match.started_at, "ended": ended})
    why = _("the service was down; this counts against nobody")
    return [ClockChange(outage.begins_at, "", why, until=outage.ends_at) for outage in rows]
