"""Settings of a person: language, time zone, boards, reminders, time off and robots."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import Session

from correspondence.accounts.accounts import PeopleError
from correspondence.core.board_form import BoardForm
from correspondence.core.i18n import LANGUAGES, zones
from correspondence.core.robot_pace import RobotPace
from correspondence.models import Person
from engines.wording import _, listing, ngettext

LONGEST_LEAD = 168
"""Maximum time between a reminder and the deadline, in hours."""

MOST_GAMES = 200
"""The highest limit of simultaneous games that a member can choose."""

LIST_VIEWS = ("table", "boards")
"""The forms of the list of games."""

MOST_LEADS = 4
"""Maximum number of reminders in a turn."""


def change_settings(session: Session, person: Person, *, language: str, zone: str) -> None:
    """Set a person's language and time zone; raise PeopleError if either is unknown."""
    if language not in LANGUAGES:
        known = listing(list(LANGUAGES.values()), _("or"))
        raise PeopleError(_("That language is not available here. You can choose {known}.").format(known=known))
    if zone not in (*zones(), person.zone):
        raise PeopleError(_("There is no time zone “{zone}”; write for example Europe/Rome.").format(zone=zone[:40]))
    person.language, person.zone = language, zone
    session.add(person)


def confirm_moves(session: Session, person: Person, is_on: bool) -> None:
    """Set whether a move sent from a page must be confirmed before it is played."""
    person.confirm_moves = is_on
    session.add(person)


def step_on(session: Session, person: Person, is_on: bool) -> None:
    """Set whether the next game is shown after a move on a page."""
    person.steps_on = is_on
    session.add(person)


def limit_games(session: Session, person: Person, most: int | None) -> None:
    """Set the most games with people that a person wants at once; None for the limit of the service.

    Raise PeopleError unless it is from 1 to MOST_GAMES.
    """
    if most is not None and not 1 <= most <= MOST_GAMES:
        raise PeopleError(_("A limit of games at once is a number from 1 to {most}.").format(most=MOST_GAMES))
    person.games_limit = most
    session.add(person)


def show_list_as(session: Session, person: Person, view: str) -> None:
    """Set whether the list of games is a `table` or `boards`; anything else leaves it to the number of games."""
    person.list_view = view if view in LIST_VIEWS else ""
    session.add(person)


def use_list_keys(session: Session, person: Person, is_on: bool) -> None:
    """Set whether keys work in the list of games."""
    person.list_keys = is_on
    session.add(person)


def rate_robots(session: Session, person: Person, is_on: bool) -> None:
    """Set whether a person's games with robots are rated by default."""
    person.rates_robots = is_on
    session.add(person)


def pace_robots(session: Session, person: Person, pace: str) -> None:
    """Set how soon robots answer a person; raise PeopleError if the pace is unknown."""
    if pace not in set(RobotPace):
        raise PeopleError(_("Robots can answer at once, later or as usual; please choose one of these."))
    person.robot_pace = pace
    session.add(person)


def show_boards_as(session: Session, person: Person, form: str) -> None:
    """Set the form in which a person sees boards; raise PeopleError if it is unknown."""
    if form not in set(BoardForm):
        raise PeopleError(_("A board can be shown as {forms}.").format(forms=listing(list(BoardForm), _("or"))))
    person.board = form
    session.add(person)


def reminder_leads(person: Person) -> tuple[int, ...]:
    """Return the hours before the deadline at which a person is reminded, longest first.

    Empty for the default: after four fifths of the time.
    """
    return tuple(int(hours) for hours in person.reminder_leads.split())


def lead_in_words(hours: int) -> str:
    """Describe the time between a reminder and the deadline."""
    if hours % 24:
        return ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    return ngettext("{count} day", "{count} days", hours // 24).format(count=hours // 24)


def change_time_settings(
    session: Session, person: Person, *, off_hours: str, reminder_leads: Collection[int], refuses_time_wins: bool
) -> None:
    """Set off-hours, reminder times and whether to decline wins on time.

    `off_hours` has the format of calendars.py. `reminder_leads` are hours before the deadline; if empty, the reminder
    comes after four fifths of the time. The settings apply from the next turn: a running turn keeps its clock. Raises
    PeopleError.
    """
    leads = sorted(set(reminder_leads), reverse=True)
    if not all(1 <= lead <= LONGEST_LEAD for lead in leads):
        raise PeopleError(_("You can be reminded at most a week before the deadline."))
    if len(leads) > MOST_LEADS:
        raise PeopleError(_("You can be reminded at most {most} times in a turn.").format(most=MOST_LEADS))
    person.off_hours, person.refuses_time_wins = off_hours, refuses_time_wins
    person.reminder_leads = " ".join(map(str, leads))
    session.add(person)
