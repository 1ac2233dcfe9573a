"""A robot's explanations in a teaching game: derived from the record, never stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session

from correspondence.core.caching import cached
from correspondence.models import Match
from correspondence.models.loading import entries_of, game_of, moves_of, persons_of, players_of
from engines import GAMES
from engines.base import CHANCE
from engines.course import MOVES, CourseStep, course
from engines.options import options_from, read_options
from engines.record import Entry, positions, step
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Explained:
    """A robot's explanation after a move: the number of explained moves, and the sentences."""

    number: int
    sentences: tuple[str, ...]

    @property
    def of(self) -> int:
        """The total number of moves it explains."""
        return MOVES


def explained(session: Session, match: Match, since: int, until: int) -> Explained | None:
    """Return the explanation of entries after `since` up to `until`, in the reader's language.

    None if there is none. Only the learner may read it, because it is made from what they see.
    """
    found = [step for step in course_so_far(session, match) if since < step.ply <= until]
    sentences = [lesson.words for step in found for lesson in step.lessons]
    if found and found[-1].is_last and match.ended_at is None:
        sentences.append(_("That was my tenth move, so the lesson is over: the game goes on as any other."))
        sentences.append(_("Whenever you would like advice, ask me for it: write hint."))
    return Explained(found[-1].number, tuple(sentences)) if sentences else None


def known_keys(session: Session, match: Match) -> list[str] | None:
    """Return the keys of the lessons given so far, so that a robot can choose another.

    None if the game teaches no more.
    """
    steps = course_so_far(session, match)
    if not match.teaches or (steps and steps[-1].is_last):
        return None
    return [lesson.key for step in steps for lesson in step.lessons]


def course_so_far(session: Session, match: Match) -> tuple[CourseStep, ...]:
    """Return all lessons of a game so far, in the current language; empty if it does not teach."""
    if not match.teaches or match.game not in GAMES or game_of(match).presentation.lessons is None:
        return ()
    players = players_of(session, match.id)
    seated = zip(players, persons_of(session, players), strict=True)
    learner = next((player.seat for player, person in seated if not person.robot_level), None)
    if learner is None:
        return ()
    entries = _explained_part(entries_of(moves_of(session, match.id)), learner)
    return _course(match.game, match.options, tuple(entries), learner)


def _explained_part(entries: Iterable[Entry], learner: int) -> Iterable[Entry]:
    """Return the entries up to the last robot move that is explained."""
    number = 0
    for entry in entries:
        if number == MOVES:
            return
        number += entry.seat not in (CHANCE, learner)
        yield entry


@cached(32)
def _course(key: str, options: str, entries: tuple[Entry, ...], learner: int) -> tuple[CourseStep, ...]:
    game = GAMES[key]
    *befores, now = positions(game, read_options(game.Options, options_from(options)), entries)
    steps = [(before, entry.seat, step(before, entry)[0]) for before, entry in zip(befores, entries, strict=True)]
    lessons = game.presentation.lessons
    return tuple(course(lessons, steps, now, learner)) if lessons is not None else ()
