"""Replies of non-members to the letter that invites them to a game."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from correspondence.commands import Command, Other
from correspondence.commands.answer_reading import Answer, Mistake, No, Yes
from correspondence.commands.answer_topics import CHALLENGE
from correspondence.commands.guest_language import language_of
from correspondence.commands.handlers.doubts import quoted
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox.answering import answer
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.store import close
from correspondence.inbound.mailbox.strangers import answer_to
from correspondence.matchmaking import declining
from correspondence.mime.replytext import Reply
from correspondence.models import InboundState, Token
from correspondence.outbound import letters
from correspondence.outbound.transcript import TranscriptEntry
from engines.refusal import Refusal
from engines.wording import _


def handle_invited(
    session: Session, mail: PersonalMail, token: Token, commands: Sequence[Command], reply: Reply
) -> bool:
    """Handle the invited person's reply to their letter; False if it is another command."""
    read = answer_to(mail, CHALLENGE, reply, commands)
    if not isinstance(read, Yes | No | Mistake) and not all(isinstance(command, Other) for command in commands):
        return False
    language = language_of(reply.command_lines)
    with in_language(language):
        try:
            entry = _entry(session, mail, token, read, reply)
        except Refusal as error:
            entry = TranscriptEntry("", str(error))
        to = letters.To(mail.author, language)
        words = reply.text or "nothing"
        answer(session, mail, to, [entry], subject=_("Your invitation"), sender=None, dialogue=words, question=token)
        close(session, mail.inbound, InboundState.DONE, "an invitation was answered")
    return True


def _entry(session: Session, mail: PersonalMail, token: Token, read: Answer, reply: Reply) -> TranscriptEntry:
    """Execute the reply and return the entry for the writer. Raises Refusal."""
    if isinstance(read, No):
        declining.decline_invitation(session, token.id, now=mail.now)
        return TranscriptEntry("", f"{declining.declined()} {declining.mistake()}")
    if isinstance(read, Mistake):
        declining.reopen_invitation(session, token.id, now=mail.now)
        return TranscriptEntry("", _("The invitation is open again. To play, reply to its letter: accept"))
    how = _("To play, reply with the line join YOURNAME. When you have joined, reply to our invitation with: accept")
    if isinstance(read, Yes):
        return TranscriptEntry("", how)
    sentence = _("This isn't a clear answer to the invitation, so nothing was done.")
    decline = _("If you do not want to play, reply: decline")
    return TranscriptEntry("", f"{sentence} {how} {decline}", block=quoted(reply.text.splitlines()))
