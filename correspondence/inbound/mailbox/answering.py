"""Letters that answer a message or warn about one, with limits per address and day."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, and_, col, func, select

from correspondence.accounts import accounts, addresses
from correspondence.accounts.address_changes import addresses_of
from correspondence.commands import AddressAdd, proposals, read_line, subjects
from correspondence.commands.handlers import Outcome, Sender, changes_addresses
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.reading import message_id_of
from correspondence.inbound.mailbox.store import close
from correspondence.mime.classify import mailbox_key
from correspondence.models import Inbound, InboundState, Letter, Person
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.outbound.transcript import TranscriptEntry, numbered, pictures_of
from correspondence.play import game_letters
from engines.refusal import Refusal
from engines.wording import _

ANSWERS_A_DAY = 10
"""Most automatic answers to an address in 24 hours; a member has ANSWERS_A_DAY_TO_PLAYERS.

This is also the limit for a member whose mail asks programs not to answer.
"""

ANSWERS_A_DAY_TO_PLAYERS = 60

REFUSALS_IN_A_ROW = 3
"""Most refusals in one thread (a game, or everything else of one address) until something succeeds there."""

MEMORY = timedelta(hours=25)
"""How long refusals count; the same mistake a day later is answered again."""

REFUSED = ("refused", "nothing to do")
"""The outcomes of mails that are answered with a refusal."""


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
) -> None:
    """Write the answer to a message: as a letter of its game if there is one, else by itself.

    Nothing is written if this kind of mail gets no answer, or if the address has reached its daily limit. A refusal
    passes the mail text as `once`: it is not repeated within 25 hours for the same text in the same position, and not
    given a fourth time in one thread until something succeeds there; the third one says so.
    """
    if to is None or not _may_answer(session, mail, to):
        return
    key = f"answer:i{mail.inbound.id}"
    if once:
        refusal = _limited_refusal(session, mail, to, entries, sender, once)
        if refusal is None:
            return
        key, entries = refusal
    entries, choices = numbered(entries)
    if sender is None or sender.player is None or sender.match is None:
        _write_answer(session, mail, to, entries, key, subject=subject, sender=sender, choices=choices)
        return
    game_letters.answer(
        session, sender.match, sender.player, entries, key,
        now=mail.now, choices=choices, board=board, is_last=sender.is_believed,
    )  # fmt: skip


def _limited_refusal(
    session: Session,
    mail: PersonalMail,
    to: letters.To,
    entries: Sequence[TranscriptEntry],
    sender: Sender | None,
    once: str,
) -> tuple[str, Sequence[TranscriptEntry]] | None:
    """Return key and entries of a refusal, with a notice if it is the last one; None if it must not be sent."""
    refusal_key = _refusal_key(to, entries, once, sender)
    refusals = _count_refusals(session, to, mail.inbound.match_id, mail.now)
    if refusals >= REFUSALS_IN_A_ROW or _was_sent_recently(session, to, refusal_key, mail.now):
        return None
    if refusals == REFUSALS_IN_A_ROW - 1:
        entries = [*entries, TranscriptEntry("", _last_refusal_notice())]
    return f"{refusal_key}:{mail.inbound.id}", entries


def _write_answer(
    session: Session,
    mail: PersonalMail,
    to: letters.To,
    entries: Sequence[TranscriptEntry],
    key: str,
    *,
    subject: str,
    sender: Sender | None,
    choices: Sequence[str],
) -> None:
    """Write an answer that belongs to no game."""
    draft = Draft(
        kinds.ANSWER,
        key,
        answers=True,
        in_reply_to=message_id_of(mail.inbound),
        reply_token=accounts.command_token(session, sender.person, now=mail.now).id if sender else None,
        choices=choices,
        diagrams=pictures_of(entries),
    )
    letters.write_letter(session, to, draft, now=mail.now, subject_line=subject, entries=entries, board="")


def propose(session: Session, mail: PersonalMail, sender: Sender, result: Outcome) -> str:
    """Propose to the registered address what a From line asked for, in one letter with the other answers.

    Returns the outcome. If the proposal is a duplicate or over the daily limit, the letter holds only the other
    answers; if there are none, no letter is written.
    """
    to = _asked(session, mail, sender, result)
    if to is None or not _may_answer(session, mail, to):
        return "not proposed: no letter may go there"
    reason = proposals.reason_not_to_propose(session, sender.person, result.proposed, now=mail.now)
    if not reason:
        _write_proposal(session, mail, to, sender, result)
        return "proposed"
    if result.entries:
        entries = [*result.entries, TranscriptEntry("", reason)]
        subject = subjects.question_subject(result.proposed)
        answer(session, mail, to, entries, subject=subject, sender=sender)
    return "not proposed: it waits already, or there were too many"


def _asked(session: Session, mail: PersonalMail, sender: Sender, result: Outcome) -> letters.To | None:
    """Return where a proposal goes: the main address, or for a change of addresses the one of theirs that it came from.

    A main address that is lost could not be replaced otherwise.
    """
    own = accounts.person_by_address(session, mail.author)
    if own is not None and own.id == sender.person.id and any(map(changes_addresses, result.proposed)):
        return letters.to_address(session, sender.person, accounts.verified_mail(session, mail.author))
    return letters.to_person(session, sender.person)


def _write_proposal(session: Session, mail: PersonalMail, to: letters.To, sender: Sender, result: Outcome) -> None:
    now = mail.now
    token = proposals.propose(session, sender.person, result.proposed, through=sender.token, now=now)
    entries, choices = numbered(result.entries)
    draft = Draft(
        kinds.PROPOSAL,
        f"proposal:t{token.id}",
        answers=True,
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
        is_last=proposals.count_recent(session, sender.person, now=now) == proposals.PROPOSALS_A_DAY - 1,
        is_offer=False,
    )


def _refusal_key(to: letters.To, entries: Sequence[TranscriptEntry], once: str, sender: Sender | None) -> str:
    """Return the key prefix of a refusal in one position, so that a program that repeats itself gets one answer."""
    match = sender.match if sender is not None else None
    content = repr((mailbox_key(to.mail), entries, once, match.id if match else None, match.ply if match else None))
    return f"refusal:{hashlib.sha256(content.encode()).hexdigest()[:32]}"


def _was_sent_recently(session: Session, to: letters.To, prefix: str, now: datetime) -> bool:
    """Whether a letter with this key prefix went to the recipient within MEMORY."""
    query = select(Letter.id).where(_went_to(to), col(Letter.created_at) > now - MEMORY)
    return session.exec(query.where(col(Letter.key).startswith(f"{prefix}:", autoescape=True))).first() is not None


def _went_to(to: letters.To) -> Any:
    """SQL condition: the letter went to the same mailbox, and to the same person or to no member."""
    return and_(col(Letter.mailbox) == mailbox_key(to.mail), col(Letter.person_id) == to.person_id)


def _count_refusals(session: Session, to: letters.To, match_id: int | None, now: datetime) -> int:
    """Count the refusals to an address in a thread within MEMORY, since the last success there."""
    since = now - MEMORY
    if to.person_id is not None:
        last_success = select(func.max(Inbound.received_at)).where(
            col(Inbound.person_id) == to.person_id,
            col(Inbound.received_at) > since,
            col(Inbound.match_id) == match_id,
            col(Inbound.state) == InboundState.DONE,
            col(Inbound.reason).not_in(REFUSED),
        )
        since = max(since, session.exec(last_success).one() or since)
    count = (
        select(func.count())
        .select_from(Letter)
        .where(
            _went_to(to),
            col(Letter.match_id) == match_id,
            col(Letter.created_at) > since,
            col(Letter.key).startswith("refusal:"),
        )
    )
    return session.exec(count).one()


def _last_refusal_notice() -> str:
    return _(
        "This was the third mail in a row that could not be carried out. So that no two programs write to each other "
        "for ever, the next ones are answered only once one succeeds, or tomorrow. On the page you see at once what "
        "is possible: %%base%%/games"
    )


def _may_answer(session: Session, mail: PersonalMail, to: letters.To) -> bool:
    """Whether mail of this kind is answered, and the recipient has not had the answers of a day."""
    is_wary = mail.classification.is_reticent
    if not mail.classification.may_answer or (is_wary and to.person_id is None):
        return False
    count = (
        select(func.count())
        .select_from(Letter)
        .where(
            _went_to(to),
            col(Letter.created_at) > mail.now - timedelta(days=1),
            col(Letter.auto_submitted) == "auto-replied",
        )
    )
    limit = ANSWERS_A_DAY if to.person_id is None or is_wary else ANSWERS_A_DAY_TO_PLAYERS
    return session.exec(count).one() < limit


def reject_foreign_sender(session: Session, mail: PersonalMail, person: Person) -> None:
    """Reject a message from another address to a person's reply address.

    The registered address is told, and asked whether to add that address; nothing else comes of it.
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
    """Return the command that would add the address a mail came from; None if it cannot be added or asked about."""
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
    """Ask the registered address whether to add another one; once in 25 hours."""
    to = letters.to_person(session, person)
    if to is None or _was_sent_recently(session, to, kind, mail.now):
        return
    text = _(
        "A message came to your reply address from {mail}, which is not one of your addresses. Nothing was done. If you "
        "wrote it, please write from an address of yours."
    )
    entry = TranscriptEntry("", text.format(mail=offered.mail))
    token = proposals.propose(session, person, [offered], through=None, now=mail.now)
    draft = Draft(kinds.PROPOSAL, f"{kind}:{mail.inbound.id}", answers=True, reply_token=token.id, link_token=token.id)
    letters.write_letter(
        session, to, draft, now=mail.now, subject_line=_("A message that was not carried out"), entries=[entry],
        board="", proposed=proposals.quoted([offered]), until=mail.now + proposals.CONFIRM_WITHIN, is_last=False,
        is_offer=True,
    )  # fmt: skip


