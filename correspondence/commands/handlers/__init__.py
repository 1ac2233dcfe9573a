"""Executes the lines of a mail one by one and collects the answers in one transcript.

A command is dispatched to its handler; a line that reads as a move is played; other sentences are passed on to the
opponent. At most one line of a mail acts on the game. A refused line changes nothing, and its answer says what is
possible instead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    intent,
    mail_settings,
    matchmaking,
    moderation,
)
from correspondence.commands.handlers.authority import NEEDS, Need, need_of, propose_or_refuse
from correspondence.commands.handlers.context import Handlers, Outcome, Sender, command_in, refusal
from correspondence.commands.handlers.guests import answer_stranger, no_text_answer, welcome
from correspondence.commands.handlers.info import stop_confirmation
from correspondence.community import member_mail
from correspondence.models import By, Person, Purpose, Token
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from correspondence.play.chat import is_repeated
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
    **mail_settings.HANDLERS,
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
        for command in commands[: commands.index(letter)]:
            if not isinstance(command, cmd.Other | cmd.PlanLine):
                _execute_command(session, sender, command, result)
        _execute_command(session, sender, replace(letter, text=_letter_text(letter, mail_text) or letter.text), result)
        return result
    commands, mail_text = moderation.with_report(commands, mail_text)
    sentences: list[str] = []
    confirmed = [c for c in commands if isinstance(c, cmd.Other) and doubts.confirmed_remark(sender, c.line)]
    moves = [c for c in commands if isinstance(c, cmd.Other) and c not in confirmed and intent.is_move(sender, c.line)]
    plan = conditional.plan_text(commands, mail_text)
    for command in commands:
        if isinstance(command, cmd.Other):
            if command not in [*moves, *confirmed]:
                sentences.append(command.line)
        elif not isinstance(command, cmd.PlanLine):
            _execute_command(session, sender, command, result)
    if not commands:  # only words of thanks, at which parsing stops
        sentences = [line for line in mail_text.splitlines() if line.strip()]
    talk_lines = _talk_lines(mail_text or "\n".join(sentences), [*moves, *confirmed]) if sentences else []
    doubtful = doubts.doubtful_lines(sender, talk_lines)
    talk = _remark([line for line in talk_lines if line not in doubtful] if moves else talk_lines)
    for command in moves:
        if _play(session, sender, command.line, talk, result, plan):
            talk = plan = ""
    if plan:
        _enter_plan(session, sender, plan, result)
    for command in confirmed:
        _pass_on(session, sender, doubts.confirmed_remark(sender, command.line), result, is_meant=True)
    if doubtful:
        is_for_others = result.acted or any(map(cmd.is_marked_talk, sentences))
        legal_moves = () if moves else doubts.possible_moves(sender, doubtful)
        named_moves = () if is_for_others or moves else intent.moves_named(sender, sentences)
        doubts.ask(
            sender, doubtful if moves else talk_lines, tuple(dict.fromkeys((*named_moves, *legal_moves))), result
        )
        talk = talk if moves else ""
    if talk or (sentences and sender.player is None):
        _handle_talk(session, sender, talk, sentences, result, refused=bool(moves))
    return result


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
            result.entries.append(TranscriptEntry(type(command).__name__.lower(), _second_action()))
            return
        result.acted = True
    try:
        with session.begin_nested():
            _require_trust(sender, command)
            entry = _HANDLERS.get(type(command), _nothing_pending)(session, sender, command)
    except Refusal as error:
        result.entries.append(refusal("", error))
        result.must_answer, result.outcome = True, "refused"
        return
    result.outcome = type(command).__name__.lower()
    if entry is not None:  # otherwise a separate letter says it
        result.must_answer = True
        result.entries.append(entry)


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


def _play(session: Session, sender: Sender, line: str, talk: str, result: Outcome, plan: str) -> bool:
    """Play a move with its remark and plan; False if the mail has already acted on the game."""
    if result.acted:
        result.entries.append(TranscriptEntry(line, _second_action()))
        result.must_answer = True
        return False
    result.acted = True
    ply_before = sender.match.ply if sender.match else 0
    try:
        with session.begin_nested():
            played = _move(session, sender, line, talk, plan)
    except Refusal as error:
        result.entries.append(intent.refusal_of(sender, line, error))
        if plan:
            result.entries.append(
                TranscriptEntry("", _("So your plan was not entered; please write it again with the move."))
            )
        if talk:
            result.entries.append(_not_passed_on(talk))
        result.must_answer = result.show_board = True
        result.outcome = "refused"
        return True
    moves = ", ".join(entry.text for entry in played.entries)
    result.entries.append(TranscriptEntry(line, _("Played: {moves}").format(moves=moves)))
    result.outcome = "played"
    if played.unplanned is not None:
        result.entries.append(_plan_refusal(played.unplanned))
        result.must_answer = True
    elif plan and sender.match is not None and sender.match.ply == ply_before + len(played.entries):
        result.entries.append(conditional.show(session, sender))
        result.must_answer = True  # otherwise a conditional move has replied already, and the letter about that says it
    return True


def _enter_plan(session: Session, sender: Sender, plan: str, result: Outcome) -> None:
    result.must_answer = True
    try:
        with session.begin_nested():
            result.entries.append(conditional.enter(session, sender, plan))
    except Refusal as error:
        result.entries.append(_plan_refusal(error))
        result.outcome = "refused"
        return
    result.outcome = "planned"


def _plan_refusal(error: Exception) -> TranscriptEntry:
    return TranscriptEntry("", " ".join([str(error), _("None of these lines was entered.")]))


def _move(session: Session, sender: Sender, line: str, talk: str, plan: str) -> matches.Played:
    stated, text = cmd.split_move_number(line)
    text = intent.chosen_text(sender, text)
    if sender.player is None or sender.match is None:
        raise matches.MatchError(
            _("This reads like a move, but of which game? Please reply to the letter of that game.")
        )
    if stated is not None and stated != sender.match.ply + 1:
        raise matches.MatchError(
            _("You wrote move {stated}, but the game is at move {next}.").format(
                stated=stated, next=sender.match.ply + 1
            )
        )
    return matches.make_move(
        session,
        sender.player,
        cmd.bare_move(text),
        now=sender.now,
        by=By.MAIL,
        comment=talk,
        ply=sender.ply,
        plan=plan,
        is_meant=not doubts.has_hidden_information(sender),
    )


def _handle_talk(
    session: Session, sender: Sender, talk: str, sentences: Sequence[str], result: Outcome, *, refused: bool
) -> None:
    if sender.token is not None and sender.token.purpose == Purpose.CONTACT:
        _answer_member(session, sender, talk or "\n".join(sentences), result)
        return
    if sender.player is None or sender.match is None:
        if not result.entries:
            result.entries.append(
                TranscriptEntry(sentences[0], _("This is no command we know. Write help for all of them."))
            )
            result.must_answer = True
        return
    if refused and result.outcome == "refused":
        result.entries.append(_not_passed_on(talk))
        return
    if result.outcome == "played":
        return
    is_for_others = result.acted or any(map(cmd.is_marked_talk, sentences))
    named_moves = () if is_for_others else intent.moves_named(sender, sentences)
    if named_moves:
        result.entries.append(_ask_if_move(sentences, named_moves))
        result.must_answer, result.outcome = True, "asked"
        return
    if is_repeated(session, sender.player, talk, sender.now):
        result.outcome = "said before"
        return
    notice = ""
    if not is_for_others and intent.names_square(sender, sentences):
        notice = _(
            "Passed on to your opponent as words; nothing was played. Did you mean a move? Then please write it "
            "on a line by itself."
        )
    _pass_on(session, sender, talk, result, notice, is_meant=not doubts.has_hidden_information(sender))


def _pass_on(
    session: Session, sender: Sender, remark: str, result: Outcome, notice: str = "", *, is_meant: bool
) -> None:
    """Pass a remark on to the opponent and confirm it; a letter with `notice` is always sent if that is not empty."""
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


def _answer_member(session: Session, sender: Sender, text: str, result: Outcome) -> None:
    """Pass a reply to a member's letter on to that member."""
    assert sender.token is not None
    try:
        other = member_mail.answer(session, sender.person, sender.token, text, now=sender.now)
        result.entries.append(TranscriptEntry("", _("Passed on to {handle}.").format(handle=other.handle)))
        result.outcome = "said"
    except Refusal as error:
        result.entries.append(refusal("", error))
        result.must_answer, result.outcome = True, "refused"


