"""Executes the lines of a mail one by one and collects the answers in one transcript.

A command is dispatched to its handler; a line that reads as a move is played; other sentences are passed on to the
opponent. At most one line of a mail acts on the game. A refused line changes nothing, and its answer suggests
alternatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import proposals, registry
from correspondence.commands.handlers import (
    addresses,
    clocks,
    conditional,
    contacts,
    doubts,
    erasure,
    exercises,
    game_actions,
    info,
    matchmaking,
    moderation,
    moves,
    named_games,
    open_questions,
    remarks,
    settings,
    which_game,
)
from correspondence.commands.handlers.authority import (
    changes_addresses,
    may_propose,
    must_be_asked,
    need_of,
    propose_or_refuse,
)
from correspondence.commands.handlers.context import (
    MailOutcome,
    Sender,
    command_in,
    player_of,
    refusal,
    second_action,
)
from correspondence.commands.handlers.guests import answer_stranger, no_text_answer
from correspondence.commands.handlers.info import stop_confirmation, welcome
from correspondence.commands.handlers.joining import Section, joined
from correspondence.commands.handlers.misdirected import ask_about as ask_about_misdirected
from correspondence.commands.handlers.misdirected import misdirected_lines
from correspondence.commands.registry import Declaration, Need
from correspondence.commands.rules_answers import one_page_each
from correspondence.core.move_text import in_games
from correspondence.models import Person, Purpose, Token
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from engines.refusal import Refusal
from engines.wording import _

DECLARING = (
    game_actions, matchmaking, contacts, info, exercises, clocks, moderation, settings, erasure, addresses, conditional,
)  # fmt: skip
"""Modules that declare the commands of the core."""


def _refuse_named(_session: Session, _sender: Sender, _command: cmd.InGame) -> TranscriptEntry:
    """Refuse a line that names a game if lines are not sorted by game, as in a proposal."""
    raise matches.MatchError(_("Please send that in a mail of its own, or in reply to a letter of the game you mean."))


registry.declare(
    *(declaration for module in DECLARING for declaration in module.COMMANDS),
    Declaration(kind=cmd.InGame, need=Need.GAME, handler=_refuse_named),
    Declaration(kind=cmd.Other, need=Need.GAME),
)


def execute(
    session: Session, sender: Sender, commands: Sequence[cmd.Command], mail_text: str, above: str | None = None
) -> MailOutcome:
    """Execute every command in order and return what to tell the sender; never raises.

    `above` are the lines above the quotation, the only ones that answer a question; None if nothing was quoted. If
    only a From line vouches for the sender, commands that change anything are not executed but listed as proposed.
    """
    mail = open_questions.read(session, sender, commands, mail_text, above)
    if mail.outcome is not None and not mail.commands:
        return mail.outcome
    result = _execute_mail(session, sender, mail.commands, mail.text)
    if mail.outcome is not None:
        result.entries += mail.outcome.entries
        result.must_answer, result.asks_again = True, mail.outcome.asks_again
    if result.outcome == "said":
        result.entries += (standing := open_questions.standing_questions(session, sender))
        result.must_answer = result.must_answer or bool(standing) or sender.person.receipts
    elif sender.token is not None and sender.token.purpose in (Purpose.SEEK, Purpose.INVITE):
        result.asks_again = result.asks_again or result.outcome in ("decline", "reopen")
    return result


def _execute_mail(session: Session, sender: Sender, commands: Sequence[cmd.Command], mail_text: str) -> MailOutcome:
    """Execute a mail game by game, after the moves of an answered exercise."""
    commands, mail_text = named_games.with_choices(sender, commands, mail_text)
    tried, commands, mail_text = exercises.take_moves(session, sender, commands, mail_text)
    if tried is not None and not commands:
        return tried
    sections = [
        section
        for part in named_games.parts(session, sender, commands, mail_text)
        for section in _execute_part(session, sender, part, is_all=len(commands) == len(part.commands))
    ]
    result = sections[0].outcome if len(sections) == 1 else joined(session, sender, sections)
    unread = unread_commands(mail_text, names_games=sender.match is None)
    result.must_answer = result.must_answer or bool(unread) or tried is not None
    result.entries = [*(tried.entries if tried else ()), *one_page_each([*result.entries, *unread])]
    return result


def _execute_part(session: Session, sender: Sender, part: named_games.Part, *, is_all: bool) -> list[Section]:
    """Execute the lines of a mail about one game, or about none; ask if the game is unclear."""
    only_asks = all(map(_only_asks, part.commands))
    if part.game is None or (only_asks and not part.text.strip() and not named_games.may_act(sender)):
        return _execute_unnamed(session, sender, part, is_all=is_all)
    if not named_games.may_act(sender):
        outcome = which_game.ask_by_name(session, sender, part.game, part.commands, is_all=is_all)
        return [Section(outcome.about or sender, outcome)]
    try:
        there = named_games.sender_in(session, sender, part.game)
    except Refusal as error:
        return [Section(sender, which_game.refused(part.commands, error))]
    with in_games([] if there.match is None else [there.match.game]):
        outcome = _execute_lines(session, there, part.commands, part.text)
    outcome.about = there
    return [Section(there, outcome)]


def _only_asks(command: cmd.Command) -> bool:
    """Whether the number of a game is all that a command needs."""
    declared = registry.of(command)
    return declared.names_game and declared.need_without != Need.GAME


def _execute_unnamed(session: Session, sender: Sender, part: named_games.Part, *, is_all: bool) -> list[Section]:
    letter = next((at for at, c in enumerate(part.commands) if isinstance(c, cmd.Write | cmd.Report)), None)
    open_commands = [command for command in part.commands[:letter] if _leaves_game_open(sender, command)]
    others = [command for at, command in enumerate(part.commands) if command not in open_commands or at == letter]
    sections = []
    if others or not open_commands:
        lines = [line for line in part.lines if letter is not None or command_in(line) not in open_commands]
        text = "\n".join(lines)
        outcome = _execute_lines(session, sender, others, text)
        outcome.about = _shown_game(session, sender, others) if is_all and not open_commands else None
        sections.append(Section(sender, outcome))
    if open_commands:
        question = which_game.ask(session, sender, open_commands, is_all=is_all and not others)
        sections.append(Section(question.about or sender, question))
    return sections


def _leaves_game_open(sender: Sender, command: cmd.Command) -> bool:
    """Whether a line needs a game but does not identify one."""
    purpose = sender.token.purpose if sender.token is not None else None
    if sender.match is not None or purpose == Purpose.CONTACT or not named_games.is_of_one_game(command):
        return False
    return not (isinstance(command, cmd.Cancel) and game_actions.is_asked(sender))


def _shown_game(session: Session, sender: Sender, commands: Sequence[cmd.Command]) -> Sender | None:
    """Return the sender in the only running game whose board a mail asks for; else None."""
    numbers = {c.match if isinstance(c, cmd.Show | cmd.History | cmd.Record) else None for c in commands}
    number = numbers.pop() if len(numbers) == 1 else None
    if number is None or sender.match is not None:
        return None
    try:
        there = named_games.sender_in(session, sender, number)
    except Refusal:
        return None
    return there if there.match is not None and there.match.ended_at is None else None


def unread_commands(mail_text: str, *, names_games: bool = False) -> list[TranscriptEntry]:
    """Return an entry listing the commands beyond one mail's limit; empty if there are none."""
    unread = cmd.unread_commands(mail_text.splitlines(), names_games=names_games)
    if not unread:
        return []
    notice = _(
        "Only the first {count} lines of a mail can be commands. These lines came after them and were not "
        "carried out; please send them again:"
    )
    quoted = "\n".join(wrapped_behind(line, "· ", "| ") for line in unread)
    return [TranscriptEntry("", notice.format(count=cmd.COMMAND_LINES), block=quoted)]


