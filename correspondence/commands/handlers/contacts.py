"""Commands that contact people: member directory, letter to a member, invitation by mail."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import arguments
from correspondence.commands.handlers.context import Sender
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.robots_answer import robots_answer
from correspondence.commands.subjects import always
from correspondence.community import directory, member_mail
from correspondence.core import time_control
from correspondence.matchmaking import conditions, invitations
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import N_, _

MOST_LISTED = 200
"""Maximum number of members in a letter."""


def _invite(session: Session, sender: Sender, command: cmd.Invite) -> None:
    options, seek_conditions = conditions.split_conditions(dict(command.options))
    token = invitations.invite(
        session,
        sender.person,
        command.address,
        command.key,
        options,
        seek_conditions,
        time_control=command.pace or time_control.DEFAULT_TIME_CONTROL,
        rated=command.rated,
        words=command.words,
        now=sender.now,
        rng=sender.rng,
    )
    invitations.send_link(session, sender.person, token, now=sender.now)


def _write(session: Session, sender: Sender, command: cmd.Write) -> TranscriptEntry:
    member_mail.write(session, sender.person, command.handle, command.text, now=sender.now)
    return TranscriptEntry("", _("Your letter goes to {handle}.").format(handle=command.handle))


def _partners(session: Session, sender: Sender, _command: cmd.Partners) -> TranscriptEntry:
    entries = [
        entry
        for entry in directory.directory(session, sender.person.id, now=sender.now, most=MOST_LISTED)
        if not entry.is_me
    ]
    if not entries:
        return TranscriptEntry("", _("Nobody else has joined yet. Tell a friend to write join NAME to this address."))
    lines = [_line(entry, sender.now) for entry in entries]
    return TranscriptEntry("", _("These people play here:"), block="\n".join(lines))


def _line(entry: directory.DirectoryEntry, now: datetime) -> str:
    ratings = ", ".join(f"{game} {rating}" for game, rating in entry.ratings)
    details = [
        entry.seen(now),
        entry.program_mark,
        ratings,
        directory.preferences_text(entry),
        entry.mail,
        " / ".join(entry.post.splitlines()),
    ]
    return entry.handle + "".join(f"\n    {detail}" for detail in details if detail)


COMMANDS = (
    Declaration(
        kind=cmd.Invite,
        readers={"invite | invito": arguments.read_invite},
        need=Need.YES,
        handler=_invite,
        topic="challenges",
        help=(
            HelpLine(
                "challenges",
                9,
                N_("invite bob@example.org duel 3 days"),
                N_("a single letter to a friend who is not a member yet"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Write,
        readers={"write | scrivi": arguments.read_write},
        need=Need.YES,
        handler=_write,
        topic="people",
        help=(HelpLine("people", 2, N_("write ann: hello"), N_("a letter to ann; we pass her answer on to you")),),
    ),
    Declaration(
        kind=cmd.Partners,
        phrases="partners | compagni",
        need=Need.NOTHING,
        handler=_partners,
        title=always(N_("Partners")),
        topic="people",
        help=(HelpLine("people", 1, N_("partners"), N_("who plays here, and what they like")),),
    ),
    Declaration(
        kind=cmd.Robots,
        phrases="robots | the robots | list robots | robot | i robot | lista robot | elenco robot",
        need=Need.NOTHING,
        handler=lambda session, sender, _command: robots_answer(session, now=sender.now),
        title=always(N_("Robots")),
        topic="challenges",
        help=(
            HelpLine(
                "challenges",
                3,
                N_("robots"),
                N_("the robots here, their levels and ratings, and the line that challenges each"),
            ),
        ),
    ),
)
