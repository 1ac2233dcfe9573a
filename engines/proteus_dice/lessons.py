"""Lessons of Proteus with dice from a robot's moves.

Moving, turning, capturing, the pyramid, backstabs, and what wins.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.base import Seat
from engines.proteus_dice import dice
from engines.proteus_dice.dice import EMPTY, FORWARD, NAMES
from engines.proteus_dice.moves import NOWHERE, Turn
from engines.proteus_dice.options import Options
from engines.proteus_dice.position import ProteusDice
from engines.proteus_dice.words import piece
from engines.teaching import Lesson, Lessons
from engines.wording import N_, _

_GOAL = N_(
    "This is chess without kings, played with dice: each die moves as the piece it shows. Captures score "
    "points; when a side is down to one die, the points decide."
)

_MOVED = {
    "P": N_(
        "My pawn has gone straight forward to {to}. Pawns never go back, and they capture one square diagonally forward."
    ),
    "B": N_(
        "My bishop has gone diagonally from {start} to {to}: as far as the way is free, in any diagonal direction."
    ),
    "N": N_(
        "My knight has leapt from {start} to {to}: two squares straight and one to the side. Nothing on the way stops it."
    ),
    "R": N_("My rook has gone straight from {start} to {to}: as far as the way is free, along its row or its column."),
    "Q": N_("My queen has gone from {start} to {to}: straight or diagonally, as far as the way is free."),
}
"""Sentences on how each piece moves, by its face."""

_FACTS = {
    "chain": N_(
        "The faces form a chain, from 1 to 6 points: pyramid, pawn, bishop, knight, rook, queen. A die is turned one step "
        "along it, up or down; from queen there is no way up, from pyramid none down."
    ),
    "immobile": N_(
        "A player who cannot move any die at the start of their turn loses at once, whatever the points are."
    ),
    "kings": N_(
        "There is no king here, so there is no check and no castling; nor does a pawn that arrives become a queen."
    ),
    "last-row": N_("A pawn on the last row can go nowhere any more. It can still be turned into another piece."),
    "backstab-rule": N_(
        "A queen can also be taken from behind: by an enemy who moves onto the square right behind her, on the side of her "
        "own first row."
    ),
    "value": N_("What counts is the face that a die shows when it is captured: a pawn scores 2 points, a queen 6."),
    "own": N_("You must both move a die and turn one, and the die that you turn must not be the one that you move."),
    "leaping": N_("Pyramids stand in everybody's way, but a knight leaps over them as over anything else."),
    "draw": N_("A position that occurs for the third time is a draw."),
    "quiet": N_("After 50 turns by each of us in a row without a capture, the points decide."),
}
"""Lessons that are valid at any time under the usual rules, most basic first."""


class DiceLessons(Lessons):
    """The lessons of Proteus with dice under its usual rules; none with other options."""

    def shown(self, before: ProteusDice, text: str, after: ProteusDice, learner: Seat) -> Iterator[Lesson]:
        """Yield lessons from a robot's turn."""
        if before.rules != Options():
            return
        yield from _ended(after, learner)
        yield Lesson("goal", _(_GOAL))
        turn = before.read(1 - learner, text)
        assert isinstance(turn, Turn)
        yield from _turned(before, turn)
        yield from _captured(before, turn, after)
        yield from _attacks(after, 1 - learner)
        yield from _moved(before, turn)
        for key, sentence in _FACTS.items():
            yield Lesson(key, _(sentence), is_general=True)

    def possible(self, position: ProteusDice, learner: Seat) -> Iterator[Lesson]:
        """Yield the learner's possible turns."""
        if position.rules != Options():
            return
        turns = [turn for turn in position.legal_moves(learner) if isinstance(turn, Turn)]
        if any(_wins(position, turn, learner) for turn in turns if turn.turned == NOWHERE):
            yield Lesson(
                "you-win", _("Look closely: you have a move that ends the game, and you have more points then.")
            )
        yield from _a_turn(position, turns, learner)
        yield from _a_capture(position, turns, learner)
        yield from _a_piece(position, turns, learner)
        yield from _a_shelter(position, turns, learner)


def _wins(position: ProteusDice, turn: Turn, learner: Seat) -> bool:
    outcome = position.after(learner, turn).outcome
    return outcome is not None and learner in outcome.winners


def _ended(after: ProteusDice, learner: Seat) -> Iterator[Lesson]:
    if after.outcome is None:
        return
    score = f"{after.white}–{after.black}"
    if after.ending == "immobile":
        yield Lesson(
            "stuck", _("None of your dice can move at the start of your turn, so I have won: points do not count.")
        )
    elif after.ending == "dice":
        sentence = _(
            "A side is down to one die or none, so the points decide: the score is {score}, White's points first."
        )
        yield Lesson("counted", sentence.format(score=score))


def _turned(before: ProteusDice, turn: Turn) -> Iterator[Lesson]:
    """Yield lessons on the rotation: a die turned up, down or into a pyramid."""
    if turn.turned == NOWHERE or turn.origin == NOWHERE:
        return
    old = before.board[turn.turned].upper()
    words = {
        "moved": piece(before.board[turn.origin]), "to": NAMES[turn.target],
        "square": NAMES[turn.turned], "old": piece(old), "new": piece(turn.face),
    }  # fmt: skip
    sentence = _(
        "My turn had two halves: the {moved} went to {to}, and the die on {square} was turned from {old} to "
        "{new}. Every turn is like that: one die moves, then another one is turned by one step."
    )
    yield Lesson("turn", sentence.format(**words))
    if turn.face == "Y":
        sentence = _(
            "I have turned the die on {square} into a pyramid. It cannot be captured and cannot move, but it stands in "
            "everybody's way."
        )
        yield Lesson("pyramid", sentence.format(**words))
    elif before.dice_rules.value[turn.face] < before.dice_rules.value[old]:
        sentence = _("I have turned the die on {square} down, from {old} to {new}: a die that shows less costs less.")
        yield Lesson("down", sentence.format(**words))


