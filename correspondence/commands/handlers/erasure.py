"""Commands about the sender's personal data: export and erasure."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.handlers.context import Sender
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.community import erasure
from engines.wording import N_


def _export(session: Session, sender: Sender, _command: cmd.Export) -> None:
    erasure.send_export_link(session, sender.person, is_proven=sender.is_believed, now=sender.now)


def _forget(session: Session, sender: Sender, _command: cmd.ForgetMe) -> None:
    erasure.ask(session, sender.person, now=sender.now)


COMMANDS = (
    Declaration(
        kind=cmd.Export,
        phrases="export | export my data | esporta",
        need=Need.NOTHING,
        handler=_export,
        topic="account",
        help=(HelpLine("account", 1, N_("export"), N_("where to download everything we keep about you")),),
    ),
    Declaration(
        kind=cmd.ForgetMe,
        phrases="forget me | dimenticami | vergiss mich | oubliez-moi",
        need=Need.YES,
        handler=_forget,
        topic="account",
        help=(
            HelpLine(
                "account",
                2,
                N_("forget me"),
                N_("asks once, then erases you; your games stay with a departed player"),
            ),
        ),
    ),
)
