"""Letters received: kept once, then read and turned into use cases, and answered at most once.

Who writes is decided by the token in the recipient address, and From must agree; a From
line alone can do only what harms nobody. Machine mail ends as an outcome, unanswered.
"""

from __future__ import annotations

import json
import logging
import random
import re
import traceback
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Engine, exists
from sqlmodel import Session, col, func, select

from correspondence import (
    bounces,
    desk,
    letters,
    match_letters,
    messages,
    operator_mail,
    people,
    replytext,
    suppressions,
    tokens,
)
from correspondence.authentication import Standing, standing_of
from correspondence.commands import Command, Join, Stop, Yes, commands_of
from correspondence.config import Settings
from correspondence.course import players_of
from correspondence.db import transaction
from correspondence.desk import Writer
from correspondence.languages import in_language
from correspondence.machine_mail import Kind, Verdict, classify, mail_key, message_key, references_of, sole_author
from correspondence.models import Inbound, InboundState, Letter, Match, Person, Purpose, Scope, Token
from correspondence.sections import Section
from engines.wording import _

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
"""How long one worker may keep a message to itself."""

MOST_TRIES = 3
"""After so many failures a message is set aside as dead, to be looked at by a person."""

ANSWERS_A_DAY = 10
"""The most automatic answers to a stranger's address in a day; somebody at a table of ours has more."""

ANSWERS_A_DAY_TO_PLAYERS = 60

OPEN_BOXES = ("play", *operator_mail.BOXES)
"""The local parts that everybody may write to."""


def keep(engine: Engine, raw: bytes, recipient: str, sender: str, *, now: datetime) -> None:
    """Keep a message for one recipient, once; committed when this returns."""
    key, box = message_key(raw)[:200], mail_key(recipient)[:320]
    with transaction(engine) as session:
        known = select(exists().where(col(Inbound.message_key) == key, col(Inbound.recipient) == box))
        if not session.exec(known).one():
            session.add(
                Inbound(message_key=key, recipient=box, sender=sender[:320], raw=raw, received_at=now, due_at=now)
            )


def is_known(session: Session, recipient: str, settings: Settings, *, now: datetime) -> bool:
    """Whether mail to this recipient is for us; unknown and expired tokens look the same."""
    local, _at, domain = recipient.casefold().partition("@")
    if recipient.casefold() == "postmaster":  # which is for us even without a domain (RFC 5321 4.5.1)
        return True
    if domain != settings.mail_domain.casefold():
        return False
    if local in OPEN_BOXES or local.startswith("b."):
        return True
    return _token(session, local, settings, now) is not None


def drain(engine: Engine, settings: Settings, *, now: datetime, lots: random.Random) -> int:
    """Act on every message that is due; returns how many. A message that fails never blocks the rest."""
    count = 0
    while (number := _claim(engine, now)) is not None:
        count += 1
        try:
            with transaction(engine) as session:
                act(session, session.get_one(Inbound, number, with_for_update=True), settings, now=now, lots=lots)
        except Exception:
            log.exception("message %s failed", number)
            with transaction(engine) as session:
                _fail(session, number, now, traceback.format_exc())
    return count


def act(session: Session, inbound: Inbound, settings: Settings, *, now: datetime, lots: random.Random) -> None:
    """Turn one kept message into what its writer wants, and answer it where an answer is due."""
    if inbound.state not in (InboundState.NEW, InboundState.TAKEN):  # somebody else was quicker, or it is dead
        return
    trouble = replytext.within_limits(inbound.raw)
    if trouble is not None:
        _close(session, inbound, InboundState.REJECTED, trouble)
        return
    verdict = classify(
        inbound.raw,
        sender=inbound.sender,
        recipient=inbound.recipient,
        instance=settings.mail_domain,
        domain=settings.mail_domain,
    )
    told = ""
    if operator_mail.is_for_operator(inbound) and verdict.kind != Kind.LOOP:
        told = operator_mail.forward(session, inbound, settings, now=now)
    if verdict.kind in (Kind.BOUNCE, Kind.COMPLAINT):
        _returned(session, inbound, verdict, settings, now, told)
        return
    if told:
        _close(session, inbound, InboundState.DONE, told)
        return
    if verdict.kind != Kind.PERSON:
        token = _token(session, inbound.recipient.partition("@")[0], settings, now)
        if token is not None:  # so that the page of letters can tell whoever has this address
            inbound.person_id, inbound.match_id = token.person_id, token.match_id
        _close(session, inbound, InboundState.IGNORED, f"{verdict.kind}: {verdict.reason}")
        return
    _act_for_a_person(session, inbound, verdict, settings, now, lots)


