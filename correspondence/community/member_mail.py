"""Letters between members that go through us: neither learns the other's address."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.accounts.accounts import new_token, payload_of, person_called, stop_token
from correspondence.accounts.relations import is_blocked
from correspondence.community.directory import shown_by
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import Contact, Person, Purpose, Token
from correspondence.outbound import letters
from correspondence.play import talk_guard
from correspondence.play.matches import clean_talk
from engines.wording import _

FIRST_LETTERS_A_DAY = 5
"""How many letters a member can write in a day to people who have not written to him."""

TO_ONE_A_WEEK = 2
"""How many of them to the same person in a week."""

ANSWERS_A_DAY = 30
"""How many answers a member can send in a day."""

ANSWERED_WITHIN = timedelta(days=60)
"""How long a letter can be answered through us."""

LONGEST = 4_000


def write(session: Session, person: Person, handle: str, text: str, *, now: datetime) -> None:
    """Write to a member who takes letters; his answer comes back through us. Raises PartnerError."""
    other = person_called(session, handle)
    if other is None:
        raise ChallengeError(_("Nobody here is called “{handle}”.").format(handle=handle.strip()[:40]))
    if other.id == person.id:
        raise ChallengeError(_("That would be a letter to yourself."))
    if not shown_by(session, other.id).takes_letters or is_blocked(session, person.id, other.id):
        raise ChallengeError(_("{handle} takes no letters from members.").format(handle=other.handle))
    if _sent(session, person, now - timedelta(days=1), answers=False) >= FIRST_LETTERS_A_DAY:
        sentence = _("You have written {count} letters today. Please wait until tomorrow.")
        raise ChallengeError(sentence.format(count=FIRST_LETTERS_A_DAY))
    if _sent(session, person, now - timedelta(days=7), answers=False, to=other) >= TO_ONE_A_WEEK:
        sentence = _("You have written to {handle} already this week. Please wait for an answer.")
        raise ChallengeError(sentence.format(handle=other.handle))
    _pass_on(session, person, other, text, answers=False, now=now)


def answer(session: Session, person: Person, token: Token, text: str, *, now: datetime) -> Person:
    """Answer the member whose letter this token came with; returns who that is. Raises PartnerError."""
    other = session.get(Person, int(payload_of(token)["to"]))
    if other is None or is_blocked(session, person.id, other.id) or letters.mail_of(session, other) is None:
        raise ChallengeError(_("This letter can no longer be answered."))
    if _sent(session, person, now - timedelta(days=1), answers=True) >= ANSWERS_A_DAY:
        sentence = _("You have written {count} answers today. Please wait until tomorrow.")
        raise ChallengeError(sentence.format(count=ANSWERS_A_DAY))
    _pass_on(session, person, other, text, answers=True, now=now)
    return other


def _pass_on(session: Session, person: Person, other: Person, text: str, *, answers: bool, now: datetime) -> None:
    said = clean_talk(text)[:LONGEST]
    if not said:
        raise ChallengeError(_("There is nothing in this letter to pass on."))
    try:
        talk_guard.must_not_write(session, person.id, other.id, said)
    except talk_guard.Secret as error:
        raise ChallengeError(str(error)) from error
    contact = Contact(sender_id=person.id, recipient_id=other.id, answers=answers, at=now)
    session.add(contact)
    session.flush()
    reply = new_token(session, Purpose.CONTACT, now=now, person=other, lasts=ANSWERED_WITHIN, to=person.id)
    letters.write_letter(
        session,
        "contact",
        letters.to_person(session, other),
        f"contact:{contact.id}",
        now=now,
        reply_token=reply.id,
        stop_token=stop_token(session, other, now=now).id,
        other=person.handle,
        text=said,
        is_answer=answers,
    )


def _sent(session: Session, person: Person, since: datetime, *, answers: bool, to: Person | None = None) -> int:
    counted = select(func.count()).select_from(Contact)
    counted = counted.where(
        col(Contact.sender_id) == person.id, col(Contact.at) > since, col(Contact.answers).is_(answers)
    )
    return session.exec(counted.where(col(Contact.recipient_id) == to.id) if to is not None else counted).one()
