"""What differs between two pictures of a board, in words. Pure.

The words come from pictures that were already redacted for their viewer, so they can say nothing that the
pictures do not show.
"""

from __future__ import annotations

from collections import Counter

from engines.scene import Cell, Piece, Scene
from engines.wording import _

Things = Counter[Piece]
"""Pieces by how many of the same."""


def changes(before: Scene, after: Scene) -> str:
    """What differs between two pictures of a board, in words; empty where nothing does."""
    then, now = _cells(before), _cells(after)
    squares = [name for name in now if name in then and then[name] != now[name]]
    told = [_turned(name, then[name], now[name]) for name in squares]
    turned = {name for name, words in zip(squares, told, strict=True) if words}
    left = {name: _missing(then[name], now[name]) for name in squares if name not in turned}
    come = {name: _missing(now[name], then[name]) for name in squares if name not in turned}
    moves = _moves(left, come)
    grounds = [_ground(name, then[name], now[name]) for name in squares]
    sentences = [*moves, *_arrivals(come), *_losses(left), *told, *grounds]
    return "; ".join(sentence for sentence in sentences if sentence)


def _cells(scene: Scene) -> dict[str, Cell]:
    return {cell.name: cell for row in scene.rows for cell in row}


def _missing(here: Cell, there: Cell) -> Things:
    """The pieces of one cell that the other has not, by what they are called."""
    return Counter(here.pieces) - Counter(there.pieces)


def _turned(square: str, then: Cell, now: Cell) -> str:
    if len(then.pieces) != 1 or len(now.pieces) != 1:
        return ""
    one, other = then.pieces[0], now.pieces[0]
    if (one.side, one.shape) != (other.side, other.shape) or one.name == other.name:
        return ""
    return _("{piece} on {square} becomes {other}").format(piece=one.name, square=square, other=other.name)


def _moves(left: dict[str, Things], come: dict[str, Things]) -> list[str]:
    """Pieces that left one square and came to another; they are taken out of both."""
    told = []
    for target, arrived in come.items():
        for source, gone in left.items():
            both = arrived & gone
            if not both:
                continue
            sentence = _("{pieces} from {source} to {target}")
            told.append(sentence.format(pieces=_named(both), source=source, target=target))
            left[source], arrived = gone - both, arrived - both
        come[target] = arrived
    return told


def _arrivals(come: dict[str, Things]) -> list[str]:
    sentence = _("{pieces} to {square}")
    return [sentence.format(pieces=_named(pieces), square=square) for square, pieces in come.items() if pieces]


def _losses(left: dict[str, Things]) -> list[str]:
    sentence = _("{pieces} off {square}")
    return [sentence.format(pieces=_named(pieces), square=square) for square, pieces in left.items() if pieces]


def _named(pieces: Things) -> str:
    names: Counter[str] = Counter()
    for piece, count in pieces.items():
        names[piece.name] += count
    many = _("{count} × {piece}")
    return ", ".join(n if count == 1 else many.format(count=count, piece=n) for n, count in names.items())


def _ground(square: str, then: Cell, now: Cell) -> str:
    old, new = (cell.ground.name if cell.ground else "" for cell in (then, now))
    if old == new:
        return ""
    if not new:
        return _("{tile} off {square}").format(tile=old, square=square)
    return _("{tile} to {square}").format(tile=new, square=square)
