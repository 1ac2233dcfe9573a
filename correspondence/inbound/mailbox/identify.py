"""Who wrote a message, with what right, and what comes of it.

The token in the recipient address decides, and From must agree. A From line alone asks questions, whose answers go
to the registered address; all else is proposed there, and done when the yes comes back.
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
    doubt,
    propose,
    tell_of_a_foreign_sender,
    tell_of_doubt,
)
from correspondence.inbound.mailbox.reading import commands_in, nothing_acts, own_id, ply_of, quotable
from correspondence.inbound.mailbox.store import close
from correspondence.matchmaking import invitations
from correspondence.mime.authentication import AuthResult, standing_of
from correspondence.mime.classify import Classification, mail_key, sole_author
from correspondence.mime.replytext import Reply
from correspondence.models import Inbound, InboundState, Match, Person, Purpose, Scope, Token
from correspondence.models.loading import players_of
from correspondence.outbound import compose, letters, suppressions
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _


def act_for_a_person(
    session: Session, inbound: Inbound, verdict: Classification, settings: Settings, now: datetime, rng: random.Random
) -> None:
    """Find out who wrote and with what right, by the address written to and by From, and do what he may.

    The open boxes and the link of an invitation believe no From line, and an address that only stops letters needs
    no more than itself; any other token speaks for its owner, if From agrees.
    """
    author = sole_author(inbound.raw)
    if author is None:
        close(session, inbound, InboundState.REJECTED, "no single author")
        return
    local = inbound.recipient.partition("@")[0]
    if local in OPEN_BOXES:
        _at_the_door(session, inbound, author, verdict, settings, now, rng)
        return
    token = token_at(session, local, settings, now)
    if token is None:
        close(session, inbound, InboundState.REJECTED, "token unknown or expired")
    elif token.purpose == Purpose.JOIN:
        _joining(session, inbound, token, author, verdict, settings, now, rng)
    elif token.purpose == Purpose.INVITE:
        _at_the_door(session, inbound, author, verdict, settings, now, rng, token)
    elif token.purpose == Purpose.STOP:
        _stopping(session, inbound, token, author, verdict, now)
    else:
        _with_token(session, inbound, token, author, verdict, settings, now, rng)


def _at_the_door(
    session: Session,
    inbound: Inbound,
    author: str,
    verdict: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
    token: Token | None = None,
) -> None:
    """Mail to the open address: From is only a hint, unless our own mail server vouches for it.

    `token` is that of an invitation: its link is anybody's who holds it, so it speaks for nobody but the one to whose
    address it was written.
    """
    person = accounts.person_at(session, author)
    with in_language(person.language if person else "en"):
        sent = quotable(session, inbound, person, token, settings)[0] if person else ()
        commands, reply = commands_in(inbound, sent)
    if person is None:
        _stranger(session, inbound, author, commands, verdict, now)
        return
    standing = standing_of(inbound.raw, author, settings.mail_authserv_id)
    is_invited = token is not None and invitations.is_addressed_to(session, token, person)
    writer = Sender(
        person, None, None, now=now, rng=rng, token=token, is_believed=is_invited or standing == AuthResult.PASS,
        operator=settings.operator, key=settings.secret_key,
    )  # fmt: skip
    if standing in (AuthResult.FAIL, AuthResult.NONE) and not is_invited:
        _in_doubt(session, inbound, writer, commands, reply.text, verdict)
        return
    _carry_out(session, inbound, writer, commands, reply, verdict)


def _in_doubt(
    session: Session, inbound: Inbound, writer: Sender, commands: Sequence[Command], said: str, verdict: Classification
) -> None:
    """Our mail server does not vouch for From: questions are not even answered, and all else is proposed."""
    asked = [command for command in commands if handlers.need_of(command) == handlers.Need.YES]
    if not asked:
        tell_of_doubt(session, inbound, writer.person, writer.now)
        return
    with in_language(writer.person.language):
        done = handlers.execute(session, writer, asked, said)
        done.sections.insert(0, doubt())
        told = propose(session, inbound, writer, done, verdict)
    inbound.person_id = writer.person.id
    close(session, inbound, InboundState.REJECTED, f"From is not vouched for, and there is no token: {told}")


def _stranger(
    session: Session, inbound: Inbound, author: str, commands: Sequence[Command], verdict: Classification, now: datetime
) -> None:
    try:
        compose.wire_address(author)
    except compose.LetterError:
        close(session, inbound, InboundState.REJECTED, "From is no address that could be answered")
        return
    joins = [command for command in commands if isinstance(command, Join)]
    _stop_strangers_letters(session, commands, author, now)
    try:
        if joins:
            accounts.request_join(session, joins[0].handle, author, now=now, in_reply_to=own_id(inbound), answers=True)
            close(session, inbound, InboundState.DONE, "join requested")
            return
        sections = [handlers.for_strangers(command) for command in commands] or [handlers.welcome()]
    except accounts.PeopleError as error:
        sections = [TranscriptEntry("", str(error))]
    to = letters.To(author)
    is_unread = not any(isinstance(command, (Help, Rules)) for command in commands)
    once = repr(commands) if is_unread else ""
    subject = _("How to join Correspondence") if is_unread else _("What you asked us")
    answer(session, inbound, to, sections, verdict, now, subject=subject, player=None, once=once)
    close(session, inbound, InboundState.DONE, "a stranger was answered")


def _stop_strangers_letters(session: Session, commands: Sequence[Command], author: str, now: datetime) -> None:
    if any(isinstance(command, Stop) for command in commands):
        suppressions.suppress(session, author, Scope.NOTICES, "stop", now=now)


def _stopping(
    session: Session, inbound: Inbound, token: Token, author: str, verdict: Classification, now: datetime
) -> None:
    """Mail to an address that only stops letters: mail programs write to it, so its words do not matter."""
    person = accounts.stop_by_token(session, token.id, now=now)
    owner = accounts.person_at(session, author)
    if owner is not None and owner.id == person.id:
        with in_language(person.language):
            writer = Sender(person, None, None, now=now, rng=random.Random(0))
            to, told = letters.to_person(session, person), [handlers.stopped()]
            answer(session, inbound, to, told, verdict, now, subject=_("What you wrote to us"), player=writer)
    inbound.person_id = person.id
    close(session, inbound, InboundState.DONE, "stop")


def _joining(
    session: Session,
    inbound: Inbound,
    token: Token,
    author: str,
    verdict: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
) -> None:
    asked = json.loads(token.payload)
    if mail_key(asked["mail"]) != mail_key(author):
        close(session, inbound, InboundState.REJECTED, "From is not the address to be confirmed")
        return
    commands = commands_in(inbound, ())[0]
    if token.person_id is not None and not any(isinstance(command, Yes) for command in commands):
        _with_token(session, inbound, token, author, verdict, settings, now, rng)  # who joined long since
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
            in_reply_to=own_id(inbound),
            subject_line=_("About joining"),
            sections=[TranscriptEntry("", str(error))],
            board="",
        )
        close(session, inbound, InboundState.DONE, "joining refused")
        return
    inbound.person_id = person.id
    close(session, inbound, InboundState.DONE, "joined")


def _with_token(
    session: Session,
    inbound: Inbound,
    token: Token,
    author: str,
    verdict: Classification,
    settings: Settings,
    now: datetime,
    rng: random.Random,
) -> None:
    person = session.get_one(Person, token.person_id)
    inbound.person_id, inbound.match_id = person.id, token.match_id
    owner = accounts.person_at(session, author)
    if owner is None or owner.id != person.id:
        tell_of_a_foreign_sender(session, inbound, person, now)
        return
    match = session.get(Match, token.match_id) if token.match_id is not None else None
    player = next((p for p in players_of(session, match.id) if p.person_id == person.id), None) if match else None
    if _is_for_several(session, inbound, person, settings, now):
        told = _("This mail went to the reply addresses of several people, so nothing was done. Please write to yours.")
        _ask_instead(session, inbound, person, told, verdict, now)
        return
    sent, replied = quotable(session, inbound, person, token, settings)
    writer = Sender(
        person,
        player,
        match,
        now=now,
        rng=rng,
        key=settings.secret_key,
        token=token,
        operator=settings.operator,
        ply=ply_of(session, inbound, token, replied),
        choices=tuple(replied.choices.splitlines()) if replied else (),
        is_doubtful=standing_of(inbound.raw, author, settings.mail_authserv_id) == AuthResult.FAIL,
    )
    with in_language(person.language):
        acts = scattered.acting(writer)
        commands, reply = commands_in(inbound, sent, acts)
    if player is not None:
        player.last_message_id = own_id(inbound) or player.last_message_id
        session.add(player)
    _carry_out(session, inbound, writer, commands, reply, verdict, acts)


def _is_for_several(session: Session, inbound: Inbound, person: Person, settings: Settings, now: datetime) -> bool:
    """Whether the mail names the reply address of anybody else besides the writer's."""
    named = tokens_named(session, inbound.raw, settings, now)
    return any(token.person_id not in (None, person.id) for token in named)


