"""What a person prefers: language and time zone, boards, time off, and how they play with robots."""

from __future__ import annotations

from sqlmodel import Session

from correspondence.accounts.accounts import PeopleError
from correspondence.core.board_form import BoardForm
from correspondence.core.i18n import LANGUAGES, zones
from correspondence.core.robot_pace import RobotPace
from correspondence.models import Person
from engines.wording import _, listing

LONGEST_LEAD = 168
"""Most hours between a reminder and the deadline."""


def change_settings(session: Session, person: Person, *, language: str, zone: str) -> None:
    """Set a person's language and time zone; raises PeopleError, changing nothing."""
    if language not in LANGUAGES:
        known = listing(list(LANGUAGES.values()), _("or"))
        raise PeopleError(_("That language is not available here. You can choose {known}.").format(known=known))
    if zone not in zones():
        raise PeopleError(_("There is no time zone “{zone}”; write for example Europe/Rome.").format(zone=zone[:40]))
    person.language, person.zone = language, zone
    session.add(person)


def confirm_moves(session: Session, person: Person, is_on: bool) -> None:
    """Set whether a move sent from a page is shown for confirmation before it is played."""
    person.confirm_moves = is_on
    session.add(person)


def rate_robots(session: Session, person: Person, is_on: bool) -> None:
    """Set whether a person's games with robots are rated where they do not say."""
    person.rates_robots = is_on
    session.add(person)


def pace_robots(session: Session, person: Person, pace: str) -> None:
    """Set how soon robots answer a person; raises PeopleError for a pace that there is not."""
    if pace not in set(RobotPace):
        raise PeopleError(_("Robots answer as usual here, at once or later; please choose one of these."))
    person.robot_pace = pace
    session.add(person)


def show_boards_as(session: Session, person: Person, form: str) -> None:
    """Set the form in which letters and pages show positions; raises PeopleError for a form that there is not."""
    if form not in set(BoardForm):
        raise PeopleError(_("A board is shown as {forms}.").format(forms=listing(list(BoardForm), _("or"))))
    person.board = form
    session.add(person)


def change_time_settings(
    session: Session, person: Person, *, off_hours: str, reminder_lead: int, refuses_time_wins: bool
) -> None:
    """Set the hours that do not count (in the format of calendars.py), the reminder lead in hours, and whether to
    refuse wins on time.

    The settings apply from the next turn: a running turn keeps its clock. Raises PeopleError.
    """
    if not 0 <= reminder_lead <= LONGEST_LEAD:
        raise PeopleError(_("You can be reminded at most a week before the deadline."))
    person.off_hours, person.reminder_lead, person.refuses_time_wins = off_hours, reminder_lead, refuses_time_wins
    session.add(person)
