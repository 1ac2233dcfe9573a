"""Lessons of Duel from a robot's moves.

They follow the rule sheet: goal, how to play, movement restrictions, end of game.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.base import Seat
from engines.bridges import NAMES, SIDE, SPACES
from engines.buttons import EMPTY, SETS, SIDES, VALUES, button_name
from engines.duel.moves import Action, Place
from engines.duel.position import Duel
from engines.teaching import Lesson, Lessons
from engines.walks import Walk
from engines.wording import N_, _, listing

_CROSSING = (
    N_("Mine cross red and black bridges, yours red and white ones."),
    N_("Mine cross red and white bridges, yours red and black ones."),
)
"""The bridges of each side, by the robot's seat."""

_FACTS = {
    "free": N_("You never have to place: once a button of yours is on the board, you may walk with it instead."),
    "passing": N_(
        "A walk may pass over buttons, yours and mine, and over the same space again. It may not cross a bridge twice, "
        "nor end where it began."
    ),
    "diagonals": N_("Diagonals never count: a line fills one of the four rows or one of the four columns."),
    "yours": N_("If a move of mine completes your line, you win: it does not matter who made the move."),
    "both": N_("If both of us have a line, nobody has won: the game goes on until only one of us has one."),
    "written": N_("You may write less than the letters show: what follows the space, such as = or #, may be left out."),
    "draw": N_(
        "A position that occurs for the third time is a draw, and so are 50 turns in a row by each of us "
        "without a placement."
    ),
}
"""Lessons that are valid at any time, most basic first."""

_LINES = tuple(tuple(range(at, at + SIDE)) for at in range(0, SPACES, SIDE)) + tuple(
    tuple(range(at, SPACES, SIDE)) for at in range(SIDE)
)


class DuelLessons(Lessons):
    """The lessons of Duel."""

    def shown(self, before: Duel, text: str, after: Duel, learner: Seat) -> Iterator[Lesson]:
        """Yield what a placement or a walk of the robot has shown."""
        robot = 1 - learner
        yield from _ended(after, robot)
        move = before.read(robot, text)
        yield Lesson("goal", _goal(before, move))
        yield from _threat(after.cells, robot)
        yield _placed(before, move, robot) if isinstance(move, Place) else _walked(before, move, robot)
        for key, sentence in _FACTS.items():
            yield Lesson(key, _(sentence), is_general=True)

    def possible(self, position: Duel, learner: Seat) -> Iterator[Lesson]:
        """Yield placements or walks that the learner can make."""
        moves = list(position.legal_moves(learner))
        yield from _urgent(position, moves, learner)
        placings = [move for move in moves if isinstance(move, Place)]
        if placings:
            spaces = list(dict.fromkeys(NAMES[move.to] for move in placings))
            sentence = _("You can place one of your buttons on {spaces}. For example, write: {example}")
            example = position.write(learner, placings[0])
            anywhere = _("any space") if len(spaces) == SPACES else listing(spaces)
            yield Lesson("you-place", sentence.format(spaces=anywhere, example=example), example)
        yield from _walks(position, [move for move in moves if isinstance(move, Walk)], learner)


def _goal(before: Duel, move: Action) -> str:
    goal = _("The goal is a line: four of your own buttons that fill a row or a column.")
    if not isinstance(move, Place) or before.cells != EMPTY * SPACES:
        return goal
    sentence = _("I have put my {value} on {space}; each of us has eight buttons, numbered 1 to 8.")
    return f"{goal} {sentence.format(value=VALUES[move.button], space=NAMES[move.to])}"


def _ended(after: Duel, robot: Seat) -> Iterator[Lesson]:
    if after.outcome is None:
        return
    if robot in after.outcome.winners:
        line = next(line for line in _LINES if all(SIDES.get(after.cells[space]) == robot for space in line))
        yield Lesson("won", _("Four of my buttons fill {line}: that is a line, and it wins.").format(line=_named(line)))
    elif after.outcome.winners:
        yield Lesson("lost", _("My move has left you alone with a line, so you have won."))


