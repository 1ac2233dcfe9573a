"""Absences (vacation), announced or used automatically on timeout, which stop clocks.

Everybody has 30 days of absence for each year since joining, counted in hours; unused hours lapse at the end of the
year. An announced absence ends at midnight in the person's time zone. Announcing it charges its hours at once, by the
local clock and up to the remaining hours. Ending it early returns the unused whole hours.

On a timeout up to one day is used automatically, as at Little Golem; it stops the player's clock in all their games.
Nothing is used in a game in which some player has not made a first move: such a game is cancelled.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, time, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.clocks import turns
from correspondence.core import db
from correspondence.core.i18n import zone_of
from correspondence.models import Match, Person, Player, Vacation
from correspondence.models.loading import moves_made, person_of, players_of
from correspondence.models.time import VACATION_IS_NEW
from engines.refusal import Refusal
from engines.wording import _, ngettext

YEARLY = 720
"""Absence per year, in hours: thirty days."""

MOST_HOURS_AT_ONCE = 24
"""Maximum absence used automatically at a time, in hours."""

LATEST_BEGIN = timedelta(days=365)
"""Maximum time until an absence begins."""

_IS_ANNOUNCED_NOW = (
    col(Vacation.announced).is_(True),
    col(Vacation.begins_at) <= bindparam("now"),
    col(Vacation.ends_at) > bindparam("now"),
)

_BACK = select(func.max(Vacation.ends_at)).where(col(Vacation.person_id) == bindparam("person"), *_IS_ANNOUNCED_NOW)

_ALL_BACK = (
    select(Vacation.person_id, func.max(Vacation.ends_at))
    .where(col(Vacation.person_id).in_(bindparam("people", expanding=True)), *_IS_ANNOUNCED_NOW)
    .group_by(col(Vacation.person_id))
)

UNAPPLIED = select(Vacation).where(VACATION_IS_NEW)
"""Query: absences that are not applied to all games of their person yet."""

_YEAR = timedelta(days=365)
_HOUR = timedelta(hours=1)


class AbsenceError(Refusal):
    """Raised if an absence is refused; str() is a sentence for the person."""


def absent_until(session: Session, person_id: int, now: datetime) -> datetime | None:
    """Return when a person's announced current absence ends; None if they are not away."""
    ahead: dict[int, datetime | None] = db.asked(session).get((Vacation, now), {})
    back: datetime | None = (
        ahead[person_id] if person_id in ahead else db.value(session, _BACK, person=person_id, now=now)
    )
    return back


def ask_ahead(session: Session, person_ids: Collection[int], now: datetime) -> None:
    """Prefetch these persons' current absences into a `db.asking_once` block."""
    back = absences_until(session, person_ids, now)
    db.asked(session)[Vacation, now] = {number: back.get(number) for number in person_ids}


def absences_until(session: Session, person_ids: Collection[int], now: datetime) -> dict[int, datetime]:
    """Return when these persons' announced current absences end, by person id."""
    return dict(db.rows(session, _ALL_BACK, people=list(person_ids), now=now))


def announced_spans(
    session: Session, person_ids: Collection[int], since: datetime
) -> dict[int, list[tuple[datetime, datetime]]]:
    """Return when these persons' announced absences begin and end, by person id, without those that ended earlier."""
    query = select(Vacation.person_id, Vacation.begins_at, Vacation.ends_at).where(
        col(Vacation.person_id).in_(list(person_ids)), col(Vacation.announced).is_(True), col(Vacation.ends_at) > since
    )
    found: dict[int, list[tuple[datetime, datetime]]] = {}
    for person_id, begins, ends in session.exec(query.order_by(col(Vacation.begins_at))):
        found.setdefault(person_id, []).append((begins, ends))
    return found


def announced_absence(session: Session, person_id: int, now: datetime) -> Vacation | None:
    """Return a person's current or future announced absence, or None."""
    query = select(Vacation).where(
        col(Vacation.person_id) == person_id, col(Vacation.announced).is_(True), col(Vacation.ends_at) > now
    )
    return session.exec(query.order_by(col(Vacation.begins_at))).first()


def hours_left(person: Person, now: datetime) -> int:
    """Return the hours of absence that a person has left in the current year."""
    return person.vacation_hours_left if now < _year_begins(person) + _YEAR else YEARLY


def absence_left_sentence(hours: int) -> str:
    """Write a sentence on the remaining absence."""
    days, rest = divmod(hours, 24)
    text = ngettext("{count} day", "{count} days", days).format(count=days)
    if rest:
        text += ", " + ngettext("{count} hour", "{count} hours", rest).format(count=rest)
    return _("Leave left this year: {time}.").format(time=text)


