"""Letters that show a person whether letters reach them."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.accounts.accounts import PeopleError, command_token
from correspondence.models import Person
from correspondence.outbound import kinds, suppressions
from correspondence.outbound.letters import Draft, count_letters, mail_of, to_person, write_letter
from engines.wording import _

TESTS_PER_HOUR = 3
"""Most test letters to a person in an hour."""


def request_test_letter(session: Session, person: Person, *, now: datetime) -> None:
    """Write a test letter. Raises PeopleError if there were too many within an hour."""
    if count_letters(session, person, kinds.TEST, now - timedelta(hours=1)) >= TESTS_PER_HOUR:
        sentence = _("You had {count} test letters within an hour. Please wait a little.")
        raise PeopleError(sentence.format(count=TESTS_PER_HOUR))
    serial, desk = count_letters(session, person, kinds.TEST), command_token(session, person, now=now)
    draft = Draft(kinds.TEST, f"test:u{person.id}:{serial}", reply_token=desk.id)
    write_letter(session, to_person(session, person), draft, now=now, at=now)


def resume_letters(session: Session, person: Person, *, now: datetime) -> None:
    """Take a person's address off the suppression list and send a test letter; one hard bounce suppresses it again.

    Raises PeopleError if there were too many test letters.
    """
    request_test_letter(session, person, now=now)
    mail = mail_of(session, person)
    if mail is not None:
        suppressions.lift(session, mail, score=suppressions.ON_PROBATION)
