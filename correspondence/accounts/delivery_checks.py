"""Test letters, which show whether mail reaches a person."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.accounts.accounts import PeopleError, command_token
from correspondence.accounts.letter_budgets import LetterBudget
from correspondence.models import Person
from correspondence.outbound import kinds, suppressions
from correspondence.outbound.letters import Draft, count_letters, mail_of, to_person, write_letter
from engines.wording import _

TESTS = LetterBudget(kinds.TEST, per_hour=4, per_day=12, unproven_per_hour=2, unproven_per_day=6)
"""Maximum number of test letters to a person or a mailbox."""


def request_test_letter(session: Session, person: Person, *, is_proven: bool = True, now: datetime) -> None:
    """Write a test letter; raise PeopleError if over budget.

    `is_proven` means that a session or token, not only a From line, identifies the requester.
    """
    mail = mail_of(session, person)
    if mail is not None and not TESTS.has_room(session, person, mail, is_proven=is_proven, now=now):
        raise PeopleError(_("You've had many test letters in the last hour or day. Please wait a little."))
    serial, command = count_letters(session, person, kinds.TEST), command_token(session, person, now=now)
    draft = Draft(kinds.TEST, f"test:u{person.id}:{serial}", reply_token=command.id)
    write_letter(session, to_person(session, person), draft, now=now, at=now)


def resume_letters(session: Session, person: Person, *, now: datetime) -> None:
    """Lift the suppression of a person's address and send a test letter.

    One hard bounce suppresses it again. Raises PeopleError if over budget.
    """
    request_test_letter(session, person, now=now)
    mail = mail_of(session, person)
    if mail is not None:
        suppressions.lift(session, mail, score=suppressions.ON_PROBATION)