def announce(session: Session, person: Person, days: int, *, now: datetime, begins: datetime | None = None) -> Vacation:
    """Announce an absence of some days from `begins` or now, replacing an earlier one.

    It ends at the midnight nearest to the full number of days. The player may still move. Raises AbsenceError if the
    length is not valid or more than is left.
    """
    begins = max(begins or now, now)
    if not 1 <= days * 24 <= YEARLY:
        raise AbsenceError(_("You can be on leave for 1 to {most} days.").format(most=YEARLY // 24))
    if begins > now + LATEST_BEGIN:
        raise AbsenceError(_("Leave must begin within a year."))
    match_ids = _lock_matches_and_person(session, person)
    earlier = announced_absence(session, person.id, now)
    available = hours_left(person, now) + (_unused(earlier, person.zone, now) if earlier else 0)
    if days * 24 > available:
        raise AbsenceError(_too_long(available))
    if earlier is not None:
        _cut(session, person, earlier, now)
    ends = _nearest_midnight(begins, days, person.zone)
    hours = min(_calendar_hours(begins, ends, person.zone), hours_left(person, now))
    absence = Vacation(person_id=person.id, begins_at=begins, ends_at=ends, hours=hours)
    session.add(absence)
    _charge(session, person, hours, now)
    _apply(session, match_ids, now)
    return absence


def come_back(session: Session, person: Person, *, now: datetime) -> int:
    """End the announced absence; return the number of unused hours. Raises AbsenceError."""
    match_ids = _lock_matches_and_person(session, person)
    current = announced_absence(session, person.id, now)
    if current is None:
        raise AbsenceError(_("You're not on leave, and have announced none."))
    unused = _unused(current, person.zone, now)
    _cut(session, person, current, now)
    _apply(session, match_ids, now)
    return unused


def spend_absence(
    session: Session, match: Match, late: Sequence[Player], *, now: datetime
) -> tuple[list[Player], list[Player]]:
    """Use absence for the players whose time has run out, as far as they have any left.

    Returns the players for whom it was used, and those who are still late. A player may be in neither list, because
    another game of theirs used a day meanwhile. The absence begins at the deadline. The players' other games are
    recomputed later (`unapplied`).
    """
    if not late or not has_begun(session, match):
        return [], list(late)
    used = [player for player in late if _spend(session, player, now)]
    still_late = [player for player in late if player.deadline is None or player.deadline <= now]
    return [player for player in used if player not in still_late], still_late


def has_begun(session: Session, match: Match) -> bool:
    """Whether every player of a match has made a move."""
    known, key = db.session_cache(session), ("begun", match.id)
    if key not in known:
        if len(moves_made(session, match.id).by_seat) < len(players_of(session, match.id)):
            return False
        known[key] = True
    return True


def unapplied(session: Session, most: int) -> list[Vacation]:
    """Return automatic absences that are not applied to the player's other games yet."""
    return list(session.exec(UNAPPLIED.order_by(col(Vacation.id)).limit(most)))


def apply(session: Session, absence_id: int, *, now: datetime) -> None:
    """Recompute every deadline of the person whose absence this is."""
    absence = session.get_one(Vacation, absence_id)
    _apply(session, turns.turns_of(session, absence.person_id), now)
    absence.is_applied = True
    session.add(absence)


def _spend(session: Session, player: Player, now: datetime) -> bool:
    """Use absence until the player is in time or has none left; return whether any was used here."""
    if not hours_left(person_of(session, player), now):
        return False  # only a transaction that has locked this match returns hours
    person = session.get_one(Person, player.person_id, with_for_update=db.NO_KEY_UPDATE, populate_existing=True)
    turns.retime(session, player, now)  # another game may have used a day since
    is_used = False
    while (
        player.deadline is not None
        and player.deadline <= now
        and (hours := min(MOST_HOURS_AT_ONCE, hours_left(person, now)))
    ):
        begins = player.deadline
        ends = begins + timedelta(hours=hours)
        session.add(Vacation(person_id=person.id, begins_at=begins, ends_at=ends, announced=False, is_applied=False))
        _charge(session, person, hours, now)
        turns.retime(session, player, now)
        is_used = True
    return is_used


def _lock_matches_and_person(session: Session, person: Person) -> list[int]:
    """Lock the matches in which a person's clock runs, then the person.

    The order is the same everywhere, to avoid deadlocks.
    """
    match_ids = list(turns.turns_of(session, person.id))
    for match_id in match_ids:
        session.get_one(Match, match_id, with_for_update=True, populate_existing=True)
    session.refresh(person, with_for_update=db.NO_KEY_UPDATE)
    return match_ids


def _apply(session: Session, match_ids: Sequence[int], now: datetime) -> None:
    for match_id in match_ids:
        turns.retime_match(session, match_id, now=now)


def _charge(session: Session, person: Person, hours: int, now: datetime) -> None:
    year_start, left = _year_begins(person), hours_left(person, now)
    person.vacation_hours_at = year_start + _YEAR * max((now - year_start) // _YEAR, 0)
    person.vacation_hours_left = left - hours
    session.add(person)
    session.flush()


def _cut(session: Session, person: Person, absence: Vacation, now: datetime) -> None:
    """End an absence now, and return the unused hours to the person."""
    unused = _unused(absence, person.zone, now)
    absence.ends_at = max(now, absence.begins_at)
    session.add(absence)
    _charge(session, person, -min(unused, YEARLY - hours_left(person, now)), now)


def _nearest_midnight(begins: datetime, days: int, zone: str) -> datetime:
    """Return the local midnight nearest to the same time some days later; from noon the next."""
    day = (_local(begins, zone) + timedelta(days=days, hours=12)).date()
    return datetime.combine(day, time(), zone_of(zone)).astimezone(UTC)


def _calendar_hours(begins: datetime, ends: datetime, zone: str) -> int:
    """Return the wall-clock hours between two times, rounded up; every day has 24."""
    return -((_local(begins, zone) - _local(ends, zone)) // _HOUR)


def _local(at: datetime, zone: str) -> datetime:
    return at.astimezone(zone_of(zone)).replace(tzinfo=None)


def _unused(absence: Vacation, zone: str, now: datetime) -> int:
    """Return the unused part of the hours charged for an announced absence."""
    begins, ends = absence.begins_at, absence.ends_at
    charged = _calendar_hours(begins, ends, zone) if absence.hours is None else absence.hours
    return max(charged - _calendar_hours(begins, max(now, begins), zone), 0)


def _year_begins(person: Person) -> datetime:
    return person.vacation_hours_at or person.joined_at


def _too_long(hours: int) -> str:
    if hours < 24:
        return _("You have less than a day of leave left this year.")
    days = hours // 24
    return ngettext(
        "You have {days} day of leave left this year.",
        "You have {days} days of leave left this year.",
        days,
    ).format(days=days)
