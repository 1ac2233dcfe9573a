"""Render scenes for braille displays: at most 40 columns, one letter per square, a legend.

Chess programs for the blind use the same form: capitals for the first seat's pieces, small letters for the second's. An
empty square is a hyphen, or a plus if it is dark. Letters, digits and these two signs take one cell each in every
braille table.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase

from engines.scene import Cell, Piece, Scene
from engines.spoken import beside_sentences, by_side, stack_sentences
from engines.text import plain
from engines.wording import _

WIDTH = 40
"""Maximum line length: the cells of a common braille display."""

_TALLEST = 9


def render(scene: Scene, *, bottom: int = 0) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the board's lines, at most `WIDTH` long, and the unwrapped sentences below it.

    The text is printable ASCII. Seat `bottom` is at the bottom.
    """
    seen = scene.turned() if bottom else scene
    cells = [cell for row in seen.rows for cell in row]
    pieces = _letters([cell.pieces[0] for cell in cells if len(cell.pieces) == 1])
    tiles = _letters([cell.ground for cell in cells if cell.ground], taken=tuple(pieces.values()), from_faces=False)
    board = _grid(seen, lambda cell: _sign(cell, pieces))
    if tiles:
        board += ["", plain(_("Tiles:")), *_grid(seen, lambda cell: tiles[cell.ground] if cell.ground else "-")]
    legend = [f"{letter} {piece.name}" for letters in (pieces, tiles) for piece, letter in letters.items()]
    stacks = [_("Digits are stacks of that many pieces."), *stack_sentences(seen)] if stack_sentences(seen) else []
    slant = [_("Each row is half a place further to the right than the row above it.")]
    below = [*(slant if seen.grid == "hexagonal" else []), *legend, *stacks, *beside_sentences(seen)]
    return tuple(board), tuple(plain(line) for line in below)


def _sign(cell: Cell, letters: dict[Piece, str]) -> str:
    """Return the character for one square."""
    if not cell.pieces:
        return "+" if cell.tint == "dark" else "-"
    return letters[cell.pieces[0]] if len(cell.pieces) == 1 else str(min(len(cell.pieces), _TALLEST))


def _grid(scene: Scene, sign: Callable[[Cell], str]) -> list[str]:
    """Return the ranks from the top, with labels, and the labels of the files below."""
    margin = max(len(plain(rank)) for rank in scene.ranks)
    gap = " " if margin + 2 * len(scene.files) <= WIDTH else ""
    rows = [
        f"{plain(rank):>{margin}} {gap.join(sign(cell) for cell in row)}"
        for rank, row in zip(scene.ranks, scene.rows, strict=True)
    ]
    return [*rows, f"{'':>{margin}} {gap.join(plain(file)[-1:] for file in scene.files)}"]


def _letters(things: list[Piece], *, taken: tuple[str, ...] = (), from_faces: bool = True) -> dict[Piece, str]:
    """Choose a letter for each kind of piece: that of its face, if free.

    Capitals are for the first seat.
    """
    letters: dict[Piece, str] = {}
    for piece in sorted(set(things), key=by_side):
        wanted = _wanted(piece) if from_faces else ""
        choices = (_cased(letter, piece) for letter in (wanted, *ascii_lowercase) if letter)
        letters[piece] = next((letter for letter in choices if letter not in (*taken, *letters.values())), "?")
    return letters


def _cased(letter: str, piece: Piece) -> str:
    return letter.upper() if piece.side == 0 else letter


def _wanted(piece: Piece) -> str:
    """Return the preferred lower-case letter of a piece, from its text or face.

    The digits 1 to 9 become a to i, which have the same dots in braille.
    """
    for text in (piece.text if len(piece.text) == 1 else "", piece.face, *piece.text[::-1]):
        if len(text) == 1 and text.isascii() and text.isalnum():
            return ascii_lowercase[int(text) - 1] if text.isdecimal() else text.lower()
    return ""
