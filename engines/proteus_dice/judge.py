"""Heuristic evaluation for Proteus with dice: points, possible captures, and mobility.

A turn is a move and a rotation, which gives some hundreds of pairs. So moves are first compared without rotations; for
the better ones each rotation is evaluated by what it protects and attacks. Throws are chance.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from engines.base import CHANCE
from engines.judging import WON, Choice, Judge
from engines.proteus_dice import dice, street
from engines.proteus_dice.dice import EMPTY, FORWARD, SIDES
from engines.proteus_dice.endings import QUIET_LIMIT
from engines.proteus_dice.moves import NOWHERE, Army, Move, Setup, Turn
from engines.proteus_dice.options import Options, PawnDouble, Roulette
from engines.proteus_dice.position import ProteusDice

LOST_NEXT, LOST_LATER = 0.85, 0.3
"""The share of the most valuable attacked die that counts as lost, and of the second."""

THREAT = 0.2
"""The weight of captures in later turns, for the two most valuable dice of each side."""

MOBILITY = 0.03
"""The value of each move that a side has more than the other."""

STUCK = 4.0
"""The penalty for few moves; it is divided by the number of moves plus one."""

LOOKED_INTO = 8
"""The number of best moves whose rotations are all evaluated."""

KEPT = 12
"""Maximum number of turns searched per board."""


class JudgedBoard(NamedTuple):
    """The parts of a position that the search needs."""

    turn: int
    squares: str
    lead: int
    quiet: int
    unmoved: int
    stage: str
    square: int
    rules: Options


class Sight(NamedTuple):
    """Attack data of a board after a seat has moved, before the other side moves.

    `losses` are the seat's dice that can be captured, by square, with the letters of their attackers. `moves` and
    `replies` count the moves of both sides. `threats` are the values of enemy dice that could be captured, by the
    square of the attacker.
    """

    losses: dict[int, str]
    moves: int
    replies: int
    threats: dict[int, int]

    @property
    def may_be_stuck(self) -> bool:
        """Whether one rotation may leave the other side no move, as all replies capture one die."""
        return self.replies <= max(map(len, self.losses.values()), default=0)


class DiceJudge(Judge):
    """Evaluates points first; then dice under attack, threats and mobility."""

    budgets: ClassVar[tuple[int, ...]] = (1, 15, 40, 60, 1_200)
    scale: ClassVar[float] = 8.0
    breadth: ClassVar[int] = 24

    def board(self, position: ProteusDice) -> JudgedBoard:
        """Convert a position in play to a board."""
        lead = position.white - position.black
        return JudgedBoard(
            position.turn, position.board, lead, position.quiet, position.unmoved, position.stage, position.square,
            position.rules,
        )  # fmt: skip

    def mover(self, board: JudgedBoard) -> int:
        """The seat to move; CHANCE if a die is to be thrown."""
        return CHANCE if board.stage == "throw" else board.turn

    def choices(self, board: JudgedBoard) -> Sequence[Choice]:
        """Return the most promising turns."""
        return _turns(board, LOOKED_INTO, 2)[:KEPT]

    def all_choices(self, board: JudgedBoard) -> Sequence[Choice]:
        """Return every turn."""
        return _turns(board, 1_000, 1_000)

    def after(self, board: JudgedBoard, move: Turn) -> JudgedBoard:
        """Return the board after a turn, or after the half turn that is due."""
        if board.stage == "rotate":
            squares = _put(board.squares, move.turned, _own(board.turn, move.face))
            return _passed_on(board, squares, board.lead, 0, board.unmoved)
        if move.origin == NOWHERE:
            squares = _put(board.squares, move.turned, _own(board.turn, move.face))
            return _passed_on(board, squares, board.lead, board.quiet + 1, board.unmoved)
        squares, points, _taken = _moved(board, move.origin, move.target)
        if move.turned != NOWHERE:
            squares = _put(squares, move.turned, _own(board.turn, move.face))
        unmoved = board.unmoved & ~(1 << move.origin | 1 << move.target)
        lead = board.lead + (points if board.turn == 0 else -points)
        if points and board.rules.roulette is not Roulette.NONE:
            return board._replace(
                squares=squares, lead=lead, quiet=0, unmoved=unmoved, stage="throw", square=move.target
            )
        return _passed_on(board, squares, lead, 0 if points else board.quiet + 1, unmoved)

    def move(self, board: JudgedBoard, move: Turn) -> Move:
        """Return the turn unchanged."""
        return move

    def lots(self, board: JudgedBoard) -> Sequence[tuple[float, JudgedBoard]]:
        """Return the six faces that may be thrown."""
        return [(1 / 6, self._thrown(board, face)) for face in SIDES[0]]

    def unsearched(self, seen: ProteusDice, seat: int, rng: random.Random) -> Move | None:
        """Return a random move on Wall Street, where dice are bought and placed; None in play."""
        warhorses = seen.rules.warhorses
        if seen.stage == "army":
            return Army(rng.choice(_dear(street.armies(warhorses), warhorses)))
        if seen.stage == "setup":
            return Setup(rng.choice(_dear(street.setups(warhorses), warhorses)))
        return seen.random_move(seat, rng) if seen.stage == "place" else None

    def _thrown(self, board: JudgedBoard, face: str) -> JudgedBoard:
        squares = _put(board.squares, board.square, _own(board.turn, face))
        if board.rules.roulette is Roulette.BEFORE:
            return board._replace(squares=squares, stage="rotate")
        return _passed_on(board, squares, board.lead, 0, board.unmoved)


def _dear(choices: tuple[str, ...], warhorses: bool) -> list[str]:
    return [faces for faces in choices if street.price(faces, warhorses) == street.BUDGET]


def _put(squares: str, at: int, letter: str) -> str:
    return squares[:at] + letter + squares[at + 1 :]


def _own(turn: int, face: str) -> str:
    return face if turn == 0 else face.lower()


def _passed_on(board: JudgedBoard, squares: str, lead: int, quiet: int, unmoved: int) -> JudgedBoard:
    return JudgedBoard(1 - board.turn, squares, lead, quiet, unmoved, "turn", NOWHERE, board.rules)


def _moved(board: JudgedBoard, origin: int, target: int) -> tuple[str, int, int]:
    """Return the squares after a move, its points, and the number of dice it captures."""
    squares, rules = board.squares, _dice_rules(board)
    stabbed = dice.backstabbed(squares, origin, target, rules)
    met, letter = squares[target], squares[origin]
    points, taken = (0, 0) if met == EMPTY else (rules.value[met], 1)
    squares = _put(_put(squares, origin, EMPTY), target, letter)
    if stabbed is not None:
        points, taken = points + rules.value["Q"], taken + 1
        squares = _put(squares, stabbed, EMPTY)
    return squares, points, taken


def _dice_rules(board: JudgedBoard) -> dice.Rules:
    return dice.rules_for(board.rules.warhorses, board.rules.polarity)


def _doubling(board: JudgedBoard) -> int:
    return board.unmoved if board.rules.pawn_double is PawnDouble.FIRST else dice.BOTH_HOMES


# -- turns and their values ---------------------------------------------------------------


def _turns(board: JudgedBoard, looked_into: int, rotations: int) -> list[Choice]:
    """Return turns, best first, evaluating every rotation of the `looked_into` best moves.

    A side without moves after a throw has lost: its only choice is a null move of value `-WON`.
    """
    turn, squares = board.turn, board.squares
    if board.stage == "rotate":
        sight = _sight(board, squares)
        found = _rotations(board, squares, NOWHERE, board.square, _lead(board, 0), sight)
        return sorted(found, key=_by_worth)
    rules, doubling = _dice_rules(board), _doubling(board)
    found, further = [], []
    dice_left = dice.count(squares, 1 - turn)
    if board.quiet >= QUIET_LIMIT or dice_left <= 1 or dice.count(squares, turn) <= 1:
        return []
    for origin in dice.own_squares(squares, turn):
        for target in dice.targets(squares, origin, rules, doubling):
            after, points, taken = _moved(board, origin, target)
            lead = _lead(board, points)
            if taken and dice_left - taken <= 1:
                found.append((_result(lead), Turn(origin, target)))
                continue
            sight, now = _sight(board, after), _after_capture(board) if taken else board
            worth = _static(now, after, lead, sight)
            if taken and board.rules.roulette is Roulette.BEFORE:
                found.append((worth, Turn(origin, target)))
            else:
                further.append((worth, origin, target, after, lead, sight, now))
    if board.rules.trade_off:
        found += _doubles(board, rotations)
    further.sort(key=_first, reverse=True)
    promising = further[:looked_into] + [row for row in further[looked_into:] if row[5].may_be_stuck]
    for _worth, origin, target, after, lead, sight, now in promising:
        turned = _rotations(now, after, origin, target, lead, sight)
        if len(turned) > rotations:
            turned = sorted(turned, key=_by_worth)[:rotations]
        found += turned
    found.sort(key=_by_worth)
    return found or [(-WON, None)]


def _after_capture(board: JudgedBoard) -> JudgedBoard:
    """Return the board for the rest of a capturing turn.

    The count of quiet turns restarts at 0, and a throw may be due.
    """
    return board._replace(quiet=0, stage="turn" if board.rules.roulette is Roulette.NONE else "throw")


def _lead(board: JudgedBoard, points: int) -> int:
    """Return the lead in points of the side to move after it scores `points`."""
    return (board.lead if board.turn == 0 else -board.lead) + points


def _result(lead: int) -> float:
    return WON if lead > 0 else -WON if lead < 0 else 0.0


def _sight(board: JudgedBoard, squares: str) -> Sight:
    """Compute attack data for these dice of the side to move, before the other side moves."""
    turn, rules, doubling = board.turn, _dice_rules(board), _doubling(board)
    own, enemy = SIDES[turn], SIDES[1 - turn]
    losses: dict[int, str] = {}
    threats: dict[int, int] = {}
    moves = replies = 0
    for square, letter in enumerate(squares):
        if letter in enemy:
            reached = dice.targets(squares, square, rules, doubling)
            replies += len(reached)
            for to in reached:
                if squares[to] != EMPTY:
                    losses[to] = losses.get(to, "") + letter
                queen = to + FORWARD[turn]
                if 0 <= queen < 64 and squares[queen] in "Qq" and squares[queen] in rules.capturable[letter]:
                    losses[queen] = losses.get(queen, "") + letter
        elif letter in own:
            reached = dice.targets(squares, square, rules, doubling)
            moves += len(reached)
            best = _best_capture(squares, reached, rules)
            if best:
                threats[square] = best
    return Sight(losses, moves, replies, threats)


def _best_capture(squares: str, reached: list[int], rules: dice.Rules) -> int:
    return max([rules.value[squares[to]] for to in reached if squares[to] != EMPTY], default=0)


def _static(board: JudgedBoard, squares: str, lead: int, sight: Sight) -> float:
    """Evaluate a move before any rotation."""
    if board.quiet >= QUIET_LIMIT - 1:
        return _result(lead)
    value = _dice_rules(board).value
    worst = sorted([value[squares[at]] for at in sight.losses], reverse=True)[:2]
    hopes = sorted(sight.threats.values(), reverse=True)[:2]
    return _weighed(board, lead, sight, worst, hopes)


def _end(board: JudgedBoard, squares: str, lead: int) -> float | None:
    """Return the value to the side to move if the game ends with these dice; else None."""
    can_end = board.stage != "throw" and not board.rules.trade_off
    if can_end and not dice.can_move(squares, 1 - board.turn, _dice_rules(board)):
        return WON
    return _result(lead) if board.quiet >= QUIET_LIMIT - 1 else None


def _weighed(board: JudgedBoard, lead: int, sight: Sight, worst: list[int], hopes: list[int]) -> float:
    worth = lead + THREAT * sum(hopes) + MOBILITY * (sight.moves - sight.replies)
    if worst:
        worth -= LOST_NEXT * worst[0] + (LOST_LATER * worst[1] if len(worst) > 1 else 0)
    if not board.rules.trade_off:
        worth -= STUCK / (1 + sight.moves)
    return worth


def _rotations(board: JudgedBoard, squares: str, origin: int, target: int, lead: int, sight: Sight) -> list[Choice]:
    """Return every rotation after a move, valued by what it protects and attacks."""
    rules, doubling, turn = _dice_rules(board), _doubling(board), board.turn
    value, threats = rules.value, sight.threats
    losses = sorted([(value[squares[at]], at) for at in sight.losses], reverse=True)[:3]
    hopes = sorted([(worth, at) for at, worth in threats.items()], reverse=True)[:3]
    found: list[Choice] = []
    for square in dice.own_squares(squares, turn):
        if square == target:
            continue
        worst = [worth for worth, at in losses if at != square][:2]
        hoped = [worth for worth, at in hopes if at != square][:2]
        attackers = sight.losses.get(square, "")
        old = len(dice.targets(squares, square, rules, doubling))
        for face in rules.one_step[squares[square]]:
            letter = _own(turn, face)
            turned = _put(squares, square, letter)
            move = Turn(origin, NOWHERE if origin == NOWHERE else target, square, face)
            end = _end(board, turned, lead)
            if end is not None:
                found.append((end, move))
                continue
            reached = dice.targets(turned, square, rules, doubling)
            best = _best_capture(turned, reached, rules)
            hopes_now = sorted([*hoped, best], reverse=True)[:2] if best else hoped
            attacked = any(letter in rules.capturable[attacker] for attacker in attackers)
            worst_now = sorted([*worst, value[letter]], reverse=True)[:2] if attacked else worst
            seen = sight._replace(moves=sight.moves - old + len(reached))
            worth = _weighed(board, lead, seen, worst_now, hopes_now)
            found.append((worth, move))
    return found


def _doubles(board: JudgedBoard, most: int) -> list[Choice]:
    """Return double rotations, which are turns of their own (Trade-Off)."""
    squares, rules = board.squares, _dice_rules(board)
    found: list[Choice] = []
    for square in dice.own_squares(squares, board.turn):
        for face in rules.two_step[squares[square]]:
            turned = _put(squares, square, _own(board.turn, face))
            worth = _static(board, turned, _lead(board, 0), _sight(board, turned))
            found.append((worth, Turn(turned=square, face=face)))
    return sorted(found, key=_by_worth)[:most]


def _by_worth(choice: Choice) -> float:
    return -choice[0]


def _first(row: tuple[float, int, int, str, int, Sight, JudgedBoard]) -> float:
    return row[0]
