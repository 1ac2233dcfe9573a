"""The state of a game of Proteus with tiles, and its rules.

It covers placement, moves, exchanges, activation, wins and repetition. Notation, errors and the picture are in other
modules.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from operator import add
from typing import ClassVar, NamedTuple, Self

from engines.base import Outcome, Seat
from engines.proteus_tiles.moves import EXCHANGES, PLACE, PLACINGS, STEP, STEPS, Move
from engines.proteus_tiles.placement import in_hand, missing, openings, vacant
from engines.proteus_tiles.tiles import (
    COLOUR,
    COLOUR_OF_EACH,
    DIGIT,
    DIGITS,
    LINES,
    MATCHES,
    NO_PIECE,
    NO_TILE,
    OWNER_OF_EACH,
    PAIRS,
    PIECES,
    REACH,
    RULE,
    SHAPE_OF_EACH,
    SPACE,
    TILE,
)
from engines.wording import N_

GOES_ON, DRAWN = -1, 2
"""Values of `State.end` other than the winner's seat."""

_ON_SPACE = {
    tile + piece: chr(ord("0") + 7 * int(tile) + number) for tile in DIGITS for number, piece in enumerate(".ostOST")
}
_IN_FORCE = {
    f"{mover}{trade}{goal}{seat}": chr(ord("0") + number)
    for number, (mover, trade, goal, seat) in enumerate(product("012", "345", "678", "01"))
}
_WON_BY = {
    "3-IN-LINE": N_("three pieces in line"),
    "COLOR": N_("three pieces on tiles of one colour"),
    "SHAPE": N_("three pieces on tiles of one shape"),
}
_WINS = {(seat, rule): Outcome((seat,), reason) for seat in (0, 1) for rule, reason in _WON_BY.items()}
_REPEATED = Outcome((), N_("the third occurrence of a position"))
_ALL_BARRED = Outcome((), N_("two forced passes in a row"))
_IN_LINE = frozenset(tuple(map(int, line)) for line in LINES)
_ACTORS: tuple[tuple[Seat, ...], ...] = ((0,), (1,))


