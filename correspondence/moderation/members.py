"""Acts about one member: warn, suspend, restore, and end their sessions."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from correspondence.accounts import access, operators, suspensions
from correspondence.accounts.access import Ending
from correspondence.accounts.accounts import person_called
from correspondence.core.i18n import moment
from correspondence.core.integers import whole
from correspondence.matchmaking import challenges
from correspondence.models import OperatorAct, Person
from correspondence.moderation.acts import Act, ActError, Given, Operator, PlannedAct, note_reversed, standing
from correspondence.moderation.letters_of_acts import tell
from engines.wording import N_, _, ngettext

LONGEST = 3_650
"""Maximum days of a temporary suspension."""

_WARNING = N_("A warning from the operator")
_WARNED = N_("The operator of this site warns you.")
_WARNED_MORE = N_("Nothing else has changed: you can play, seek games and talk as before.")
_NO_WARNING = N_("The operator has withdrawn a warning")
_UNWARNED = N_("The operator has withdrawn the earlier warning.")
_SUSPENSION = N_("Your account has been suspended")
_SUSPENDED = N_("Your account is suspended until {when}.")
_SUSPENDED_OPENLY = N_("Your account is suspended until the operator restores it.")
_MEANWHILE = N_(
    "You can play your running games to their end and resign, but not send messages. You can't begin or "
    "offer games, or write to members. Your open seeks, challenges and invitations are withdrawn."
)
_RESTORATION = N_("Your account has been restored")
_RESTORED = N_("Your account has been restored: you can seek games and talk again.")
_SIGNING_OUT = N_("You have been signed out everywhere")
_SIGNED_OUT = N_("The operator has signed you out in every browser.")
_SIGNED_OUT_MORE = N_(
    "Links to sign in that you have not used, tokens of programs and the address of your calendar no longer work, and webhooks "
    "are removed; make new ones on the pages. Letters of your games can be answered as before."
)


def person_for_act(session: Session, operator: Operator, handle: str) -> Person:
    """Return the member of an act; raise PeopleError if unknown, ActError for a robot."""
    person = person_called(session, handle)
    if person.robot_level:
        raise ActError(_("{handle} is a robot.").format(handle=person.handle))
    return person


def refuse_oneself_and_the_last(session: Session, operator: Operator, person: Person) -> None:
    """Raise ActError if an operator would lock out themselves, or the only operator."""
    if person.id == operator.person_id:
        raise ActError(_("That is you. Ask another operator."))
    if operators.operators(session) == [person.handle]:
        raise ActError(_("{handle} is the only operator. Appoint another one first.").format(handle=person.handle))


# -- warn ------------------------------------------------------------------------------


def _plan_warning(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    person = person_for_act(session, operator, given.handle)

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        tell(session, row, person, _WARNING, _WARNED, _WARNED_MORE, now=now)
        return {}

    sentence = _("{handle} gets a letter with this reason, and the warning stays listed here. Nothing else changes.")
    return PlannedAct(sentence.format(handle=person.handle), carry_out, person_id=person.id)


def _undo_warning(session: Session, row: OperatorAct, _facts: dict[str, Any], now: datetime) -> None:
    tell(session, row, session.get_one(Person, row.person_id), _NO_WARNING, _UNWARNED, now=now, is_undone=True)


WARN = Act(
    name="warn",
    title=N_("Warn a member"),
    button=N_("Warn them"),
    needs=("handle",),
    plan=_plan_warning,
    undo=_undo_warning,
)


# -- suspend and restore ---------------------------------------------------------------


def _plan_suspension(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    person, days = person_for_act(session, operator, given.handle), _days(given.days)
    refuse_oneself_and_the_last(session, operator, person)
    if person.suspended_at is not None:
        raise ActError(_("{handle} is already suspended. Restore them first.").format(handle=person.handle))
    until = now + timedelta(days=days) if days else None

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        challenges.hold_offers(session, person)
        person.suspended_at, person.suspended_until, person.suspended_for = now, until, row.reason
        session.add(person)
        challenges.end_offers(session, person, now=now)
        when = moment(until, person.zone, person.language) if until else ""
        what = _SUSPENDED if until else _SUSPENDED_OPENLY
        tell(session, row, person, _SUSPENSION, what, _MEANWHILE, now=now, when=when)
        return {}

    return PlannedAct(
        _suspension_sentence(person, days), carry_out, person_id=person.id, detail=f"{days} d" if days else ""
    )


def _suspension_sentence(person: Person, days: int) -> str:
    """Describe a suspension for the operator."""
    if days:
        begins = ngettext("{handle} is suspended for {count} day.", "{handle} is suspended for {count} days.", days)
    else:
        begins = _("{handle} is suspended until somebody restores them.")
    rest = _(
        "They play their running games to the end, without messages. They can't begin or offer games, talk, "
        "or write to members. Their open seeks, challenges and invitations are withdrawn, and challenges to "
        "them declined. They get a letter with this reason."
    )
    return f"{begins.format(handle=person.handle, count=days)} {rest}"


def _days(text: str) -> int:
    """Read the number of days; 0 for none. Raises ActError."""
    if not text.strip():
        return 0
    days = whole(text.strip(), LONGEST)
    if not days:
        raise ActError(_("Give a number of days from 1 to {most}, or none for no end.").format(most=LONGEST))
    return days


def _undo_suspension(session: Session, row: OperatorAct, _facts: dict[str, Any], now: datetime) -> None:
    person = session.get_one(Person, row.person_id)
    if person.suspended_at != row.at:
        raise ActError(_("{handle} is no longer suspended by that act.").format(handle=person.handle))
    suspensions.lift(session, person)
    tell(session, row, person, _RESTORATION, _RESTORED, now=now, is_undone=True)


def _plan_restoring(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    person = person_for_act(session, operator, given.handle)
    if person.suspended_at is None:
        raise ActError(_("{handle} is not suspended.").format(handle=person.handle))

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        suspension = standing(session, SUSPEND.name, person_id=person.id)
        if suspension is not None:
            note_reversed(session, suspension, operator, now=now)
        suspensions.lift(session, person)
        tell(session, row, person, _RESTORATION, _RESTORED, now=now)
        return {}

    sentence = _(
        "{handle} can seek games and talk again at once. What was withdrawn stays withdrawn. They get a letter."
    )
    return PlannedAct(sentence.format(handle=person.handle), carry_out, person_id=person.id)


SUSPEND = Act(
    name="suspend",
    title=N_("Suspend a member"),
    button=N_("Suspend them"),
    needs=("handle",),
    takes=("days",),
    plan=_plan_suspension,
    undo=_undo_suspension,
)

RESTORE = Act(
    name="restore",
    title=N_("Restore a suspended member"),
    button=N_("Restore them"),
    needs=("handle",),
    plan=_plan_restoring,
)


# -- end sessions ----------------------------------------------------------------------


def _plan_signing_out(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    person = person_for_act(session, operator, given.handle)

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        access.end(session, person, Ending.SIGN_OUT, now=now)
        tell(session, row, person, _SIGNING_OUT, _SIGNED_OUT, _SIGNED_OUT_MORE, now=now)
        return {}

    sentence = _(
        "{handle} is signed out in every browser. Links to sign in that they have not used, tokens of their programs and the "
        "address of their calendar no longer work, and their webhooks are removed. They can sign in again by a new link, and "
        "answer letters as before. They get a letter with this reason."
    )
    return PlannedAct(sentence.format(handle=person.handle), carry_out, person_id=person.id)


END_SESSIONS = Act(
    name="end-sessions",
    title=N_("Sign a member out everywhere"),
    button=N_("Sign them out"),
    needs=("handle",),
    plan=_plan_signing_out,
)
