"""Legal placements of pieces: each colour must remain activatable exactly once (ruling K-d).

Tiles and pieces are encoded as in `tiles`. A vacant tile is one without a piece, on the board or in the pool. The about
ten thousand different results are cached.
"""

from __future__ import annotations

from functools import cache

from engines.proteus_tiles.tiles import COLOUR, COLOURS, DIGITS, TILE


def vacant(tiles: str, pieces: str) -> str:
    """Return the tiles without a piece, in order, on a board or in the pool."""
    covered = [tile for tile, piece in zip(tiles, pieces, strict=True) if piece != "."]
    return "".join([tile for tile in DIGITS if tile not in covered])


def in_hand(pieces: str) -> str:
    """Return the shapes of both players' pieces not on the board, in order."""
    return "".join([piece for piece in "oOsStT" if piece not in pieces]).lower()


def missing(lit: str) -> str:
    """Return the colours of which no tile is in force."""
    return "".join([colour for colour, tile in zip(COLOURS, lit, strict=True) if tile == "-"])


@cache
def openings(free: str, hand: str, wanted: str, shape: str) -> frozenset[str]:
    """Return the tiles of `free` on which a piece of `shape` from `hand` may be placed.

    `wanted` are the colours still to be activated. A placement is legal if the rest of the hand can then be assigned to
    distinct vacant tiles with each wanted colour activated exactly once.
    """
    rest = hand.replace(shape, "", 1)
    return frozenset(tile for tile in free if _leaves(free, rest, wanted, shape, tile))


@cache
def completable(free: str, hand: str, wanted: str) -> bool:
    """Whether `hand` can be assigned to distinct tiles of `free`.

    The assignment must activate each colour of `wanted` exactly once, and no other.
    """
    if not hand:
        return not wanted
    return any(_leaves(free, hand[1:], wanted, hand[0], tile) for tile in free)


def _leaves(free: str, rest: str, wanted: str, shape: str, tile: str) -> bool:
    """Whether the placement of `shape` on `tile` leaves a completable state."""
    if TILE[tile][1] == shape:
        colour = COLOURS[COLOUR[tile]]
        if colour not in wanted:
            return False
        wanted = wanted.replace(colour, "")
    return completable(free.replace(tile, ""), rest, wanted)
