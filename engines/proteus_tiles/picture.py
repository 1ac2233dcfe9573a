"""Draw a position of Proteus with tiles, and return moves as touches on it.

The touches of a placement are a tile of the pool (`pool:Mo`) or a piece of the hand (`hand:o`), then the space. Those
of a move are the piece's space, then the target. Those of an exchange are `exchange`, then the two spaces.
"""

from __future__ import annotations

from engines.base import Seat
from engines.proteus_tiles.in_force import rules_in_force
from engines.proteus_tiles.layout import cell, rows
from engines.proteus_tiles.moves import PLACE, STEP, Move
from engines.proteus_tiles.state import State, fulfils
from engines.proteus_tiles.tiles import (
    COLOUR_WORDS,
    COLOURS,
    DIGIT,
    DIGITS,
    NO_PIECE,
    NO_TILE,
    PIECES,
    SHAPES,
    SPACES,
    TILE,
)
from engines.proteus_tiles.words import SIDES, piece_name, rule_name, shape_name, tile_name
from engines.scene import Cell, Choice, Piece, Scene, Shape, Tray, TrayItem
from engines.wording import _, listing

_SHAPED: dict[str, Shape] = {"o": "circle", "s": "square", "t": "triangle"}


def touches(position: State, seat: Seat, move: Move) -> tuple[str, ...]:
    """Return the touches of a move."""
    if move.sign == PLACE:
        return (f"{'pool' if move.what in DIGIT else 'hand'}:{move.what}", move.to)
    if move.sign == STEP:
        start = position.pieces.index(PIECES[seat][SHAPES.index(move.what)])
        return (SPACES[start], move.to)
    return ("exchange", move.what, move.to)


def draw(position: State) -> Scene:
    """Draw the position; nothing is hidden in this game."""
    return Scene(
        title=_("Proteus with tiles: {moment}").format(moment=_moment(position)),
        summary=" ".join(_sentences(position)),
        files=("a", "b", "c"),
        ranks=("3", "2", "1"),
        rows=tuple(tuple(_cell(position, space) for space in row) for row in rows()),
        trays=() if position.moving else (_pool(position), _hand(position, 0), _hand(position, 1)),
        notes=tuple(_notes(position)),
        choices=_choices(position),
        lines=_goals(position),
        in_force=rules_in_force(position),
    )


def _moment(position: State) -> str:
    outcome = position.outcome
    if outcome is None:
        return _("{side} to move").format(side=_(SIDES[position.seat]))
    if not outcome.winners:
        return _("a draw by {reason}").format(reason=_(outcome.reason))
    return _("{side} wins by {reason}").format(side=_(SIDES[outcome.winners[0]]), reason=_(outcome.reason))


def _cell(position: State, space: int) -> Cell:
    tile, piece = position.tiles[space], position.pieces[space]
    ground = None if tile == NO_TILE else _tile(TILE[tile], lit=tile in position.lit)
    return Cell(
        name=SPACES[space],
        text=cell(position, space),
        pieces=() if piece == NO_PIECE else (_piece(piece),),
        ground=ground,
    )


def _tile(tile: str, *, lit: bool) -> Piece:
    return Piece(tile, tile_name(tile, lit=lit), "tile", face=tile, lit=lit)


def _piece(piece: str) -> Piece:
    seat, shape = int(piece in PIECES[1]), piece.lower()
    return Piece("BW"[seat] + shape, piece_name(piece), _SHAPED[shape], side=seat)


def _pool(position: State) -> Tray:
    rest = [TILE[tile] for tile in DIGITS if tile not in position.tiles]
    token = "pool:{}" if position.to_act else ""
    items = tuple(TrayItem(_tile(tile, lit=False), touch=token.format(tile)) for tile in rest)
    return Tray(_("pool"), items, note="" if rest else _("empty"))


def _hand(position: State, seat: Seat) -> Tray:
    rest = [piece for piece in PIECES[seat] if piece not in position.pieces]
    token = "hand:{}" if seat in position.to_act else ""
    items = tuple(TrayItem(_piece(piece), touch=token.format(piece.lower())) for piece in rest)
    return Tray(_("{side}'s hand").format(side=_(SIDES[seat])), items, seat, "" if rest else _("empty"))


def _goals(position: State) -> tuple[tuple[str, ...], ...]:
    """Return the spaces of each seat's three pieces if they fulfil the goal in force."""
    return tuple(
        tuple(SPACES[space] for space, piece in enumerate(position.pieces) if piece in PIECES[seat])
        for seat in (0, 1)
        if fulfils(position.tiles, position.pieces, position.lit, seat)
    )


def _choices(position: State) -> tuple[Choice, ...]:
    if not position.moving or not position.to_act:
        return ()
    return (Choice("exchange", _("exchange two tiles")),)


def _notes(position: State) -> list[str]:
    names = " - ".join(rule_name(tile) for tile in position.lit if tile != NO_TILE)
    notes = [_("in force: {rules}").format(rules=names) if names else _("no tile is in force yet")]
    if position.to_act and position.both_fulfil():
        notes.append(_("Both sides fulfil the goal, so the game goes on."))
    return notes


def _sentences(position: State) -> list[str]:
    phase = _("Movement phase.") if position.moving else _("Placement phase.")
    moment = _("{moment}.").format(moment=_moment(position))
    forces = [
        _("{colour} in force: {rule}.").format(colour=_(COLOUR_WORDS[colour]), rule=rule_name(tile))
        for colour, tile in zip(COLOURS, position.lit, strict=True)
    ]
    board = [_on_space(position, space) for row in rows() for space in row]
    beside = [] if position.moving else _beside(position)
    return [phase, moment[:1].upper() + moment[1:], *forces, *board, *beside, *_notes(position)[1:]]


def _on_space(position: State, space: int) -> str:
    tile, piece = position.tiles[space], position.pieces[space]
    if tile == NO_TILE:
        return _("{space}: no tile.").format(space=SPACES[space])
    name = tile_name(TILE[tile], lit=tile in position.lit)
    if piece == NO_PIECE:
        return _("{space}: {tile}.").format(space=SPACES[space], tile=name)
    return _("{space}: {tile}, with the {piece}.").format(space=SPACES[space], tile=name, piece=piece_name(piece))


def _beside(position: State) -> list[str]:
    pool = [TILE[tile] for tile in DIGITS if tile not in position.tiles]
    sentences = [_("In the pool: {tiles}.").format(tiles=listing(pool, _("and")) or _("nothing"))]
    for seat in (0, 1):
        hand = [shape_name(piece) for piece in PIECES[seat] if piece not in position.pieces]
        sentences.append(
            _("In {side}'s hand: {pieces}.").format(side=_(SIDES[seat]), pieces=listing(hand, _("and")) or _("nothing"))
        )
    return sentences
