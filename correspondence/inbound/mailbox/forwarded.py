"""Mail to a reply address whose From a forwarder rewrote: its owner is asked to confirm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence.commands import Command, subjects
from correspondence.commands.handlers import Sender, which_game
from correspondence.core.i18n import in_language
from correspondence.inbound.mailbox.answering import answer
from correspondence.inbound.mailbox.personal_mail import PersonalMail
from correspondence.inbound.mailbox.store import close
from correspondence.models import InboundState
from correspondence.outbound import letters
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _


def ask_about(
    session: Session, mail: PersonalMail, sender: Sender, commands: Sequence[Command], acts: Callable[[str], bool]
) -> bool:
    """Ask a reply address's owner about the lines of a mail that act there; False if none do.

    From is not one of their addresses, so nothing is executed or passed on before they choose a line.
    """
    acting = [command for command in commands if acts(command.written)]
    if not acting or sender.match is None or sender.player is None:
        return False
    unproven = replace(sender, is_believed=False)
    with in_language(sender.person.language):
        outcome = which_game.ask_in_game(session, unproven, acting, is_all=True)
        notice = _(
            "A mail to your reply address came from {mail}, which is not one of your addresses. Nothing was done."
        )
        entries = [TranscriptEntry("", notice.format(mail=mail.author)), *outcome.entries]
        answer(
            session, mail, letters.to_person(session, sender.person), entries,
            subject=subjects.answer_subject(acting, is_refused=True), sender=unproven, board=True,
        )  # fmt: skip
    close(session, mail.inbound, InboundState.REJECTED, "From is not an address of the token's owner, who is asked")
    return True
