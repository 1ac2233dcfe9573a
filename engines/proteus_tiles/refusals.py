"""Explain in a sentence why a move is illegal."""

from __future__ import annotations

from engines.base import Seat
from engines.proteus_tiles.moves import EXCHANGE, PLACE, STEP, STEPS, Move
from engines.proteus_tiles.placement import missing
from engines.proteus_tiles.state import State
from engines.proteus_tiles.tiles import (
    COLOUR,
    COLOUR_WORDS,
    COLOURS,
    DIGIT,
    MATCHES,
    NO_PIECE,
    NO_TILE,
    PIECES,
    REACH,
    RULE,
    SPACE,
    SPACES,
    TILE,
)
from engines.proteus_tiles.words import piece_name, rule_name, shape_name, tile_short
from engines.wording import N_, _

_REACHES = {
    "KING": N_("it moves one space in any direction"),
    "ROOK": N_("it moves along its row or its column"),
    "BISHOP/KNIGHT": N_("it moves to another row and another column"),
}
_TRADES = {
    "POLARITY": N_("POLARITY exchanges the tiles under one Black and one White piece, not those of {one} and {other}."),
    "COLOR": N_("COLOR exchanges two tiles of one colour, not {first} on {one} and {second} on {other}."),
    "SHAPE": N_("SHAPE exchanges two tiles of one shape, not {first} on {one} and {second} on {other}."),
}


def why_not(position: State, seat: Seat, move: Move) -> str:
    """Explain why `seat` may not make an illegal move."""
    if not position.to_act:
        return _("The game is over.")
    if seat != position.seat:
        return _("It is the other player's turn.")
    if move.to not in SPACE or move.sign not in (PLACE, STEP, EXCHANGE):
        return _("That is not a move of this game.")
    if (move.sign == PLACE) == position.moving:
        return _wrong_phase(position)
    if move.sign == PLACE and move.what in DIGIT:
        return _tile_stays(position, move)
    if move.sign == EXCHANGE and move.what in SPACE:
        return _no_exchange(position, seat, move)
    if move.sign == EXCHANGE or move.what not in STEPS:
        return _("That is not a move of this game.")
    if move.sign == PLACE:
        return _no_placing(position, seat, move)
    return _no_step(position, seat, move)


def already_lies(position: State, tile: str) -> str:
    """Explain that a tile is already on the board, and where."""
    space = SPACES[position.tiles.index(DIGIT[tile])]
    return _("The tile {tile} already lies on {space}.").format(tile=tile_short(tile), space=space)


def already_stands(position: State, seat: Seat, shape: str) -> str:
    """Explain that the player's piece is already on the board, and where."""
    space = SPACES[position.pieces.index(_owned(seat, shape))]
    return _("Your {shape} already stands on {space}.").format(shape=shape_name(shape), space=space)


def stands_elsewhere(position: State, seat: Seat, shape: str, claim: str) -> str | None:
    """Explain that a piece is not on the stated space; None if it is."""
    space = SPACES[position.pieces.index(_owned(seat, shape))]
    if space == claim:
        return None
    return _("Your {shape} stands on {space}, not on {said}.").format(shape=shape_name(shape), space=space, said=claim)


def _owned(seat: Seat, shape: str) -> str:
    return PIECES[seat]["ost".index(shape)]


def _wrong_phase(position: State) -> str:
    if position.moving:
        return _("Everything is placed: now a piece moves or two tiles are exchanged.")
    return _("Nothing moves before all tiles and pieces are placed.")


def _tile_stays(position: State, move: Move) -> str:
    if DIGIT[move.what] in position.tiles:
        return already_lies(position, move.what)
    return already_lies(position, TILE[position.tiles[SPACE[move.to]]])


def _no_placing(position: State, seat: Seat, move: Move) -> str:
    to = SPACE[move.to]
    tile, piece = position.tiles[to], position.pieces[to]
    if _owned(seat, move.what) in position.pieces:
        return already_stands(position, seat, move.what)
    if tile == NO_TILE:
        return _("There is no tile on {space}, and a piece is placed onto a tile.").format(space=move.to)
    if piece != NO_PIECE:
        return _taken(piece, move.to)
    return _against_activation(position, move.what, tile)


def _against_activation(position: State, shape: str, tile: str) -> str:
    """Explain why a placement would break the rule of one activation per colour (K-d)."""
    colour = COLOURS[COLOUR[tile]]
    names = {"shape": shape_name(shape), "tile": tile_short(TILE[tile]), "colour": _(COLOUR_WORDS[colour])}
    if tile + shape in MATCHES and colour not in missing(position.lit):
        return _(
            "Your {shape} would activate {tile}, but a {colour} is in force already, "
            "and placing activates only one of each colour."
        ).format(**names)
    return _(
        "With your {shape} on {tile} the pieces still in hand could no longer activate exactly one tile of each colour."
    ).format(**names)


def _no_step(position: State, seat: Seat, move: Move) -> str:
    start, to = position.pieces.index(_owned(seat, move.what)), SPACE[move.to]
    if start == to:
        return already_stands(position, seat, move.what)
    if position.pieces[to] != NO_PIECE:
        return _taken(position.pieces[to], move.to)
    mover = position.lit[0]
    if to in REACH[mover][start]:
        return _repeats()
    return _("Your {shape} cannot go from {start} to {space}: {rule} is in force, {reach}.").format(
        shape=shape_name(move.what),
        start=SPACES[start],
        space=move.to,
        rule=rule_name(mover),
        reach=_(_REACHES[RULE[mover]]),
    )


def _no_exchange(position: State, seat: Seat, move: Move) -> str:
    one, other = SPACE[move.what], SPACE[move.to]
    if one == other:
        return _("An exchange needs two different spaces.")
    if one > other:
        return _("Write an exchange with the earlier space first: {text}.").format(text=f"{move.to}={move.what}")
    if position.exchange_fits(one, other):
        return _repeats()
    return _(_TRADES[RULE[position.lit[1]]]).format(
        one=move.what,
        other=move.to,
        first=TILE[position.tiles[one]],
        second=TILE[position.tiles[other]],
    )


def _taken(piece: str, space: str) -> str:
    return _("The {piece} already stands on {space}.").format(piece=piece_name(piece), space=space)


def _repeats() -> str:
    return _("That would bring back an earlier position with the same player to move, which is not allowed.")
