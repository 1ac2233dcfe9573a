"""Absences: announced by a player, or spent by themselves when time runs out; no clock of his runs meanwhile.

Everybody has 30 days of absence for each year since joining, counted in hours; what is left over lapses when a new
year begins. Announcing takes its hours at once, coming back early gives the unused whole hours back. When time
runs out, up to one day is spent by itself, as at Little Golem: it stops the clock in all games of that player.
In a game in which somebody has not made a first move, nothing is spent: such a game is simply called off.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.clocks import turns
from correspondence.models import Absence, Match, Move, Person, Player
from engines.refusal import Refusal
from engines.wording import _, ngettext

YEARLY = 720
"""Hours of absence in a year: thirty days."""

CHUNK = 24
"""Hours that are spent at most when time runs out."""

LATEST_BEGIN = timedelta(days=365)
"""How far ahead an absence can begin."""

_BACK = select(func.max(Absence.ends_at)).where(
    col(Absence.person_id) == bindparam("person"),
    col(Absence.announced).is_(True),
    col(Absence.begins_at) <= bindparam("now"),
    col(Absence.ends_at) > bindparam("now"),
)

_YEAR = timedelta(days=365)
_HOUR = timedelta(hours=1)


class AbsenceError(Refusal):
    """A refusal: str() is a sentence for the person."""


def absent_until(session: Session, person_id: int, now: datetime) -> datetime | None:
    """When a person who has announced to be away now will be back; None for anybody who is here."""
    return session.exec(_BACK, params={"person": person_id, "now": now}).one()


def announced(session: Session, person_id: int, now: datetime) -> Absence | None:
    """The absence that a person has announced and that is not over: now, or to come."""
    found = select(Absence).where(
        col(Absence.person_id) == person_id, col(Absence.announced).is_(True), col(Absence.ends_at) > now
    )
    return session.exec(found.order_by(col(Absence.begins_at))).first()


def hours_left(person: Person, now: datetime) -> int:
    """The hours of absence that a person has left for the year that runs."""
    return person.absence_left if now < _year_begins(person) + _YEAR else YEARLY


def left_over(hours: int) -> str:
    """How much absence is left, as a sentence."""
    days, rest = divmod(hours, 24)
    told = ngettext("{count} day", "{count} days", days).format(count=days)
    if rest:
        told += ", " + ngettext("{count} hour", "{count} hours", rest).format(count=rest)
    return _("Absence left for this year: {time}.").format(time=told)


def announce(session: Session, person: Person, days: int, *, now: datetime, begins: datetime | None = None) -> Absence:
    """Be away for so many days from `begins` on, or from now; in place of what was announced before.

    One may move all the same. Raises AbsenceError where that is no length, or more than is left.
    """
    begins = max(begins or now, now)
    if not 1 <= days * 24 <= YEARLY:
        raise AbsenceError(_("One can be away for 1 to {most} days.").format(most=YEARLY // 24))
    if begins > now + LATEST_BEGIN:
        raise AbsenceError(_("An absence can begin within a year, not later."))
    numbers = _held(session, person)
    before = announced(session, person.id, now)
    spare = hours_left(person, now) + (_unused(before, now) if before else 0)
    if days * 24 > spare:
        raise AbsenceError(_too_long(spare))
    if before is not None:
        _cut(session, person, before, now)
    absence = Absence(person_id=person.id, begins_at=begins, ends_at=begins + timedelta(days=days))
    session.add(absence)
    _charge(session, person, days * 24, now)
    _apply(session, numbers, now)
    return absence


def come_back(session: Session, person: Person, *, now: datetime) -> int:
    """End the absence that was announced; returns how many hours were not used. Raises AbsenceError."""
    numbers = _held(session, person)
    before = announced(session, person.id, now)
    if before is None:
        raise AbsenceError(_("You are not away, and have not announced to be."))
    unused = _unused(before, now)
    _cut(session, person, before, now)
    _apply(session, numbers, now)
    return unused


def spend(
    session: Session, match: Match, late: Sequence[Player], *, now: datetime
) -> tuple[list[Player], list[Player]]:
    """Spend absence for those whose time is up, as long as they have any; returns who has more time now, and who not.

    The absence begins at the deadline. The other games of the player learn of it by `unapplied`.
    """
    if not late or not has_begun(session, match):
        return [], list(late)
    spared = [player for player in late if _spend(session, player, now)]
    return spared, [player for player in late if player not in spared]


def has_begun(session: Session, match: Match) -> bool:
    """Whether every player of a match has made a move."""
    moved = select(func.count(func.distinct(Move.seat))).where(col(Move.match_id) == match.id, col(Move.seat) >= 0)
    seated = select(func.count()).select_from(Player).where(col(Player.match_id) == match.id)
    return session.exec(moved).one() >= session.exec(seated).one()


def unapplied(session: Session, most: int) -> list[Absence]:
    """Absences that began by themselves and that the player's other games do not know of yet."""
    found = select(Absence).where(col(Absence.is_applied).is_(False)).order_by(col(Absence.id)).limit(most)
    return list(session.exec(found))


def apply(session: Session, number: int, *, now: datetime) -> None:
    """Reckon every deadline of the person again whom this absence concerns."""
    absence = session.get_one(Absence, number)
    _apply(session, turns.turns_of(session, absence.person_id), now)
    absence.is_applied = True
    session.add(absence)


def _spend(session: Session, player: Player, now: datetime) -> bool:
    person = session.get_one(Person, player.person_id, with_for_update=True, populate_existing=True)
    turns.retime(session, player)  # another game may have spent a day meanwhile, which counts here as well
    while player.deadline is not None and player.deadline <= now and (hours := min(CHUNK, hours_left(person, now))):
        begins = player.deadline
        ends = begins + timedelta(hours=hours)
        session.add(Absence(person_id=person.id, begins_at=begins, ends_at=ends, announced=False, is_applied=False))
        _charge(session, person, hours, now)
        turns.retime(session, player)
    return player.deadline is not None and player.deadline > now


def _held(session: Session, person: Person) -> list[int]:
    """Hold the games whose clocks run against a person, then the person: matches first, as everywhere."""
    numbers = list(turns.turns_of(session, person.id))
    for number in numbers:
        session.get_one(Match, number, with_for_update=True, populate_existing=True)
    session.refresh(person, with_for_update=True)
    return numbers


def _apply(session: Session, numbers: Sequence[int], now: datetime) -> None:
    for number in numbers:
        turns.retime_match(session, number, now=now)


def _charge(session: Session, person: Person, hours: int, now: datetime) -> None:
    begun, left = _year_begins(person), hours_left(person, now)
    person.absence_from = begun + _YEAR * max((now - begun) // _YEAR, 0)
    person.absence_left = left - hours
    session.add(person)
    session.flush()


def _cut(session: Session, person: Person, absence: Absence, now: datetime) -> None:
    """End an absence now, and give the hours back that were not used."""
    unused = _unused(absence, now)
    absence.ends_at = max(now, absence.begins_at)
    session.add(absence)
    _charge(session, person, -min(unused, YEARLY - hours_left(person, now)), now)


def _unused(absence: Absence, now: datetime) -> int:
    return (absence.ends_at - max(now, absence.begins_at)) // _HOUR


def _year_begins(person: Person) -> datetime:
    return person.absence_from or person.joined_at


def _too_long(hours: int) -> str:
    if hours < 24:
        return _("You have less than a day of absence left for this year.")
    days = hours // 24
    return ngettext(
        "You have {days} day of absence left for this year.",
        "You have {days} days of absence left for this year.",
        days,
    ).format(days=days)