def _returned(
    session: Session, inbound: Inbound, verdict: Verdict, settings: Settings, now: datetime, told: str
) -> None:
    """A letter of ours came back: note it at the letter and its address; never answered, never talk.

    `told` says that the operator has seen to it, where it is no letter of ours.
    """
    report = bounces.read_report(inbound.raw)
    named = (inbound.recipient, *bounces.addresses_in(inbound.raw), report.sender if report else "")
    numbers = (messages.returned_letter(address, settings) for address in named)
    number = next((number for number in numbers if number is not None), None)
    letter = session.get(Letter, number, with_for_update=True) if number is not None else None
    if report is None or letter is None:
        state = InboundState.DONE if told else InboundState.IGNORED
        _close(session, inbound, state, told or f"{verdict.kind}: {verdict.reason}")
        return
    suppressions.note_return(session, letter, report, now=now)
    _close(session, inbound, InboundState.DONE, f"{verdict.kind}: {report.weight}")


def _act_for_a_person(
    session: Session, inbound: Inbound, verdict: Verdict, settings: Settings, now: datetime, lots: random.Random
) -> None:
    author = sole_author(inbound.raw)
    if author is None:
        _close(session, inbound, InboundState.REJECTED, "no single author")
        return
    local = inbound.recipient.partition("@")[0]
    if local in OPEN_BOXES:
        _at_the_door(session, inbound, author, verdict, settings, now, lots)
        return
    token = _token(session, local, settings, now)
    if token is None:
        _close(session, inbound, InboundState.REJECTED, "token unknown or expired")
    elif token.purpose == Purpose.JOIN:
        _joining(session, inbound, token, author, now)
    elif token.purpose == Purpose.INVITE:
        _at_the_door(session, inbound, author, verdict, settings, now, lots, token)
    elif token.purpose == Purpose.STOP:
        _stopping(session, inbound, token, author, verdict, now)
    else:
        _with_token(session, inbound, token, author, verdict, settings, now, lots)


def _at_the_door(
    session: Session,
    inbound: Inbound,
    author: str,
    verdict: Verdict,
    settings: Settings,
    now: datetime,
    lots: random.Random,
    token: Token | None = None,
) -> None:
    """Mail to the open address: From is only a hint, so nothing happens here that could harm somebody.

    `token` is that of an invitation, which anybody may answer who holds it.
    """
    person = people.person_at(session, author)
    with in_language(person.language if person else "en"):
        commands = _commands(inbound, ())[0]
    if person is None:
        _stranger(session, inbound, author, commands, verdict, now)
        return
    if standing_of(inbound.raw, author, settings.mail_authserv_id) in (Standing.FAIL, Standing.NONE):
        _tell_of_doubt(session, inbound, person, now)
        return
    writer = Writer(
        person, None, None, now=now, lots=lots, token=token, by_token=False,
        operator=settings.operator, key=settings.secret_key,
    )  # fmt: skip
    _carry_out(session, inbound, writer, commands, "", (), verdict, settings)


