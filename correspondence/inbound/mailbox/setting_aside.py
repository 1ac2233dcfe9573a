"""Tells the author of a message that it was dead-lettered.

Only the header of the message is read, because reading the rest is what failed. Mail that gets no other answer gets
none here either, so that no two programs write to each other (mail.md 1.5).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.core.i18n import in_language, moment
from correspondence.inbound import operator_mail
from correspondence.inbound.mailbox import stranger_budget
from correspondence.inbound.mailbox.addresses import OPEN_BOXES, token_at
from correspondence.inbound.mailbox.answering import may_answer
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.reading import message_id_of
from correspondence.inbound.mailbox.repetition import was_sent_often
from correspondence.mime.authentication import AuthResult, auth_result_of
from correspondence.mime.mail_keys import mail_key
from correspondence.models import Match, Person, Purpose, Token
from correspondence.outbound import compose, kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _

NOTICES = 3
"""Maximum notices to one address in 25 hours; unproven From lines are counted separately."""

_KEY = "set_aside"


class _Writer(NamedTuple):
    """The author to notify: address, token for replies, and the game of the message."""

    to: letters.To
    reply_token: int | None = None
    match: Match | None = None


def tell_writer(session: Session, mail: PersonalMail) -> None:
    """Tell the author of a dead message that nothing was executed, unless they get no answers."""
    if operator_mail.is_for_operator(mail.inbound):
        return
    writer = _writer_of(session, mail)
    if writer is None:
        return
    if writer.to.person_id is not None:
        _tell(session, mail, writer)
    elif not stranger_budget.reason_to_drop(session, mail, is_asked=False):
        stranger_budget.answer_within(session, mail, partial(_tell, session, mail, writer), is_asked=False)


def _tell(session: Session, mail: PersonalMail, writer: _Writer) -> None:
    """Write the letter, unless this writer gets no answers."""
    is_proven = mail.box not in OPEN_BOXES
    if not may_answer(session, mail, writer.to, is_proven=is_proven):
        return
    key = f"{_KEY}:{'token' if is_proven else 'from'}"
    if was_sent_often(session, writer.to, key, NOTICES, mail.now):
        return
    with in_language(writer.to.language):
        draft = Draft(
            kinds.ANSWER, f"{key}:{mail.inbound.id}", answers=True, is_unproven=not is_proven,
            in_reply_to=message_id_of(mail.inbound), reply_token=writer.reply_token,
        )  # fmt: skip
        letters.write_letter(
            session, writer.to, draft, now=mail.now, subject_line=_("A message that was not carried out"),
            entries=[TranscriptEntry("", _sentence(mail, writer))], board="",
        )  # fmt: skip


def _sentence(mail: PersonalMail, writer: _Writer) -> str:
    when = moment(mail.inbound.received_at, writer.to.zone, writer.to.language)
    sentence = _(
        "Your message that came on {when} could not be read because of an error on our side. Nothing in it "
        "was played or done. Please send it again."
    ).format(when=when)
    if writer.match is None or writer.match.ended_at is not None:
        return sentence
    also = _("Your clock is running, so you can also move on the game's page: {page}")
    return f"{sentence} {also.format(page=f'%%base%%/games/{writer.match.id}')}"


def _writer_of(session: Session, mail: PersonalMail) -> _Writer | None:
    """Return a message's author by its address and From line; None if nobody can be answered."""
    if mail.box in OPEN_BOXES:
        return _writer_to_everybody(session, mail)
    token = token_at(session, mail.box, mail.settings, mail.now)
    if token is None:
        return None
    if token.person_id is not None:
        return _owner(session, mail, token)
    return _joining(mail, token) if token.purpose == Purpose.JOIN else None


def _owner(session: Session, mail: PersonalMail, token: Token) -> _Writer | None:
    person = session.get_one(Person, token.person_id)
    if not accounts.is_address_of(session, mail.author, person):
        return None
    is_of_game = token.purpose == Purpose.PLAY and token.match_id is not None
    return _member(session, mail, person, token if is_of_game else None)


def _member(session: Session, mail: PersonalMail, person: Person, token: Token | None) -> _Writer | None:
    to = letters.to_person(session, person)
    if to is None:
        return None
    match = session.get(Match, token.match_id) if token is not None else None
    command = token or accounts.command_token(session, person, now=mail.now)
    return _Writer(to, command.id, match)


def _writer_to_everybody(session: Session, mail: PersonalMail) -> _Writer | None:
    """Return the author of mail to an open box; None if our server does not vouch for From."""
    if auth_result_of(mail.inbound.raw, mail.author, mail.settings.mail_authserv_id) in _UNVOUCHED:
        return None
    person = accounts.person_by_address(session, mail.author)
    return _member(session, mail, person, None) if person is not None else _stranger(mail.author, "en")


def _joining(mail: PersonalMail, token: Token) -> _Writer | None:
    request = accounts.payload_of(token)
    is_theirs = mail_key(str(request.get("mail", ""))) == mail_key(mail.author)
    return _stranger(mail.author, str(request.get("language", "en"))) if is_theirs else None


def _stranger(author: str, language: str) -> _Writer | None:
    try:
        compose.wire_address(author)
    except compose.LetterError:
        return None
    return _Writer(letters.To(author, language))


_UNVOUCHED = (AuthResult.FAIL, AuthResult.NONE)