def _execute_lines(session: Session, sender: Sender, commands: Sequence[cmd.Command], mail_text: str) -> MailOutcome:
    """Execute the lines about one game, or about none, in written order; then handle plan and words."""
    result = MailOutcome()
    commands = cmd.attached(commands) if sender.is_believed else commands
    letter = next((command for command in commands if isinstance(command, cmd.Write)), None)
    if letter is not None:  # the lines below are its text
        whole = replace(letter, text=_letter_text(letter, mail_text) or letter.text)
        for command in [*commands[: commands.index(letter)], whole]:
            _execute_command(session, sender, command, result)
        return result
    commands, mail_text = moderation.with_report(commands, mail_text)
    lines = remarks.written_lines(sender, commands, mail_text)
    if not lines.moves:
        for command in commands:
            _execute_command(session, sender, command, result)
    _play_and_talk(session, sender, commands, lines, result)
    if result.asks_to_resign:
        _ask_to_resign(session, sender, result)
    return result


def _play_and_talk(
    session: Session, sender: Sender, commands: Sequence[cmd.Command], lines: remarks.WrittenLines, result: MailOutcome
) -> None:
    """Play the move among the commands around it, enter the plan, and pass words on or ask about them."""
    misdirected = misdirected_lines(sender, lines.talk)
    doubtful = doubts.doubtful_lines(sender, [line for line in lines.talk if line not in misdirected])
    waiting = frozenset((*doubtful, *misdirected))
    certain = [line for line in lines.talk if line not in waiting] if lines.moves else lines.talk
    talk = remarks.remark_of(certain)
    if lines.moves:
        talk = _play_in_order(session, sender, commands, lines, talk, result)
    elif lines.plan:
        moves.enter_plan(session, sender, lines.plan, result)
    for line in lines.confirmed:
        remarks.pass_on(session, sender, doubts.confirmed_remark(sender, line), result, is_meant=True)
    if misdirected:
        misdirected_talk = misdirected if lines.moves else [line for line in lines.talk if line.strip()]
        ask_about_misdirected(sender, misdirected_talk, result)
        if not lines.moves:
            return  # all talk waits for the answer
    if doubtful:
        remarks.ask_about(sender, lines, doubtful, result)
        if not lines.moves:
            return  # all talk waits for the answer
    if talk or (lines.sentences and sender.player is None):
        remarks.handle_talk(session, sender, talk, lines, result)