def _stranger(
    session: Session, inbound: Inbound, author: str, commands: Sequence[Command], verdict: Verdict, now: datetime
) -> None:
    try:
        messages.wire_address(author)
    except messages.LetterError:
        _close(session, inbound, InboundState.REJECTED, "From is no address that could be answered")
        return
    joins = [command for command in commands if isinstance(command, Join)]
    _stop_strangers_letters(session, commands, author, now)
    try:
        if joins:
            suppressions.lift(session, author, Scope.NOTICES)
            people.request_join(session, joins[0].handle, author, now=now, in_reply_to=_own_id(inbound))
            _close(session, inbound, InboundState.DONE, "join requested")
            return
        sections = [desk.for_strangers(command) for command in commands] or [desk.welcome()]
    except people.PeopleError as error:
        sections = [Section("", str(error))]
    to = letters.To(author)
    _answer(session, inbound, to, sections, verdict, now, subject=_("How to join Correspondence"), player=None)
    _close(session, inbound, InboundState.DONE, "a stranger was answered")


def _stop_strangers_letters(session: Session, commands: Sequence[Command], author: str, now: datetime) -> None:
    if any(isinstance(command, Stop) for command in commands):
        suppressions.suppress(session, author, Scope.NOTICES, "stop", now=now)


def _stopping(
    session: Session, inbound: Inbound, token: Token, author: str, verdict: Verdict, now: datetime
) -> None:
    """Mail to an address that only stops letters: mail programs write to it, so its words do not matter."""
    person = people.stop_by_token(session, token.id, now=now)
    owner = people.person_at(session, author)
    if owner is not None and owner.id == person.id:
        with in_language(person.language):
            writer = Writer(person, None, None, now=now, lots=random.Random(0))
            to, told = letters.to_person(session, person), [desk.stopped()]
            _answer(session, inbound, to, told, verdict, now, subject=_("What you wrote to us"), player=writer)
    inbound.person_id = person.id
    _close(session, inbound, InboundState.DONE, "stop")


def _joining(session: Session, inbound: Inbound, token: Token, author: str, now: datetime) -> None:
    asked = json.loads(token.payload)
    if mail_key(asked["mail"]) != mail_key(author):
        _close(session, inbound, InboundState.REJECTED, "From is not the address to be confirmed")
        return
    commands = _commands(inbound, ())[0]
    _stop_strangers_letters(session, commands, author, now)
    if not any(isinstance(command, Yes) for command in commands):
        _close(session, inbound, InboundState.DONE, "not confirmed")
        return
    try:
        person = people.confirm_join(session, token.id, now=now)
    except people.PeopleError as error:
        letters.write_letter(
            session,
            "answer",
            letters.To(author),
            f"answer:i{inbound.id}",
            now=now,
            answers=True,
            in_reply_to=_own_id(inbound),
            subject_line=_("About joining"),
            sections=[Section("", str(error))],
            board="",
        )
        _close(session, inbound, InboundState.DONE, "joining refused")
        return
    inbound.person_id = person.id
    _close(session, inbound, InboundState.DONE, "joined")


def _with_token(
    session: Session,
    inbound: Inbound,
    token: Token,
    author: str,
    verdict: Verdict,
    settings: Settings,
    now: datetime,
    lots: random.Random,
) -> None:
    person = session.get_one(Person, token.person_id)
    inbound.person_id, inbound.match_id = person.id, token.match_id
    owner = people.person_at(session, author)
    if owner is None or owner.id != person.id:
        _tell_of_a_foreign_sender(session, inbound, person, now)
        return
    match = session.get(Match, token.match_id) if token.match_id is not None else None
    player = next((p for p in players_of(session, match.id) if p.person_id == person.id), None) if match else None
    sent, replied = _quotable(session, inbound, person, token, settings)
    with in_language(person.language):
        commands, said = _commands(inbound, sent)
    writer = Writer(
        person,
        player,
        match,
        now=now,
        lots=lots,
        key=settings.secret_key,
        token=token,
        operator=settings.operator,
        ply=_ply_of(session, inbound, token),
        choices=tuple(replied.choices.splitlines()) if replied else (),
        is_doubtful=standing_of(inbound.raw, author, settings.mail_authserv_id) == Standing.FAIL,
    )
    if player is not None:
        player.last_message_id = _own_id(inbound) or player.last_message_id
        session.add(player)
    _carry_out(session, inbound, writer, commands, said, sent, verdict, settings)


