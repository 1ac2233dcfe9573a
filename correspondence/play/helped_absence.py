"""The absence of a postal player, announced or ended by their helper."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import postal_members
from correspondence.clocks import vacations
from correspondence.models import Person, Vacation


def announce(session: Session, helper: Person, handle: str, days: int, *, now: datetime) -> Vacation:
    """Announce an absence for a person the member helps. Raises PeopleError or AbsenceError."""
    return vacations.announce(session, postal_members.helped_person(session, helper, handle), days, now=now)


def end(session: Session, helper: Person, handle: str, *, now: datetime) -> None:
    """End the absence of a person the member helps. Raises PeopleError or AbsenceError."""
    vacations.come_back(session, postal_members.helped_person(session, helper, handle), now=now)
