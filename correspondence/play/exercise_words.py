"""Sentences about an exercise and an attempt at it, in the current language."""

from __future__ import annotations

from sqlmodel import Session

from correspondence.models import Exercise, ExerciseAttempt
from correspondence.models.loading import persons_of, players_of
from correspondence.play.exercise_course import Course, SolverStep, Verdict
from engines import GAMES
from engines.base import CHANCE, Seat
from engines.wording import _, listing, ngettext


def task(row: Exercise) -> str:
    """State the task: who is to move, and within how many of their moves they win."""
    sentence = ngettext(
        "{seat} to move: only one move wins at once.",
        "{seat} to move: only one move wins by force within {num} moves, whatever the reply.",
        row.moves,
    )
    return sentence.format(seat=seat_name(row, row.seat), num=row.moves)


def source(session: Session, row: Exercise) -> str:
    """Name the players of an exercise's game, but not its number, which would reveal the move."""
    persons = persons_of(session, players_of(session, row.match_id))
    game = GAMES[row.game]
    players = [f"{person.handle} ({_(name)})" for person, name in zip(persons, game.seats, strict=False)]
    return _("From a game of {game} between {players}.").format(game=_(game.name), players=listing(players, _("and")))


def seat_name(row: Exercise, seat: Seat) -> str:
    """Return the name of a seat, or of chance."""
    game = GAMES[row.game]
    return _(game.presentation.chance) if seat == CHANCE else _(game.seats[seat])


def verdict(row: Exercise, course: Course) -> str:
    """Comment on the last move: right, solved, or how the opponent escapes."""
    if not course.steps:
        return ""
    last = course.steps[-1]
    if course.verdict is Verdict.SOLVED:
        return _("{move} wins. That is the solution.").format(move=last.text)
    if course.verdict is Verdict.WRONG:
        return _wrong(row, course, last)
    sentence = ngettext(
        "{move} is right. The reply is {answer}. {num} move is left to win.",
        "{move} is right. The reply is {answer}. {num} moves are left to win.",
        course.left,
    )
    return sentence.format(move=last.text, answer=answers(row, last), num=course.left)


def _wrong(row: Exercise, course: Course, last: SolverStep) -> str:
    if last.answers:
        seat, text = last.answers[-1]
        if seat != CHANCE and len(last.answers) == 1:
            sentence = ngettext(
                "{move} does not win within {num} move: {seat} escapes with {answer}.",
                "{move} does not win within {num} moves: {seat} escapes with {answer}.",
                course.left,
            )
            return sentence.format(move=last.text, num=course.left, seat=seat_name(row, seat), answer=text)
        sentence = ngettext(
            "{move} does not always win within {num} move. It fails after {answer}.",
            "{move} does not always win within {num} moves. It fails after {answer}.",
            course.left,
        )
        return sentence.format(move=last.text, num=course.left, answer=answers(row, last))
    if course.left == 1:
        return _("{move} does not win at once.").format(move=last.text)
    sentence = ngettext(
        "{move} does not win within {num} move.", "{move} does not win within {num} moves.", course.left
    )
    return sentence.format(move=last.text, num=course.left)


def answers(row: Exercise, step: SolverStep) -> str:
    """List the answers of the others and chance after a move, by name."""
    return ", ".join(f"{text} ({seat_name(row, seat)})" for seat, text in step.answers)


def written(row: Exercise, steps: tuple[SolverStep, ...]) -> str:
    """Write a line of both sides' moves in words."""
    parts = []
    for step in steps:
        parts.append(f"{step.text} ({seat_name(row, row.seat)})")
        if step.answers:
            parts.append(answers(row, step))
    return ", ".join(parts)


def counted(attempt: ExerciseAttempt) -> str:
    """State how a finished first try changed its solver's exercise rating."""
    assert attempt.rating is not None and attempt.rating_before is not None
    before, after = round(attempt.rating_before), round(attempt.rating)
    sentence = (
        _("You solved it at your first try: your exercise rating is {after} (before: {before}, change {change}).")
        if attempt.solved
        else _("Your first try did not solve it: your exercise rating is {after} (before: {before}, change {change}).")
    )
    change = f"{after - before:+d}".replace("-", "\u2212")
    return sentence.format(after=after, before=before, change=change)


def fared(row: Exercise) -> str:
    """State how many members have tried an exercise, and how many have solved it."""
    if not row.tried:
        return _("Nobody has tried it yet.")
    sentence = ngettext(
        "Tried by {num} member, solved by {solved}.", "Tried by {num} members, solved by {solved}.", row.tried
    )
    return sentence.format(solved=row.solved, num=row.tried)