def _carry_out(
    session: Session,
    inbound: Inbound,
    writer: Writer,
    commands: Sequence[Command],
    said: str,
    sent: Sequence[str],
    verdict: Verdict,
    settings: Settings,
) -> None:
    """Do what was written, as its writer, and answer with one transcript where there is something to say."""
    with in_language(writer.person.language):
        done = desk.carry_out(session, writer, commands, said)
        trouble = replytext.read_reply(inbound.raw, sent).trouble
        if not commands:
            done.sections.append(desk.nothing_to_read(trouble))
            done.must_answer = True
        if done.sections and (done.must_answer or writer.person.receipts):
            to = letters.to_person(session, writer.person)
            _answer(
                session,
                inbound,
                to,
                done.sections,
                verdict,
                writer.now,
                subject=_("What you wrote to us"),
                player=writer,
                board=done.show_board,
            )
    inbound.person_id = writer.person.id
    _close(session, inbound, InboundState.DONE, done.outcome)


def _answer(
    session: Session,
    inbound: Inbound,
    to: letters.To | None,
    sections: Sequence[Section],
    verdict: Verdict,
    now: datetime,
    *,
    subject: str,
    player: Writer | None,
    board: bool = False,
) -> None:
    if to is None or not verdict.may_answer or not _may_answer(session, to, now):
        return
    key = f"answer:i{inbound.id}"
    choices = next((section.suggestions for section in sections if section.suggestions), ())
    if player is None or player.player is None or player.match is None:
        reply = people.desk_token(session, player.person, now=now).id if player else None
        letters.write_letter(
            session,
            "answer",
            to,
            key,
            now=now,
            answers=True,
            in_reply_to=_own_id(inbound),
            reply_token=reply,
            choices=choices,
            subject_line=subject,
            sections=sections,
            board="",
        )
        return
    match_letters.answer(session, player.match, player.player, sections, key, now=now, choices=choices, board=board)


def _may_answer(session: Session, to: letters.To, now: datetime) -> bool:
    counted = (
        select(func.count())
        .select_from(Letter)
        .where(
            col(Letter.recipient) == to.mail,
            col(Letter.created_at) > now - timedelta(days=1),
            col(Letter.auto_submitted) == "auto-replied",
        )
    )
    limit = ANSWERS_A_DAY if to.person_id is None else ANSWERS_A_DAY_TO_PLAYERS
    return session.exec(counted).one() < limit


def _tell_of_a_foreign_sender(session: Session, inbound: Inbound, person: Person, now: datetime) -> None:
    """Somebody else wrote to this person's reply address: do nothing, and tell the registered address."""
    with in_language(person.language):
        text = _(
            "A message came to your reply address from an address that is not yours. Nothing was done. "
            "If you wrote it, please write from the address you joined with."
        )
    _warn(session, person, f"foreign:u{person.id}:{now:%Y-%m-%d}", text, now)
    _close(session, inbound, InboundState.REJECTED, "From is not an address of the token's owner")


def _tell_of_doubt(session: Session, inbound: Inbound, person: Person, now: datetime) -> None:
    """A From line that our mail server does not vouch for, and no token: do nothing, and tell its owner."""
    with in_language(person.language):
        text = _(
            "A message came in your name, but nothing shows that it is from you. Nothing was done. If you wrote it, "
            "please answer this letter, or any other of ours: your answers are known by their address."
        )
    _warn(session, person, f"doubt:u{person.id}:{now:%Y-%m-%d}", text, now)
    inbound.person_id = person.id
    _close(session, inbound, InboundState.REJECTED, "From is not vouched for, and there is no token")


def _warn(session: Session, person: Person, key: str, text: str, now: datetime) -> None:
    """Tell a person, once a day as `key` says, of a message in his name that was not obeyed."""
    letters.write_letter(
        session,
        "answer",
        letters.to_person(session, person),
        key,
        now=now,
        answers=True,
        reply_token=people.desk_token(session, person, now=now).id,
        subject_line=_("A message that was not obeyed"),
        sections=[Section("", text)],
        board="",
    )


