"""Commands about everything that is kept of the writer: where to fetch it, and having it erased."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as words
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.community import erasure


def _export(session: Session, writer: Sender, _command: words.Export) -> None:
    erasure.offer_copy(session, writer.person, now=writer.now)


def _forget(session: Session, writer: Sender, _command: words.ForgetMe) -> None:
    erasure.ask(session, writer.person, now=writer.now)


HANDLERS: Handlers = {words.Export: _export, words.ForgetMe: _forget}
