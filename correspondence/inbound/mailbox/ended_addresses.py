"""Mail to a reply address of an ended game or a lost machine: explained, not executed.

The HMAC proves that the address was ours, so the mail answers an old letter. The address gives no authority. The answer
is the same for everybody, so it reveals nothing about the game or its players.
"""

from __future__ import annotations

from functools import partial

from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.commands.handlers import Sender
from correspondence.core.i18n import in_language, moment
from correspondence.inbound.mailbox import stranger_budget
from correspondence.inbound.mailbox.addresses import lost_with
from correspondence.inbound.mailbox.answering import answer
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.reading import drop_reaction
from correspondence.inbound.mailbox.store import close
from correspondence.mime.authentication import AuthResult, auth_result_of
from correspondence.models import InboundState, Person
from correspondence.outbound import compose, letters
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _

ENDED = "its reply address has expired"
"""The outcome recorded for such mail."""


def handle_ended(session: Session, mail: PersonalMail) -> None:
    """Answer mail to an ended address, if an answer is allowed; change nothing else."""
    drop_reaction(mail.inbound)
    if auth_result_of(mail.inbound.raw, mail.author, mail.settings.mail_authserv_id) not in _UNVOUCHED:
        person = accounts.person_by_address(session, mail.author)
        if person is None:
            write = partial(_answer, session, mail, _stranger(mail.author), None)
            with in_language("en"):
                if stranger_budget.answer_within(session, mail, write, is_asked=False):
                    return
        else:
            with in_language(person.language):
                _answer(session, mail, letters.to_person(session, person), person)
    close(session, mail.inbound, InboundState.REJECTED, ENDED)


def refuse_forgotten(session: Session, mail: PersonalMail, person: Person) -> None:
    """Refuse mail that quotes a deleted letter, because quotations cannot be told from new text."""
    drop_reaction(mail.inbound)
    with in_language(person.language):
        sentence = _(
            "You replied to a letter so old that we no longer have its text, so we can't tell what in your mail "
            "is new. Nothing was done. Please write a new mail to this address, or reply to a newer letter."
        )
        _write(session, mail, letters.to_person(session, person), person, sentence, is_believed=True)
    close(session, mail.inbound, InboundState.REJECTED, "the letter is no longer kept")


def _answer(session: Session, mail: PersonalMail, to: letters.To | None, person: Person | None) -> None:
    kept_until = lost_with(session, mail.box, mail.settings)
    if kept_until is not None:
        when = moment(kept_until, to.zone if to is not None else "UTC", to.language if to is not None else "en")
        sentence = _(
            "Your mail replies to a letter that we lost with a machine: everything after {when} is gone. Nothing "
            "was done. Your games continue from how they stood then; they are listed here: %%base%%/games"
        )
        _write(session, mail, to, person, sentence.format(when=when))
        return
    sentence = _(
        "Your mail went to the address of an old letter. That game ended long ago, and the address no longer "
        "works. Nothing was done. Please reply to a newer letter, or write to %%play%%; your games are "
        "listed here: %%base%%/games"
    )
    _write(session, mail, to, person, sentence)


def _write(
    session: Session,
    mail: PersonalMail,
    to: letters.To | None,
    person: Person | None,
    sentence: str,
    *,
    is_believed: bool = False,
) -> None:
    sender = None
    if person is not None:
        sender = Sender(person, None, None, now=mail.now, rng=mail.rng, is_believed=is_believed)
    answer(
        session, mail, to, [TranscriptEntry("", sentence)], subject=_("A message that was not carried out"),
        sender=sender, once="old letter",
    )  # fmt: skip


def _stranger(author: str) -> letters.To | None:
    try:
        compose.wire_address(author)
    except compose.LetterError:
        return None
    return letters.To(author)


_UNVOUCHED = (AuthResult.FAIL, AuthResult.NONE)
