"""Exercises by mail: sending one, and playing the moves in reply to its letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.arguments import number_reader
from correspondence.commands.handlers import intent
from correspondence.commands.handlers.context import MailOutcome, Sender, refusal
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.setting_values import plain
from correspondence.commands.subjects import always
from correspondence.models import Exercise, Purpose
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import exercise_course, exercise_letters, exercise_words, exercises
from correspondence.play.exercise_course import Course, Verdict
from correspondence.play.exercises import ExerciseError
from engines.refusal import Refusal
from engines.wording import N_, _

GIVING_UP = frozenset(
    ("solution", "the solution", "show the solution", "soluzione", "la soluzione", "mostra la soluzione")
)
"""Phrases that give up an exercise."""


def take_moves(
    session: Session, sender: Sender, commands: Sequence[cmd.Command], mail_text: str
) -> tuple[MailOutcome | None, Sequence[cmd.Command], str]:
    """Play the moves in reply to an exercise's letter.

    Returns the outcome, and the commands and text that are left. The outcome is None if the mail replies to no such
    letter, or contains only commands.
    """
    lines = [command.line for command in commands if isinstance(command, cmd.Other)]
    if not _is_reply(sender) or not lines:
        return None, commands, mail_text
    outcome = MailOutcome(must_answer=True)
    _answer(session, sender, lines, outcome)
    rest = [command for command in commands if not isinstance(command, cmd.Other)]
    text = "\n".join(line for line in mail_text.splitlines() if cmd.normalise(line) not in map(cmd.normalise, lines))
    return outcome, rest, text


def _is_reply(sender: Sender) -> bool:
    token = sender.token
    if token is None or token.purpose != Purpose.EXERCISE or not sender.is_believed:
        return False
    return token.person_id == sender.person.id


def _answer(session: Session, sender: Sender, lines: Sequence[str], outcome: MailOutcome) -> None:
    assert sender.token is not None
    number, line = exercise_letters.place_of(sender.token)
    try:
        row = exercises.exercise(session, number, sender.person.id)
    except ExerciseError as error:
        outcome.entries.append(refusal("", error))
        outcome.outcome = "refused"
        return
    outcome.subject = exercise_letters.subject(row)
    if any(plain(text) in GIVING_UP for text in lines):
        outcome.entries.append(_given_up(session, sender, row))
        outcome.outcome = "exercise"
        return
    moves = [text for text in lines if intent.is_move(sender, text)] or list(lines[:1])
    _try_moves(session, sender, row, line, moves, outcome)


def _try_moves(
    session: Session, sender: Sender, row: Exercise, line: tuple[str, ...], moves: Sequence[str], outcome: MailOutcome
) -> None:
    """Play the moves in order up to the first wrong one, and report the last result."""
    attempt = exercises.attempt_of(session, sender.person.id, row.id)
    counts = not exercises.is_over(attempt)
    if counts and line != exercises.line_of(attempt):
        sentence = _("The game has moved on since that letter, so nothing was played. This is the position now.")
        outcome.entries.append(exercise_letters.shown(session, sender.person, row, sentence))
        outcome.outcome = "stale"
        return
    for written in moves:
        text = cmd.bare_move(intent.chosen_text(sender, cmd.split_move_number(written)[1]))
        try:
            with session.begin_nested():
                course = _played(session, sender, row, line, text, counts=counts)
        except Refusal as error:
            outcome.entries.append(replace(refusal(written, error), exercise=(row.id, line)))
            outcome.outcome = "refused"
            return
        line = course.line
        if course.verdict is not Verdict.OPEN:
            break
    outcome.entries.append(_said(session, sender, row, course, counts=counts))
    outcome.outcome = "exercise"


def _played(
    session: Session, sender: Sender, row: Exercise, line: tuple[str, ...], text: str, *, counts: bool
) -> Course:
    if counts:
        return exercises.play(session, sender.person, row.id, text, now=sender.now)
    course = exercise_course.course(row, (*line, text))
    if course.verdict is Verdict.SOLVED:
        exercises.solved_later(session, sender.person, row.id, now=sender.now)
    return course


def _said(session: Session, sender: Sender, row: Exercise, course: Course, *, counts: bool) -> TranscriptEntry:
    verdict = exercise_words.verdict(row, course)
    if course.verdict is Verdict.OPEN:
        return exercise_letters.after(sender.person, row, course, verdict)
    counted = _counted(session, sender, row) if counts else ""
    if course.verdict is Verdict.SOLVED:
        return TranscriptEntry("", " ".join(filter(None, (verdict, counted, _source(row)))))
    before = exercise_course.course(row, course.line[:-1])
    return exercise_letters.after(sender.person, row, before, f"{verdict} {counted}".strip(), is_again=True)


def _given_up(session: Session, sender: Sender, row: Exercise) -> TranscriptEntry:
    was_open = not exercises.is_over(exercises.attempt_of(session, sender.person.id, row.id))
    exercises.give_up(session, sender.person, row.id, now=sender.now)
    solution = exercise_words.written(row, exercise_course.solution(row))
    counted = _counted(session, sender, row) if was_open else ""
    sentence = _("The solution: {moves}.").format(moves=solution)
    return TranscriptEntry("", " ".join(filter(None, (sentence, counted, _source(row)))))


def _counted(session: Session, sender: Sender, row: Exercise) -> str:
    attempt = exercises.attempt_of(session, sender.person.id, row.id)
    return "" if attempt is None else exercise_words.counted(attempt)


def _source(row: Exercise) -> str:
    link = f"%%base%%/games/{row.match_id}/{row.ply}"
    return _("It is from game {number}: {link}").format(number=row.match_id, link=link)


def _exercise(session: Session, sender: Sender, command: cmd.Exercise) -> TranscriptEntry:
    if command.number is not None:
        return exercise_letters.shown(
            session, sender.person, exercises.exercise(session, command.number, sender.person.id)
        )
    row = exercises.next_for(session, sender.person, now=sender.now)
    if row is None:
        raise ExerciseError(_("There is no exercise that you have not finished. New ones come from games that end."))
    return exercise_letters.shown(session, sender.person, row)


COMMANDS = (
    Declaration(
        kind=cmd.Exercise,
        phrases="exercise | an exercise | esercizio | un esercizio",
        readers={"exercise | esercizio": number_reader(cmd.Exercise)},
        need=Need.NOTHING,
        handler=_exercise,
        title=always(N_("An exercise")),
        topic="puzzles",
        help=(
            HelpLine(
                "puzzles",
                6,
                N_("exercise"),
                N_("a position from a real game with only one winning move; reply with it, or with: solution"),
            ),
        ),
    ),
)
