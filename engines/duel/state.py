"""A position of Duel and its rules.

Source: rule sheet, goal, how to play, movement restrictions, end of game.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from engines import bridges
from engines.base import Outcome, Seat
from engines.bridges import NAMES, NEIGHBOURS, SIDE
from engines.buttons import BLACK, COLOURS, EMPTY, SETS, SIDES, VALUES, WHITE, button_name, with_exchange
from engines.duel.moves import Action, Place
from engines.walks import Walk, obstacle, reach_of
from engines.wording import N_, _, listing

MOST_TURNS = 100
"""Number of turns in a row without a placement after which the game is a draw (ruling D-k)."""

NOBODY = ".."
"""The value of `barred` if no buttons are barred."""

_PLAYING, _REPEATED, _ENDLESS = -1, 2, 3
_LINE = N_("a line of four")
_OUTCOMES = {
    BLACK: Outcome((BLACK,), _LINE),
    WHITE: Outcome((WHITE,), _LINE),
    _REPEATED: Outcome((), N_("the third occurrence of a position")),
    _ENDLESS: Outcome((), N_("50 turns by each player without a placement")),
}
_ACTORS = ((BLACK,), (WHITE,))
_COLOURED = str.maketrans(SETS[BLACK] + SETS[WHITE], "B" * 8 + "W" * 8)
_FULL = ("B" * SIDE, "W" * SIDE)


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game of Duel, its legal moves and their results.

    `cells` is the board (see `engines.buttons`), `side` the seat to act, `barred` the two buttons that may not change
    places now (D-f), “..” for none. `seen` holds every position since the last placement, the current one last, each as
    its board, barred pair and side. `result` is the outcome so far.
    """

    SEATS: ClassVar[tuple[str, ...]] = COLOURS

    layout: str
    cells: str
    side: int
    barred: str
    seen: str
    result: int

    @classmethod
    def reached(cls, layout: str, cells: str, side: int, barred: str, seen: str) -> Self:
        """Return the state with this board, after the positions in `seen`, and its outcome."""
        key = f"{cells}{barred}{side}"
        result = _line_owner(cells)
        if result == _PLAYING and seen:
            if seen.count(key) > 1:
                result = _REPEATED
            elif len(seen) >= MOST_TURNS * _KEY:
                result = _ENDLESS
        return cls(layout, cells, side, barred, seen + key, result)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act; none once the game is over."""
        return _ACTORS[self.side] if self.result == _PLAYING else ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is in progress."""
        return _OUTCOMES.get(self.result)

    @property
    def board(self) -> bridges.BridgeBoard:
        """The board of bridges of this game."""
        return bridges.board(self.layout)

    def legal_moves(self, seat: Seat) -> Iterator[Action]:
        """Yield placements by button and space, then walks by button and destination."""
        if seat not in self.to_act:
            return
        spaces = self._open_spaces()
        for button in SETS[seat]:
            if button not in self.cells:
                yield from (Place(button, to) for to in spaces)
        for button, start, reach in self._walkers():
            yield from (Walk(button, start, to) for to in reach if not self._bars(button, to))

    def random_action(self, seat: Seat, rng: random.Random) -> Action:
        """Draw a uniformly random move of the seat to act."""
        spaces = self._open_spaces()
        rest = [button for button in SETS[seat] if button not in self.cells]
        walks = [(button, start, to) for button, start, reach in self._walkers() for to in reach]
        placements = len(rest) * len(spaces)
        while True:
            drawn = int(rng.random() * (placements + len(walks)))
            if drawn < placements:
                return Place(rest[drawn // len(spaces)], spaces[drawn % len(spaces)])
            button, start, to = walks[drawn - placements]
            if not self._bars(button, to):
                return Walk(button, start, to)

    def after(self, seat: Seat, move: Action) -> Self:
        """Return the next position.

        A placement clears the history, since earlier positions cannot recur after it.
        """
        cells, button, to = self.cells, move.button, move.to
        if isinstance(move, Place):
            cells = f"{cells[:to]}{button}{cells[to + 1 :]}"
            return self.reached(self.layout, cells, 1 - seat, NOBODY, "")
        met = cells[to]
        barred = NOBODY if met == EMPTY else button + met if button < met else met + button
        return self.reached(self.layout, with_exchange(cells, move.start, to), 1 - seat, barred, self.seen)

    def objection(self, seat: Seat, move: Action) -> str | None:
        """Explain in a sentence why the move is illegal; None if it is legal."""
        if seat not in self.to_act:
            return _("It is not your turn.")
        if SIDES.get(move.button) != seat:
            return self._not_yours(seat, move.button)
        if isinstance(move, Place):
            return self._cannot_place(move)
        if move.button not in self.cells:
            return _("{button} is still in the supply; to place it, write {value}@ and the space.").format(
                button=button_name(move.button), value=VALUES[move.button]
            )
        return obstacle(self.layout, self.cells, move) or self._reversal(move)

    def ends_by(self, seat: Seat, move: Action) -> bool:
        """Whether this move wins for either side; its legality is not checked."""
        return self.after(seat, move).result in (BLACK, WHITE)

    def turns_without_placement(self) -> int:
        """The number of consecutive turns without a placement."""
        return len(self.seen) // _KEY - 1

    # -- helpers ----------------------------------------------------------------------

    def _open_spaces(self) -> list[int]:
        """Return the empty spaces next to an enemy button; all spaces of an empty board."""
        cells = self.cells
        enemies = SETS[1 - self.side]
        beside = {space for here, lying in enumerate(cells) if lying in enemies for space in NEIGHBOURS[here]}
        if not beside and cells == EMPTY * len(cells):
            return list(range(len(cells)))
        return sorted(space for space in beside if cells[space] == EMPTY)

    def _walkers(self) -> Iterator[tuple[str, int, tuple[int, ...]]]:
        reach, cells = reach_of(self.layout), self.cells
        for button in SETS[self.side]:
            if button in cells:
                start = cells.index(button)
                yield button, start, reach[button][start]

    def _bars(self, button: str, to: int) -> bool:
        barred = self.barred
        return barred != NOBODY and button in barred and self.cells[to] in barred

    def _reversal(self, walk: Walk) -> str | None:
        if not self._bars(walk.button, walk.to):
            return None
        return _("{one} and {other} have just changed places; they may not change back at once.").format(
            one=button_name(walk.button), other=button_name(self.cells[walk.to])
        )

    def _not_yours(self, seat: Seat, button: str) -> str:
        if button not in SIDES:
            return _("There is no such button: they are numbered 1 to 8.")
        return _("You play {colour}; {button} is not yours.").format(
            colour=_(COLOURS[seat]), button=button_name(button)
        )

    def _cannot_place(self, move: Place) -> str | None:
        cells, button = self.cells, move.button
        if button in cells:
            return _("{button} is on the board already, on {here}.").format(
                button=button_name(button), here=NAMES[cells.index(button)]
            )
        if not 0 <= move.to < len(cells):
            return _("There is no such space: they are a1 to d4.")
        if cells[move.to] != EMPTY:
            return _("On {space} lies {other}; a button is placed on an empty space.").format(
                space=NAMES[move.to], other=button_name(cells[move.to])
            )
        spaces = self._open_spaces()
        return None if move.to in spaces else self._too_far(move.to, spaces)

    def _too_far(self, to: int, spaces: list[int]) -> str:
        if not spaces:
            return _("No empty space is next to an enemy button, so nothing can be placed.")
        return _("{space} is not next to an enemy button, in its row or column; you can place on {spaces}.").format(
            space=NAMES[to], spaces=listing(sorted(NAMES[space] for space in spaces))
        )


_KEY = bridges.SPACES + len(NOBODY) + 1


def _line_owner(cells: str) -> int:
    """Return the colour that has a line; `_PLAYING` if neither or both have one (D-h).

    Diagonals do not count (D-i).
    """
    coloured = cells.translate(_COLOURED)
    lines = [coloured[first : first + SIDE] for first in range(0, len(coloured), SIDE)]
    lines += [coloured[file::SIDE] for file in range(SIDE)]
    black, white = _FULL[BLACK] in lines, _FULL[WHITE] in lines
    return _PLAYING if black == white else BLACK if black else WHITE
