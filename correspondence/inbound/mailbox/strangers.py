"""Mail from non-members: joining, questions, and unsubscribing.

From lines are not trusted: joining is confirmed by a reply to a letter sent to that address.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlmodel import Session

from correspondence.accounts import accounts, joining, recovery
from correspondence.commands import (
    Command,
    Help,
    Join,
    Recover,
    Rules,
    Stop,
    handlers,
    subjects,
)
from correspondence.commands.answer_reading import Answer, No, Question, Yes, names_in, read_answer
from correspondence.commands.answer_topics import ADDRESS, JOIN, QuestionTopic
from correspondence.commands.guest_language import DEFAULT, language_of
from correspondence.commands.handlers.doubts import quoted
from correspondence.commands.rules_answers import one_page_each
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox import stranger_budget
from correspondence.inbound.mailbox.answering import answer
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.reading import message_id_of
from correspondence.inbound.mailbox.store import close
from correspondence.mime.classify import author_name
from correspondence.mime.headers import clock_offset
from correspondence.mime.replytext import Reply
from correspondence.models import InboundState, Scope, Token
from correspondence.outbound import compose, letters, suppressions
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _


def handle_stranger(
    session: Session,
    mail: PersonalMail,
    commands: Sequence[Command],
    words: Sequence[str],
    invitation: Token | None = None,
) -> None:
    """Handle a non-member's mail to an open box; the first word of `words` sets the language.

    `invitation` is the token of the letter that invited them. It vouches for them, so strangers use up none of their
    answers.
    """
    with in_language(language := language_of(words)):
        _handle(session, mail, commands, language, invitation)


def _handle(
    session: Session, mail: PersonalMail, commands: Sequence[Command], language: str, invitation: Token | None
) -> None:
    try:
        compose.wire_address(mail.author)
    except compose.LetterError:
        close(session, mail.inbound, InboundState.REJECTED, "From is no address that could be answered")
        return
    is_asked = any(isinstance(command, (Join, Help, Rules, Recover)) for command in commands)
    stop_notices(session, commands, mail.author, mail.now)
    write = partial(_answer_commands, session, mail, commands, language, invitation)
    if invitation is not None:
        write()
    else:
        stranger_budget.answer_within(session, mail, write, is_asked=is_asked)


def _answer_commands(
    session: Session, mail: PersonalMail, commands: Sequence[Command], language: str, invitation: Token | None
) -> None:
    join = next((command for command in commands if isinstance(command, Join)), None)
    recover = next((command for command in commands if isinstance(command, Recover)), None)
    try:
        if recover is not None:
            recovery.ask(session, recover.code, mail.author, key=mail.settings.secret_key, now=mail.now)
            close(session, mail.inbound, InboundState.DONE, "recovery requested")
            return
        if join is not None:
            _request_join(session, mail, join, language, is_invited=invitation is not None)
            return
        answers = [handlers.answer_stranger(command, language, mail.settings.features_off) for command in commands]
        sections = one_page_each(answers) or [handlers.welcome()]
    except accounts.PeopleError as error:
        sections = [TranscriptEntry("", str(error))]
    is_question = any(isinstance(command, (Help, Rules)) for command in commands)
    subject = subjects.answer_subject(commands, is_refused=False) if is_question else _("How to join Correspondence")
    once = "" if is_question else repr(commands)
    outcome = "a stranger was answered"
    _answer_stranger(session, mail, sections, subject, outcome, once, language=language, question=invitation)


def handle_confirmation(
    session: Session, mail: PersonalMail, token: Token, commands: Sequence[Command], reply: Reply
) -> None:
    """Handle the reply to the letter that confirms joining: only a yes creates an account.

    Any other reply is answered with the right form, except a no, a stop or thanks.
    """
    language = str(accounts.payload_of(token).get("language", DEFAULT))
    with in_language(language):
        _confirm(session, mail, token, commands, reply, language)


def _confirm(
    session: Session, mail: PersonalMail, token: Token, commands: Sequence[Command], reply: Reply, language: str
) -> None:
    stop_notices(session, commands, mail.author, mail.now)
    if not says_yes(mail, reply, commands):
        ask = partial(_ask_for_yes, session, mail, token, commands, reply, language)
        stranger_budget.answer_within(session, mail, ask, is_asked=True)
        return
    try:
        person = joining.confirm_join(session, token.id, now=mail.now)
    except accounts.PeopleError as error:
        entries, subject = [TranscriptEntry("", str(error))], _("About joining")
        refuse = partial(_answer_stranger, session, mail, entries, subject, "joining refused", language=language)
        stranger_budget.answer_within(session, mail, refuse, is_asked=True)
        return
    mail.inbound.person_id = person.id
    close(session, mail.inbound, InboundState.DONE, "joined")


def _ask_for_yes(
    session: Session, mail: PersonalMail, token: Token, commands: Sequence[Command], reply: Reply, language: str
) -> None:
    is_stop = any(isinstance(command, Stop) for command in commands)
    if is_stop or isinstance(answer_to(mail, JOIN, reply, commands), No):
        words = _("No account has been made. If you want to join after all, reply to our letter with the word yes.")
        if is_stop:
            words = _(
                "You'll get no more letters from us. If you want to join after all, write from here: join YOURNAME"
            )
    else:
        words = _(
            "To join, reply with the single word yes on the first line, or open the page named in our letter. "
            "You wrote something else, so no account was made. If you don't want to join, do nothing."
        )
    to, dialogue = letters.To(mail.author, language), reply.text or "\n".join(reply.withheld) or "nothing"
    entry = TranscriptEntry("", words, block=quoted(reply.text.splitlines()))
    answer(session, mail, to, [entry], subject=_("About joining"), sender=None, dialogue=dialogue, question=token)
    close(session, mail.inbound, InboundState.DONE, "not confirmed")


def answer_to(mail: PersonalMail, topic: QuestionTopic, reply: Reply, commands: Sequence[Command]) -> Answer:
    """Parse the lines above the quotation, or a subject-only mail, as the answer to a letter."""
    lines = reply.command_lines if reply.text.strip() else [command.written for command in commands]
    names = names_in(f"{author_name(mail.inbound.raw)} {mail.author.partition('@')[0]}")
    return read_answer(Question(topic, names=names), "\n".join(lines))


def is_yes(line: str) -> bool:
    """Whether a line is a yes; such a line is the writer's own anywhere in a mail."""
    return any(isinstance(read_answer(Question(topic), line), Yes) for topic in (JOIN, ADDRESS))


