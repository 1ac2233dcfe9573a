"""Compact text form of a scene, so its picture can be drawn later without the game's rules.

A sketch holds only what `svg.render` paints: no texts for screen readers, no tokens, no choices. Each different piece
is stored once, and an empty square as its name and its tint. This is at most a tenth of the SVG's size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from engines import codec
from engines.scene import Bridge, Cell, Edge, Grid, Mark, Piece, Scene, Shape, Tint, Tray, TrayItem

_Look = tuple[str, Shape, str, int | None, int, str, bool]
"""A piece without its name."""

_Held = tuple[str, tuple[int, ...], int | None]
"""An occupied square: its name, its pieces from the bottom up, and the tile beneath."""

_Tray = tuple[str, str, tuple[tuple[int, int], ...]]
"""A tray: its label, its note, and its pieces with their counts."""

_look: Callable[[Piece], _Look] = attrgetter("text", "shape", "face", "side", "value", "under", "lit")
_TINTS: dict[str, Tint] = {"l": "light", "d": "dark", "p": "plain"}


@dataclass(frozen=True, slots=True)
class _Sketch:
    """The stored form of a scene. Squares and trays refer to pieces by index into `pieces`.

    `names` and `tints` list all squares row by row, each tint as its first letter; `held` lists the squares that are
    not empty. A sketch with another `form` comes from another version and is not drawn.
    """

    form: Literal[1]
    bottom: int
    grid: Grid
    files: tuple[str, ...]
    ranks: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    tints: tuple[str, ...]
    pieces: tuple[_Look, ...]
    held: tuple[_Held, ...]
    trays: tuple[_Tray, ...]
    notes: tuple[str, ...]
    bridges: tuple[Bridge, ...]
    marks: tuple[Mark, ...]
    edges: tuple[Edge, ...]
    lines: tuple[tuple[str, ...], ...]
    way: tuple[str, ...]


def sketched(scene: Scene, bottom: int) -> str:
    """Sketch a scene as seen from the side of the seat `bottom`."""
    numbers: dict[_Look, int] = {}
    held, trays = _held(scene, numbers), _trays(scene, numbers)
    sketch = _Sketch(
        form=1,
        bottom=bottom,
        grid=scene.grid,
        files=scene.files,
        ranks=scene.ranks,
        names=tuple([tuple([cell.name for cell in row]) for row in scene.rows]),
        tints=tuple(["".join([cell.tint[0] for cell in row]) for row in scene.rows]),
        pieces=tuple(numbers),
        held=held,
        trays=trays,
        notes=scene.notes,
        bridges=scene.bridges,
        marks=scene.marks,
        edges=scene.edges,
        lines=scene.lines,
        way=scene.way,
    )
    return codec.dump(sketch)


def _held(scene: Scene, numbers: dict[_Look, int]) -> tuple[_Held, ...]:
    """Return the occupied squares; add new pieces to `numbers`."""
    return tuple(
        [
            (
                cell.name,
                tuple([_number(piece, numbers) for piece in cell.pieces]),
                _number(cell.ground, numbers) if cell.ground else None,
            )
            for row in scene.rows
            for cell in row
            if cell.pieces or cell.ground
        ]
    )


def _trays(scene: Scene, numbers: dict[_Look, int]) -> tuple[_Tray, ...]:
    """Return the trays with their texts; add new pieces to `numbers`."""
    return tuple(
        [
            (tray.label, tray.note, tuple([(_number(item.piece, numbers), item.count) for item in tray.items]))
            for tray in scene.trays
        ]
    )


def _number(piece: Piece, numbers: dict[_Look, int]) -> int:
    return numbers.setdefault(_look(piece), len(numbers))


def scene_of(text: str) -> tuple[Scene, int]:
    """Restore the painted parts of a scene and its bottom seat; raise ValueError if invalid."""
    sketch = codec.load(_Sketch, text)
    try:
        return _scene(sketch), sketch.bottom
    except (IndexError, KeyError, TypeError) as error:
        raise ValueError("a sketch that names what it does not hold") from error


def _scene(sketch: _Sketch) -> Scene:
    pieces = [Piece(look[0], "", *look[1:]) for look in sketch.pieces]
    return Scene(
        title="",
        summary="",
        files=sketch.files,
        ranks=sketch.ranks,
        rows=_rows(sketch, pieces),
        bridges=sketch.bridges,
        trays=tuple(_tray(tray, pieces) for tray in sketch.trays),
        notes=sketch.notes,
        marks=sketch.marks,
        grid=sketch.grid,
        edges=sketch.edges,
        lines=sketch.lines,
        way=sketch.way,
    )


def _rows(sketch: _Sketch, pieces: Sequence[Piece]) -> tuple[tuple[Cell, ...], ...]:
    """Return the squares by row; raise ValueError if the numbers of tints and names differ."""
    held = {
        name: (tuple([pieces[one] for one in lying]), None if ground is None else pieces[ground])
        for name, lying, ground in sketch.held
    }
    return tuple(
        tuple(Cell(name, "", *held.get(name, ((), None)), _TINTS[tint]) for name, tint in zip(*row, strict=True))
        for row in zip(sketch.names, sketch.tints, strict=True)
    )


def _tray(tray: _Tray, pieces: Sequence[Piece]) -> Tray:
    label, note, items = tray
    return Tray(label, tuple(TrayItem(pieces[one], count) for one, count in items), note=note)