def _play_in_order(
    session: Session,
    sender: Sender,
    commands: Sequence[cmd.Command],
    lines: remarks.WrittenLines,
    talk: str,
    result: MailOutcome,
) -> str:
    """Play the first move with the mail's talk and plan, between the commands around it.

    Returns the talk that no move has carried. Only the first action on the game is executed; a second one is asked
    about.
    """
    plan = lines.plan
    for command in commands:
        if not isinstance(command, cmd.Other):
            _execute_command(session, sender, command, result)
        elif command.line in lines.moves and moves.play(session, sender, command.line, talk, plan, result):
            talk = plan = ""
    if plan:
        moves.enter_plan(session, sender, plan, result)
    return talk


def _ask_to_resign(session: Session, sender: Sender, result: MailOutcome) -> None:
    """Ask the sender to confirm resigning; the same letter answers the mail's other lines."""
    try:
        with session.begin_nested():
            matches.ask_to_resign(session, player_of(sender), now=sender.now, entries=result.entries)
    except Refusal as error:
        result.entries.insert(0, refusal("", error))
        result.must_answer, result.outcome = True, "refused"
        return
    result.entries, result.must_answer, result.outcome = [], False, "resign"


def _execute_command(session: Session, sender: Sender, command: cmd.Command, result: MailOutcome) -> None:
    if isinstance(command, cmd.Other | cmd.PlanLine):
        return  # the whole mail decides what these do
    declared = registry.of(command)
    if declared.feature in sender.features_off:
        result.entries.append(
            TranscriptEntry(command.written, _("This server does not offer that, so nothing was done."))
        )
        result.must_answer, result.outcome = True, "refused"
        return
    if not sender.is_believed and need_of(command) != Need.NOTHING:
        propose_or_refuse(command, result)
        return
    if must_be_asked(sender, command):
        result.must_answer = True
        result.proposed.append(command)
        return
    if isinstance(command, cmd.Yes) and sender.token is not None and sender.token.purpose == Purpose.PROPOSAL:
        _execute_proposal(session, sender, sender.token, result)
        return
    if declared.acts_on_game or (isinstance(command, cmd.Accept) and command.what):
        if result.acted:
            result.must_answer = True
            result.entries.append(TranscriptEntry(command.written or registry.name_of(command), second_action()))
            return
        result.acted = True
    if isinstance(command, cmd.Resign):
        result.asks_to_resign = True
        return
    try:
        with session.begin_nested():
            _require_trust(sender, declared)
            assert declared.handler is not None
            entry = declared.handler(session, sender, command)
    except Refusal as error:
        result.entries.append(refusal("", error))
        result.must_answer, result.outcome = True, "refused"
        return
    result.outcome = registry.name_of(command)
    if entry is not None:  # else a separate letter answers
        result.must_answer = True
        result.entries.append(entry)


def _execute_proposal(session: Session, sender: Sender, token: Token, result: MailOutcome) -> None:
    """Execute the commands proposed in the answered letter, as if they came with a token."""
    try:
        proposal = proposals.take(session, token.id, now=sender.now)
    except Refusal as error:
        result.entries.append(refusal("", error))
        result.must_answer, result.outcome = True, "refused"
        return
    original_token = session.get(Token, proposal.through) if proposal.through is not None else None
    person = session.get_one(Person, proposal.person_id)
    as_believed = replace(sender, person=person, player=None, match=None, token=original_token)
    as_believed = replace(as_believed, is_believed=True, is_confirmed=True)
    inner = _execute_lines(session, as_believed, proposal.commands, "")
    result.entries += inner.entries
    result.must_answer, result.outcome = result.must_answer or bool(inner.entries), inner.outcome


def _require_trust(sender: Sender, declared: Declaration) -> None:
    """Raise MatchError for an irreversible command other than resigning if From is doubtful."""
    if sender.is_doubtful and declared.is_irreversible:
        raise matches.MatchError(
            _(
                "Your mail server did not vouch for this mail, so this was not done. You can do it on the page: "
                "%%base%%/games"
            )
        )


def _letter_text(letter: cmd.Write, mail_text: str) -> str:
    """Return the text of a letter to a member: the text on the command line and all lines below."""
    lines = mail_text.splitlines()
    first_index = next((index for index, line in enumerate(lines) if isinstance(command_in(line), cmd.Write)), None)
    return "" if first_index is None else "\n".join([letter.text, *lines[first_index + 1 :]]).strip()


__all__ = [
    "MailOutcome",
    "Need",
    "Sender",
    "execute",
    "answer_stranger",
    "changes_addresses",
    "may_propose",
    "need_of",
    "no_text_answer",
    "refusal",
    "stop_confirmation",
    "unread_commands",
    "welcome",
]