def says_yes(mail: PersonalMail, reply: Reply, commands: Sequence[Command], topic: QuestionTopic = JOIN) -> bool:
    """Whether a reply is a yes to `topic`."""
    return isinstance(answer_to(mail, topic, reply, commands), Yes)


def _request_join(session: Session, mail: PersonalMail, command: Join, language: str, *, is_invited: bool) -> None:
    """Send the letter that confirms joining. Raises PeopleError."""
    joining.request_join(
        session, command.handle, mail.author, now=mail.now, in_reply_to=message_id_of(mail.inbound), answers=True,
        offset=clock_offset(mail.inbound.raw), language=language, is_invited=is_invited,
    )  # fmt: skip
    close(session, mail.inbound, InboundState.DONE, "join requested")


def _answer_stranger(
    session: Session,
    mail: PersonalMail,
    sections: Sequence[TranscriptEntry],
    subject: str,
    outcome: str,
    once: str = "",
    *,
    language: str,
    question: Token | None = None,
) -> None:
    to = letters.To(mail.author, language)
    answer(session, mail, to, sections, subject=subject, sender=None, once=once, question=question)
    close(session, mail.inbound, InboundState.DONE, outcome)


def stop_notices(session: Session, commands: Sequence[Command], author: str, now: datetime) -> None:
    """Unsubscribe an address from notices if one of the commands is a stop."""
    if any(isinstance(command, Stop) for command in commands):
        suppressions.suppress(session, author, Scope.NOTICES, "stop", now=now)
