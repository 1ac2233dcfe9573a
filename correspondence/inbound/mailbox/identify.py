"""Identifies a message's sender and their authority, and executes it accordingly.

The token in the recipient address decides, and From must agree. With only a From line, questions are answered to the
registered address; everything else is proposed there and executed after a yes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial

from sqlmodel import Session, col, select

from correspondence.accounts import accounts, letter_stops
from correspondence.accounts.accounts import Writer
from correspondence.commands import Command, Stop, handlers, subjects
from correspondence.commands.handlers import MailOutcome, Sender, intent
from correspondence.core.config import Settings
from correspondence.core.i18n import in_language
from correspondence.core.move_text import in_games
from correspondence.core.signing import signer_of
from correspondence.inbound.mailbox import address_letters, ended_addresses, forwarded, invited, scattered, strangers
from correspondence.inbound.mailbox.addresses import OPEN_BOXES, is_ended, tokens_beside, writer_to
from correspondence.inbound.mailbox.answering import (
    answer,
    doubt_notice,
    propose,
    reject_foreign_sender,
    reject_unverified,
    send_receipt,
)
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.reading import (
    Quotable,
    Reaction,
    drop_reaction,
    message_id_of,
    no_line_acts,
    parse_message,
    replied_ply,
    texts_of_token,
)
from correspondence.inbound.mailbox.repetition import REFUSED
from correspondence.inbound.mailbox.store import close
from correspondence.matchmaking import invitations
from correspondence.mime.authentication import AuthResult, auth_result_of
from correspondence.mime.classify import Classification, author_name, forwarder_of, reply_to_of, sole_author
from correspondence.mime.mail_keys import mail_key
from correspondence.mime.replytext import Reply, subject_of
from correspondence.models import Inbound, InboundState, Letter, Match, Person, Player, Purpose, Token
from correspondence.models.loading import locked, person_numbered, players_of, seated_match
from correspondence.outbound import letters
from correspondence.outbound.transcript import TranscriptEntry
from engines import BROUGHT
from engines.wording import _


def handle_personal_mail(
    session: Session,
    inbound: Inbound,
    classification: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
) -> None:
    """Identify the sender by recipient address and From, and execute what they may do.

    Reactions are dropped. Nothing is written before the mail is parsed, so that parsing holds no locks.
    """
    author = sole_author(inbound.raw)
    from_line = author or forwarder_of(inbound.raw)
    mail = PersonalMail(inbound, from_line or "", classification, settings, now, rng)
    try:
        if from_line is None or (author is None and mail.box in OPEN_BOXES):
            close(session, inbound, InboundState.REJECTED, "no single author")
        elif mail.box in OPEN_BOXES:
            _handle_open_box(session, mail)
        else:
            _handle_reply(session, mail, has_author=author is not None)
    except Reaction:
        close(session, inbound, InboundState.DONE, "reaction")


def _handle_reply(session: Session, mail: PersonalMail, *, has_author: bool) -> None:
    """Handle a mail to a reply address, by the purpose of its token."""
    writer = writer_to(session, mail.box, mail.author, mail.settings, mail.now)
    if writer is not None and not has_author:  # ambiguous or missing From
        writer = writer._replace(is_owner=False)
    if writer is None and is_ended(session, mail.box, mail.settings, mail.now):
        ended_addresses.handle_ended(session, mail)
    elif writer is None:
        close(session, mail.inbound, InboundState.REJECTED, "token unknown or expired")
    elif not has_author and (writer.token.purpose in _HANDLERS or writer.token.person_id is None):
        close(session, mail.inbound, InboundState.REJECTED, "no single author")
    elif writer.token.purpose in _HANDLERS:
        _HANDLERS[writer.token.purpose](session, mail, writer.token)
    else:
        _handle_writer(session, mail, writer)


def _handle_open_box(session: Session, mail: PersonalMail, token: Token | None = None) -> None:
    """Handle mail to an open box: From is only a hint, unless our mail server vouches for it.

    `token` is that of an invitation. Anybody may hold its link, so it authenticates only the invited address.
    """
    person = accounts.person_by_address(session, mail.author)
    with in_games(_games_played(session, person)):
        _handle_open_mail(session, mail, token, person)


def _handle_open_mail(session: Session, mail: PersonalMail, token: Token | None, person: Person | None) -> None:
    with in_language(person.language if person else "en"):
        sent_texts = (
            Quotable(session, mail.inbound, person, token, mail.settings).texts
            if person
            else texts_of_token(session, token, mail.settings)
        )
        commands, reply = parse_message(mail.inbound, sent_texts)
    if person is None:
        invitation = token if token is not None and invitations.was_sent_to(session, token, mail.author) else None
        if invitation is not None and invited.handle_invited(session, mail, invitation, commands, reply):
            return
        words = reply.command_lines or reply.below or [subject_of(mail.inbound.raw)]
        strangers.handle_stranger(session, mail, commands, words, invitation)
        return
    auth_result = _auth_result(mail)
    is_invited = token is not None and invitations.is_addressed_to(session, token, person)
    sender = Sender(
        person, None, None, now=mail.now, rng=mail.rng, received_at=mail.inbound.received_at, token=token,
        is_believed=is_invited or auth_result == AuthResult.PASS,
        operator=mail.settings.operator, signer=signer_of(mail.settings), subject=partial(subject_of, mail.inbound.raw),
        name=author_name(mail.inbound.raw), features_off=mail.settings.features_off,
    )  # fmt: skip
    if auth_result in (AuthResult.FAIL, AuthResult.NONE) and not is_invited:
        _handle_unverified(session, mail, sender, commands, reply.text)
        return
    _execute(session, mail, sender, commands, reply)


def _auth_result(mail: PersonalMail) -> AuthResult:
    return auth_result_of(mail.inbound.raw, mail.author, mail.settings.mail_authserv_id)


def _handle_unverified(
    session: Session, mail: PersonalMail, sender: Sender, commands: Sequence[Command], mail_text: str
) -> None:
    """Handle mail with an unverified From line: give no answers, and propose the rest."""
    proposable = [command for command in commands if handlers.may_propose(sender, command)]
    if not proposable:
        reject_unverified(session, mail, sender.person)
        return
    with in_language(sender.person.language):
        result = handlers.execute(session, sender, proposable, mail_text)
        result.entries.insert(0, doubt_notice())
        outcome = propose(session, mail, sender, result)
    mail.inbound.person_id = sender.person.id
    close(session, mail.inbound, InboundState.REJECTED, f"From is not vouched for, and there is no token: {outcome}")


def _handle_stop(session: Session, mail: PersonalMail, token: Token) -> None:
    """Handle mail to an unsubscribe address; mail programs write it, so the text is ignored."""
    stop = letter_stops.stop_by_token(session, token.id, now=mail.now).stop
    owner = accounts.person_by_address(session, mail.author)
    if owner is not None and owner.id == token.person_id:
        with in_language(owner.language):
            subject = subjects.answer_subject([Stop()], is_refused=False)
            _answer_owner(session, mail, owner, handlers.stop_confirmation(stop), subject)
    mail.inbound.person_id = token.person_id
    close(session, mail.inbound, InboundState.DONE, "stop")


def _answer_owner(
    session: Session, mail: PersonalMail, person: Person, entry: TranscriptEntry, subject: str, once: str = ""
) -> None:
    """Answer a member whose mail was not parsed as commands, in the current language."""
    sender = Sender(person, None, None, now=mail.now, rng=mail.rng)
    to = letters.to_person(session, person)
    answer(session, mail, to, [entry], subject=subject, sender=sender, once=once)


def _handle_join(session: Session, mail: PersonalMail, token: Token) -> None:
    """Handle replies to the letter that confirms joining; later mail there is the member's."""
    if mail_key(json.loads(token.payload)["mail"]) != mail_key(mail.author):
        close(session, mail.inbound, InboundState.REJECTED, "From is not the address to be confirmed")
        return
    commands, reply = parse_message(mail.inbound, texts_of_token(session, token, mail.settings), strangers.is_yes)
    if token.person_id is not None and not strangers.says_yes(mail, reply, commands):
        owner = person_numbered(session, token.person_id)
        _handle_writer(session, mail, Writer(token, accounts.is_address_of(session, mail.author, owner)))
    else:
        strangers.handle_confirmation(session, mail, token, commands, reply)


