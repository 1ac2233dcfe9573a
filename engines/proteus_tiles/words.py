"""Names of tiles and pieces in the reader's language."""

from __future__ import annotations

from engines.proteus_tiles.tiles import COLOUR_WORDS, NO_TILE, PIECES, RULE, RULES, SHAPE_WORDS
from engines.wording import N_, _

SIDES = (N_("Black"), N_("White"))
"""The names of the seats."""


def rule_name(digit: str) -> str:
    """Name the rule on an encoded tile: “KING”; “none” for no tile."""
    return _("none") if digit == NO_TILE else _(RULE[digit])


def tile_short(tile: str) -> str:
    """Name a tile by code and rule: “Mo (KING)”."""
    return _("{tile} ({rule})").format(tile=tile, rule=_(RULES[tile]))


def tile_name(tile: str, *, lit: bool) -> str:
    """Name a tile in words: “Move tile, circle: KING, in force”."""
    words = _("{colour}, {shape}: {rule}, in force") if lit else _("{colour}, {shape}: {rule}")
    return words.format(colour=_(COLOUR_WORDS[tile[0]]), shape=_(SHAPE_WORDS[tile[1]]), rule=_(RULES[tile]))


def piece_name(piece: str) -> str:
    """Name an encoded piece in words: “White square”."""
    side = SIDES[piece in PIECES[1]]
    return _("{side} {shape}").format(side=_(side), shape=shape_name(piece))


def shape_name(piece: str) -> str:
    """Name the shape of a piece or tile: “square”."""
    return _(SHAPE_WORDS[piece.lower()])


SHAPES_SPELLED = {
    **dict.fromkeys("circle cerchio kreis cercle círculo".split(), "o"),
    **dict.fromkeys("square quadrato quadrat carré cuadrado".split(), "s"),
    **dict.fromkeys("triangle triangolo dreieck triángulo".split(), "t"),
}
SPELLED = {**SHAPES_SPELLED, "move": "m", "trade": "t", "goal": "g"}
"""Words for the shapes and colours, and their letters in the notation."""