def _captured(before: ProteusDice, turn: Turn, after: ProteusDice) -> Iterator[Lesson]:
    if turn.origin == NOWHERE:
        return
    score = {"score": f"{after.white}–{after.black}"}
    queen = before.backstab(turn.origin, turn.target)
    if queen is not None:
        sentence = _(
            "My {piece} has moved to {to}, right behind your queen on {square}, and so has captured her: "
            "that is a backstab. The score is {score}, White's points first."
        )
        words = {"piece": piece(before.board[turn.origin]), "to": NAMES[turn.target], "square": NAMES[queen]}
        yield Lesson("backstab", sentence.format(**words, **score))
    met = before.board[turn.target]
    if met == EMPTY:
        return
    sentence = _(
        "My {piece} has captured your {other} on {to}: that scores {points} points, the value of what the "
        "die showed. The score is {score}, White's points first."
    )
    words = {"piece": piece(before.board[turn.origin]), "other": piece(met), "to": NAMES[turn.target]}
    yield Lesson("captured", sentence.format(**words, points=before.dice_rules.value[met], **score))


def _attacks(after: ProteusDice, robot: Seat) -> Iterator[Lesson]:
    """Yield a lesson on a die of the learner that the robot threatens to capture."""
    enemies = dice.SIDES[1 - robot]
    for square in dice.own_squares(after.board, robot) if after.outcome is None else ():
        target = next((to for to in after.targets(square) if after.board[to] in enemies), None)
        if target is not None:
            sentence = _(
                "My {piece} on {start} attacks your {other} on {to}. You can move it away, turn it to a "
                "lower face, or make sure that you could capture in return."
            )
            words = {"piece": piece(after.board[square]), "start": NAMES[square]}
            yield Lesson("attack", sentence.format(**words, other=piece(after.board[target]), to=NAMES[target]))
            return


def _moved(before: ProteusDice, turn: Turn) -> Iterator[Lesson]:
    if turn.origin == NOWHERE:
        return
    face = before.board[turn.origin].upper()
    if face == "P" and abs(turn.target - turn.origin) == 2 * FORWARD[0]:
        sentence = _(
            "My pawn has gone two squares, from {start} to {to}: it may from any starting square of its colour, if both "
            "squares before it are empty."
        )
        yield Lesson("double", sentence.format(start=NAMES[turn.origin], to=NAMES[turn.target]))
    elif face != "P" or before.board[turn.target] == EMPTY:
        yield Lesson(f"moved-{face}", _(_MOVED[face]).format(start=NAMES[turn.origin], to=NAMES[turn.target]))


def _a_turn(position: ProteusDice, turns: list[Turn], learner: Seat) -> Iterator[Lesson]:
    quiet = [one for one in turns if one.turned != NOWHERE and position.board[one.target] == EMPTY]
    turn = next((one for one in quiet if one.face != "Y"), None)
    if turn is not None:
        sentence = _("Now you: {example} moves your {piece} to {to} and turns the die on {square} to {new}.")
        words = {"piece": piece(position.board[turn.origin]), "to": NAMES[turn.target]}
        yield _said("you-turn", sentence, position, turn, learner, **words)


def _a_capture(position: ProteusDice, turns: list[Turn], learner: Seat) -> Iterator[Lesson]:
    turn = next((one for one in turns if one.turned != NOWHERE and position.board[one.target] != EMPTY), None)
    if turn is not None:
        sentence = _("You can capture my {piece} on {to}, which scores {points} points. For example, write: {example}")
        met = position.board[turn.target]
        words = {"piece": piece(met), "to": NAMES[turn.target], "points": str(position.dice_rules.value[met])}
        yield _said("you-capture", sentence, position, turn, learner, **words)


def _a_piece(position: ProteusDice, turns: list[Turn], learner: Seat) -> Iterator[Lesson]:
    """Find a die of the learner that is now more than a pawn and can move."""
    turn = next((one for one in turns if one.turned != NOWHERE and position.board[one.origin] not in "Pp"), None)
    if turn is not None:
        sentence = _("The die on {start} is a {piece} now, and moves as one. For example, write: {example}")
        words = {"start": NAMES[turn.origin], "piece": piece(position.board[turn.origin])}
        yield _said("you-piece", sentence, position, turn, learner, **words)


def _a_shelter(position: ProteusDice, turns: list[Turn], learner: Seat) -> Iterator[Lesson]:
    turn = next((one for one in turns if one.face == "Y"), None)
    if turn is not None:
        sentence = _(
            "A pawn that you turn into a pyramid cannot be captured until you turn it back. {example} does so on {square}."
        )
        yield _said("you-pyramid", sentence, position, turn, learner)


def _said(key: str, sentence: str, position: ProteusDice, turn: Turn, learner: Seat, **words: str) -> Lesson:
    example = position.write(learner, turn)
    return Lesson(
        key, sentence.format(example=example, square=NAMES[turn.turned], new=piece(turn.face), **words), example
    )
