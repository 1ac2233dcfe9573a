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
    squares = _changed(then, now)
    left, arrived = _left_and_arrived(squares, then, now)
    sentence = _("{pieces} from {source} to {target}")
    moves = [
        sentence.format(pieces=_piece_list(pieces), source=source, target=target)
        for source, target, pieces in _moves(left, arrived)
    ]
    turns = [_turn(name, then[name], now[name]) for name in squares]
    grounds = [_ground(name, then[name], now[name]) for name in squares]
    sentences = [*moves, *_arrivals(arrived), *_losses(left), *turns, *grounds]
    return "; ".join(sentence for sentence in sentences if sentence)


def moved_pieces(before: Scene, after: Scene) -> tuple[tuple[str, str], ...]:
    """Where pieces went from one scene to the next: from a square, or from a place beside the board, to a square."""
    then, now = _cells(before), _cells(after)
    left, arrived = _left_and_arrived(_changed(then, now), then, now)
    moves = [(source, target) for source, target, _pieces in _moves(left, arrived)]
    beside = {item.piece: item.touch for tray in before.trays for item in tray.items if item.touch}
    return (*moves, *((beside[piece], name) for name, pieces in arrived.items() for piece in pieces if piece in beside))


def _left_and_arrived(
    changed: list[str], then: dict[str, Cell], now: dict[str, Cell]
) -> tuple[dict[str, Things], dict[str, Things]]:
    """The pieces that each changed square lost, and those that it won; without squares where a piece was turned."""
    squares = [name for name in changed if not _turn(name, then[name], now[name])]
    left = {name: _only_in(then[name], now[name]) for name in squares}
    return left, {name: _only_in(now[name], then[name]) for name in squares}


def _changed(then: dict[str, Cell], now: dict[str, Cell]) -> list[str]:
    return [name for name in now if name in then and then[name] != now[name]]


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


def _moves(left: dict[str, Things], arrived: dict[str, Things]) -> list[tuple[str, str, Things]]:
    """Pieces that left one square and came to another, as source, target, pieces; they are removed from both."""
    moves = []
    for target, newcomers in arrived.items():
        for source, departed in left.items():
            both = newcomers & departed
            if not both:
                continue
            moves.append((source, target, both))
            left[source], newcomers = departed - both, newcomers - both
        arrived[target] = newcomers
    return moves


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
