"""The desk: what people write in a mail is carried out here, line by line, and told in one transcript.

A command becomes a use case; a line that reads as a move is played; other sentences go to the
opponent. At most one line of a mail acts on a game. A refusal changes nothing and is told with
what is possible instead.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from correspondence import answers, clock, matches, partners, people, puzzles, tries
from correspondence import commands as words
from correspondence.clock import TermsError
from correspondence.course import position_of
from correspondence.models import By, Match, Person, Player, Purpose, Token
from correspondence.sections import Section
from engines.base import MoveError, NotationError
from engines.options import OptionError
from engines.text import render as printed
from engines.wording import _

REFUSALS = (
    MoveError,
    OptionError,
    TermsError,
    matches.MatchError,
    partners.PartnerError,
    people.PeopleError,
    words.CommandError,
)
"""Whatever a use case may refuse with: a sentence for the writer."""

ONE_ACT = (words.Draw, words.Resign, words.Yes)
"""Commands that act on a game, as a move does: one of them to a mail."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes, about which match if any, and by what right.

    `ply` is the position that the answered letter showed, None if that is unknown; `choices` are the numbered
    choices it offered. Without `by_token` only a From line vouches for the writer.
    """

    person: Person
    player: Player | None
    match: Match | None
    now: datetime
    lots: random.Random
    token: Token | None = None
    ply: int | None = None
    choices: tuple[str, ...] = ()
    by_token: bool = True


@dataclass(slots=True)
class Done:
    """What came of a mail: the transcript, and whether the writer must see it."""

    sections: list[Section] = field(default_factory=list)
    must_answer: bool = False
    show_board: bool = False
    outcome: str = "nothing to do"
    acted: bool = False


def carry_out(session: Session, writer: Writer, commands: Sequence[words.Command], said: str) -> Done:
    """Do every command in order; returns what to tell the writer. Raises nothing that a mail can cause."""
    done = Done()
    spoken: list[str] = []
    moves = [c for c in commands if isinstance(c, words.Other) and _is_move(writer, c.line)]
    for command in commands:
        if not isinstance(command, words.Other):
            _perform(session, writer, command, done)
        elif command not in moves:
            spoken.append(command.line)
    talk = _talk(said, moves) if spoken else ""
    for command in moves:
        _play(session, writer, command.line, talk, done)
        talk = ""
    if talk or (spoken and writer.player is None):
        _speak(session, writer, talk, spoken, done, refused=bool(moves))
    return done


def welcome() -> Section:
    """What a stranger is told who wrote nothing that we understand."""
    return Section("", _("Here people play abstract games by letter. To join, write the line: join YOURNAME"))


def for_strangers(command: words.Command) -> Section:
    """What somebody who has not joined is told."""
    if isinstance(command, words.Rules):
        return answers.rules(command.key)
    if isinstance(command, words.Help):
        return Section("", welcome().text, block=answers.help_text())
    if isinstance(command, words.Stop):
        return Section("", _("You get no more letters from us. To join after all, write from here: join YOURNAME"))
    return welcome()


def nothing_to_read(trouble: str) -> Section:
    """What to tell somebody whose mail had no words for us."""
    reasons = {
        "encrypted": _("Your mail is encrypted, and we have no key to read it. Please send it as plain text."),
        "winmail": _("Your mail came as a winmail.dat attachment. Please send it as plain text."),
        "forward-only": _("Your mail was only a forwarded message; commands must be written by yourself."),
    }
    return Section("", reasons.get(trouble, _("There was no text of yours in this mail. Write help for all commands.")))


def _perform(session: Session, writer: Writer, command: words.Command, done: Done) -> None:
    done.must_answer = True
    if isinstance(command, ONE_ACT):
        if done.acted:
            done.sections.append(Section("", _second_act()))
            return
        done.acted = True
    try:
        with session.begin_nested():
            section = _PERFORMERS.get(type(command), _not_here)(session, writer, command)
    except REFUSALS as error:
        done.sections.append(refusal("", error))
        done.outcome = "refused"
        return
    done.outcome = type(command).__name__.lower()
    if section is None:
        done.must_answer = False
    else:
        done.sections.append(section)


def _play(session: Session, writer: Writer, line: str, talk: str, done: Done) -> None:
    if done.acted:
        done.sections.append(Section(line, _second_act()))
        done.must_answer = True
        return
    done.acted = True
    try:
        with session.begin_nested():
            entries = _move(session, writer, line, talk)
    except REFUSALS as error:
        done.sections.append(refusal(line, error))
        done.must_answer = done.show_board = True
        done.outcome = "refused"
        return
    done.sections.append(Section(line, _("Played: {moves}").format(moves=", ".join(entry.text for entry in entries))))
    done.outcome = "played"


def _move(session: Session, writer: Writer, line: str, talk: str) -> Any:
    number, text = words.stated_number(line)
    text = _chosen(writer, text)
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
        words.normalise(text),
        now=writer.now,
        lots=writer.lots,
        by=By.MAIL,
        comment=talk,
        ply=writer.ply,
    )


def _speak(session: Session, writer: Writer, talk: str, spoken: Sequence[str], done: Done, *, refused: bool) -> None:
    if writer.player is None or writer.match is None:
        if not done.sections:
            done.sections.append(Section(spoken[0], _("This is no command we know. Write help for all of them.")))
            done.must_answer = True
        return
    if refused and done.outcome == "refused":
        done.sections.append(
            Section("", _("What else you wrote was not passed on; please write it again with the move."))
        )
        return
    if done.outcome == "played":
        return
    try:
        matches.say(session, writer.player, talk, now=writer.now)
        done.sections.append(Section("", _("Passed on to your opponent.")))
        done.outcome = "said" if done.outcome == "nothing to do" else done.outcome
    except matches.MatchError as error:
        done.sections.append(refusal("", error))
        done.must_answer = True


def refusal(line: str, error: Exception) -> Section:
    """A refusal as a section of the transcript, with what to try instead."""
    return Section(line, str(error), tuple(getattr(error, "suggestions", ())))


def _is_move(writer: Writer, line: str) -> bool:
    """Whether a line is meant as a move: it reads as one here, or looks like one anywhere."""
    _number, text = words.stated_number(line)
    if writer.choices and text.strip().isdigit():
        return True
    if words.looks_like_move(line):
        return True
    if writer.player is None or writer.match is None or writer.match.ended_at is not None:
        return False
    position = position_of(writer.match)
    if writer.player.seat not in position.to_act:
        return False
    try:
        position.read(writer.player.seat, words.normalise(text))
    except NotationError:
        return False
    except MoveError:
        return len(line.split()) <= 4
    return True


def _chosen(writer: Writer, text: str) -> str:
    number = text.strip()
    if writer.choices and number.isdigit() and 1 <= int(number) <= len(writer.choices):
        return writer.choices[int(number) - 1]
    return text


def _talk(said: str, moves: Sequence[words.Other]) -> str:
    played = {command.line.strip() for command in moves}
    kept = [
        line
        for line in said.splitlines()
        if line.strip() not in played and (not line.strip() or isinstance(_read(line), words.Other))
    ]
    return "\n".join(kept).strip()


def _read(line: str) -> words.Command:
    try:
        return words.read_line(line)
    except words.CommandError:
        return words.Other(line)


def _second_act() -> str:
    return _("One mail does one thing to a game: this line was not carried out. Please send it by itself.")


def _challenge(session: Session, writer: Writer, command: words.Challenge) -> Section:
    seek = partners.challenge(
        session,
        writer.person,
        command.handle,
        command.key,
        dict(command.options),
        terms=command.pace or clock.DEFAULT_TERMS,
        rated=command.rated,
        now=writer.now,
    )
    return Section(
        "",
        _("{handle} was asked to play {key} with you (challenge {number}).").format(
            handle=command.handle, key=seek.game, number=seek.id
        ),
    )


def _accept(session: Session, writer: Writer, command: words.Accept) -> Section | None:
    partners.accept(session, writer.person, _seek_number(writer, command.number), now=writer.now, lots=writer.lots)
    return None


def _decline(session: Session, writer: Writer, command: words.Decline) -> Section:
    if writer.player is not None and command.number is None:
        matches.decline_draw(session, writer.player, now=writer.now)
        return Section("", _("The draw is declined."))
    seek = partners.decline(session, writer.person, _seek_number(writer, command.number), now=writer.now)
    return Section("", _("Challenge {number} is declined.").format(number=seek.id))


def _seek_number(writer: Writer, number: int | None) -> int | None:
    if number is None and writer.token is not None and writer.token.purpose == Purpose.SEEK:
        return int(people.payload_of(writer.token)["seek"])
    return number


def _draw(session: Session, writer: Writer, _command: words.Draw) -> Section | None:
    if matches.offer_draw(session, _at_table(writer), now=writer.now):
        return None
    return Section("", _("Your offer of a draw was passed on."))


def _resign(session: Session, writer: Writer, _command: words.Resign) -> None:
    matches.ask_to_resign(session, _at_table(writer), now=writer.now)


def _yes(session: Session, writer: Writer, _command: words.Yes) -> Section | None:
    if writer.token is None or writer.token.purpose != Purpose.RESIGN:
        return Section("", _("Nothing waits for a yes here."))
    people.live_token(session, writer.token.id, Purpose.RESIGN, now=writer.now)
    matches.resign(session, _at_table(writer), now=writer.now)
    writer.token.used_at = writer.now
    session.add(writer.token)
    return None


def _at_table(writer: Writer) -> Player:
    if writer.player is None:
        raise matches.MatchError(_("Please say that in reply to a letter of the game you mean."))
    return writer.player


def _puzzle(session: Session, writer: Writer, command: words.Puzzle) -> None:
    options = dict(command.options)
    partners.start_alone(session, writer.person, "duel-puzzle", options, now=writer.now, lots=writer.lots)


def _hint(session: Session, writer: Writer, _command: words.Hint) -> Section:
    step = puzzles.next_step(session, _at_table(writer), now=writer.now)
    return Section("", _("A step of a solution: {move}").format(move=step))


def _preview(session: Session, writer: Writer, command: words.Preview) -> Section:
    player = _at_table(writer)
    tried, position = tries.after_line(session, player, words.normalise(command.moves))
    board = printed(position.scene(player.seat), bottom=player.seat)
    return Section("", _("The board after {moves}; nothing was played.").format(moves=" ".join(tried)), block=board)


def _join(_session: Session, writer: Writer, _command: words.Join) -> Section:
    return Section("", _("You have joined already, as {handle}.").format(handle=writer.person.handle))


def _help(_session: Session, _writer: Writer, _command: words.Help) -> Section:
    return Section("", _("This is what you can write, one command to a line:"), block=answers.help_text())


def _stop(session: Session, writer: Writer, _command: words.Stop) -> Section:
    people.stop_notices(session, writer.person)
    return stopped()


def stopped() -> Section:
    """What somebody is told who wants no more letters."""
    return Section(
        "",
        _(
            "You get no more letters about talk, no reminders and no receipts. Letters that it is your turn still "
            "come. The page %%base%%/settings stops those too, and brings back the others."
        ),
    )


def _mistaken(_session: Session, _writer: Writer, command: words.Mistaken) -> Section:
    raise words.CommandError(command.sentence)


def _not_here(_session: Session, _writer: Writer, command: words.Command) -> Section:
    name = type(command).__name__.lower()
    return Section("", _("The command “{name}” is understood, but this service cannot do it yet.").format(name=name))


Performer = Callable[[Session, Writer, Any], Section | None]
_PERFORMERS: dict[type, Performer] = {
    words.Mistaken: _mistaken,
    words.Help: _help,
    words.Join: _join,
    words.Challenge: _challenge,
    words.Accept: _accept,
    words.Decline: _decline,
    words.Draw: _draw,
    words.Resign: _resign,
    words.Yes: _yes,
    words.Puzzle: _puzzle,
    words.Hint: _hint,
    words.Preview: _preview,
    words.Stop: _stop,
    words.Games: lambda s, w, c: answers.games(s, w.person, now=w.now),
    words.Show: lambda s, w, c: answers.show(s, w.person, c.match or (w.match.id if w.match else None)),
    words.History: lambda s, w, c: answers.history(s, w.person, c.match or (w.match.id if w.match else None)),
    words.Record: lambda s, w, c: answers.record(s, w.person, c.match or (w.match.id if w.match else None)),
    words.Rules: lambda s, w, c: answers.rules(c.key),
    words.Partners: lambda s, w, c: answers.partners(s, w.person),
    words.Letters: lambda s, w, c: answers.letters(s, w.person),
    words.Settings: lambda s, w, c: answers.settings(w.person),
}