def _handle_writer(session: Session, mail: PersonalMail, writer: Writer) -> None:
    """Handle mail to a reply address, unless it is also addressed to another person's."""
    token = writer.token
    assert token.person_id is not None  # tokens without a person have their own handlers
    person = person_numbered(session, token.person_id)
    if writer.is_owner and _is_for_several(session, mail, person):
        _refuse_several(session, mail, person)
    else:
        _handle_letter(session, mail, writer, person)
    mail.inbound.person_id, mail.inbound.match_id = person.id, mail.inbound.match_id or token.match_id


def _handle_letter(session: Session, mail: PersonalMail, writer: Writer, person: Person) -> None:
    """Handle mail to a token's address: execute the owner's, ask the owner about other people's."""
    token = writer.token
    match = seated_match(session, token.match_id) if token.match_id is not None else None
    player = next((p for p in players_of(session, match.id) if p.person_id == person.id), None) if match else None
    quotable = Quotable(session, mail.inbound, person, token, mail.settings)
    if quotable.is_forgotten and writer.is_owner:
        ended_addresses.refuse_forgotten(session, mail, person)
        return
    sender = _sender_by_token(session, mail, token, person, match, player, quotable.answered)
    with in_games([match.game] if match is not None else _games_played(session, person)):
        with in_language(person.language):
            acts = scattered.action_test(sender)
            commands, reply = parse_message(mail.inbound, quotable.texts, acts)
        if not writer.is_owner:
            if not _is_forwarded(session, mail, person) or not forwarded.ask_about(
                session, mail, sender, commands, acts
            ):
                reject_foreign_sender(session, mail, person)
            return
        if player is not None:
            locked(session, player.match_id)  # before the player, by the lock order
            player.last_message_id = message_id_of(mail.inbound) or player.last_message_id
        _execute(session, mail, sender, commands, reply, acts)


