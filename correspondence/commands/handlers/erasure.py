"""Commands about the sender's personal data: export and erasure."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.community import erasure


def _export(session: Session, sender: Sender, _command: cmd.Export) -> None:
    erasure.send_export_link(session, sender.person, is_proven=sender.is_believed, now=sender.now)


def _forget(session: Session, sender: Sender, _command: cmd.ForgetMe) -> None:
    erasure.ask(session, sender.person, now=sender.now)


HANDLERS: Handlers = {cmd.Export: _export, cmd.ForgetMe: _forget}
