"""Positions of Proteus with dice: what stands where, who acts, what may be done and what follows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from engines.base import CHANCE, Hidden, Outcome, Position, Seat, Viewer
from engines.proteus_dice import dice, objections, picture, reading, street, writing
from engines.proteus_dice.dice import EMPTY, Law
from engines.proteus_dice.endings import ending_at, outcome_of, remembered
from engines.proteus_dice.moves import NOWHERE, Army, Move, Placing, Roll, Setup, Throw, Turn
from engines.proteus_dice.options import Options, PawnDouble, Roulette, WallStreet
from engines.proteus_dice.placement import Fields, fields_of, written
from engines.scene import Scene
from engines.wording import N_


@dataclass(frozen=True, slots=True)
class ProteusDice(Position[Move]):
    """One moment of a game.

    `turn` is the seat whose turn it is, `first` the one who moved first. `stage` is "army", "roll",
    "setup" or "place" on Wall Street, then "turn", "throw" (the die on `square` is to be thrown),
    "rotate" (it was thrown, another is to be turned) or "over", when `ending` says how. `hands` are
    dice that are not yet on the board, as sealed or dearest first, "?" where they are unknown.
    `unmoved` is a set of bits, kept only where the double step wants it; `seen` lists the boards at
    the starts of turns since the last step that cannot be undone.
    """

    SEATS: ClassVar[tuple[str, ...]] = (N_("White"), N_("Black"))

    rules: Options
    board: str
    turn: int = 0
    first: int = 0
    white: int = 0
    black: int = 0
    quiet: int = 0
    number: int = 1
    unmoved: int = 0
    stage: str = "turn"
    square: int = NOWHERE
    hands: tuple[str, str] = ("", "")
    seen: str = ""
    ending: str = ""

    # -- who acts, and how it ended ------------------------------------------------

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The player in turn, chance when a die is to be thrown, or both until they have sealed."""
        stage = self.stage
        if stage in ("turn", "rotate", "place"):
            return (self.turn,)
        if stage in ("throw", "roll"):
            return (CHANCE,)
        if stage in ("army", "setup"):
            return tuple(seat for seat in (0, 1) if not self.hands[seat])
        return ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, with the points as scores."""
        return outcome_of(self.ending, self.turn, self.white, self.black) if self.ending else None

    @property
    def law(self) -> Law:
        """The chain and the polarity in force."""
        return dice.law(self.rules.warhorses, self.rules.polarity)

    @property
    def doubling(self) -> int:
        """The squares, as bits, whose pawns may step two squares (S-c)."""
        return self.unmoved if self.rules.pawn_double is PawnDouble.FIRST else dice.BOTH_HOMES

    # -- what may be done ----------------------------------------------------------

    def legal_moves(self, seat: Seat) -> Iterator[Move]:
        """Every legal move: by the die that moves, its target, the die turned and its face."""
        if seat not in self.to_act:
            return
        if self.stage == "turn":
            yield from self._turns()
        elif self.stage == "rotate":
            yield from self.rotations(NOWHERE, self.square)
        elif self.stage == "throw":
            yield from (Throw(face) for face in self.law.chain)
        else:
            yield from street.choices(self, seat)

    def _turns(self) -> Iterator[Turn]:
        for origin in dice.own_squares(self.board, self.turn):
            for target in self.targets(origin):
                if self.follows(origin, target) == "rotation":
                    yield from self.rotations(origin, target)
                else:
                    yield Turn(origin, target)
        if self.rules.trade_off:
            yield from self._doubles()

    def _doubles(self) -> Iterator[Turn]:
        leaps = self.law.leaps
        for square in dice.own_squares(self.board, self.turn):
            for face in leaps[self.board[square]]:
                yield Turn(turned=square, face=face)

    def rotations(self, origin: int, target: int) -> Iterator[Turn]:
        """A move with every rotation that may follow it; with `origin` NOWHERE the rotation alone."""
        turns = self.law.turns
        moved = target if origin == NOWHERE else origin
        for square in dice.own_squares(self.board, self.turn):
            if square != moved:
                for face in turns[self.board[square]]:
                    yield Turn(origin, target if origin != NOWHERE else NOWHERE, square, face)

    def targets(self, origin: int) -> list[int]:
        """The squares to which the die on `origin` may move."""
        return dice.targets(self.board, origin, self.law, self.doubling)

    def backstab(self, origin: int, target: int) -> int | None:
        """The square of the queen backstabbed by this move, or None."""
        return dice.backstabbed(self.board, origin, target, self.law)

    def follows(self, origin: int, target: int) -> str:
        """What comes right after this legal move: the "end" of the game, a "throw" or a "rotation"."""
        taken = (self.board[target] != EMPTY) + (self.backstab(origin, target) is not None)
        if not taken:
            return "rotation"
        if dice.count(self.board, 1 - self.turn) - taken <= 1:
            return "end"
        return "throw" if self.rules.roulette is Roulette.BEFORE else "rotation"

    def objection(self, seat: Seat, move: Move) -> str | None:
        """Why the move is not legal; None exactly on legal moves."""
        return objections.against(self, seat, move)

    def random_move(self, seat: Seat, rng: random.Random) -> Move:
        """A move drawn by lot: first the die, then its way, then the die to turn."""
        self._must_act(seat)
        if self.stage == "turn":
            return self._random_turn(rng)
        if self.stage == "rotate":
            return self._random_rotation(NOWHERE, self.square, rng)
        if self.stage == "throw":
            return Throw(rng.choice(self.law.chain))
        return street.drawn(self, seat, rng)

    def _random_turn(self, rng: random.Random) -> Turn:
        own = dice.own_squares(self.board, self.turn)
        if self.rules.trade_off and rng.random() < 0.1:
            return self._random_double(own, rng)
        start = int(rng.random() * len(own))
        for origin in own[start:] + own[:start]:
            if ways := self.targets(origin):
                target = ways[int(rng.random() * len(ways))]
                if self.follows(origin, target) == "rotation":
                    return self._random_rotation(origin, target, rng)
                return Turn(origin, target)
        return self._random_double(own, rng)

    def _random_double(self, own: list[int], rng: random.Random) -> Turn:
        square = rng.choice(own)
        return Turn(turned=square, face=rng.choice(self.law.leaps[self.board[square]]))

    def _random_rotation(self, origin: int, target: int, rng: random.Random) -> Turn:
        own = dice.own_squares(self.board, self.turn)
        own.remove(target if origin == NOWHERE else origin)
        square = own[int(rng.random() * len(own))]
        faces = self.law.turns[self.board[square]]
        face = faces[int(rng.random() * len(faces))]
        return Turn(origin, NOWHERE if origin == NOWHERE else target, square, face)

    # -- what follows --------------------------------------------------------------

    def after(self, seat: Seat, move: Move) -> ProteusDice:
        """The position after a legal move, the ends of the game looked for."""
        if isinstance(move, Turn):
            return self._after_turn(move)
        if isinstance(move, Throw):
            return self._after_throw(move)
        if isinstance(move, Roll):
            return self._after_roll(int(move.black > move.white))
        if isinstance(move, Placing):
            return self._after_placing(move)
        return self._after_sealing(seat, move)

    def _after_roll(self, first: Seat) -> ProteusDice:
        stage = "setup" if self.rules.wall_street is WallStreet.SECRET else "place"
        return replace(self, turn=first, first=first, stage=stage)

    def _after_turn(self, move: Turn) -> ProteusDice:
        squares = list(self.board)
        if move.turned != NOWHERE:
            squares[move.turned] = self._own(move.face)
        if move.origin != NOWHERE:
            return self._after_move(move, squares)
        quiet = 0 if self.stage == "rotate" else self.quiet + 1
        return self._next_turn("".join(squares), self.white, self.black, quiet, self.unmoved)

    def _after_move(self, move: Turn, squares: list[str]) -> ProteusDice:
        value = self.law.value
        origin, target = move.origin, move.target
        stabbed = dice.backstabbed(self.board, origin, target, self.law)
        points = 0 if squares[target] == EMPTY else value[squares[target]]
        unmoved = self.unmoved and self.unmoved & ~(1 << origin | 1 << target)
        if stabbed is not None:
            points += value[squares[stabbed]]
            squares[stabbed] = EMPTY
            unmoved &= ~(1 << stabbed)
        squares[target], squares[origin] = squares[origin], EMPTY
        board = "".join(squares)
        if not points:
            return self._next_turn(board, self.white, self.black, self.quiet + 1, unmoved)
        white, black = (points, 0) if self.turn == 0 else (0, points)
        return self._after_capture(board, self.white + white, self.black + black, unmoved, target)

    def _after_capture(self, board: str, white: int, black: int, unmoved: int, target: int) -> ProteusDice:
        common = self.rules, board, self.turn, self.first, white, black, 0, self.number, unmoved
        if dice.count(board, 1 - self.turn) <= 1:
            return ProteusDice(*common, "over", ending="dice")
        if self.rules.roulette is not Roulette.NONE:
            return ProteusDice(*common, "throw", target)
        return self._next_turn(board, white, black, 0, unmoved)

    def _after_throw(self, move: Throw) -> ProteusDice:
        board = self.board[: self.square] + self._own(move.face) + self.board[self.square + 1 :]
        if self.rules.roulette is Roulette.BEFORE:
            return replace(self, board=board, stage="rotate")
        return self._next_turn(board, self.white, self.black, 0, self.unmoved)

    def _own(self, face: str) -> str:
        return face if self.turn == 0 else face.lower()

    def _next_turn(self, board: str, white: int, black: int, quiet: int, unmoved: int) -> ProteusDice:
        turn = 1 - self.turn
        comparable = quiet and unmoved == self.unmoved
        return begin_turn(
            self.rules,
            board,
            turn,
            self.first,
            white,
            black,
            quiet,
            self.number + (turn == self.first),
            unmoved,
            self.seen if comparable else "",
        )

    def _after_placing(self, move: Placing) -> ProteusDice:
        board = self.board[: move.square] + self._own(move.face) + self.board[move.square + 1 :]
        if "?" in self.hands[self.turn]:
            raise Hidden()
        hand = self.hands[self.turn].replace(move.face, "", 1)
        hands = (hand, self.hands[1]) if self.turn == 0 else (self.hands[0], hand)
        if hands == ("", ""):
            return opening(self.rules, board, self.first)
        return replace(self, board=board, hands=hands, turn=1 - self.turn)

    def _after_sealing(self, seat: Seat, move: Army | Setup) -> ProteusDice:
        hands = (move.faces, self.hands[1]) if seat == 0 else (self.hands[0], move.faces)
        if "" in hands:
            return replace(self, hands=hands)
        if self.stage == "army":
            return replace(self, hands=hands, stage="roll")
        if "?" in "".join(hands):
            raise Hidden()
        return opening(self.rules, street.set_up(*hands), self.first)

    # -- notation, pictures, secrets -----------------------------------------------

    def write(self, seat: Seat, move: Move) -> str:
        """The canonical notation."""
        return writing.canonical(self, move)

    def write_long(self, seat: Seat, move: Move) -> str:
        """The long form: from square, to square."""
        return writing.long_form(self, move)

    def parse(self, seat: Seat, text: str) -> Move:
        """The legal move that `text` names in any accepted form; raises MoveError."""
        self._must_act(seat)
        return reading.read(self, seat, text)

    def touches(self, seat: Seat, move: Move) -> tuple[str, ...]:
        """From, to, the die to turn, the face it shows then."""
        return picture.touches(self, move)

    def draw(self) -> Scene:
        """The board, the points, what is due, and the dice in hand."""
        return picture.draw(self)

    def view(self, viewer: Viewer) -> ProteusDice:
        """The same with the sealed dice of others unknown (section 9 of the rules)."""
        if self.hands == ("", ""):
            return self
        white, black = (hand if seat == viewer else "?" * len(hand) for seat, hand in enumerate(self.hands))
        return replace(self, hands=(white, black))

    def imagine(self, viewer: Viewer, rng: random.Random) -> ProteusDice:
        """The same with some sealed dice of others that fit what is seen."""
        if self.hands == ("", ""):
            return self
        white, black = (
            hand if seat == viewer or not hand else street.imagined(self, seat, len(hand), rng)
            for seat, hand in enumerate(self.hands)
        )
        return replace(self, hands=(white, black))

    def tell(self, seat: Seat, move: Move, viewer: Viewer, now: Position[Move]) -> str:
        """The text of the move; a sealed choice of somebody else's only once it lies open."""
        hidden = isinstance(now, ProteusDice) and now.stage in ("army", "setup", "roll", "place")
        if isinstance(move, Army | Setup) and seat != viewer and hidden:
            return writing.canonical(self, type(move)("?" * 8))
        return writing.canonical(self, move)

    # -- position text -------------------------------------------------------------

    def to_text(self) -> str:
        """The position text of section 8 of the rules, much like chess's FEN."""
        return written(self)

    @classmethod
    def from_text(cls, text: str, options: Options | None = None, first: Seat = 0) -> ProteusDice:
        """The position that `text` describes; points 0–0 and the start of a turn unless it says more.

        What happened before is unknown, so repetition counts from here. Raises ValueError.
        """
        return _described(fields_of(text), options or Options(), first)


