"""Position texts of Proteus with tiles: rows from the top, the seat to move, the phase.

For example “Ms*,To*Bo,Gt/MoWt,Go*Ws,TtBs/MtWo,Ts,GsBt B M”. `-` is a space without a tile; `*` marks a tile in force;
the piece follows with its owner. `P` is the placement phase, `M` the movement phase.
"""

from __future__ import annotations

import re

from engines.proteus_tiles.placement import completable, in_hand, missing, vacant
from engines.proteus_tiles.state import State
from engines.proteus_tiles.tiles import COLOUR, DIGIT, NO_PIECE, NO_TILE, PIECES, TILE
from engines.wording import _

_CELL = re.compile(r"(?P<tile>[MTG][ost])(?P<lit>\*?)(?P<piece>[BW][ost])?|-")
_ROWS = tuple(tuple(file * 3 + rank for file in range(3)) for rank in (2, 1, 0))


def cell(position: State, space: int) -> str:
    """Write a space as in position texts and mail: “To*Bo”; “-” for no tile."""
    tile, piece = position.tiles[space], position.pieces[space]
    if tile == NO_TILE:
        return NO_TILE
    owned = "" if piece == NO_PIECE else "BW"[piece in PIECES[1]] + piece.lower()
    return f"{TILE[tile]}{'*' if tile in position.lit else ''}{owned}"


def rows() -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the spaces by row, from the top."""
    return _ROWS


def write(position: State) -> str:
    """Write a position text."""
    board = "/".join(",".join(cell(position, space) for space in row) for row in _ROWS)
    return f"{board} {'BW'[position.seat]} {'M' if position.moving else 'P'}"


def read(text: str) -> tuple[str, str, str, int]:
    """Parse a position text into tiles, pieces, tiles in force and seat.

    Raises ValueError with a sentence.
    """
    words = text.split()
    if len(words) != 3 or words[1] not in ("B", "W") or words[2] not in ("P", "M"):
        raise ValueError(_("A position text has three parts: rows, B or W, P or M."))
    tiles, pieces, lit = _board(words[0])
    full = NO_TILE not in tiles and pieces.count(NO_PIECE) == 3
    if full != (words[2] == "M"):
        raise ValueError(_("The movement phase is when all tiles and pieces lie on the board."))
    if not completable(vacant(tiles, pieces), in_hand(pieces), missing(lit)):
        raise ValueError(_("From that position, each colour can no longer be activated exactly once."))
    return tiles, pieces, lit, "BW".index(words[1])


def _board(text: str) -> tuple[str, str, str]:
    cells = [row.split(",") for row in text.split("/")]
    if [len(row) for row in cells] != [3, 3, 3]:
        raise ValueError(_("A position text has three rows of three cells."))
    tiles, pieces, lit = [NO_TILE] * 9, [NO_PIECE] * 9, [NO_TILE] * 3
    for spaces, row in zip(_ROWS, cells, strict=True):
        for space, word in zip(spaces, row, strict=True):
            tiles[space], pieces[space], active = _cell(word)
            if active and lit[COLOUR[tiles[space]]] != NO_TILE:
                raise ValueError(_("Two tiles of one colour cannot be in force."))
            if active:
                lit[COLOUR[tiles[space]]] = tiles[space]
    _once_each(tiles, NO_TILE)
    _once_each(pieces, NO_PIECE)
    return "".join(tiles), "".join(pieces), "".join(lit)


def _cell(word: str) -> tuple[str, str, bool]:
    match = _CELL.fullmatch(word)
    if match is None:
        raise ValueError(_("“{cell}” is not a cell of this board.").format(cell=word[:20]))
    if match["tile"] is None:
        return NO_TILE, NO_PIECE, False
    owned = match["piece"]
    piece = NO_PIECE if owned is None else PIECES["BW".index(owned[0])]["ost".index(owned[1])]
    return DIGIT[match["tile"]], piece, bool(match["lit"])


def _once_each(things: list[str], nothing: str) -> None:
    lying = [thing for thing in things if thing != nothing]
    if len(set(lying)) < len(lying):
        raise ValueError(_("There is only one of each tile, and each player has one piece of each shape."))
