"""The desk: what people write in a mail is carried out here, line by line, and told in one transcript.

A command becomes a use case; a line that reads as a move is played; other sentences go to the
opponent. At most one line of a mail acts on a game. A refusal changes nothing and is told with
what is possible instead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as words
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
from correspondence.commands.handlers.authority import NEEDS, Need, need_of, put_off
from correspondence.commands.handlers.context import Handlers, Outcome, Sender, command_in, refusal
from correspondence.commands.handlers.guests import for_strangers, nothing_to_read, welcome
from correspondence.commands.handlers.info import stopped
from correspondence.community import member_mail
from correspondence.models import By, Person, Purpose, Token
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from correspondence.play.chat import was_said
from engines.refusal import Refusal
from engines.wording import _

ONE_ACT = (words.Draw, words.Resign, words.Yes, words.Takeback, words.Pause, words.Claim)
"""Commands that act on a game, as a move does: one of them to a mail."""

WEIGHTY = (words.Draw,)
"""Commands that cannot be taken back and that no letter asks about once more."""

_PERFORMERS: Handlers = {
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


def execute(session: Session, writer: Sender, commands: Sequence[words.Command], said: str) -> Outcome:
    """Do every command in order; returns what to tell the writer. Raises nothing that a mail can cause.

    What would change anything is only noted as proposed where nothing but a From line vouches for the writer.
    """
    done = _carry_out(session, writer, commands, said)
    done.sections += left_over(said)
    done.must_answer = done.must_answer or bool(left_over(said))
    return done


def left_over(said: str) -> list[TranscriptEntry]:
    """What somebody is told whose mail held more commands than a mail may; nothing where it did not."""
    left = words.left_over(said.splitlines())
    if not left:
        return []
    told = _("Commands stand in the first {count} lines of a mail. These below them were left; please send them again:")
    quoted = "\n".join(wrapped_behind(line, "· ", "| ") for line in left)
    return [TranscriptEntry("", told.format(count=words.COMMAND_LINES), block=quoted)]


def _carry_out(session: Session, writer: Sender, commands: Sequence[words.Command], said: str) -> Outcome:
    done = Outcome()
    letter = next((command for command in commands if isinstance(command, words.Write)), None)
    if letter is not None:  # what stands below belongs to it
        for command in commands[: commands.index(letter)]:
            if not isinstance(command, words.Other | words.PlanLine):
                _perform(session, writer, command, done)
        _perform(session, writer, replace(letter, text=_below(letter, said) or letter.text), done)
        return done
    commands, said = moderation.with_report(commands, said)
    spoken: list[str] = []
    passed = [c for c in commands if isinstance(c, words.Other) and doubts.words_chosen(writer, c.line)]
    moves = [c for c in commands if isinstance(c, words.Other) and c not in passed and intent.is_move(writer, c.line)]
    plan = conditional.text_of(commands, said)
    for command in commands:
        if isinstance(command, words.Other):
            if command not in [*moves, *passed]:
                spoken.append(command.line)
        elif not isinstance(command, words.PlanLine):
            _perform(session, writer, command, done)
    if not commands:  # words of thanks alone, at which reading stops
        spoken = [line for line in said.splitlines() if line.strip()]
    kept = _kept(said or "\n".join(spoken), [*moves, *passed]) if spoken else []
    doubtful = doubts.doubtful(writer, kept)
    talk = _talk([line for line in kept if line not in doubtful] if moves else kept)
    for command in moves:
        if _play(session, writer, command.line, talk, done, plan):
            talk = plan = ""
    if plan:
        _plan(session, writer, plan, done)
    for command in passed:
        _tell(session, writer, doubts.words_chosen(writer, command.line), done, is_meant=True)
    if doubtful:
        is_for_others = done.acted or any(map(words.is_said, spoken))
        playable = () if moves else doubts.playable(writer, doubtful)
        named = () if is_for_others or moves else intent.moves_named(writer, spoken)
        doubts.ask(writer, doubtful if moves else kept, tuple(dict.fromkeys((*named, *playable))), done)
        talk = talk if moves else ""
    if talk or (spoken and writer.player is None):
        _speak(session, writer, talk, spoken, done, refused=bool(moves))
    return done


def _perform(session: Session, writer: Sender, command: words.Command, done: Outcome) -> None:
    if not writer.is_believed and need_of(command) != Need.NOTHING:
        put_off(command, done)
        return
    if isinstance(command, words.Yes) and writer.token is not None and writer.token.purpose == Purpose.PROPOSAL:
        _agree(session, writer, writer.token, done)
        return
    if isinstance(command, ONE_ACT):
        if done.acted:
            done.must_answer = True
            done.sections.append(TranscriptEntry(type(command).__name__.lower(), _second_act()))
            return
        done.acted = True
    try:
        with session.begin_nested():
            _must_be_believed(writer, command)
            section = _PERFORMERS.get(type(command), _nothing_waits)(session, writer, command)
    except Refusal as error:
        done.sections.append(refusal("", error))
        done.must_answer, done.outcome = True, "refused"
        return
    done.outcome = type(command).__name__.lower()
    if section is not None:  # otherwise a letter of its own tells it
        done.must_answer = True
        done.sections.append(section)


def _agree(session: Session, writer: Sender, token: Token, done: Outcome) -> None:
    """Do what the answered letter proposed, as if it had come with a token."""
    try:
        agreed = proposals.take(session, token.id, now=writer.now)
    except Refusal as error:
        done.sections.append(refusal("", error))
        done.must_answer, done.outcome = True, "refused"
        return
    through = session.get(Token, agreed.through) if agreed.through is not None else None
    person = session.get_one(Person, agreed.person_id)
    as_believed = replace(writer, person=person, player=None, match=None, token=through, is_believed=True)
    inner = _carry_out(session, as_believed, agreed.commands, "")
    done.sections += inner.sections
    done.must_answer, done.outcome = done.must_answer or bool(inner.sections), inner.outcome


def _must_be_believed(writer: Sender, command: words.Command) -> None:
    """Raises MatchError for what cannot be taken back, where From is doubtful; resigning is asked about anyway."""
    if writer.is_doubtful and isinstance(command, WEIGHTY):
        raise matches.MatchError(
            _(
                "Your mail server did not vouch for this mail, so this was not done. You can do it on the page: "
                "%%base%%/games"
            )
        )


def _play(session: Session, writer: Sender, line: str, talk: str, done: Outcome, plan: str) -> bool:
    """Play a line with the words and the plan that go with it; False where the mail has acted already."""
    if done.acted:
        done.sections.append(TranscriptEntry(line, _second_act()))
        done.must_answer = True
        return False
    done.acted = True
    before = writer.match.ply if writer.match else 0
    try:
        with session.begin_nested():
            played = _move(session, writer, line, talk, plan)
    except Refusal as error:
        done.sections.append(intent.refusal_of(writer, line, error))
        if plan:
            done.sections.append(
                TranscriptEntry("", _("So your plan was not entered; please write it again with the move."))
            )
        if talk:
            done.sections.append(_not_passed_on(talk))
        done.must_answer = done.show_board = True
        done.outcome = "refused"
        return True
    moves = ", ".join(entry.text for entry in played.entries)
    done.sections.append(TranscriptEntry(line, _("Played: {moves}").format(moves=moves)))
    done.outcome = "played"
    if played.unplanned is not None:
        done.sections.append(_unplanned(played.unplanned))
        done.must_answer = True
    elif plan and writer.match is not None and writer.match.ply == before + len(played.entries):
        done.sections.append(conditional.show(session, writer))
        done.must_answer = True  # otherwise it was answered already, and the letter about that tells everything
    return True


def _plan(session: Session, writer: Sender, plan: str, done: Outcome) -> None:
    done.must_answer = True
    try:
        with session.begin_nested():
            done.sections.append(conditional.enter(session, writer, plan))
    except Refusal as error:
        done.sections.append(_unplanned(error))
        done.outcome = "refused"
        return
    done.outcome = "planned"


def _unplanned(error: Exception) -> TranscriptEntry:
    return TranscriptEntry("", " ".join([str(error), _("None of these lines was entered.")]))


def _move(session: Session, writer: Sender, line: str, talk: str, plan: str) -> matches.Played:
    number, text = words.stated_number(line)
    text = intent.chosen(writer, text)
    if writer.player is None or writer.match is None:
        raise matches.MatchError(
            _("This reads like a move, but of which game? Please reply to the letter of that game.")
        )
    if number is not None and number != writer.match.ply + 1:
        raise matches.MatchError(
            _("You wrote move {stated}, but the game is at move {next}.").format(
                stated=number, next=writer.match.ply + 1
            )
        )
    return matches.make_move(
        session,
        writer.player,
        words.bare_move(text),
        now=writer.now,
        by=By.MAIL,
        comment=talk,
        ply=writer.ply,
        plan=plan,
        is_meant=not doubts.is_secretive(writer),
    )


def _speak(session: Session, writer: Sender, talk: str, spoken: Sequence[str], done: Outcome, *, refused: bool) -> None:
    if writer.token is not None and writer.token.purpose == Purpose.CONTACT:
        _answer_member(session, writer, talk or "\n".join(spoken), done)
        return
    if writer.player is None or writer.match is None:
        if not done.sections:
            done.sections.append(
                TranscriptEntry(spoken[0], _("This is no command we know. Write help for all of them."))
            )
            done.must_answer = True
        return
    if refused and done.outcome == "refused":
        done.sections.append(_not_passed_on(talk))
        return
    if done.outcome == "played":
        return
    is_for_others = done.acted or any(map(words.is_said, spoken))
    named = () if is_for_others else intent.moves_named(writer, spoken)
    if named:
        done.sections.append(_perhaps(spoken, named))
        done.must_answer, done.outcome = True, "asked"
        return
    if was_said(session, writer.player, talk, writer.now):
        done.outcome = "said before"
        return
    told = ""
    if not is_for_others and intent.names_square(writer, spoken):
        told = _(
            "Passed on to your opponent as words; nothing was played. Did you mean a move? Then please write it "
            "on a line by itself."
        )
    _tell(session, writer, talk, done, told, is_meant=not doubts.is_secretive(writer))


def _tell(session: Session, writer: Sender, talk: str, done: Outcome, told: str = "", *, is_meant: bool) -> None:
    """Pass words on to the opponent, and tell the writer so; in a letter where there is more to be `told`."""
    if writer.player is None:
        return
    try:
        matches.say(session, writer.player, talk, now=writer.now, is_meant=is_meant)
    except matches.MatchError as error:
        done.sections.append(replace(refusal("", error), block=doubts.quoted(talk.splitlines())))
        done.must_answer = True
        return
    done.must_answer = done.must_answer or bool(told)
    done.sections.append(TranscriptEntry("", told or _("Passed on to your opponent.")))
    done.outcome = "said" if done.outcome == "nothing to do" else done.outcome


def _answer_member(session: Session, writer: Sender, text: str, done: Outcome) -> None:
    """A reply to a member's letter goes back to him."""
    assert writer.token is not None
    try:
        other = member_mail.answer(session, writer.person, writer.token, text, now=writer.now)
        done.sections.append(TranscriptEntry("", _("Passed on to {handle}.").format(handle=other.handle)))
        done.outcome = "said"
    except Refusal as error:
        done.sections.append(refusal("", error))
        done.must_answer, done.outcome = True, "refused"


