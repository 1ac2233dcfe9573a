"""Commands about other people: ratings, block, mute and report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import moderation as reading_of_people
from correspondence.commands import rating_answers
from correspondence.commands.handlers.context import Sender, command_in, player_of
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import of_game
from correspondence.community import blocking, reports
from correspondence.models.loading import persons_of, players_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.matches import MatchError
from engines.wording import N_, _


def _block(session: Session, sender: Sender, command: cmd.Block) -> TranscriptEntry:
    other = blocking.block(session, sender.person, command.handle, now=sender.now)
    sentence = _("{handle} is blocked: you can no longer challenge or write to each other. Your games go on.")
    return TranscriptEntry("", sentence.format(handle=other.handle))


def _unblock(session: Session, sender: Sender, command: cmd.Unblock) -> TranscriptEntry:
    other = blocking.unblock(session, sender.person, command.handle)
    return TranscriptEntry("", _("{handle} is no longer blocked.").format(handle=other.handle))


def _mute(session: Session, sender: Sender, command: cmd.Mute) -> TranscriptEntry:
    if command.handle is None:
        blocking.mute_match(session, player_of(sender), now=sender.now)
        return TranscriptEntry(
            "", _("You no longer see what your opponent says in this game. To see it again, write unmute.")
        )
    other = blocking.mute(session, sender.person, command.handle, now=sender.now)
    return TranscriptEntry("", _("You no longer see what {handle} says.").format(handle=other.handle))


def _unmute(session: Session, sender: Sender, command: cmd.Unmute) -> TranscriptEntry:
    if command.handle is None:
        blocking.unmute_match(session, player_of(sender), now=sender.now)
        return TranscriptEntry(
            "", _("You'll see what your opponent says again; what was said meanwhile is on the game's page.")
        )
    other = blocking.unmute(session, sender.person, command.handle)
    return TranscriptEntry("", _("You'll see what {handle} says again.").format(handle=other.handle))


def _report(session: Session, sender: Sender, command: cmd.Report) -> TranscriptEntry:
    handle, match_id = command.handle or _opponent(session, sender), None
    if sender.match is not None:
        handle_keys = [person.handle_key for person in persons_of(session, players_of(session, sender.match.id))]
        match_id = sender.match.id if handle.casefold() in handle_keys else None
    reports.report(
        session, sender.person, handle, command.words, match_id=match_id, operator=sender.operator, now=sender.now
    )
    return TranscriptEntry(
        "", _("Your report has been saved and goes to the operator of this site. Your opponent is not told.")
    )


def _opponent(session: Session, sender: Sender) -> str:
    if sender.match is None:
        raise MatchError(say_whom())
    persons = persons_of(session, players_of(session, sender.match.id))
    opponents = [person.handle for person in persons if person.id != sender.person.id]
    if not opponents:
        raise MatchError(_("You have no opponent in this game."))
    return opponents[0]


def say_whom() -> str:
    """Refuse a report that names nobody and belongs to no game."""
    return _("Say whom, and what happened, for example: report bob7 They threaten me.")


def with_report(commands: Sequence[cmd.Command], mail_text: str) -> tuple[list[cmd.Command], str]:
    """Move all text below a report into it, so that it is neither talk nor a move.

    Returns the commands up to and including the report, and the mail text before it; unchanged if there is no report.
    """
    index = next((i for i, command in enumerate(commands) if isinstance(command, cmd.Report)), None)
    if index is None:
        return list(commands), mail_text
    report = commands[index]
    assert isinstance(report, cmd.Report)
    lines = mail_text.splitlines()
    line_index = next((i for i, line in enumerate(lines) if command_in(line) == report), None)
    if line_index is None:
        other_lines = [command.line for command in commands[index + 1 :] if isinstance(command, cmd.Other)]
        return [*commands[:index], replace(report, words="\n".join([report.words, *other_lines]).strip())], ""
    text = "\n".join([report.words, *lines[line_index + 1 :]]).strip()
    return [*commands[:index], replace(report, words=text)], "\n".join(lines[:line_index])


COMMANDS = (
    Declaration(
        kind=cmd.Ratings,
        readers={"ratings | rating": reading_of_people.read_ratings},
        need=Need.NOTHING,
        handler=lambda s, w, c: rating_answers.ratings(s, w.person, c.key, now=w.now),
        title=of_game(N_("Ratings"), N_("Ratings: {game}")),
        topic="people",
        help=(
            HelpLine("people", 3, N_("ratings, ratings duel"), N_("your ratings and reliability; the best in a game")),
        ),
    ),
    Declaration(
        kind=cmd.Block,
        readers={"block | blocca": reading_of_people.handle_reader(cmd.Block, "block bob7")},
        need=Need.YES,
        handler=_block,
        topic="people",
        help=(
            HelpLine(
                "people", 5, N_("block ann, unblock ann"), N_("have no contact with ann at all, or allow it again")
            ),
        ),
    ),
    Declaration(
        kind=cmd.Unblock,
        readers={"unblock | sblocca": reading_of_people.handle_reader(cmd.Unblock, "unblock bob7")},
        need=Need.YES,
        handler=_unblock,
        topic="people",
    ),
    Declaration(
        kind=cmd.Mute,
        readers={"mute | silenzia": reading_of_people.read_mute},
        need=Need.YES,
        argument="handle",
        need_without=Need.GAME,
        handler=_mute,
        topic="people",
        help=(
            HelpLine("talk", 4, N_("mute, unmute"), N_("whether you see what is said in this game")),
            HelpLine("people", 4, N_("mute ann, unmute ann"), N_("see no more messages from ann, or see them again")),
        ),
    ),
    Declaration(
        kind=cmd.Unmute,
        readers={"unmute | riascolta": reading_of_people.read_unmute},
        need=Need.YES,
        argument="handle",
        need_without=Need.GAME,
        handler=_unmute,
        topic="people",
    ),
    Declaration(
        kind=cmd.Report,
        readers={
            "report | segnala": reading_of_people.read_report,
            "report:": reading_of_people.read_report_after_colon,
        },
        need=Need.YES,
        argument="handle",
        need_without=Need.GAME,
        missing=say_whom,
        handler=_report,
        topic="people",
        help=(HelpLine("people", 6, N_("report ann WORDS"), N_("tell the operator, and nobody else, what happened")),),
    ),
)
