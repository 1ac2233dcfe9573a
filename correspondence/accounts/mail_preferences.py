"""Mail preferences: which letters a person wants, in which form, and when."""

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
    """The mail preferences of a person; the fields are described as columns of Person."""

    turn_letters: bool = True
    talk_letters: bool = True
    reminders: bool = True
    game_over_letters: bool = True
    challenge_letters: bool = True
    announcement_letters: bool = True
    receipts: bool = True
    exercise_letters: bool = False
    stopped_topics: str = ""
    text_only: bool = False
    turn_delay: int = 0
    digest: str = "off"
    digest_hour: int = 7
    quiet_from: int | None = None
    quiet_until: int | None = None


def mail_preferences_of(person: Person) -> MailPreferences:
    """Return the current mail preferences of a person."""
    return MailPreferences(**{name: getattr(person, name) for name in asdict(MailPreferences())})


def change(session: Session, person: Person, preferences: MailPreferences, *, now: datetime) -> None:
    """Set the mail preferences; letters held for a digest become due if its time changes.

    Raises PeopleError, and then changes nothing.
    """
    preferences = _checked(preferences)
    if (preferences.digest, preferences.digest_hour) != (person.digest, person.digest_hour):
        held = select(Letter).where(col(Letter.person_id) == person.id, col(Letter.state) == LetterState.HELD)
        for letter in session.exec(held.with_for_update()):
            letter.due_at = now
            session.add(letter)
    if preferences.exercise_letters and person.exercise_due_at is None:
        person.exercise_due_at = now
    for name, value in asdict(preferences).items():
        setattr(person, name, value)
    session.add(person)


def _checked(preferences: MailPreferences) -> MailPreferences:
    if preferences.digest not in DIGESTS or preferences.turn_delay not in DELAYS:
        raise PeopleError(_("A digest is off, hourly or daily; a letter waits 0, 5, 30 or 120 minutes."))
    hours = [
        hour for hour in (preferences.digest_hour, preferences.quiet_from, preferences.quiet_until) if hour is not None
    ]
    if not all(0 <= hour <= 23 for hour in hours):
        raise PeopleError(_("Hours are whole numbers from 0 to 23."))
    if (preferences.quiet_from is None) != (preferences.quiet_until is None):
        raise PeopleError(_("Quiet hours need a start and an end."))
    if preferences.quiet_from is not None and preferences.quiet_from == preferences.quiet_until:
        return replace(preferences, quiet_from=None, quiet_until=None)
    return preferences