def _is_forwarded(session: Session, mail: PersonalMail, person: Person) -> bool:
    """Whether a forwarder put its own address into From: Reply-To is one of this person's."""
    author = reply_to_of(mail.inbound.raw)
    return author is not None and accounts.is_address_of(session, author, person)


def _games_played(session: Session, person: Person | None) -> Collection[str]:
    """Return the plug-in games in a person's current matches; any mail may use their notation."""
    if person is None or not BROUGHT:
        return ()
    query = select(Match.game).join(Player, col(Player.match_id) == col(Match.id))
    query = query.where(col(Player.person_id) == person.id, col(Player.ended_at).is_(None))
    return session.exec(query.where(col(Match.game).in_(BROUGHT)).distinct()).all()


def _sender_by_token(
    session: Session,
    mail: PersonalMail,
    token: Token,
    person: Person,
    match: Match | None,
    player: Player | None,
    replied_letter: Letter | None,
) -> Sender:
    return Sender(
        person,
        player,
        match,
        now=mail.now,
        rng=mail.rng,
        received_at=mail.inbound.received_at,
        signer=signer_of(mail.settings),
        token=token,
        operator=mail.settings.operator,
        features_off=mail.settings.features_off,
        ply=replied_ply(session, mail.inbound, token, replied_letter),
        choices=tuple(replied_letter.choices.splitlines()) if replied_letter else (),
        subject=partial(subject_of, mail.inbound.raw),
        replied=replied_letter,
        name=author_name(mail.inbound.raw),
        is_doubtful=_auth_result(mail) == AuthResult.FAIL,
    )


def _is_for_several(session: Session, mail: PersonalMail, person: Person) -> bool:
    """Whether To or Cc contains another person's reply address."""
    tokens = tokens_beside(session, mail.box, mail.inbound.raw, mail.settings, mail.now)
    return any(token.person_id not in (None, person.id) for token in tokens)


