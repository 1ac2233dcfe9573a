"""Identifies the sender of a message and their authority, and executes the message accordingly.

The token in the recipient address decides, and From must agree. With only a From line, questions are answered to the
registered address; everything else is proposed there and executed when the yes comes back.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.commands import Command, Help, Join, Rules, Stop, Yes, handlers
from correspondence.commands.handlers import Sender
from correspondence.core.config import Settings
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox import scattered
from correspondence.inbound.mailbox.addresses import OPEN_BOXES, token_at, tokens_named
from correspondence.inbound.mailbox.answering import (
    REFUSED,
    answer,
    doubt_notice,
    propose,
    reject_foreign_sender,
    reject_unverified,
)
from correspondence.inbound.mailbox.reading import (
    message_id_of,
    no_line_acts,
    parse_message,
    quotable_texts,
    replied_ply,
)
from correspondence.inbound.mailbox.store import close
from correspondence.matchmaking import invitations
from correspondence.mime.authentication import AuthResult, auth_result_of
from correspondence.mime.classify import Classification, mail_key, sole_author
from correspondence.mime.replytext import Reply
from correspondence.models import Inbound, InboundState, Match, Person, Purpose, Scope, Token
from correspondence.models.loading import players_of
from correspondence.outbound import compose, letters, suppressions
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _


def handle_personal_mail(
    session: Session,
    inbound: Inbound,
    classification: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
) -> None:
    """Identify the sender by recipient address and From, and execute what they are allowed to do.

    The open boxes and the address of an invitation trust no From line. An address that only stops letters needs no
    further authority. Any other token stands for its owner, if From agrees.
    """
    author = sole_author(inbound.raw)
    if author is None:
        close(session, inbound, InboundState.REJECTED, "no single author")
        return
    local = inbound.recipient.partition("@")[0]
    if local in OPEN_BOXES:
        _handle_open_box(session, inbound, author, classification, settings, now, rng)
        return
    token = token_at(session, local, settings, now)
    if token is None:
        close(session, inbound, InboundState.REJECTED, "token unknown or expired")
    elif token.purpose == Purpose.JOIN:
        _handle_join(session, inbound, token, author, classification, settings, now, rng)
    elif token.purpose == Purpose.INVITE:
        _handle_open_box(session, inbound, author, classification, settings, now, rng, token)
    elif token.purpose == Purpose.STOP:
        _handle_stop(session, inbound, token, author, classification, now)
    else:
        _handle_token(session, inbound, token, author, classification, settings, now, rng)


def _handle_open_box(
    session: Session,
    inbound: Inbound,
    author: str,
    classification: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
    token: Token | None = None,
) -> None:
    """Handle mail to an open box: From is only a hint, unless our own mail server vouches for it.

    `token` is that of an invitation: anybody may hold its link, so it stands only for the person to whose address it
    was sent.
    """
    person = accounts.person_by_address(session, author)
    with in_language(person.language if person else "en"):
        sent_texts = quotable_texts(session, inbound, person, token, settings)[0] if person else ()
        commands, reply = parse_message(inbound, sent_texts)
    if person is None:
        _handle_stranger(session, inbound, author, commands, classification, now)
        return
    auth_result = auth_result_of(inbound.raw, author, settings.mail_authserv_id)
    is_invited = token is not None and invitations.is_addressed_to(session, token, person)
    sender = Sender(
        person, None, None, now=now, rng=rng, token=token, is_believed=is_invited or auth_result == AuthResult.PASS,
        operator=settings.operator, key=settings.secret_key,
    )  # fmt: skip
    if auth_result in (AuthResult.FAIL, AuthResult.NONE) and not is_invited:
        _handle_unverified(session, inbound, sender, commands, reply.text, classification)
        return
    _execute(session, inbound, sender, commands, reply, classification)


def _handle_unverified(
    session: Session,
    inbound: Inbound,
    sender: Sender,
    commands: Sequence[Command],
    mail_text: str,
    classification: Classification,
) -> None:
    """Handle mail whose From line our mail server does not vouch for: questions get no answer, the rest is proposed."""
    proposable = [command for command in commands if handlers.need_of(command) == handlers.Need.YES]
    if not proposable:
        reject_unverified(session, inbound, sender.person, sender.now)
        return
    with in_language(sender.person.language):
        result = handlers.execute(session, sender, proposable, mail_text)
        result.entries.insert(0, doubt_notice())
        outcome = propose(session, inbound, sender, result, classification)
    inbound.person_id = sender.person.id
    close(session, inbound, InboundState.REJECTED, f"From is not vouched for, and there is no token: {outcome}")


def _handle_stranger(
    session: Session,
    inbound: Inbound,
    author: str,
    commands: Sequence[Command],
    classification: Classification,
    now: datetime,
) -> None:
    try:
        compose.wire_address(author)
    except compose.LetterError:
        close(session, inbound, InboundState.REJECTED, "From is no address that could be answered")
        return
    join_commands = [command for command in commands if isinstance(command, Join)]
    _stop_strangers_letters(session, commands, author, now)
    try:
        if join_commands:
            accounts.request_join(
                session, join_commands[0].handle, author, now=now, in_reply_to=message_id_of(inbound), answers=True
            )
            close(session, inbound, InboundState.DONE, "join requested")
            return
        entries = [handlers.answer_stranger(command) for command in commands] or [handlers.welcome()]
    except accounts.PeopleError as error:
        entries = [TranscriptEntry("", str(error))]
    to = letters.To(author)
    is_unknown = not any(isinstance(command, (Help, Rules)) for command in commands)
    once = repr(commands) if is_unknown else ""
    subject = _("How to join Correspondence") if is_unknown else _("What you asked us")
    answer(session, inbound, to, entries, classification, now, subject=subject, sender=None, once=once)
    close(session, inbound, InboundState.DONE, "a stranger was answered")


def _stop_strangers_letters(session: Session, commands: Sequence[Command], author: str, now: datetime) -> None:
    if any(isinstance(command, Stop) for command in commands):
        suppressions.suppress(session, author, Scope.NOTICES, "stop", now=now)


def _handle_stop(
    session: Session, inbound: Inbound, token: Token, author: str, classification: Classification, now: datetime
) -> None:
    """Handle mail to an address that only stops letters; mail programs write to it, so the text is ignored."""
    person = accounts.stop_by_token(session, token.id, now=now)
    owner = accounts.person_by_address(session, author)
    if owner is not None and owner.id == person.id:
        with in_language(person.language):
            sender = Sender(person, None, None, now=now, rng=random.Random(0))
            to, entries = letters.to_person(session, person), [handlers.stop_confirmation()]
            answer(session, inbound, to, entries, classification, now, subject=_("What you wrote to us"), sender=sender)
    inbound.person_id = person.id
    close(session, inbound, InboundState.DONE, "stop")


def _handle_join(
    session: Session,
    inbound: Inbound,
    token: Token,
    author: str,
    classification: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
) -> None:
    request = json.loads(token.payload)
    if mail_key(request["mail"]) != mail_key(author):
        close(session, inbound, InboundState.REJECTED, "From is not the address to be confirmed")
        return
    commands = parse_message(inbound, ())[0]
    if token.person_id is not None and not any(isinstance(command, Yes) for command in commands):
        _handle_token(session, inbound, token, author, classification, settings, now, rng)  # somebody who joined before
        return
    _stop_strangers_letters(session, commands, author, now)
    if not any(isinstance(command, Yes) for command in commands):
        close(session, inbound, InboundState.DONE, "not confirmed")
        return
    try:
        person = accounts.confirm_join(session, token.id, now=now)
    except accounts.PeopleError as error:
        letters.write_letter(
            session,
            "answer",
            letters.To(author),
            f"answer:i{inbound.id}",
            now=now,
            answers=True,
            in_reply_to=message_id_of(inbound),
            subject_line=_("About joining"),
            entries=[TranscriptEntry("", str(error))],
            board="",
        )
        close(session, inbound, InboundState.DONE, "joining refused")
        return
    inbound.person_id = person.id
    close(session, inbound, InboundState.DONE, "joined")


def _handle_token(
    session: Session,
    inbound: Inbound,
    token: Token,
    author: str,
    classification: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
) -> None:
    person = session.get_one(Person, token.person_id)
    inbound.person_id, inbound.match_id = person.id, token.match_id
    owner = accounts.person_by_address(session, author)
    if owner is None or owner.id != person.id:
        reject_foreign_sender(session, inbound, person, now)
        return
    match = session.get(Match, token.match_id) if token.match_id is not None else None
    player = next((p for p in players_of(session, match.id) if p.person_id == person.id), None) if match else None
    if _is_for_several(session, inbound, person, settings, now):
        notice = _(
            "This mail went to the reply addresses of several people, so nothing was done. Please write to yours."
        )
        _refuse_several(session, inbound, person, notice, classification, now)
        return
    sent_texts, replied_letter = quotable_texts(session, inbound, person, token, settings)
    sender = Sender(
        person,
        player,
        match,
        now=now,
        rng=rng,
        key=settings.secret_key,
        token=token,
        operator=settings.operator,
        ply=replied_ply(session, inbound, token, replied_letter),
        choices=tuple(replied_letter.choices.splitlines()) if replied_letter else (),
        is_doubtful=auth_result_of(inbound.raw, author, settings.mail_authserv_id) == AuthResult.FAIL,
    )
    with in_language(person.language):
        acts = scattered.action_test(sender)
        commands, reply = parse_message(inbound, sent_texts, acts)
    if player is not None:
        player.last_message_id = message_id_of(inbound) or player.last_message_id
        session.add(player)
    _execute(session, inbound, sender, commands, reply, classification, acts)


def _is_for_several(session: Session, inbound: Inbound, person: Person, settings: Settings, now: datetime) -> bool:
    """Whether To or Cc contains another person's reply address besides the sender's."""
    tokens = tokens_named(session, inbound.raw, settings, now)
    return any(token.person_id not in (None, person.id) for token in tokens)


def _refuse_several(
    session: Session, inbound: Inbound, person: Person, notice: str, classification: Classification, now: datetime
) -> None:
    with in_language(person.language):
        sender = Sender(person, None, None, now=now, rng=random.Random(0))
        answer(
            session, inbound, letters.to_person(session, person), [TranscriptEntry("", notice)], classification, now,
            subject=_("What you wrote to us"), sender=sender, once="several",
        )  # fmt: skip
    close(session, inbound, InboundState.REJECTED, "addresses of several people")


def _execute(
    session: Session,
    inbound: Inbound,
    sender: Sender,
    commands: Sequence[Command],
    reply: Reply,
    classification: Classification,
    acts: Callable[[str], bool] = no_line_acts,
) -> None:
    """Execute the commands as the sender, and answer with one transcript if there is something to say."""
    mail_text = reply.text
    with in_language(sender.person.language):
        contradicting = scattered.contradicting_lines(reply, acts)
        result = (
            scattered.ask_which(contradicting, mail_text)
            if contradicting
            else handlers.execute(session, sender, commands, mail_text)
        )
        if not commands and not mail_text.strip() and not reply.withheld:
            result.entries.append(handlers.no_text_answer(reply.trouble))
            result.must_answer = True
        withheld = scattered.withheld_notice(reply)
        result.entries.extend(withheld)
        result.must_answer = result.must_answer or bool(withheld)
        # typical of automatic mail that is not marked as such
        is_probably_automatic = bool(withheld) and result.outcome in ("said", "said before")
        if result.proposed:
            result.outcome = propose(session, inbound, sender, result, classification)
        elif result.entries and (result.must_answer or sender.person.receipts):
            to = letters.to_person(session, sender.person)
            answer(
                session,
                inbound,
                to,
                result.entries,
                classification,
                sender.now,
                subject=_("What you wrote to us"),
                sender=sender,
                board=result.show_board,
                once=mail_text or reply.trouble if result.outcome in REFUSED or is_probably_automatic else "",
            )
    inbound.person_id = sender.person.id
    close(session, inbound, InboundState.DONE, result.outcome)
