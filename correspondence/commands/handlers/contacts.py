"""Commands that reach people: the directory, a letter to a member, an invitation to a friend."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as words
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.community import directory, member_mail
from correspondence.core import time_control
from correspondence.matchmaking import conditions, invitations
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _

MOST_LISTED = 200
"""How many members a letter lists."""


def _invite(session: Session, writer: Sender, command: words.Invite) -> None:
    options, wanted = conditions.split_conditions(dict(command.options))
    token = invitations.invite(
        session,
        writer.person,
        command.address,
        command.key,
        options,
        wanted,
        terms=command.pace or time_control.DEFAULT_TERMS,
        rated=command.rated,
        now=writer.now,
    )
    invitations.send_link(session, writer.person, token, now=writer.now)


def _write(session: Session, writer: Sender, command: words.Write) -> TranscriptEntry:
    member_mail.write(session, writer.person, command.handle, command.text, now=writer.now)
    return TranscriptEntry("", _("Your letter goes to {handle}.").format(handle=command.handle))


def _partners(session: Session, writer: Sender, _command: words.Partners) -> TranscriptEntry:
    found = [e for e in directory.directory(session, writer.person.id, most=MOST_LISTED) if not e.is_me]
    if not found:
        return TranscriptEntry("", _("Nobody else has joined yet. Tell a friend to write join NAME to this address."))
    return TranscriptEntry("", _("These people play here:"), block="\n".join(map(_line, found)))


def _line(entry: directory.DirectoryEntry) -> str:
    told = [directory.likes(entry), entry.mail, " / ".join(entry.post.splitlines())]
    return entry.handle + "".join(f"\n    {part}" for part in told if part)


HANDLERS: Handlers = {words.Invite: _invite, words.Write: _write, words.Partners: _partners}
