"""Find faulty teaching material of a game package, which pages and letters leave out."""

from __future__ import annotations

import random
from collections.abc import Iterator

from correspondence.rulebook.chapters import CHAPTERS
from correspondence.rulebook.drawing import drawn
from correspondence.rulebook.examples import position_at
from correspondence.rulebook.sample_games import has_sample
from engines.base import CHANCE, Game
from engines.course import MOVES
from engines.record import draw_lots


def faults_of(game: Game) -> Iterator[str]:
    """Report each diagram, letter, sample and lesson of a game that is left out, as a sentence."""
    chapter = CHAPTERS[game.key]
    for one in chapter.diagrams:
        if drawn(game.key, one, "en") is None:
            yield f"The diagram “{one.name}” of {game.key} is left out: it cannot be drawn."
    if not _letter_works(game):
        yield f"The letter on the rules page of {game.key} shows random moves: that of its chapter cannot be shown."
    if game.presentation.sample() and not has_sample(game.key):
        yield f"The sample of {game.key} is left out: sample.record cannot be played."
    if game.presentation.lessons is not None and (fault := _fault_of_lessons(game)):
        yield f"A lesson of {game.key} is left out: it failed with {fault}."


def _letter_works(game: Game) -> bool:
    letter, reply = CHAPTERS[game.key].letter, CHAPTERS[game.key].reply
    try:
        position = position_at(game.key, letter)
        position.read(position.to_act[0], reply)
    except Exception:
        return False
    return bool(letter.played)


def _fault_of_lessons(game: Game) -> str:
    """The error that lessons raise in a random game; "" if they raise none."""
    lessons, rng = game.presentation.lessons, random.Random(1)
    assert lessons is not None
    position = draw_lots(game.start(game.Options()), rng)[0]
    try:
        for _ply in range(4 * MOVES):
            if not position.to_act:
                break
            seat = position.to_act[0]
            move = position.random_move(seat, rng)
            after = position.after(seat, move)
            if seat != CHANCE:
                list(lessons.possible(position.view(seat), seat))
                text = position.tell(seat, move, 1 - seat, after)
                list(lessons.shown(position.view(1 - seat), text, after.view(1 - seat), 1 - seat))
            position = after
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