def _refuse_several(session: Session, mail: PersonalMail, person: Person) -> None:
    drop_reaction(mail.inbound)
    with in_language(person.language):
        notice = _(
            "This mail went to the reply addresses of several people, so nothing was done. Please write to yours."
        )
        subject = _("A message that was not carried out")
        _answer_owner(session, mail, person, TranscriptEntry("", notice), subject, once="several")
    close(session, mail.inbound, InboundState.REJECTED, "addresses of several people")


def _execute(
    session: Session,
    mail: PersonalMail,
    sender: Sender,
    commands: Sequence[Command],
    reply: Reply,
    acts: Callable[[str], bool] = no_line_acts,
) -> None:
    """Execute the commands as the sender, and answer with one transcript if there is one."""
    person = sender.person
    with in_language(person.language):
        result = _carry_out(session, sender, commands, reply, acts)
        question = sender.token if result.asks_again else None
        if result.proposed:
            result.outcome = propose(session, mail, sender, result)
        elif result.entries and result.must_answer:
            answer(
                session, mail, letters.to_person(session, person), result.entries,
                subject=result.subject
                or subjects.answer_subject(commands, is_refused=result.outcome in (*REFUSED, "asked")),
                sender=result.about or sender, board=result.show_board or _shows_move(person, result),
                question=question, **_repeated(result, reply, result.about or sender),
            )  # fmt: skip
        elif result.played is not None:
            send_receipt(session, mail, result.about or sender, result.played)
    mail.inbound.person_id = person.id
    match = (result.about and result.about.match) or sender.match
    if match is not None and sender.is_believed:
        mail.inbound.match_id = match.id
    close(session, mail.inbound, InboundState.DONE, result.outcome)


def _carry_out(
    session: Session, sender: Sender, commands: Sequence[Command], reply: Reply, acts: Callable[[str], bool]
) -> MailOutcome:
    """Execute the commands, unless they contradict each other, and report unread lines."""
    contradicting = scattered.contradicting_lines(reply, acts)
    if contradicting:
        result = scattered.ask_which(contradicting, reply.text)
    else:
        result = handlers.execute(session, sender, commands, reply.text, _above(reply))
    if not commands and not reply.text.strip() and not reply.withheld:
        result.entries.append(handlers.no_text_answer(reply.trouble))
        result.must_answer = True
    if reply.withheld:
        result.entries += scattered.withheld_notice(reply)
        result.must_answer = True
    return result


def _above(reply: Reply) -> str | None:
    """Return the lines above the quotation, which may answer a question; None if subject-only."""
    return "\n".join(reply.command_lines) if reply.text.strip() else None


def _shows_move(person: Person, result: MailOutcome) -> bool:
    """Whether an answer also serves as the receipt for a move, and so shows the board."""
    return result.played is not None and person.receipts


def _repeated(result: MailOutcome, reply: Reply, sender: Sender) -> dict[str, str]:
    """Return the arguments of `answer` that limit repeated refusals and dialogues."""
    is_refused = result.outcome in REFUSED and not reply.withheld
    words = reply.text or reply.trouble or "nothing"
    if is_refused and not intent.is_to_act(sender):
        return {"once": words}
    return {"dialogue": words} if is_refused or reply.withheld or result.outcome in ("asked", "said") else {}


_HANDLERS: dict[Purpose, Callable[[Session, PersonalMail, Token], None]] = {
    Purpose.JOIN: _handle_join,
    Purpose.INVITE: _handle_open_box,
    Purpose.STOP: _handle_stop,
    Purpose.ADDRESS: partial(address_letters.handle_new_address, handle_member=_handle_open_box),
    Purpose.ADDRESS_UNDO: partial(address_letters.handle_undo, handle_member=_handle_open_box),
    Purpose.HELPER_UNDO: partial(address_letters.handle_undo, handle_member=_handle_open_box),
}
"""Handlers of mail by token purpose; other tokens stand for their owner, if From agrees.

The address of an invitation trusts no From line. One that only stops letters needs no further authority. A new mail
address is not its owner's yet, and a removed one no longer, so the tokens of their letters stand for nobody in general.
"""
