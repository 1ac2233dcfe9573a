"""Letters that answer a message or warn about one, with daily limits per address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.accounts import accounts, addresses
from correspondence.accounts.address_changes import addresses_of
from correspondence.commands import AddressAdd, proposals, read_line, subjects
from correspondence.commands.handlers import MailOutcome, Sender, changes_addresses
from correspondence.core import db
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.reading import message_id_of
from correspondence.inbound.mailbox.repetition import limited_dialogue, limited_refusal, was_sent_recently
from correspondence.inbound.mailbox.store import close
from correspondence.mime.mail_keys import mailbox_key
from correspondence.models import InboundState, Person, Token
from correspondence.models.locks import hold_name, hold_person
from correspondence.outbound import kinds, letters
from correspondence.outbound.automatic_answers import answered, answers_given
from correspondence.outbound.letters import Draft
from correspondence.outbound.transcript import TranscriptEntry, numbered, pictures_of
from correspondence.play import exercise_letters, game_letters, moves_ahead
from correspondence.play.matches import Played
from engines.refusal import Refusal
from engines.wording import _

ANSWERS_A_DAY = 10
"""Maximum automatic answers to an address in 24 hours; members: ANSWERS_A_DAY_TO_PLAYERS.

It also applies to a member whose mail asks programs not to answer.
"""

ANSWERS_A_DAY_TO_PLAYERS = 60

ANSWERS_A_DAY_TO_FROM_LINES = 30
"""Separate maximum of answers in 24 hours to a member's mail with only a From line."""

_A_DAY = timedelta(days=1)


def answer(
    session: Session,
    mail: PersonalMail,
    to: letters.To | None,
    entries: Sequence[TranscriptEntry],
    *,
    subject: str,
    sender: Sender | None,
    board: bool = False,
    once: str = "",
    dialogue: str = "",
    question: Token | None = None,
) -> None:
    """Write the answer to a message, as a letter of its game if there is one.

    Nothing is written if this kind of mail gets no answer, or if the address has reached its daily limit. A refusal
    passes the mail text as `once`; any other answer that a program may answer passes it as `dialogue`. repetition.py
    limits both. A reply to the answer answers `question`, if the answer repeats that. That token also vouches for a
    writer who is no member.
    """
    is_proven = sender.is_believed if sender is not None else question is not None
    if to is None or not may_answer(session, mail, to, is_proven=is_proven):
        return
    key: str | None = f"answer:i{mail.inbound.id}"
    if once:
        refusal = limited_refusal(session, to, entries, once, sender, mail.inbound, now=mail.now)
        key, entries = refusal or (None, entries)
    elif dialogue:
        key = limited_dialogue(session, to, dialogue, sender, mail.inbound.id, now=mail.now)
    if key is None:
        return
    entries, choices = numbered(entries)
    if sender is None or sender.player is None or sender.match is None:
        reply = question.id if question else _reply_token(session, sender.person, entries, mail.now) if sender else None
        _write_answer(
            session, mail, to, entries, key, subject=subject, reply=reply, choices=choices, is_proven=is_proven
        )
        return
    game_letters.answer(
        session, sender.match, sender.player, entries, key,
        now=mail.now, choices=choices, board=board, is_proven=sender.is_believed, question=question,
    )  # fmt: skip


def send_receipt(session: Session, mail: PersonalMail, sender: Sender, played: Played) -> None:
    """Confirm a mail's move, if the sender wants receipts and header and daily limit allow it."""
    if mail.classification.is_reticent or not kinds.RECEIPT.is_wanted_by(sender.person):
        return
    assert sender.match is not None and sender.player is not None
    key = f"receipt:i{mail.inbound.id}"
    hold_name(session, mailbox_key(mail.author))
    with db.asking_once(session):
        likely = answered(mail.author, sender.person.id, mail.now - _A_DAY)  # most people write from that address
        moves_ahead.ask_ahead_of_receipt(session, sender.match, sender.player, key, likely, now=mail.now)
        to = letters.to_person(session, sender.person)
        if to is not None and may_answer(session, mail, to, is_proven=True):
            game_letters.receipt(session, sender.match, sender.player, played.steps, key, now=mail.now)


