"""Replies to letters about access: yes from a new address, undo of a change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sqlmodel import Session

from correspondence.accounts import accounts, address_changes, addresses, helper_undo
from correspondence.commands.answer_reading import No, Yes
from correspondence.commands.answer_topics import ADDRESS, UNDO
from correspondence.commands.handlers.doubts import quoted
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox import stranger_budget, strangers
from correspondence.inbound.mailbox.answering import answer, reject_foreign_sender
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.reading import parse_message, texts_of_token
from correspondence.inbound.mailbox.store import close
from correspondence.mime.mail_keys import mail_key
from correspondence.mime.replytext import Reply
from correspondence.models import InboundState, Person, Purpose, Token
from correspondence.outbound import letters
from correspondence.outbound.transcript import TranscriptEntry
from engines.refusal import Refusal
from engines.wording import _

HandleMember = Callable[[Session, PersonalMail, Token], None]
"""Handler for mail that does not answer a letter about addresses, as if it had no token."""


def handle_new_address(session: Session, mail: PersonalMail, token: Token, handle_member: HandleMember) -> None:
    """Handle the reply to a confirmation letter: only a yes from the new address adds it."""
    person, new = session.get_one(Person, token.person_id), accounts.payload_of(token)["mail"]
    is_theirs = _is_address_of(session, mail.author, person)
    with in_language(person.language):
        if mail_key(mail.author) != mail_key(new):
            _refuse_elsewhere(session, mail, person, new, is_theirs=is_theirs)
            return
        commands, reply = parse_message(mail.inbound, texts_of_token(session, token, mail.settings), strangers.is_yes)
        if not strangers.says_yes(mail, reply, commands, ADDRESS):
            if is_theirs:
                handle_member(session, mail, token)
            else:
                strangers.stop_notices(session, commands, mail.author, mail.now)
                is_no = isinstance(strangers.answer_to(mail, ADDRESS, reply, commands), No)
                ask = partial(_ask_again, session, mail, token, reply, is_no=is_no)
                stranger_budget.answer_within(session, mail, ask, is_asked=True)
            return
        was_used = token.used_at is not None
        try:
            addresses.confirm(session, token.id, now=mail.now)
        except Refusal as error:
            _answer(session, mail, person, str(error), "address refused")
            return
        mail.inbound.person_id = person.id
        if was_used:
            _answer(
                session, mail, person, _("{mail} is already one of your addresses.").format(mail=new), "added before"
            )
        else:
            close(session, mail.inbound, InboundState.DONE, "address added")


def _ask_again(session: Session, mail: PersonalMail, token: Token, reply: Reply, *, is_no: bool) -> None:
    """Say that the address was not added and how to add it, quoting the reply."""
    person = session.get_one(Person, token.person_id)
    sentence = _("The address was not added for {handle}.").format(handle=person.handle)
    if not is_no:
        sentence += " " + _("To add it, reply with a single word: yes. If that isn't you, do nothing.")
    entry = TranscriptEntry("", sentence, block="" if is_no else quoted(reply.text.splitlines()))
    to = letters.To(mail.author, person.language, person.zone)
    words = reply.text or "nothing"
    answer(session, mail, to, [entry], subject=_("Your mail to us"), sender=None, dialogue=words, question=token)
    close(session, mail.inbound, InboundState.DONE, "not confirmed")


def _refuse_elsewhere(session: Session, mail: PersonalMail, person: Person, new: str, *, is_theirs: bool) -> None:
    """Refuse a reply from an address other than the new one; notify only the account's owner."""
    if is_theirs:
        sentence = _("Only a reply from {mail} itself adds it, or the button on the page its letter links to.")
        _answer(session, mail, person, sentence.format(mail=new), "")
    close(session, mail.inbound, InboundState.REJECTED, "From is not the address to be confirmed")


def handle_undo(session: Session, mail: PersonalMail, token: Token, handle_member: HandleMember) -> None:
    """Handle an `undo` of a change of addresses or helpers, also from a removed address."""
    person, notified = session.get_one(Person, token.person_id), accounts.payload_of(token)["told"]
    is_theirs = _is_address_of(session, mail.author, person)
    if not is_theirs and mail_key(mail.author) != mail_key(notified):
        reject_foreign_sender(session, mail, person)
        return
    with in_language(person.language):
        commands, reply = parse_message(mail.inbound, texts_of_token(session, token, mail.settings))
        if isinstance(strangers.answer_to(mail, UNDO, reply, commands), Yes):
            _undo(session, mail, token, person)
        elif is_theirs:
            handle_member(session, mail, token)
        else:
            sentence = _("Nothing was undone. To undo the change, write the word undo on the first line.")
            _answer(session, mail, person, sentence, "nothing to do", question=token)


def _undo(session: Session, mail: PersonalMail, token: Token, person: Person) -> None:
    is_helper = token.purpose == Purpose.HELPER_UNDO
    undo = helper_undo.undo if is_helper else address_changes.undo
    try:
        undo(session, token.id, now=mail.now)
    except Refusal as error:
        _answer(session, mail, person, str(error), "undoing refused")
        return
    mail.inbound.person_id = person.id
    close(session, mail.inbound, InboundState.DONE, "helper undone" if is_helper else "addresses undone")


def _is_address_of(session: Session, mail: str, person: Person) -> bool:
    owner = accounts.person_by_address(session, mail)
    return owner is not None and owner.id == person.id


def _answer(
    session: Session, mail: PersonalMail, person: Person, sentence: str, outcome: str, question: Token | None = None
) -> None:
    """Answer the address that a mail came from, and close the mail if there is an outcome."""
    to = letters.To(mail.author, person.language, person.zone)
    entry = TranscriptEntry("", sentence)
    answer(session, mail, to, [entry], subject=_("Your mail to us"), sender=None, question=question)
    if outcome:
        close(session, mail.inbound, InboundState.DONE, outcome)