def start(options: Options) -> ProteusDice:
    """The first position: sixteen pawns, or an empty board where the dice are bought."""
    if options.wall_street is WallStreet.NONE:
        return opening(options, street.set_up("P" * 8, "P" * 8), 0)
    stage = "army" if options.wall_street is WallStreet.OPEN else "roll"
    return ProteusDice(options, EMPTY * 64, stage=stage)


def opening(options: Options, board: str, first: Seat) -> ProteusDice:
    """The start of play on a board that is set up."""
    unmoved = dice.BOTH_HOMES if options.pawn_double is PawnDouble.FIRST else 0
    return begin_turn(options, board, first, first, 0, 0, 0, 1, unmoved, "")


def begin_turn(
    rules: Options,
    board: str,
    turn: Seat,
    first: Seat,
    white: int,
    black: int,
    quiet: int,
    number: int,
    unmoved: int,
    seen: str,
) -> ProteusDice:
    """The start of a turn: immobility, the third occurrence and the quiet turns are looked for (S-n)."""
    key = remembered(board, turn)
    doubling = unmoved if rules.pawn_double is PawnDouble.FIRST else dice.BOTH_HOMES
    ending = ending_at(rules, board, turn, quiet, doubling, key, seen)
    stage = "over" if ending else "turn"
    return ProteusDice(
        rules, board, turn, first, white, black, quiet, number, unmoved, stage, seen=seen + key, ending=ending
    )


def _described(text: Fields, rules: Options, first: Seat) -> ProteusDice:
    unmoved = text.unmoved if rules.pawn_double is PawnDouble.FIRST else 0
    common = rules, text.board, text.turn, first, text.white, text.black, text.quiet, text.number, unmoved
    if min(dice.count(text.board, 0), dice.count(text.board, 1)) <= 1:
        return ProteusDice(*common, "over", ending="dice")
    if text.stage != "turn":
        return ProteusDice(*common, text.stage, text.square)
    return begin_turn(*common, "")
