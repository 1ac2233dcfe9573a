"""Commands about other people: ratings, and who is to be kept away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as words
from correspondence.commands import rating_answers
from correspondence.commands.handlers.context import Handlers, Sender, at_table, command_in
from correspondence.community import blocking, reports
from correspondence.models.loading import persons_of, players_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.matches import MatchError
from engines.wording import _


def _block(session: Session, writer: Sender, command: words.Block) -> TranscriptEntry:
    other = blocking.block(session, writer.person, command.handle, now=writer.now)
    told = _("{handle} is blocked: no challenges and no words pass between you any more. Your games go on.")
    return TranscriptEntry("", told.format(handle=other.handle))


def _unblock(session: Session, writer: Sender, command: words.Unblock) -> TranscriptEntry:
    other = blocking.unblock(session, writer.person, command.handle)
    return TranscriptEntry("", _("{handle} is no longer blocked.").format(handle=other.handle))


def _mute(session: Session, writer: Sender, command: words.Mute) -> TranscriptEntry:
    if command.handle is None:
        blocking.mute_match(session, at_table(writer), now=writer.now)
        return TranscriptEntry(
            "", _("In this game you hear your opponent no more. To hear what is said again, write unmute.")
        )
    other = blocking.mute(session, writer.person, command.handle, now=writer.now)
    return TranscriptEntry("", _("You hear no more of what {handle} says.").format(handle=other.handle))


def _unmute(session: Session, writer: Sender, command: words.Unmute) -> TranscriptEntry:
    if command.handle is None:
        blocking.unmute_match(session, at_table(writer), now=writer.now)
        return TranscriptEntry(
            "", _("You hear your opponent again; what was said meanwhile stands on the page of the game.")
        )
    other = blocking.unmute(session, writer.person, command.handle)
    return TranscriptEntry("", _("You hear {handle} again.").format(handle=other.handle))


def _report(session: Session, writer: Sender, command: words.Report) -> TranscriptEntry:
    handle, match = command.handle or _opponent(session, writer), None
    if writer.match is not None:
        seated = [person.handle_key for person in persons_of(session, players_of(session, writer.match.id))]
        match = writer.match.id if handle.casefold() in seated else None
    reports.report(
        session, writer.person, handle, command.words, match_id=match, operator=writer.operator, now=writer.now
    )
    return TranscriptEntry("", _("Your report is kept and goes to whoever runs this place. Your opponent is not told."))


def _opponent(session: Session, writer: Sender) -> str:
    if writer.match is None:
        raise MatchError(say_whom())
    seated = persons_of(session, players_of(session, writer.match.id))
    others = [person.handle for person in seated if person.id != writer.person.id]
    if not others:
        raise MatchError(_("Nobody sits across from you in this game."))
    return others[0]


def say_whom() -> str:
    """What somebody is told whose report names nobody, and belongs to no game."""
    return _("Say whom, and what happened, for example: report bob7 He threatens me.")


def with_report(commands: Sequence[words.Command], said: str) -> tuple[list[words.Command], str]:
    """Commands in which a report has all that was written after it as its words, none of which is then talk or a move.

    Returns them, and what was said before the report.
    """
    at = next((i for i, command in enumerate(commands) if isinstance(command, words.Report)), None)
    if at is None:
        return list(commands), said
    first = commands[at]
    assert isinstance(first, words.Report)
    lines = said.splitlines()
    line = next((i for i, one in enumerate(lines) if command_in(one) == first), None)
    if line is None:
        rest = [command.line for command in commands[at + 1 :] if isinstance(command, words.Other)]
        return [*commands[:at], replace(first, words="\n".join([first.words, *rest]).strip())], ""
    told = "\n".join([first.words, *lines[line + 1 :]]).strip()
    return [*commands[:at], replace(first, words=told)], "\n".join(lines[:line])


HANDLERS: Handlers = {
    words.Ratings: lambda s, w, c: rating_answers.ratings(s, w.person, c.key, now=w.now),
    words.Block: _block,
    words.Unblock: _unblock,
    words.Mute: _mute,
    words.Unmute: _unmute,
    words.Report: _report,
}
