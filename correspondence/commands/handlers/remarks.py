"""Lines that are neither commands nor moves: passed on to the opponent, or asked about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.courtesy import has_prose, without_courtesies
from correspondence.commands.handlers import conditional, doubts, intent
from correspondence.commands.handlers.context import MailOutcome, Sender, command_in, refusal
from correspondence.commands.handlers.moves import not_passed_on
from correspondence.commands.meant_lines import meant_line
from correspondence.community import member_mail
from correspondence.models import Purpose
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from correspondence.play.chat import is_repeated
from engines.refusal import Refusal
from engines.wording import _


@dataclass(frozen=True, slots=True)
class WrittenLines:
    """The lines of a mail that are not commands, by purpose."""

    moves: tuple[str, ...]
    confirmed: tuple[str, ...]
    """Numbers that confirm that lines we asked about are for the opponent."""
    sentences: tuple[str, ...]
    """All other lines within the command limit."""
    talk: tuple[str, ...]
    """The whole text without commands, moves and plan lines; empty if there are no sentences."""
    plan: str
    """The lines of a plan."""


def written_lines(sender: Sender, commands: Sequence[cmd.Command], mail_text: str) -> WrittenLines:
    """Sort the lines of a mail that are not commands by purpose."""
    others = [command.line for command in commands if isinstance(command, cmd.Other)]
    confirmed = tuple(line for line in others if doubts.confirmed_remark(sender, line))
    moves = tuple(line for line in others if line not in confirmed and intent.is_move(sender, line))
    sentences = tuple(line for line in others if line not in (*moves, *confirmed))
    if not commands:  # only thanks, at which parsing stops
        sentences = tuple(line for line in mail_text.splitlines() if line.strip())
    talk = _talk_lines(mail_text or "\n".join(sentences), [*moves, *confirmed]) if sentences else ()
    return WrittenLines(moves, confirmed, sentences, talk, conditional.plan_text(commands, mail_text))


def remark_of(lines: Sequence[str]) -> str:
    """Join these lines into one remark."""
    return "\n".join(map(cmd.talk_text, lines)).strip()


def ask_about(sender: Sender, lines: WrittenLines, doubtful: Sequence[str], result: MailOutcome) -> None:
    """Ask whether doubtful lines are for the opponent, or are one of these moves."""
    if lines.moves:
        doubts.ask(sender, doubtful, (), result)
        return
    named_moves = () if _is_for_others(lines.sentences, result) else intent.moves_named(sender, lines.sentences)
    choices = dict.fromkeys((*named_moves, *doubts.possible_moves(sender, doubtful)))
    doubts.ask(sender, lines.talk, tuple(choices), result)


def handle_talk(session: Session, sender: Sender, talk: str, lines: WrittenLines, result: MailOutcome) -> None:
    """Pass talk on to its recipient, or say why not."""
    if sender.token is not None and sender.token.purpose == Purpose.CONTACT:
        _answer_member(session, sender, talk or "\n".join(lines.sentences), result)
    elif sender.player is None or sender.match is None:
        _refuse_unknown(lines.sentences, result)
    elif lines.moves and result.outcome in ("refused", "asked"):
        result.entries.append(not_passed_on(talk))
    elif result.outcome != "played":
        _pass_on_or_ask(session, sender, talk, lines.sentences, result)


def pass_on(
    session: Session, sender: Sender, remark: str, result: MailOutcome, notice: str = "", *, is_meant: bool
) -> None:
    """Pass a remark on and confirm it; a nonempty `notice` forces an answer to the sender."""
    if sender.player is None:
        return
    try:
        matches.say(session, sender.player, remark, now=sender.now, is_meant=is_meant)
    except matches.MatchError as error:
        result.entries.append(replace(refusal("", error), block=doubts.quoted(remark.splitlines())))
        result.must_answer = True
        return
    result.must_answer = result.must_answer or bool(notice)
    result.entries.append(TranscriptEntry("", notice or _("Passed on to your opponent.")))
    result.outcome = "said" if result.outcome == "nothing to do" else result.outcome


def _talk_lines(mail_text: str, moves: Collection[str]) -> tuple[str, ...]:
    """Return the lines that are not commands, moves or plan lines, as written."""
    move_lines = {line.strip() for line in moves}
    return tuple(
        line
        for line in cmd.rejoin_plan_lines(mail_text.splitlines())
        if not line.strip() or _is_talk(line, move_lines)
        if not cmd.begins_plan(line)  # not even an invalid plan line: the opponent must not see it
    )


def _is_talk(line: str, move_lines: Collection[str]) -> bool:
    """Whether a line is not a command and not one of these moves, in any notation."""
    command = command_in(line)
    if isinstance(command, cmd.InGame):  # only where lines are not sorted by game: in a letter to a member
        return True
    return isinstance(command, cmd.Other) and not {command.line.strip(), line.strip()} & set(move_lines)


def _is_for_others(sentences: Sequence[str], result: MailOutcome) -> bool:
    """Whether sentences cannot be a move: the mail has acted already, or marks them as talk."""
    return result.acted or any(map(cmd.is_marked_talk, sentences))


def _pass_on_or_ask(session: Session, sender: Sender, talk: str, sentences: Sequence[str], result: MailOutcome) -> None:
    """Pass talk on to the opponent; ask first if it names a legal move or was said before."""
    assert sender.player is not None
    is_for_others = _is_for_others(sentences, result)
    named_moves = () if is_for_others else intent.moves_named(sender, sentences)
    if named_moves:
        result.entries.append(_ask_if_move(sentences, named_moves))
        result.must_answer, result.outcome = True, "asked"
        return
    if is_repeated(session, sender.player, talk, sender.now):
        result.outcome = "said before"
        return
    notice = _no_move_notice() if not is_for_others and intent.names_square(sender, sentences) else ""
    pass_on(session, sender, talk, result, notice, is_meant=not doubts.has_hidden_information(sender))


def _answer_member(session: Session, sender: Sender, text: str, result: MailOutcome) -> None:
    """Pass the reply to a member's letter on to that member."""
    assert sender.token is not None
    try:
        other = member_mail.answer(session, sender.person, sender.token, text, now=sender.now)
        result.entries.append(TranscriptEntry("", _("Passed on to {handle}.").format(handle=other.handle)))
        result.outcome = "said"
    except Refusal as error:
        result.entries.append(refusal("", error))
        result.must_answer, result.outcome = True, "refused"