def _threat(cells: str, robot: Seat) -> Iterator[Lesson]:
    for line in _LINES:
        gaps = [space for space in line if SIDES.get(cells[space]) != robot]
        if len(gaps) == 1:
            sentence = _(
                "Three of my buttons stand in {line}: one more on {space} would make it a line. You can take that space, "
                "or change places with one of the three."
            )
            yield Lesson("three", sentence.format(line=_named(line), space=NAMES[gaps[0]]))
            return


def _named(line: tuple[int, ...]) -> str:
    """Name a row or a column: “row 2”."""
    first = NAMES[line[0]]
    is_row = line[1] == line[0] + 1
    return _("row {number}").format(number=first[1]) if is_row else _("column {letter}").format(letter=first[0])


def _placed(before: Duel, move: Place, robot: Seat) -> Lesson:
    sentence = _(
        "I have placed my {value} on {space}. A new button goes on an empty space next to an enemy button, in its row or "
        "column; the bridges do not matter for that."
    )
    return Lesson("placed", sentence.format(value=VALUES[move.button], space=NAMES[move.to]))


def _walked(before: Duel, move: Walk, robot: Seat) -> Lesson:
    words = {"value": VALUES[move.button], "start": NAMES[move.start], "space": NAMES[move.to]}
    met = before.cells[move.to]
    if met == EMPTY:
        sentence = _(
            "My {value} has walked from {start} to {space}: a button crosses exactly as many bridges as its number says."
        )
        return Lesson("walked", f"{sentence.format(**words)} {_(_CROSSING[robot])}")
    if SIDES[met] == robot:
        sentence = _("My {value} and my own {other} have changed places: a walk may end on any button, even your own.")
        return Lesson("exchanged-own", sentence.format(**words, other=VALUES[met]))
    sentence = _(
        "My {value} has ended on {space}, where your {other} lay, so the two have changed places: nothing is ever captured. "
        "You may not exchange these two back with your next move; later you may."
    )
    return Lesson("exchanged", sentence.format(**words, other=VALUES[met]))


def _urgent(position: Duel, moves: list[Action], learner: Seat) -> Iterator[Lesson]:
    """Warn if the learner can win at once, or if most moves would let the robot win at once."""
    thens = [(move, position.after(learner, move)) for move in moves]
    if any(then.outcome and learner in then.outcome.winners for _move, then in thens):
        yield Lesson("you-win", _("Look closely: you have a move that wins at once."))
        return
    safe = [move for move, then in thens if not _wins_at_once(then, 1 - learner)]
    if 2 * len(safe) < len(moves) and safe:
        example = position.write(learner, safe[0])
        sentence = _("Take care: most of your moves would let me win at once. {example} would not.")
        yield Lesson("you-defend", sentence.format(example=example), example)


def _wins_at_once(position: Duel, seat: Seat) -> bool:
    thens = (position.after(seat, move) for move in position.legal_moves(seat))
    return any(then.outcome and seat in then.outcome.winners for then in thens)


def _walks(position: Duel, walks: list[Walk], learner: Seat) -> Iterator[Lesson]:
    free = next((walk for walk in walks if position.cells[walk.to] == EMPTY), None)
    if free is not None:
        ends = [NAMES[walk.to] for walk in walks if walk.button == free.button]
        sentence = _("You can also walk: your {value} reaches {spaces} from {start}. For example, write: {example}")
        yield _walk(position, free, learner, "you-walk", sentence, spaces=listing(ends))
    met = next((walk for walk in walks if position.cells[walk.to] in SETS[1 - learner]), None)
    if met is not None:
        sentence = _(
            "Your {value} can walk from {start} to {space} and change places with {other} there. For that, write: {example}"
        )
        yield _walk(position, met, learner, "you-exchange", sentence, other=button_name(position.cells[met.to]))


def _walk(position: Duel, walk: Walk, learner: Seat, key: str, sentence: str, **more: str) -> Lesson:
    example = position.write(learner, walk)
    words = {"value": VALUES[walk.button], "start": NAMES[walk.start], "space": NAMES[walk.to], "example": example}
    return Lesson(key, sentence.format(**words, **more), example)