def _write_answer(
    session: Session,
    mail: PersonalMail,
    to: letters.To,
    entries: Sequence[TranscriptEntry],
    key: str,
    *,
    subject: str,
    reply: int | None,
    choices: Sequence[str],
    is_proven: bool,
) -> None:
    """Write an answer that belongs to no game."""
    draft = Draft(
        kinds.ANSWER,
        key,
        answers=True,
        is_unproven=not is_proven,
        in_reply_to=message_id_of(mail.inbound),
        reply_token=reply,
        choices=choices,
        diagrams=pictures_of(entries),
    )
    letters.write_letter(session, to, draft, now=mail.now, subject_line=subject, entries=entries, board="")


def _reply_token(session: Session, person: Person, entries: Sequence[TranscriptEntry], now: datetime) -> int:
    """Return the token of the reply address: for the shown exercise's next move, or any command."""
    shown = [entry.exercise for entry in entries if entry.exercise is not None]
    if len(shown) == 1:
        return exercise_letters.reply_token(session, person, *shown[0], now=now).id
    return accounts.command_token(session, person, now=now).id


def propose(session: Session, mail: PersonalMail, sender: Sender, result: MailOutcome) -> str:
    """Send a proposal of From-line commands to the registered address, with the other answers.

    Returns the outcome. If the proposal is a duplicate or over the daily limit, the letter holds only the other
    answers; if there are none, no letter is written.
    """
    hold_person(session, sender.person)  # before the mailbox, by the lock order
    to = _asked(session, mail, sender, result)
    if to is None or not may_answer(session, mail, to, is_proven=sender.is_believed):
        return "not proposed: no letter may go there"
    reason = proposals.reason_not_to_propose(
        session, sender.person, result.proposed, is_proven=sender.is_believed, now=mail.now
    )
    if not reason:
        _write_proposal(session, mail, to, sender, result)
        return "proposed"
    if result.entries:
        entries = [*result.entries, TranscriptEntry("", reason)]
        subject = subjects.question_subject(result.proposed)
        answer(session, mail, to, entries, subject=subject, sender=sender)
    return "not proposed: it waits already, or there were too many"


def _asked(session: Session, mail: PersonalMail, sender: Sender, result: MailOutcome) -> letters.To | None:
    """Return the recipient of a proposal: the main address, or From for changes of addresses.

    From must be an address of this person. Otherwise nobody could replace a main address that they have lost.
    """
    own = accounts.person_by_address(session, mail.author)
    if own is not None and own.id == sender.person.id and any(map(changes_addresses, result.proposed)):
        return letters.to_address(session, sender.person, accounts.verified_mail(session, mail.author))
    return letters.to_person(session, sender.person)


def _write_proposal(session: Session, mail: PersonalMail, to: letters.To, sender: Sender, result: MailOutcome) -> None:
    now = mail.now
    token = proposals.propose(session, sender.person, result.proposed, through=sender.token, now=now)
    entries, choices = numbered(result.entries)
    draft = Draft(
        kinds.PROPOSAL,
        f"proposal:t{token.id}",
        answers=True,
        is_unproven=not sender.is_believed,
        in_reply_to=message_id_of(mail.inbound),
        reply_token=token.id,
        link_token=token.id,
        diagrams=pictures_of(result.entries),
        choices=choices,
    )
    letters.write_letter(
        session,
        to,
        draft,
        now=now,
        subject_line=subjects.question_subject(result.proposed),
        entries=entries,
        board="",
        proposed=proposals.quoted(result.proposed),
        until=now + proposals.CONFIRM_WITHIN,
        is_last=proposals.count_recent(session, sender.person, is_proven=sender.is_believed, now=now)
        == proposals.PROPOSALS_A_DAY - 1,
        is_offer=False,
    )


def may_answer(session: Session, mail: PersonalMail, to: letters.To, *, is_proven: bool) -> bool:
    """Whether mail of this kind is answered, and the recipient is within the daily limit.

    Answers to mail that only a From line vouches for are counted separately, so that forged mail uses up no other
    answers.
    """
    is_wary = mail.classification.is_reticent
    if not mail.classification.may_answer or (is_wary and to.person_id is None):
        return False
    hold_name(session, mailbox_key(to.mail))
    given = answers_given(session, answered(to.mail, to.person_id, mail.now - _A_DAY), is_proven=is_proven)
    if to.person_id is None or is_wary:
        return given < ANSWERS_A_DAY
    return given < (ANSWERS_A_DAY_TO_PLAYERS if is_proven else ANSWERS_A_DAY_TO_FROM_LINES)


