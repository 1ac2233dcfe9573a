"""Declining an invitation, and reopening an invitation or challenge declined by mistake."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.accounts import relations
from correspondence.accounts.accounts import PeopleError, command_token, live_token, payload_of
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.matchmaking.seeks import locked
from correspondence.models import EventKind, Letter, Person, Purpose, Seek, SeekState
from correspondence.outbound import events, kinds, letters
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.letters import Draft
from engines import GAMES
from engines.wording import _, listing

REOPEN_WITHIN = timedelta(hours=1)
"""Time within which a person can reopen what they declined."""


def declined() -> str:
    """Confirm that an invitation was declined."""
    return _("You have declined the invitation.")


def mistake() -> str:
    """Explain how to reopen what was declined."""
    return _("To undo that, reply within an hour with the word: reopen")


def decline_invitation(session: Session, token_id: int, *, now: datetime) -> Seek:
    """Decline the invitation of the letter with this token, and notify the inviter.

    The caller has checked that the writer received that letter. Raises PeopleError or ChallengeError.
    """
    seek = _of_letter(session, token_id, now)
    if seek.state != SeekState.OPEN:
        raise ChallengeError(_("This invitation is no longer open."))
    seek.state = SeekState.DECLINED
    session.add(seek)
    _tell(session, kinds.DECLINED, seek, "", now)
    return seek


def reopen_invitation(session: Session, token_id: int, *, now: datetime) -> Seek:
    """Reopen the invitation of the letter with this token, within an hour.

    Raises PeopleError or ChallengeError.
    """
    return _reopened(session, _of_letter(session, token_id, now), "", now)


def reopen(session: Session, person: Person, number: int | None, *, now: datetime) -> Seek:
    """Reopen a challenge that this person declined within the last hour.

    Without `number`, it reopens the only one. The challenger is notified. Raises ChallengeError.
    """
    query = select(Seek.id).where(col(Seek.opponent_id) == person.id, col(Seek.state) == SeekState.DECLINED)
    declined = [one for one in session.exec(query.order_by(col(Seek.id))) if number in (None, one)]
    recent = [one for one in declined if _declined_at(session, one, now) is not None]
    if len(recent) > 1:
        numbers = listing([str(one) for one in recent], _("and"))
        sentence = _("You declined several challenges within an hour: {numbers}. Write for example: reopen {number}")
        raise ChallengeError(sentence.format(numbers=numbers, number=recent[-1]))
    seek = locked(session, recent[0]) if recent else None
    if seek is None:
        raise ChallengeError(_("You have not declined anything within the last hour that could be reopened."))
    relations.require_available(session, person, session.get_one(Person, seek.person_id))
    return _reopened(session, seek, person.handle, now)


def _of_letter(session: Session, token_id: int, now: datetime) -> Seek:
    """Return the invitation that a letter's token belongs to, locked.

    Raises PeopleError if the token is used, expired or not from an invitation letter.
    """
    token = live_token(session, token_id, Purpose.INVITE, now=now)
    seek = locked(session, int(payload_of(token)["seek"]))
    if seek is None or not payload_of(token).get("is_own"):
        raise PeopleError(_("This link or answer no longer works. Please ask for a new one."))
    return seek


def _reopened(session: Session, seek: Seek, by: str, now: datetime) -> Seek:
    if seek.state != SeekState.DECLINED or _declined_at(session, seek.id, now) is None:
        raise ChallengeError(_("You have not declined anything within the last hour that could be reopened."))
    if seek.expires_at is not None and seek.expires_at <= now:
        raise ChallengeError(_("This invitation is no longer open."))
    if letters.is_written(session, _key(kinds.REOPENED, seek)):
        raise ChallengeError(
            _("You have already reopened that once. Please write to your opponent, or ask for a game.")
        )
    seek.state = SeekState.OPEN
    session.add(seek)
    _tell(session, kinds.REOPENED, seek, by, now)
    return seek


def _key(kind: LetterKind, seek: Seek) -> str:
    return f"{kind.name}:s{seek.id}"


def _declined_at(session: Session, number: int, now: datetime) -> datetime | None:
    """Return when a challenge was declined, from its letter; None if not within the last hour."""
    letter = select(Letter.created_at).where(
        col(Letter.kind) == kinds.DECLINED.name, col(Letter.key) == f"{kinds.DECLINED.name}:s{number}",
        col(Letter.created_at) > now - REOPEN_WITHIN,
    )  # fmt: skip
    return session.exec(letter).first()


def _tell(session: Session, kind: LetterKind, seek: Seek, by: str, now: datetime) -> None:
    """Notify the challenger or inviter.

    `by` is the handle of the other person; empty for an invitation, which names nobody.
    """
    reader = session.get_one(Person, seek.person_id)
    events.note(session, [reader], EventKind.CHALLENGE_ANSWERED, about=seek.id, now=now)
    command = command_token(session, reader, now=now)
    key = _key(kind, seek)
    if letters.is_written(session, key):  # reopened and declined a second time
        key = f"{key}:again"
    draft = Draft(kind, key, reply_token=command.id, member=by)
    letters.write_letter(
        session, letters.to_person(session, reader), draft, now=now, other=by, game=GAMES[seek.game], seek=seek
    )