def _refuse_unknown(sentences: Sequence[str], result: MailOutcome) -> None:
    """Say that words without a recipient are no command, in the same letter as other answers."""
    is_done = result.outcome not in ("nothing to do", "refused", "asked")
    if is_done or result.entries:  # already answered: thanks need no further letter
        if result.entries and has_prose(sentences):
            result.entries.append(TranscriptEntry("", _("Your other words were not passed on to anybody.")))
        sentences = without_courtesies(sentences)
    if not sentences:
        return
    if len(sentences) == 1:
        unknown = _("We don't know this command. Write help for a list of all of them.")
        meant = meant_line(sentences[0])
        if meant:
            unknown = _("We don't know this command. Did you mean this one?")
        result.entries.append(TranscriptEntry(sentences[0], unknown, (meant,) if meant else ()))
    else:
        unknown = _("We don't know these commands. Write help for a list of all of them.")
        result.entries.append(TranscriptEntry("", unknown, block=doubts.quoted(sentences)))
    result.must_answer = True


def _ask_if_move(sentences: Sequence[str], moves: tuple[str, ...]) -> TranscriptEntry:
    """Ask whether a sentence that names a legal move is a move or a remark."""
    question = _(
        "This looks like a sentence, and it names a move. Nothing was played, and nothing was passed on. Is "
        "that your move? To tell your opponent the sentence, begin it with “say:”."
    )
    return TranscriptEntry(sentences[0][:200], question, moves)


def _no_move_notice() -> str:
    return _(
        "Passed on to your opponent as words; nothing was played. Did you mean a move? Then please write it "
        "on a line by itself."
    )
