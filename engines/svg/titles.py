"""Titles of squares and pieces, for tooltips and screen readers."""

from __future__ import annotations

from typing import NamedTuple

from engines.scene import Cell, Mark, MarkKind, TrayItem
from engines.wording import N_, _, listing

_WHY: dict[MarkKind, str] = {
    "from": N_("the last move began here"),
    "to": N_("the last move ended here"),
    "taken": N_("something was taken here"),
    "turned": N_("something was turned here"),
    "hint": N_("a hint"),
}


class CellWords(NamedTuple):
    """Parts of titles in one language: sentence, separator, and word for an empty square."""

    sentence: str
    between: str
    empty: str

    @classmethod
    def now(cls) -> CellWords:
        """Return the parts in the current language, looked up once for a whole board."""
        return cls(_("{square}: {things}"), _("and"), _("empty"))

    def title(self, cell: Cell) -> str:
        """Name the square and its pieces, from the bottom up."""
        things = [cell.ground.name] if cell.ground else []
        things += [piece.name for piece in cell.pieces]
        return self.sentence.format(square=cell.name, things=listing(things, self.between) or self.empty)


def cell_title(cell: Cell, marks: tuple[Mark, ...]) -> str:
    """Name the square, its pieces, and the reason for its mark."""
    title = CellWords.now().title(cell)
    why = [_(_WHY[mark.kind]) for mark in marks if mark.cell == cell.name]
    return _("{square} ({reasons})").format(square=title, reasons="; ".join(why)) if why else title


def item_title(item: TrayItem) -> str:
    """Name a piece beside the board, and the number of such pieces."""
    if item.count == 1:
        return item.piece.name
    return _("{count} × {piece}").format(count=item.count, piece=item.piece.name)
