"""What differs between two scenes of a board, in words. Pure.

The scenes were already redacted for their viewer, so the text can say nothing that they do not show.
"""

from __future__ import annotations

from collections import Counter

from engines.scene import Cell, Piece, Scene
from engines.wording import _

Things = Counter[Piece]
"""Pieces, with how many of each."""


def describe_changes(before: Scene, after: Scene) -> str:
    """What differs between two scenes of a board, in words; empty where nothing does."""
    then, now = _cells(before), _cells(after)
    squares = [name for name in now if name in then and then[name] != now[name]]
    turns = [_turn(name, then[name], now[name]) for name in squares]
    turned_squares = {name for name, text in zip(squares, turns, strict=True) if text}
    left = {name: _only_in(then[name], now[name]) for name in squares if name not in turned_squares}
    arrived = {name: _only_in(now[name], then[name]) for name in squares if name not in turned_squares}
    moves = _moves(left, arrived)
    grounds = [_ground(name, then[name], now[name]) for name in squares]
    sentences = [*moves, *_arrivals(arrived), *_losses(left), *turns, *grounds]
    return "; ".join(sentence for sentence in sentences if sentence)


def _cells(scene: Scene) -> dict[str, Cell]:
    return {cell.name: cell for row in scene.rows for cell in row}


def _only_in(here: Cell, there: Cell) -> Things:
    """The pieces of the first cell that the second lacks."""
    return Counter(here.pieces) - Counter(there.pieces)


def _turn(square: str, then: Cell, now: Cell) -> str:
    if len(then.pieces) != 1 or len(now.pieces) != 1:
        return ""
    one, other = then.pieces[0], now.pieces[0]
    if (one.side, one.shape) != (other.side, other.shape) or one.name == other.name:
        return ""
    return _("{piece} on {square} becomes {other}").format(piece=one.name, square=square, other=other.name)


def _moves(left: dict[str, Things], arrived: dict[str, Things]) -> list[str]:
    """Pieces that left one square and came to another; they are removed from both."""
    sentences = []
    for target, newcomers in arrived.items():
        for source, departed in left.items():
            both = newcomers & departed
            if not both:
                continue
            sentence = _("{pieces} from {source} to {target}")
            sentences.append(sentence.format(pieces=_piece_list(both), source=source, target=target))
            left[source], newcomers = departed - both, newcomers - both
        arrived[target] = newcomers
    return sentences


def _arrivals(arrived: dict[str, Things]) -> list[str]:
    sentence = _("{pieces} to {square}")
    return [sentence.format(pieces=_piece_list(pieces), square=square) for square, pieces in arrived.items() if pieces]


def _losses(left: dict[str, Things]) -> list[str]:
    sentence = _("{pieces} off {square}")
    return [sentence.format(pieces=_piece_list(pieces), square=square) for square, pieces in left.items() if pieces]


def _piece_list(pieces: Things) -> str:
    names: Counter[str] = Counter()
    for piece, count in pieces.items():
        names[piece.name] += count
    template = _("{count} × {piece}")
    return ", ".join(n if count == 1 else template.format(count=count, piece=n) for n, count in names.items())


def _ground(square: str, then: Cell, now: Cell) -> str:
    old, new = (cell.ground.name if cell.ground else "" for cell in (then, now))
    if old == new:
        return ""
    if not new:
        return _("{tile} off {square}").format(tile=old, square=square)
    return _("{tile} to {square}").format(tile=new, square=square)
