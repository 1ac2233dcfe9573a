"""Describe the differences between two scenes of a board. Pure.

The scenes are already redacted for their viewer, so the text cannot reveal anything that they do not show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain, combinations

from engines.scene import Cell, Piece, Scene
from engines.wording import _

Things = Counter[Piece]
"""Pieces, with the number of each."""


def describe_changes(before: Scene, after: Scene) -> str:
    """Describe the differences between two scenes; empty if there are none."""
    then, now = _cells(before), _cells(after)
    squares = _changed(then, now)
    pieces_swapped, tiles_swapped = _exchanges(squares, then, now, _only_piece), _exchanges(squares, then, now, _ground)
    unswapped = [name for name in squares if name not in chain(*pieces_swapped)]
    left, arrived = _left_and_arrived(unswapped, then, now)
    sentence = _("{pieces} from {source} to {target}")
    moves = [
        sentence.format(pieces=_piece_list(pieces), source=source, target=target)
        for source, target, pieces in _moves(left, arrived)
    ]
    swaps = [_swap(pair, then, _only_piece) for pair in pieces_swapped]
    tile_swaps = [_swap(pair, then, _ground) for pair in tiles_swapped]
    turns = [_turn(name, then[name], now[name]) for name in unswapped]
    origin = {name: name for name in squares} | {b: a for a, b in tiles_swapped} | dict(tiles_swapped)
    tiles = [_tile(name, then[origin[name]].ground, now[name].ground) for name in squares]
    sentences = [*swaps, *tile_swaps, *moves, *_arrivals(arrived), *_losses(left), *turns, *tiles]
    return "; ".join(sentence for sentence in sentences if sentence)


def moved_pieces(before: Scene, after: Scene) -> tuple[tuple[str, str], ...]:
    """Return the moves between two scenes, from a square or a tray to a square."""
    then, now = _cells(before), _cells(after)
    left, arrived = _left_and_arrived(_changed(then, now), then, now)
    moves = [(source, target) for source, target, _pieces in _moves(left, arrived)]
    beside = {item.piece: item.touch for tray in before.trays for item in tray.items if item.touch}
    return (*moves, *((beside[piece], name) for name, pieces in arrived.items() for piece in pieces if piece in beside))


def _left_and_arrived(
    changed: list[str], then: dict[str, Cell], now: dict[str, Cell]
) -> tuple[dict[str, Things], dict[str, Things]]:
    """Return the pieces that each changed square lost and gained, except for turned pieces."""
    swapped = set(chain(*_exchanges(changed, then, now, _only_piece)))
    squares = [name for name in changed if name in swapped or not _turn(name, then[name], now[name])]
    left = {name: _only_in(then[name], now[name]) for name in squares}
    return left, {name: _only_in(now[name], then[name]) for name in squares}


def _changed(then: dict[str, Cell], now: dict[str, Cell]) -> list[str]:
    return [name for name in now if name in then and then[name] != now[name]]


def _cells(scene: Scene) -> dict[str, Cell]:
    return {cell.name: cell for row in scene.rows for cell in row}


def _only_in(here: Cell, there: Cell) -> Things:
    """Return the pieces of the first cell that the second lacks."""
    return Counter(here.pieces) - Counter(there.pieces)


def _only_piece(cell: Cell) -> Piece | None:
    return cell.pieces[0] if len(cell.pieces) == 1 else None


def _ground(cell: Cell) -> Piece | None:
    return cell.ground


def _identity(piece: Piece) -> tuple[str, str, int | None]:
    """Return what identifies a piece that moves; whether a tile is in force may change."""
    return piece.shape, piece.face, piece.side


def _exchanges(
    changed: list[str], then: dict[str, Cell], now: dict[str, Cell], thing: Callable[[Cell], Piece | None]
) -> list[tuple[str, str]]:
    """Return pairs of squares whose pieces, or tiles, changed places."""
    before = {name: _identity(held) for name in changed if (held := thing(then[name])) is not None}
    after = {name: _identity(held) for name in changed if (held := thing(now[name])) is not None}
    return [
        (one, other)
        for one, other in combinations(before, 2)
        if before[one] != before[other] and (before[one], before[other]) == (after.get(other), after.get(one))
    ]


def _swap(pair: tuple[str, str], then: dict[str, Cell], thing: Callable[[Cell], Piece | None]) -> str:
    one, other = (held.name if (held := thing(then[name])) else "" for name in pair)
    return _("{one} on {here} and {other} on {there} change places").format(
        one=one, here=pair[0], other=other, there=pair[1]
    )


def _turn(square: str, then: Cell, now: Cell) -> str:
    if len(then.pieces) != 1 or len(now.pieces) != 1:
        return ""
    one, other = then.pieces[0], now.pieces[0]
    if (one.side, one.shape) != (other.side, other.shape) or one.name == other.name:
        return ""
    return _("{piece} on {square} becomes {other}").format(piece=one.name, square=square, other=other.name)


def _moves(left: dict[str, Things], arrived: dict[str, Things]) -> list[tuple[str, str, Things]]:
    """Match departures with arrivals as source, target and pieces, and remove them from both."""
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


def _tile(square: str, old: Piece | None, new: Piece | None) -> str:
    if old == new:
        return ""
    if new is None:
        return _("{tile} off {square}").format(tile=old.name if old else "", square=square)
    if old is None or _identity(old) != _identity(new):
        return _("{tile} to {square}").format(tile=new.name, square=square)
    if new.lit:
        return _("{tile} on {square} comes into force").format(tile=old.name, square=square)
    return _("{tile} on {square} is no longer in force").format(tile=new.name, square=square)
