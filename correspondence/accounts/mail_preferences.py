"""Which letters a person wants, in which form, and when: changed on a page or by mail."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import PeopleError
from correspondence.models import Letter, LetterState, Person
from correspondence.outbound.schedule import DELAYS, DIGESTS
from engines.wording import _


@dataclass(frozen=True, slots=True)
class MailPreferences:
    """All that can be wished about letters, as it stands on the person; see there."""

    turn_letters: bool = True
    talk_letters: bool = True
    reminders: bool = True
    over_letters: bool = True
    challenge_letters: bool = True
    receipts: bool = False
    text_only: bool = False
    turn_delay: int = 0
    digest: str = "off"
    digest_hour: int = 7
    quiet_from: int | None = None
    quiet_until: int | None = None


def wishes_of(person: Person) -> MailPreferences:
    """What a person wishes now."""
    return MailPreferences(**{name: getattr(person, name) for name in asdict(MailPreferences())})


def change(session: Session, person: Person, wanted: MailPreferences, *, now: datetime) -> None:
    """Set what a person wishes; what waits for a digest is told at once when its time changes.

    Raises PeopleError, changing nothing.
    """
    wanted = _checked(wanted)
    if (wanted.digest, wanted.digest_hour) != (person.digest, person.digest_hour):
        held = select(Letter).where(col(Letter.person_id) == person.id, col(Letter.state) == LetterState.HELD)
        for letter in session.exec(held.with_for_update()):
            letter.due_at = now
            session.add(letter)
    for name, value in asdict(wanted).items():
        setattr(person, name, value)
    session.add(person)


def _checked(wanted: MailPreferences) -> MailPreferences:
    if wanted.digest not in DIGESTS or wanted.turn_delay not in DELAYS:
        raise PeopleError(_("A digest comes off, hourly or daily; a letter waits 0, 5, 30 or 120 minutes."))
    hours = [hour for hour in (wanted.digest_hour, wanted.quiet_from, wanted.quiet_until) if hour is not None]
    if not all(0 <= hour <= 23 for hour in hours):
        raise PeopleError(_("Hours are whole numbers from 0 to 23."))
    if (wanted.quiet_from is None) != (wanted.quiet_until is None):
        raise PeopleError(_("Quiet hours need a beginning and an end."))
    if wanted.quiet_from is not None and wanted.quiet_from == wanted.quiet_until:
        return replace(wanted, quiet_from=None, quiet_until=None)
    return wanted
