"""Write and parse the notation: “Mo@b2”, “s@a1+Ms”, “oc3” or “oa1-c3”, “a1=c3#”."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engines.base import (
    GuideLine,
    IllegalMove,
    MoveError,
    NotationError,
    Seat,
    UnfinishedMove,
    nearest,
    not_a_move,
    quoted,
)
from engines.proteus_tiles import refusals
from engines.proteus_tiles.moves import EXCHANGE, PLACE, READINGS, STEP, Move
from engines.proteus_tiles.state import State
from engines.proteus_tiles.tiles import DIGIT, PIECES, SHAPES, SPACE, SPACES, TILE, TILES
from engines.proteus_tiles.words import SPELLED, shape_name, tile_short
from engines.wording import _, listing

_SHOWN = 5
_MARKED = re.compile(r"([^+#]*)((?:\+[mtg][ost])*)(#?)", re.ASCII)
_TILE_MEANT = {tile.lower(): tile for tile in TILES}
_STEP_BEGINNINGS = frozenset((*SHAPES, *(shape + space for shape in SHAPES for space in SPACES)))


def write(position: State, seat: Seat, move: Move) -> str:
    """Write a legal move in canonical notation.

    The text has the action, each tile activated, and `#` if somebody has won.
    """
    turn = position.turn(seat, move)
    marks = "".join([f"+{TILE[tile]}" for tile in turn.activated])
    return f"{move.text}{marks}#" if turn.winner >= 0 else move.text + marks


def guide(position: State, seat: Seat) -> Iterator[GuideLine]:
    """Return lines that explain the notation, with one legal turn of each kind."""
    moves = list(position.legal_moves(seat))
    tile = next((one for one in moves if one.sign == PLACE and one.what in TILES), None)
    piece = next((one for one in moves if one.sign == PLACE and one.what in SHAPES), None)
    step = next((one for one in moves if one.sign == STEP), None)
    exchange = next((one for one in moves if one.sign == EXCHANGE), None)
    if tile is not None:
        words = _("places a tile on {space}: first its colour (M Move, T Trade, G Goal), then its shape (o, s, t)")
        yield GuideLine(write(position, seat, tile), words.format(space=tile.to))
    if piece is not None:
        words = _("places your {shape} on the tile of {space}")
        yield GuideLine(write(position, seat, piece), words.format(shape=shape_name(piece.what), space=piece.to))
    if step is not None:
        words = _("moves your {shape} to {space}").format(shape=shape_name(step.what), space=step.to)
        yield GuideLine(write(position, seat, step), words)
    if exchange is not None:
        words = _("exchanges the tiles of {one} and {other}").format(one=exchange.what, other=exchange.to)
        yield GuideLine(write(position, seat, exchange), words)
    yield GuideLine("", _("After + comes a tile that wakes; # says that somebody has won. You may leave both out."))


def write_long(position: State, seat: Seat, move: Move) -> str:
    """Write a move in long form, with the start of a moving piece: “oa1-c3+Ms”."""
    return _long(position, seat, move) + write(position, seat, move)[len(move.text) :]


def parse(position: State, seat: Seat, text: str) -> Move:
    """Parse a legal move, with or without marks; raise MoveError."""
    squeezed = "".join(text.split())
    wanted = squeezed.lower()
    marked = _MARKED.fullmatch(wanted) if squeezed.isascii() else None
    if marked is None or marked[1] not in READINGS:
        raise _unread(position, seat, text, wanted)
    move, start = READINGS[marked[1]]
    if not position.is_legal(seat, move):
        raise _refused(position, seat, text, move)
    elsewhere = refusals.stands_elsewhere(position, seat, move.what, start) if start else None
    if elsewhere is not None:
        raise IllegalMove(elsewhere, (write(position, seat, move),))
    if marked[2] or marked[3]:
        _check_marks(position, seat, move, marked[2].split("+")[1:], bool(marked[3]))
    return move


def _check_marks(position: State, seat: Seat, move: Move, activated: list[str], won: bool) -> None:
    """Raise IllegalMove unless every written mark is correct and written once."""
    turn = position.turn(seat, move)
    true = [TILE[tile].lower() for tile in turn.activated]
    false = [_TILE_MEANT[tile] for tile in activated if tile not in true or activated.count(tile) > 1]
    if not false and (turn.winner >= 0 or not won):
        return
    text, mark = write(position, seat, move), f"+{false[0]}" if false else "#"
    raise IllegalMove(
        _("{move} is possible, but the mark {mark} is not right: it would be written {text}.").format(
            move=move.text, mark=mark, text=text
        ),
        (text,),
    )


def _long(position: State, seat: Seat, move: Move) -> str:
    if move.sign != STEP:
        return move.text
    start = position.pieces.index(PIECES[seat][SHAPES.index(move.what)])
    return f"{move.what}{SPACES[start]}-{move.to}"


def _refused(position: State, seat: Seat, text: str, move: Move) -> MoveError:
    """Return the error for a readable move: an unfinished long form, or a forbidden move."""
    going_on = _going_on(position, seat, "".join(text.split()).lower())
    if going_on:
        return _unfinished(position, seat, text, going_on)
    reason = refusals.why_not(position, seat, move)
    near = _like(position, seat, move)
    return IllegalMove(_with_advice(reason, near), near)


def _like(position: State, seat: Seat, move: Move) -> tuple[str, ...]:
    """Return legal texts like an illegal move: those of the same piece, or similar spellings."""
    legal = list(position.legal_moves(seat))
    same = [other for other in legal if (other.what, other.sign) == (move.what, move.sign)]
    if move.sign == EXCHANGE:
        ends = {move.what, move.to}
        same = [other for other in legal if other.sign == EXCHANGE and ends & {other.what, other.to}]
    texts = [write(position, seat, other) for other in same or legal]
    return tuple(texts[:_SHOWN]) if same else nearest(move.text, texts)


def _unread(position: State, seat: Seat, text: str, wanted: str) -> MoveError:
    """Return the error for an unreadable text: unfinished, impossible to complete, or unknown."""
    going_on = _going_on(position, seat, wanted)
    if going_on:
        return _unfinished(position, seat, text, going_on)
    texts = [write(position, seat, move) for move in position.legal_moves(seat)]
    near = nearest(text, texts, words=SPELLED)
    if wanted == "pass":
        return NotationError(_with_advice(_("You cannot choose to pass in this game."), near), near)
    if wanted and any(reading.startswith(wanted) for reading in READINGS):
        return IllegalMove(_with_advice(_leads_nowhere(position, seat, text, wanted), near), near)
    return NotationError(not_a_move(text, near), near)


def _going_on(position: State, seat: Seat, wanted: str) -> list[Move]:
    """Return the legal moves that `wanted` begins in any spelling, or whose target it is."""
    if not wanted:
        return []
    return [
        move
        for move in position.legal_moves(seat)
        if move.to == wanted or any(reading.lower().startswith(wanted) for reading in _texts(position, seat, move))
    ]


def _texts(position: State, seat: Seat, move: Move) -> tuple[str, ...]:
    turned = f"{move.to}={move.what}" if move.sign == EXCHANGE else move.text
    return write(position, seat, move), _long(position, seat, move), turned


def _unfinished(position: State, seat: Seat, text: str, going_on: list[Move]) -> UnfinishedMove:
    near = tuple(write(position, seat, move) for move in going_on)
    question = _question(position, "".join(text.split()).lower().rstrip("@=-"), text)
    return UnfinishedMove(_with_advice(question, near[:_SHOWN]), near)


def _question(position: State, begun: str, text: str) -> str:
    """Ask for what is missing after the prefix `begun`."""
    if begun in _TILE_MEANT:
        return _("Onto which space does the tile {tile} go?").format(tile=tile_short(_TILE_MEANT[begun]))
    if begun in _STEP_BEGINNINGS and position.moving:
        return _("Where does your {shape} go?").format(shape=shape_name(begun[0]))
    if begun in SHAPES:
        return _("Onto which tile does your {shape} go?").format(shape=shape_name(begun))
    if begun in SPACE and position.moving:
        return _("What happens on {space}: does a piece go there, or a tile change places?").format(space=begun)
    if begun in SPACE:
        return _("What is to be placed on {space}?").format(space=begun)
    return _("{text} is only a beginning.").format(text=quoted(text))


def _leads_nowhere(position: State, seat: Seat, text: str, wanted: str) -> str:
    """Explain why no legal move begins with this prefix."""
    begun = wanted.rstrip("@")
    if begun in _TILE_MEANT and DIGIT[_TILE_MEANT[begun]] in position.tiles:
        return refusals.already_lies(position, _TILE_MEANT[begun])
    if begun in PIECES[0] and not position.moving and PIECES[seat][SHAPES.index(begun)] in position.pieces:
        return refusals.already_stands(position, seat, begun)
    return _("No move that begins with {text} is possible now.").format(text=quoted(text))


def _with_advice(sentence: str, near: tuple[str, ...]) -> str:
    if not near:
        return sentence
    return _("{sentence} You can play {near}.").format(sentence=sentence, near=listing(near))
