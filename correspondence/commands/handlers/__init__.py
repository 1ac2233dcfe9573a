"""Executes the lines of a mail one by one and collects the answers in one transcript.

A command is dispatched to its handler; a line that reads as a move is played; other sentences are passed on to the
opponent. At most one line of a mail acts on the game. A refused line changes nothing, and its answer says what is
possible instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import proposals
from correspondence.commands.handlers import (
    clocks,
    conditional,
    contacts,
    doubts,
    erasure,
    game_actions,
    info,
    matchmaking,
    moderation,
    moves,
    remarks,
    settings,
)
from correspondence.commands.handlers.authority import NEEDS, Need, need_of, propose_or_refuse
from correspondence.commands.handlers.context import (
    Handler,
    Handlers,
    Outcome,
    Sender,
    command_in,
    refusal,
    second_action,
)
from correspondence.commands.handlers.guests import answer_stranger, no_text_answer, welcome
from correspondence.commands.handlers.info import stop_confirmation
from correspondence.commands.rules_answers import one_page_each
from correspondence.models import Person, Purpose, Token
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from engines.refusal import Refusal
from engines.wording import _

GAME_ACTIONS = (cmd.Draw, cmd.Resign, cmd.Yes, cmd.Takeback, cmd.Pause, cmd.Claim)
"""Commands that act on a game, as a move does; a mail may hold only one of them."""

IRREVERSIBLE = (cmd.Draw,)
"""Commands that cannot be undone and that no letter asks to confirm."""

_HANDLERS: Handlers = {
    **game_actions.HANDLERS,
    **matchmaking.HANDLERS,
    **contacts.HANDLERS,
    **info.HANDLERS,
    **clocks.HANDLERS,
    **moderation.HANDLERS,
    **settings.HANDLERS,
    **erasure.HANDLERS,
    **conditional.HANDLERS,
}


def execute(session: Session, sender: Sender, commands: Sequence[cmd.Command], mail_text: str) -> Outcome:
    """Execute every command in order and return what to tell the sender. No mail can make it raise.

    If only a From line vouches for the sender, commands that change anything are not executed but listed as proposed.
    """
    result = _execute_all(session, sender, commands, mail_text)
    result.entries += unread_commands(mail_text)
    result.must_answer = result.must_answer or bool(unread_commands(mail_text))
    result.entries = one_page_each(result.entries)
    return result


def unread_commands(mail_text: str) -> list[TranscriptEntry]:
    """Return an entry that lists the commands beyond the limit of one mail; empty if there are none."""
    unread = cmd.unread_commands(mail_text.splitlines())
    if not unread:
        return []
    notice = _(
        "Only the first {count} lines of a mail can be commands. These lines came after them and were not "
        "carried out; please send them again:"
    )
    quoted = "\n".join(wrapped_behind(line, "· ", "| ") for line in unread)
    return [TranscriptEntry("", notice.format(count=cmd.COMMAND_LINES), block=quoted)]


def _execute_all(session: Session, sender: Sender, commands: Sequence[cmd.Command], mail_text: str) -> Outcome:
    result = Outcome()
    letter = next((command for command in commands if isinstance(command, cmd.Write)), None)
    if letter is not None:  # the lines below are its text
        whole = replace(letter, text=_letter_text(letter, mail_text) or letter.text)
        _execute_commands(session, sender, [*commands[: commands.index(letter)], whole], result)
        return result
    commands, mail_text = moderation.with_report(commands, mail_text)
    lines = remarks.written_lines(sender, commands, mail_text)
    _execute_commands(session, sender, commands, result)
    _execute_lines(session, sender, lines, result)
    return result


def _execute_commands(session: Session, sender: Sender, commands: Sequence[cmd.Command], result: Outcome) -> None:
    for command in commands:
        if not isinstance(command, cmd.Other | cmd.PlanLine):
            _execute_command(session, sender, command, result)


def _execute_lines(session: Session, sender: Sender, lines: remarks.WrittenLines, result: Outcome) -> None:
    """Play the move, enter the plan, and pass on the words, but for those that must be asked about first."""
    doubtful = doubts.doubtful_lines(sender, lines.talk)
    certain = [line for line in lines.talk if line not in doubtful] if lines.moves else lines.talk
    talk = _play(session, sender, lines, remarks.remark_of(certain), result)
    for line in lines.confirmed:
        remarks.pass_on(session, sender, doubts.confirmed_remark(sender, line), result, is_meant=True)
    if doubtful:
        remarks.ask_about(sender, lines, doubtful, result)
        if not lines.moves:
            return  # all words wait for the answer
    if talk or (lines.sentences and sender.player is None):
        remarks.handle_talk(session, sender, talk, lines, result)


def _play(session: Session, sender: Sender, lines: remarks.WrittenLines, talk: str, result: Outcome) -> str:
    """Play the first move with the talk and the plan of the mail; return the talk if no move took it along."""
    plan = lines.plan
    for line in lines.moves:
        if moves.play(session, sender, line, talk, plan, result):
            talk = plan = ""
    if plan:
        moves.enter_plan(session, sender, plan, result)
    return talk


def _execute_command(session: Session, sender: Sender, command: cmd.Command, result: Outcome) -> None:
    if not sender.is_believed and need_of(command) != Need.NOTHING:
        propose_or_refuse(command, result)
        return
    if isinstance(command, cmd.Yes) and sender.token is not None and sender.token.purpose == Purpose.PROPOSAL:
        _execute_proposal(session, sender, sender.token, result)
        return
    if isinstance(command, GAME_ACTIONS):
        if result.acted:
            result.must_answer = True
            result.entries.append(TranscriptEntry(type(command).__name__.lower(), second_action()))
            return
        result.acted = True
    try:
        with session.begin_nested():
            _require_trust(sender, command)
            entry = _handler(sender, command)(session, sender, command)
    except Refusal as error:
        result.entries.append(refusal("", error))
        result.must_answer, result.outcome = True, "refused"
        return
    result.outcome = type(command).__name__.lower()
    if entry is not None:  # otherwise a separate letter says it
        result.must_answer = True
        result.entries.append(entry)


def _handler(sender: Sender, command: cmd.Command) -> Handler:
    """What carries out a command; `cancel` in answer to a question is a no."""
    is_answer = sender.token is not None and sender.token.purpose in game_actions.QUESTIONS
    return _HANDLERS[cmd.No if is_answer and isinstance(command, cmd.Cancel) else type(command)]


def _execute_proposal(session: Session, sender: Sender, token: Token, result: Outcome) -> None:
    """Execute what the answered letter proposed, as if it had come with a token."""
    try:
        proposal = proposals.take(session, token.id, now=sender.now)
    except Refusal as error:
        result.entries.append(refusal("", error))
        result.must_answer, result.outcome = True, "refused"
        return
    original_token = session.get(Token, proposal.through) if proposal.through is not None else None
    person = session.get_one(Person, proposal.person_id)
    as_believed = replace(sender, person=person, player=None, match=None, token=original_token, is_believed=True)
    inner = _execute_all(session, as_believed, proposal.commands, "")
    result.entries += inner.entries
    result.must_answer, result.outcome = result.must_answer or bool(inner.entries), inner.outcome


def _require_trust(sender: Sender, command: cmd.Command) -> None:
    """Raise MatchError for a command that cannot be undone if From is doubtful; resigning is confirmed in any case."""
    if sender.is_doubtful and isinstance(command, IRREVERSIBLE):
        raise matches.MatchError(
            _(
                "Your mail server did not vouch for this mail, so this was not done. You can do it on the page: "
                "%%base%%/games"
            )
        )


def _letter_text(letter: cmd.Write, mail_text: str) -> str:
    """Return the text of a letter to a member: its first line and all lines below."""
    lines = mail_text.splitlines()
    first_index = next((index for index, line in enumerate(lines) if isinstance(command_in(line), cmd.Write)), None)
    return "" if first_index is None else "\n".join([letter.text, *lines[first_index + 1 :]]).strip()


__all__ = [
    "Outcome",
    "NEEDS",
    "Need",
    "Sender",
    "execute",
    "answer_stranger",
    "need_of",
    "no_text_answer",
    "refusal",
    "stop_confirmation",
    "unread_commands",
    "welcome",
]
