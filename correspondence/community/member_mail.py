"""Letters between members, relayed so that neither learns the other's address."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.accounts.accounts import new_token, nobody_called, payload_of, person_by_handle
from correspondence.accounts.letter_stops import stop_token
from correspondence.accounts.relations import is_blocked
from correspondence.accounts.suspensions import refuse_suspended
from correspondence.community.directory import preferences_of
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import MemberMail, Person, Purpose, Token
from correspondence.models.locks import hold_person
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.play import talk_guard
from correspondence.play.matches import clean_talk
from engines.wording import _

FIRST_LETTERS_A_DAY = 5
"""Maximum letters of one member a day, not counting answers."""

TO_ONE_A_WEEK = 2
"""Maximum letters, not counting answers, to the same person in a week."""

ANSWERS_A_DAY = 30
"""Maximum answers of one member a day."""

ANSWERED_WITHIN = timedelta(days=60)
"""Time for which a letter can be answered."""

LONGEST = 4_000
"""Maximum length of a letter, in characters; the rest is cut."""


def write(session: Session, person: Person, handle: str, text: str, *, now: datetime) -> None:
    """Write to a member who accepts letters; their answer is relayed back.

    Raises ChallengeError or SuspendedError.
    """
    other = person_by_handle(session, handle)
    if other is None:
        raise ChallengeError(nobody_called(handle))
    if other.id == person.id:
        raise ChallengeError(_("You cannot write to yourself."))
    is_open = preferences_of(session, other.id).takes_letters and letters.mail_of(session, other) is not None
    if not is_open or is_blocked(session, person.id, other.id):
        raise ChallengeError(_("{handle} does not accept letters from members.").format(handle=other.handle))
    hold_person(session, person)
    if _sent(session, person, now - timedelta(days=1), answers=False) >= FIRST_LETTERS_A_DAY:
        sentence = _("You have written {count} letters today. Please wait until tomorrow.")
        raise ChallengeError(sentence.format(count=FIRST_LETTERS_A_DAY))
    if _sent(session, person, now - timedelta(days=7), answers=False, to=other) >= TO_ONE_A_WEEK:
        sentence = _("You have written to {handle} already this week. Please wait for an answer.")
        raise ChallengeError(sentence.format(handle=other.handle))
    _relay(session, person, other, text, answers=False, now=now)


def answer(session: Session, person: Person, token: Token, text: str, *, now: datetime) -> Person:
    """Answer the member whose letter carried this token, and return that member.

    Raises ChallengeError or SuspendedError.
    """
    other = session.get(Person, int(payload_of(token)["to"]))
    if other is None or is_blocked(session, person.id, other.id) or letters.mail_of(session, other) is None:
        raise ChallengeError(_("This letter can no longer be answered."))
    hold_person(session, person)
    if _sent(session, person, now - timedelta(days=1), answers=True) >= ANSWERS_A_DAY:
        sentence = _("You have written {count} answers today. Please wait until tomorrow.")
        raise ChallengeError(sentence.format(count=ANSWERS_A_DAY))
    _relay(session, person, other, text, answers=True, now=now)
    return other


def _relay(session: Session, person: Person, other: Person, text: str, *, answers: bool, now: datetime) -> None:
    refuse_suspended(person)
    body = clean_talk(text)[:LONGEST]
    if not body:
        raise ChallengeError(_("There is nothing in this letter to pass on."))
    try:
        talk_guard.refuse_disclosure_to_member(session, person.id, other.id, body)
    except talk_guard.SecretDisclosedError as error:
        raise ChallengeError(str(error)) from error
    contact = MemberMail(sender_id=person.id, recipient_id=other.id, answers=answers, at=now)
    session.add(contact)
    session.flush()
    reply = new_token(session, Purpose.CONTACT, now=now, person=other, lasts=ANSWERED_WITHIN, to=person.id)
    stop = stop_token(session, other, kinds.CONTACT, now=now)
    draft = Draft(kinds.CONTACT, f"contact:{contact.id}", reply_token=reply.id, stop_token=stop, member=person.handle)
    to = letters.to_person(session, other)
    letters.write_letter(session, to, draft, now=now, other=person.handle, text=body, is_answer=answers)


def _sent(session: Session, person: Person, since: datetime, *, answers: bool, to: Person | None = None) -> int:
    query = select(func.count()).select_from(MemberMail)
    query = query.where(
        col(MemberMail.sender_id) == person.id, col(MemberMail.at) > since, col(MemberMail.answers).is_(answers)
    )
    return session.exec(query.where(col(MemberMail.recipient_id) == to.id) if to is not None else query).one()