class Turn(NamedTuple):
    """The result of a move: the board, and the activated tiles in the order of their spaces."""

    tiles: str
    pieces: str
    lit: str
    activated: tuple[str, ...]

    @property
    def winner(self) -> int:
        """The only seat that fulfils the goal; GOES_ON if both or neither do (K-i to K-k)."""
        tiles, pieces, lit, _activated = self
        black, white = fulfils(tiles, pieces, lit, 0), fulfils(tiles, pieces, lit, 1)
        if black == white:
            return GOES_ON
        return 0 if black else 1


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game of Proteus with tiles, its legal moves and their results.

    `tiles` and `pieces` give the contents of each space, `lit` the tile in force of each colour, all encoded as in
    `engines.proteus_tiles.tiles`. `seat` is the seat to move. `past` concatenates every position of the movement phase
    up to this one; it is empty in the placement phase. `end` is the winner's seat, `DRAWN`, or `GOES_ON`. If `draws` is
    true, the third occurrence of a position is a draw; otherwise no move may recreate one.
    """

    SEATS: ClassVar[tuple[str, ...]] = (N_("Black"), N_("White"))

    tiles: str = NO_TILE * 9
    pieces: str = NO_PIECE * 9
    lit: str = NO_TILE * 3
    seat: int = 0
    past: str = ""
    end: int = GOES_ON
    draws: bool = False

    @classmethod
    def on_board(cls, tiles: str, pieces: str, lit: str, seat: Seat, *, draws: bool = False) -> Self:
        """Return the state with this board and `seat` to move, without history.

        A seat that cannot act passes, and wins are detected.
        """
        return cls(draws=draws)._placed_on(Turn(tiles, pieces, lit, ()), seat)

    # -- derived from the board ------------------------------------------------------

    @property
    def moving(self) -> bool:
        """Whether the movement phase has begun."""
        return bool(self.past)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act; none once the game is over."""
        return _ACTORS[self.seat] if self.end == GOES_ON else ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is in progress."""
        if self.end == GOES_ON:
            return None
        if self.end == DRAWN:
            return _REPEATED if self.draws else _ALL_BARRED
        return _WINS[self.end, RULE[self.lit[2]]]

    def open_tiles(self, shape: str) -> frozenset[str]:
        """Return the encoded tiles that may take a piece of `shape` from a hand (K-d)."""
        free = vacant(self.tiles, self.pieces)
        return openings(free, in_hand(self.pieces), missing(self.lit), shape)

    def exchange_fits(self, one: int, other: int) -> bool:
        """Whether the Trade tile in force allows the tiles of two spaces to be exchanged."""
        marks = self._trade_marks()
        if RULE[self.lit[1]] == "POLARITY":
            return marks[one] + marks[other] in ("BW", "WB")
        return marks[one] == marks[other]

    def both_fulfil(self) -> bool:
        """Whether both players fulfil the goal in force, so neither has won (K-k)."""
        return all(fulfils(self.tiles, self.pieces, self.lit, seat) for seat in (0, 1))

    def recurs(self, seat: Seat, move: Move) -> bool:
        """Whether the move recreates an earlier position with the same player to act (K-s).

        Only positions of the movement phase count.
        """
        turn = self.turn(seat, move)
        return _key(turn, 1 - seat) in self.past

    # -- the moves -----------------------------------------------------------------

    def legal_moves(self, seat: Seat) -> Iterator[Move]:
        """Yield every legal move: placements, or moves of pieces and then exchanges."""
        if seat != self.seat or self.end != GOES_ON:
            return
        if not self.past:
            yield from self._placings()
            return
        for move in self._actions():
            if self.draws or not self.recurs(seat, move):
                yield move

    def random_action(self, seat: Seat, rng: random.Random) -> Move:
        """Draw a uniformly random legal move of the seat to act."""
        if not self.past:
            return rng.choice(self._placings())
        actions = self._actions()
        while True:
            move = actions.pop(int(rng.random() * len(actions)))
            if self.draws or not self.recurs(seat, move):
                return move

    def is_legal(self, seat: Seat, move: Move) -> bool:
        """Whether `seat` may make this move now; faster than listing all moves."""
        if seat != self.seat or self.end != GOES_ON or move.to not in SPACE:
            return False
        if move.sign == PLACE:
            return not self.past and self._may_place(move)
        if not self.past or not (self._may_step(move) if move.sign == STEP else self._may_exchange(move)):
            return False
        return self.draws or not self.recurs(seat, move)

    def after(self, seat: Seat, move: Move) -> Self:
        """Return the next position, after forced passes; the move is not checked."""
        turn = self.turn(seat, move)
        return self._moved_on(turn, 1 - seat) if self.past else self._placed_on(turn, 1 - seat)

    def turn(self, seat: Seat, move: Move) -> Turn:
        """Apply a legal move to the board: displace, activate, test both players (ruling K-r)."""
        tiles, pieces, to = self.tiles, self.pieces, SPACE[move.to]
        touched: tuple[int, ...] = (to,)
        if move.what in SPACE:
            touched = (SPACE[move.what], to)
            tiles = _swapped(tiles, *touched)
        elif move.what in DIGIT:
            tiles = tiles[:to] + DIGIT[move.what] + tiles[to + 1 :]
        else:
            piece = move.what if seat == 0 else move.what.upper()
            pieces = pieces.replace(piece, NO_PIECE)
            pieces = pieces[:to] + piece + pieces[to + 1 :]
        return self._read_goal(tiles, pieces, touched)

    def _read_goal(self, tiles: str, pieces: str, touched: tuple[int, ...]) -> Turn:
        """Activate tiles that met a piece of their shape on the `touched` spaces (K-l to K-q)."""
        together = [tiles[at] for at in touched if tiles[at] + pieces[at] in MATCHES]
        events = [tile for tile in together if tile not in self.lit]
        if len(events) == 2 and COLOUR[events[0]] == COLOUR[events[1]]:
            events = []
        lit = self.lit
        for tile in events:
            place = COLOUR[tile]
            lit = lit[:place] + tile + lit[place + 1 :]
        return Turn(tiles, pieces, lit, tuple(events))

    def _placings(self) -> list[Move]:
        bare = [at for at, tile in enumerate(self.tiles) if tile == NO_TILE]
        moves = [PLACINGS[TILE[tile]][at] for tile in DIGITS if tile not in self.tiles for at in bare]
        for piece in PIECES[self.seat]:
            if piece not in self.pieces:
                shape = piece.lower()
                opened = self.open_tiles(shape)
                moves += [
                    PLACINGS[shape][at]
                    for at, tile in enumerate(self.tiles)
                    if tile in opened and self.pieces[at] == NO_PIECE
                ]
        return moves

    def _actions(self) -> list[Move]:
        """Return every move and exchange, including those that repeat a position."""
        return [*self._steps(), *self._exchanges()]

    def _steps(self) -> list[Move]:
        moves, reach = [], REACH[self.lit[0]]
        for piece in PIECES[self.seat]:
            steps = STEPS[piece.lower()]
            start = self.pieces.index(piece)
            moves += [steps[to] for to in reach[start] if self.pieces[to] == NO_PIECE]
        return moves

    def _exchanges(self) -> tuple[Move, ...]:
        return _exchanges_of(self._trade_marks(), RULE[self.lit[1]] == "POLARITY")

    def _trade_marks(self) -> str:
        """Return the attribute of each space that the Trade tile compares: owner, colour or shape."""
        rule = RULE[self.lit[1]]
        if rule == "POLARITY":
            return self.pieces.translate(OWNER_OF_EACH)
        return self.tiles.translate(COLOUR_OF_EACH if rule == "COLOR" else SHAPE_OF_EACH)

    def _may_place(self, move: Move) -> bool:
        to = SPACE[move.to]
        tile = self.tiles[to]
        if move.what in DIGIT:
            return tile == NO_TILE and DIGIT[move.what] not in self.tiles
        if move.what not in PLACINGS or tile == NO_TILE or self.pieces[to] != NO_PIECE:
            return False
        return self._own(move.what) not in self.pieces and tile in self.open_tiles(move.what)

    def _may_step(self, move: Move) -> bool:
        if move.what not in STEPS:
            return False
        start, to = self.pieces.index(self._own(move.what)), SPACE[move.to]
        return self.pieces[to] == NO_PIECE and to in REACH[self.lit[0]][start]

    def _may_exchange(self, move: Move) -> bool:
        pair = (SPACE.get(move.what, 9), SPACE[move.to])
        return move == EXCHANGES.get(pair) and self.exchange_fits(*pair)

    def _own(self, shape: str) -> str:
        return shape if self.seat == 0 else shape.upper()

    # -- results of moves -------------------------------------------------------------

    def _placed_on(self, turn: Turn, seat: Seat) -> Self:
        """Return the position after a placement; a player with nothing left to place passes (K-g)."""
        tiles, pieces, lit, _activated = turn
        if NO_TILE not in tiles:
            if pieces.count(NO_PIECE) == 3:
                return self._moved_on(turn, seat)
            if not any(piece not in pieces for piece in PIECES[seat]):
                seat = 1 - seat
        return type(self)(tiles, pieces, lit, seat, "", turn.winner, self.draws)

    def _moved_on(self, turn: Turn, seat: Seat) -> Self:
        """Return the position of the movement phase with `seat` to move, checking repetition."""
        tiles, pieces, lit, _activated = turn
        end, key = turn.winner, _key(turn, seat)
        if end == GOES_ON and self.draws and self.past.count(key) == 2:
            end = DRAWN
        now = type(self)(tiles, pieces, lit, seat, self.past + key, end, self.draws)
        return now if self.draws or end != GOES_ON or now._can_go_on() else now._passed(turn)

    def _passed(self, turn: Turn) -> Self:
        """Return the position with the other player to move; a draw if that player cannot move."""
        seat = 1 - self.seat
        now = replace(self, seat=seat, past=self.past + _key(turn, seat))
        return now if now._can_go_on() else replace(now, end=DRAWN)

    def _can_go_on(self) -> bool:
        """Whether some move recreates no position.

        Exchanges are tried first, since at least one always exists.
        """
        return any(not self.recurs(self.seat, move) for actions in (self._exchanges, self._steps) for move in actions())


@lru_cache(maxsize=4096)
def _exchanges_of(marks: str, unlike: bool) -> tuple[Move, ...]:
    """Return the exchanges of tiles with equal attributes, or with a Black and a White piece."""
    if unlike:
        return tuple(EXCHANGES[pair] for pair in PAIRS if marks[pair[0]] + marks[pair[1]] in ("BW", "WB"))
    return tuple(EXCHANGES[pair] for pair in PAIRS if marks[pair[0]] == marks[pair[1]])


@lru_cache(maxsize=4096)
def _places_of(pieces: str, seat: Seat) -> tuple[int, ...]:
    """Return the spaces of the pieces of `seat`, in order."""
    return tuple(at for at, piece in enumerate(pieces) if piece in PIECES[seat])


def fulfils(tiles: str, pieces: str, lit: str, seat: Seat) -> bool:
    """Whether the three pieces of `seat` are on the board and fulfil the goal in force.

    False if no goal is in force.
    """
    if lit[2] == NO_TILE:
        return False
    spaces = _places_of(pieces, seat)
    if len(spaces) < 3:
        return False
    rule = RULE[lit[2]]
    if rule == "3-IN-LINE":
        return spaces in _IN_LINE
    marks = tiles.translate(COLOUR_OF_EACH if rule == "COLOR" else SHAPE_OF_EACH)
    return marks[spaces[0]] == marks[spaces[1]] == marks[spaces[2]]


def _swapped(row: str, one: int, other: int) -> str:
    """Return the string with two characters exchanged; `one` precedes `other`."""
    return row[:one] + row[other] + row[one + 1 : other] + row[one] + row[other + 1 :]


def _key(turn: Turn, seat: Seat) -> str:
    """Encode a full board and the seat to move as one word that begins with a blank."""
    board = "".join(map(_ON_SPACE.__getitem__, map(add, turn.tiles, turn.pieces)))
    return f" {board}{_IN_FORCE[f'{turn.lit}{seat}']}"