def _below(letter: words.Write, said: str) -> str:
    """The words of a letter with the lines below its first."""
    lines = said.splitlines()
    first = next((at for at, line in enumerate(lines) if isinstance(command_in(line), words.Write)), None)
    return "" if first is None else "\n".join([letter.text, *lines[first + 1 :]]).strip()


def _kept(said: str, moves: Sequence[words.Other]) -> list[str]:
    """The lines that are neither commands nor moves nor plans, as they were written."""
    played = {command.line.strip() for command in moves}
    return [
        line
        for line in words.unbroken(said.splitlines())
        if not line.strip() or _is_for_others(line, played)
        if not words.begins_plan(line)  # not even where it is wrong: it is meant for nobody else
    ]


def _talk(kept: Sequence[str]) -> str:
    return "\n".join(map(words.said_in, kept)).strip()


def _is_for_others(line: str, played: Collection[str]) -> bool:
    """Whether a line is neither a command nor one of the moves, also where that was written in another way."""
    command = command_in(line)
    return isinstance(command, words.Other) and not {command.line.strip(), line.strip()} & set(played)


def _perhaps(spoken: Sequence[str], named: tuple[str, ...]) -> TranscriptEntry:
    """The question about a sentence that names a move which could be played."""
    told = _(
        "This reads like a sentence, and it names a move. Nothing was played, and nothing was passed on. Is that your "
        "move? To tell your opponent the sentence, begin it with “say:”."
    )
    return TranscriptEntry(spoken[0][:200], told, named)


def _not_passed_on(talk: str) -> TranscriptEntry:
    told = _("What else you wrote was not passed on; please write it again with the move.")
    return TranscriptEntry("", told, block=doubts.quoted(talk.splitlines()))


def _second_act() -> str:
    return _("One mail does one thing to a game: this line was not carried out. Please send it by itself.")


def _nothing_waits(_session: Session, _writer: Sender, _command: words.Command) -> TranscriptEntry:
    """What `no` and `wait` are answered: what they would stop was never begun."""
    return TranscriptEntry("", _("Nothing was changed. A move that was played stands; “takeback” asks for it back."))


__all__ = [
    "Outcome",
    "NEEDS",
    "Need",
    "Sender",
    "execute",
    "for_strangers",
    "left_over",
    "need_of",
    "nothing_to_read",
    "refusal",
    "stopped",
    "welcome",
]
