"""Suspended members: what they may not do, and when a suspension ends by itself.

A suspended member can read, move and resign in running games, so that opponents can finish them. They cannot start or
offer games, or write to anybody. Every use case checks this here, so pages, mail and the API give the same answer.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.core.i18n import moment
from correspondence.models import Person
from correspondence.models.people import SUSPENSION_ENDS
from engines.refusal import Refusal
from engines.wording import _

ENDED = select(Person.id).where(SUSPENSION_ENDS, col(Person.suspended_until) <= bindparam("now"))
"""Query: the members whose suspension has ended by `now`."""

_SUSPENDED = select(Person.id).where(
    col(Person.id).in_(bindparam("persons", expanding=True)), col(Person.suspended_at).is_not(None)
)


class SuspendedError(Refusal):
    """Raised if the member is suspended; str() is a sentence for the member."""


class Suspended(Protocol):
    """A suspended member, as a Person row or as a page's view model."""

    @property
    def language(self) -> str:
        """The member's language."""

    @property
    def zone(self) -> str:
        """The member's time zone."""

    @property
    def suspended_until(self) -> datetime | None:
        """When the suspension ends by itself; None if it does not."""

    @property
    def suspended_for(self) -> str:
        """The operator's reason."""


def sentence(person: Suspended) -> str:
    """Explain a suspension in the current language: its end, its reason and how to object."""
    until = person.suspended_until
    if until is None:
        begins = _("Your account is suspended: {reason}").format(reason=person.suspended_for)
    else:
        when = moment(until, person.zone, person.language)
        begins = _("Your account is suspended until {when}: {reason}").format(when=when, reason=person.suspended_for)
    rest = _(
        "You can play your running games to their end, but not send messages. If you think this is wrong, "
        "write to postmaster at the domain of our letters."
    )
    return f"{begins} {rest}"


def refuse_suspended(person: Person) -> None:
    """Raise SuspendedError if this member is suspended."""
    if person.suspended_at is not None:
        raise SuspendedError(sentence(person))


def suspended_among(session: Session, person_ids: Collection[int]) -> dict[int, str]:
    """Return the sentence for each suspended person among these, by id.

    It takes one query if nobody is suspended.
    """
    ids = [number for (number,) in db.rows(session, _SUSPENDED, persons=list(person_ids))] if person_ids else []
    return {number: sentence(session.get_one(Person, number)) for number in ids}


def lift(session: Session, person: Person) -> None:
    """End a person's suspension."""
    person.suspended_at = person.suspended_until = None
    person.suspended_for = ""
    session.add(person)


def lift_ended(session: Session, person_id: int, *, now: datetime) -> None:
    """End a suspension whose time is over; otherwise do nothing."""
    person = session.get_one(Person, person_id, with_for_update=True, populate_existing=True)
    if person.suspended_until is not None and person.suspended_until <= now:
        lift(session, person)