def _commands(inbound: Inbound, sent: Sequence[str]) -> tuple[tuple[Command, ...], str]:
    """What the person wrote: commands, and all of it as talk; the subject speaks where the body is empty."""
    reply = replytext.read_reply(inbound.raw, sent)
    lines = reply.command_lines or reply.below
    if not lines and reply.trouble == "empty":
        subject = replytext.subject_of(inbound.raw)
        if not re.match(r"\s*\w{1,4}\s*:", subject):
            lines = tuple(line for line in (subject.strip(),) if line)
    return commands_of(lines), reply.text


def _quotable(
    session: Session, inbound: Inbound, person: Person, token: Token, settings: Settings
) -> tuple[list[str], Letter | None]:
    """The texts that this mail may quote, newest first, and the very letter it answers, if that is known."""
    found = select(Letter).where(col(Letter.person_id) == person.id).order_by(col(Letter.id).desc()).limit(6)
    if token.match_id is not None:
        found = found.where(col(Letter.match_id) == token.match_id)
    named = {reference.rpartition("@")[0] for reference in references_of(inbound.raw)}
    answered = (
        session.exec(
            select(Letter)
            .where(col(Letter.person_id) == person.id, col(Letter.message_id).in_(named))
            .order_by(col(Letter.id).desc())
        ).first()
        if named
        else None
    )
    likely = [*([answered] if answered else []), *session.exec(found)]
    texts = []
    for letter in likely:
        texts.append(messages.fill(letter.text, letter, settings))
        if letter.html:
            texts.append(replytext.html_to_text(messages.fill(letter.html, letter, settings)))
    return texts, answered


def _ply_of(session: Session, inbound: Inbound, token: Token) -> int | None:
    """The position that the writer answers, as the letter's Message-ID names it; None if that is unknown.

    A letter that showed a move which was taken back answers no position any more.
    """
    for reference in references_of(inbound.raw):
        named = re.match(r"g(\d{1,12})\.p(\d{1,9})\.", reference)
        if named and int(named[1]) == token.match_id:
            shown = select(Letter.ply).where(col(Letter.message_id) == reference.rpartition("@")[0])
            stands = session.exec(shown).first()
            return int(named[2]) if stands is None else stands
    return None


def _own_id(inbound: Inbound) -> str:
    return "" if inbound.message_key.startswith("sha256:") else inbound.message_key


def _token(session: Session, local: str, settings: Settings, now: datetime) -> Token | None:
    kind, _dot, secret = local.casefold().partition(".")
    number = tokens.read(settings.secret_key, secret) if kind == "r" else None
    token = session.get(Token, number) if number is not None else None
    if token is None or people.has_expired(token, now):
        return None
    return token if token.used_at is None or token.purpose == Purpose.JOIN else None


def _claim(engine: Engine, now: datetime) -> int | None:
    with transaction(engine) as session:
        due = (
            select(Inbound)
            .where(col(Inbound.state).in_([InboundState.NEW, InboundState.TAKEN]), col(Inbound.due_at) <= now)
            .order_by(col(Inbound.due_at), col(Inbound.id))
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        inbound = session.exec(due).first()
        if inbound is None:
            return None
        inbound.state, inbound.due_at = InboundState.TAKEN, now + LEASE
        inbound.tries += 1
        if inbound.tries > MOST_TRIES:
            _close(session, inbound, InboundState.DEAD, inbound.reason or "its worker died three times")
        return inbound.id


def _fail(session: Session, number: int, now: datetime, why: str) -> None:
    inbound = session.get_one(Inbound, number)
    inbound.reason = why[-4000:]
    if inbound.tries >= MOST_TRIES:
        inbound.state = InboundState.DEAD
    inbound.due_at = now + LEASE
    session.add(inbound)


def _close(session: Session, inbound: Inbound, state: InboundState, reason: str) -> None:
    inbound.state, inbound.reason = state, reason
    session.add(inbound)
    session.flush()