def _ask_instead(
    session: Session, inbound: Inbound, person: Person, told: str, verdict: Classification, now: datetime
) -> None:
    with in_language(person.language):
        writer = Sender(person, None, None, now=now, rng=random.Random(0))
        answer(
            session, inbound, letters.to_person(session, person), [TranscriptEntry("", told)], verdict, now,
            subject=_("What you wrote to us"), player=writer, once="several",
        )  # fmt: skip
    close(session, inbound, InboundState.REJECTED, "addresses of several people")


def _carry_out(
    session: Session,
    inbound: Inbound,
    writer: Sender,
    commands: Sequence[Command],
    reply: Reply,
    verdict: Classification,
    acts: Callable[[str], bool] = nothing_acts,
) -> None:
    """Do what was written, as its writer, and answer with one transcript where there is something to say."""
    said = reply.text
    with in_language(writer.person.language):
        several = scattered.contradiction(reply, acts)
        done = scattered.asked_which(several, said) if several else handlers.execute(session, writer, commands, said)
        if not commands and not said.strip() and not reply.withheld:
            done.sections.append(handlers.nothing_to_read(reply.trouble))
            done.must_answer = True
        doubts = scattered.in_doubt(reply)
        done.sections.extend(doubts)
        done.must_answer = done.must_answer or bool(doubts)
        is_unheard = bool(doubts) and done.outcome in ("said", "said before")  # as robots write that nobody marked
        if done.proposed:
            done.outcome = propose(session, inbound, writer, done, verdict)
        elif done.sections and (done.must_answer or writer.person.receipts):
            to = letters.to_person(session, writer.person)
            answer(
                session,
                inbound,
                to,
                done.sections,
                verdict,
                writer.now,
                subject=_("What you wrote to us"),
                player=writer,
                board=done.show_board,
                once=said or reply.trouble if done.outcome in REFUSED or is_unheard else "",
            )
    inbound.person_id = writer.person.id
    close(session, inbound, InboundState.DONE, done.outcome)
