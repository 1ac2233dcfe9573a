"""Count the pieces that a unit can carry over each square of its path.

Source: rule sheet, “Movement”. The result depends only on which pieces of the unit show a marker, and on what lies on
the squares of the path. Both are encoded as short texts, so cached results serve many positions.
"""

from __future__ import annotations

from functools import lru_cache

from engines.plateau.pieces import MARKERS, top_unit

MARKER, BLANK = "m", "x"
"""Codes for a piece of a unit, by its up face."""

VACANT, ENEMY = "", "e"
"""Codes for a vacant square, and for one with an enemy piece on top."""

Counts = tuple[int, ...]
"""The number of pieces carried on from the start, and from each square on the way."""

Group = tuple[str, Counts]
"""Codes of the moving pieces, and the number carried on from each square so far."""


@lru_cache(maxsize=4096)
def outline(stack: str, seat: int) -> str:
    """Encode a stack for a movement: the codes of the seat's own top unit, VACANT or ENEMY."""
    size = top_unit(stack, seat)
    if stack and not size:
        return ENEMY
    return "".join(MARKER if sign in MARKERS else BLANK for sign in stack[len(stack) - size :])


@lru_cache(maxsize=4096)
def carryings(unit: str, between: tuple[str, ...]) -> tuple[Counts, ...]:
    """Return every way to carry pieces over squares with these codes to the next square."""
    return tuple(counts for _group, counts in _groups(unit, between))


@lru_cache(maxsize=4096)
def _groups(unit: str, between: tuple[str, ...]) -> tuple[Group, ...]:
    """Return the groups that can arrive past these squares.

    On each square they may leave, pick up, drop or pin pieces.
    """
    if not between:
        return tuple((unit[-k:], (k,)) for k in range(1, len(unit) + 1))
    here = between[-1]
    piles = [(group if here == ENEMY else here + group, counts) for group, counts in _groups(unit, between[:-1])]
    return tuple(
        (pile[-c:], (*counts, c))
        for pile, counts in piles
        for c in range(1, len(pile) + 1)
        if here != ENEMY or _may_stay(pile[:-c])
    )


def _may_stay(left: str) -> bool:
    """Whether these pieces may be left on an enemy piece (section 4).

    True for no pieces, or if a weapon with a marker is on top.
    """
    return not left or left[-1] == MARKER
