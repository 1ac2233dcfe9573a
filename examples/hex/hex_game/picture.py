"""The picture of a game of Hex: a slanting board of hexagons, whose sides belong to the players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.scene import Cell, Choice, Edge, Piece, Scene
from engines.wording import N_, _
from hex_game.board import FILES, NAMES, RANKS, SIZE

if TYPE_CHECKING:
    from hex_game.position import Hex

_STONES = {"B": (N_("black stone"), 0), "W": (N_("white stone"), 1)}
_EDGES = (Edge("top", 0), Edge("bottom", 0), Edge("left", 1), Edge("right", 1))


def draw(position: Hex) -> Scene:
    """The scene of a position; nothing is hidden in Hex."""
    cells = [_cell(name, stone) for name, stone in zip(NAMES, position.cells, strict=True)]
    notes = _notes(position)
    return Scene(
        title=_title(position),
        summary=" ".join((_lying(position, "B"), _lying(position, "W"), *notes)),
        files=FILES,
        ranks=RANKS,
        rows=tuple(tuple(cells[at : at + SIZE]) for at in range(0, len(cells), SIZE)),
        notes=notes,
        choices=(Choice("swap", _("Swap: take over Black's first stone")),) if position.can_swap else (),
        grid="hexagonal",
        edges=_EDGES,
    )


def _cell(name: str, stone: str) -> Cell:
    if stone == ".":
        return Cell(name)
    called, seat = _STONES[stone]
    return Cell(name, stone, (Piece(stone, _(called), "button", side=seat),))


def _title(position: Hex) -> str:
    if position.winner is not None:
        return _("Hex: {who} wins").format(who=_(position.SEATS[position.winner]))
    return _("Hex: {who} to move").format(who=_(position.SEATS[position.side]))


def _lying(position: Hex, stone: str) -> str:
    names = [name for name, cell in zip(NAMES, position.cells, strict=True) if cell == stone]
    who = _(position.SEATS["BW".index(stone)])
    if not names:
        return _("{who} has no stones yet.").format(who=who)
    return _("{who} has stones on {places}.").format(who=who, places=", ".join(names))


def _notes(position: Hex) -> tuple[str, ...]:
    sides = _("Black joins top and bottom, White left and right.")
    if position.can_swap:
        return sides, _("White may take over Black's first stone: swap.")
    return (sides,)