def reject_foreign_sender(session: Session, mail: PersonalMail, person: Person) -> None:
    """Reject a message to a person's reply address from an address that is not theirs.

    The registered address is notified, and asked whether to add that address.
    """
    kind = f"foreign:u{person.id}"
    with in_language(person.language):
        offered = _offered_address(session, mail, person)
        if offered is not None:
            _offer_address(session, mail, person, kind, offered)
        else:
            text = _(
                "A message came to your reply address from an address that is not yours. Nothing was done. "
                "If you wrote it, please write from an address of yours."
            )
            _warn(session, mail, person, kind, text)
    close(session, mail.inbound, InboundState.REJECTED, "From is not an address of the token's owner")


def _offered_address(session: Session, mail: PersonalMail, person: Person) -> AddressAdd | None:
    """Return the command to add a mail's From address; None if it cannot be added."""
    line = f"address add {mail.author}"
    try:
        accounts.checked_address(mail.author)
        command = read_line(line)
    except Refusal:
        return None
    if not isinstance(command, AddressAdd) or len(addresses_of(session, person)) >= addresses.MOST:
        return None
    command = replace(command, written=line)
    return None if proposals.reason_not_to_propose(session, person, [command], now=mail.now) else command


def _offer_address(session: Session, mail: PersonalMail, person: Person, kind: str, offered: AddressAdd) -> None:
    """Ask the registered address whether to add another one; at most once in 25 hours."""
    to = letters.to_person(session, person)
    if to is None or was_sent_recently(session, to, kind, mail.now):
        return
    text = _(
        "A message came to your reply address from {mail}, which is not one of your addresses. Nothing was done. If you "
        "wrote it, please write from an address of yours."
    )
    entry = TranscriptEntry("", text.format(mail=offered.mail))
    token = proposals.propose(session, person, [offered], through=None, now=mail.now)
    draft = Draft(
        kinds.PROPOSAL, f"{kind}:{mail.inbound.id}", answers=True, is_unproven=True, reply_token=token.id,
        link_token=token.id,
    )  # fmt: skip
    letters.write_letter(
        session, to, draft, now=mail.now, subject_line=_("A message that was not carried out"), entries=[entry],
        board="", proposed=proposals.quoted([offered]), until=mail.now + proposals.CONFIRM_WITHIN, is_last=False,
        is_offer=True,
    )  # fmt: skip


def doubt_notice() -> TranscriptEntry:
    """Return the first entry of an answer to mail that our mail server does not vouch for."""
    return TranscriptEntry(
        "", _("A message came in your name, but nothing shows that it is from you. Nothing was done.")
    )


def reject_unverified(session: Session, mail: PersonalMail, person: Person) -> None:
    """Reject a message without token or server authentication, and warn the address's owner."""
    with in_language(person.language):
        text = _(
            "A message came in your name, but nothing shows that it is from you. Nothing was done. If you wrote "
            "it, please answer this letter, or any other of ours: we recognise your answers by their address."
        )
    _warn(session, mail, person, f"doubt:u{person.id}", text)
    mail.inbound.person_id = person.id
    close(session, mail.inbound, InboundState.REJECTED, "From is not vouched for, and there is no token")


def _warn(session: Session, mail: PersonalMail, person: Person, kind: str, text: str) -> None:
    """Warn a person about an unexecuted message in their name; once in 25 hours per `kind`."""
    to = letters.to_person(session, person)
    if to is None or was_sent_recently(session, to, kind, mail.now):
        return
    command = accounts.command_token(session, person, now=mail.now)
    letters.write_letter(
        session,
        to,
        Draft(kinds.ANSWER, f"{kind}:{mail.inbound.id}", answers=True, is_unproven=True, reply_token=command.id),
        now=mail.now,
        subject_line=_("A message that was not carried out"),
        entries=[TranscriptEntry("", text)],
        board="",
    )