def _letter_text(letter: cmd.Write, mail_text: str) -> str:
    """Return the text of a letter to a member: its first line and all lines below."""
    lines = mail_text.splitlines()
    first_index = next((index for index, line in enumerate(lines) if isinstance(command_in(line), cmd.Write)), None)
    return "" if first_index is None else "\n".join([letter.text, *lines[first_index + 1 :]]).strip()


def _talk_lines(mail_text: str, moves: Sequence[cmd.Other]) -> list[str]:
    """Return the lines that are neither commands nor moves nor plan lines, as they were written."""
    move_lines = {command.line.strip() for command in moves}
    return [
        line
        for line in cmd.rejoin_plan_lines(mail_text.splitlines())
        if not line.strip() or _is_for_others(line, move_lines)
        if not cmd.begins_plan(line)  # not even an invalid plan line: the opponent must not see it
    ]


def _remark(lines: Sequence[str]) -> str:
    return "\n".join(map(cmd.talk_text, lines)).strip()


def _is_for_others(line: str, move_lines: Collection[str]) -> bool:
    """Whether a line is neither a command nor one of these moves, however the move was written."""
    command = command_in(line)
    return isinstance(command, cmd.Other) and not {command.line.strip(), line.strip()} & set(move_lines)


def _ask_if_move(sentences: Sequence[str], moves: tuple[str, ...]) -> TranscriptEntry:
    """Ask about a sentence that names a legal move: is it a move or a remark?"""
    question = _(
        "This reads like a sentence, and it names a move. Nothing was played, and nothing was passed on. Is that your "
        "move? To tell your opponent the sentence, begin it with “say:”."
    )
    return TranscriptEntry(sentences[0][:200], question, moves)


def _not_passed_on(talk: str) -> TranscriptEntry:
    notice = _("What else you wrote was not passed on; please write it again with the move.")
    return TranscriptEntry("", notice, block=doubts.quoted(talk.splitlines()))


def _second_action() -> str:
    return _("One mail does one thing to a game: this line was not carried out. Please send it by itself.")


def _nothing_pending(_session: Session, _sender: Sender, _command: cmd.Command) -> TranscriptEntry:
    """Answer `no` and `wait`, and any other command without a handler: nothing was waiting."""
    return TranscriptEntry("", _("Nothing was changed. A move that was played stands; “takeback” asks for it back."))


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
