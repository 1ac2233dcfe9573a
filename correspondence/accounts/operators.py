"""Operators: members who run the service and can open the admin page."""

from __future__ import annotations

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import PeopleError, person_called
from correspondence.models import Person
from engines.wording import _


def appoint(session: Session, handle: str, *, is_operator: bool = True) -> Person:
    """Make a member an operator, or an ordinary member with `is_operator=False`.

    Raises PeopleError if the handle is unknown or a robot's.
    """
    person = person_called(session, handle)
    if person.robot_level:
        raise PeopleError(_("{handle} is a robot, and robots cannot be operators.").format(handle=person.handle))
    person.is_operator = is_operator
    session.add(person)
    session.flush()
    return person


def is_operator(session: Session, person_id: int) -> bool:
    """Whether this member is an operator now; suspended and departed members are not."""
    query = select(Person.id).where(col(Person.id) == person_id, col(Person.is_operator).is_(True))
    query = query.where(col(Person.departed_at).is_(None), col(Person.suspended_at).is_(None))
    return session.exec(query).first() is not None


def operators(session: Session) -> list[str]:
    """Return the handles of all operators who are not suspended, in alphabetical order."""
    query = select(Person.handle).where(col(Person.is_operator).is_(True), col(Person.departed_at).is_(None))
    query = query.where(col(Person.suspended_at).is_(None))
    return list(session.exec(query.order_by(col(Person.handle_key))))