def doubt_notice() -> TranscriptEntry:
    """Return the first entry of an answer to a mail that our mail server does not vouch for."""
    return TranscriptEntry(
        "", _("A message came in your name, but nothing shows that it is from you. Nothing was done.")
    )


def reject_unverified(session: Session, mail: PersonalMail, person: Person) -> None:
    """Reject a message without a token that our mail server does not vouch for, and warn the owner of the address."""
    with in_language(person.language):
        text = _(
            "A message came in your name, but nothing shows that it is from you. Nothing was done. If you wrote "
            "it, please answer this letter, or any other of ours: we recognise your answers by their address."
        )
    _warn(session, mail, person, f"doubt:u{person.id}", text)
    mail.inbound.person_id = person.id
    close(session, mail.inbound, InboundState.REJECTED, "From is not vouched for, and there is no token")


def _warn(session: Session, mail: PersonalMail, person: Person, kind: str, text: str) -> None:
    """Warn a person about a message in their name that was not executed; once in 25 hours for each `kind`."""
    to = letters.to_person(session, person)
    if to is None or _was_sent_recently(session, to, kind, mail.now):
        return
    desk = accounts.command_token(session, person, now=mail.now)
    letters.write_letter(
        session,
        to,
        Draft(kinds.ANSWER, f"{kind}:{mail.inbound.id}", answers=True, reply_token=desk.id),
        now=mail.now,
        subject_line=_("A message that was not carried out"),
        entries=[TranscriptEntry("", text)],
        board="",
    )
