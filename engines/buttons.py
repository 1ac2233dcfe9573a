"""Numbered buttons of two colours: names, texts, pictures, and boards as text.

A board is a string of sixteen characters, a1 b1 c1 d1 a2 … d4: `A` to `H` are Black's 1 to 8, `a` to `h` White's, `.`
is an empty space.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from engines.bridges import NAMES, SIDE, SPACES, BridgeBoard
from engines.scene import Bridge, Cell, Piece, Tray, TrayItem
from engines.wording import N_, _, listing

BLACK, WHITE = 0, 1
"""The colours, which are the seats of Duel."""

SETS = ("ABCDEFGH", "abcdefgh")
"""The eight buttons of each colour, ordered by number."""

ALL = SETS[BLACK] + SETS[WHITE]
"""All sixteen buttons."""

EMPTY = "."
"""The character of an empty space."""

TEXTS: Mapping[str, str] = MappingProxyType(
    {button: f"{colour}{value}" for colour, eight in zip("BW", SETS, strict=True)
     for value, button in enumerate(eight, start=1)}
)  # fmt: skip
"""The notation of each button, such as “B5”."""

FROM_TEXT: Mapping[str, str] = MappingProxyType({text.casefold(): button for button, text in TEXTS.items()})
"""The button by its lower-case notation, such as “b5”."""

VALUES: Mapping[str, int] = MappingProxyType({button: int(text[1]) for button, text in TEXTS.items()})
"""The number of each button."""

SIDES: Mapping[str, int] = MappingProxyType({button: ALL.index(button) // 8 for button in ALL})
"""The colour of each button."""

COLOURS = (N_("Black"), N_("White"))
"""The names of the colours."""

OWNED = (N_("Black's {value}"), N_("White's {value}"))
"""Phrases that name a button of each colour."""

READING_ORDER = tuple(rank * SIDE + file for rank in reversed(range(SIDE)) for file in range(SIDE))
"""The spaces in reading order: a4 b4 c4 d4 a3 … d1."""


class Layout(Enum):
    """The available boards."""

    RING = "ring"
    SUN = "sun"


LAYOUT_NOTES: Mapping[str, str] = MappingProxyType(
    {"ring": N_("Ring board, our own design."),
     "sun": N_("Sun board, our own design.")}
)  # fmt: skip
"""Explanations shown beside a board."""


def full_lines(cells: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows and columns full of buttons of one colour, each as its spaces."""
    spaces = [tuple(range(at, at + SIDE)) for at in range(0, SIDE * SIDE, SIDE)]
    spaces += [tuple(range(at, SIDE * SIDE, SIDE)) for at in range(SIDE)]
    return tuple(
        tuple(NAMES[space] for space in line)
        for line in spaces
        if EMPTY not in {cells[space] for space in line} and len({SIDES[cells[space]] for space in line}) == 1
    )


def button_name(button: str) -> str:
    """Name a button in words: “Black's 5”."""
    return _(OWNED[SIDES[button]]).format(value=VALUES[button])


def with_exchange(cells: str, one: int, other: int) -> str:
    """Return the board with the contents of two spaces exchanged."""
    low, high = (one, other) if one < other else (other, one)
    return f"{cells[:low]}{cells[high]}{cells[low + 1 : high]}{cells[low]}{cells[high + 1 :]}"


def write_rows(cells: str) -> str:
    """Write the board as text: rows 4/3/2/1, spaces a to d, `.` for an empty one."""
    texts = [TEXTS.get(cells[space], EMPTY) for space in READING_ORDER]
    return "/".join(",".join(texts[first : first + SIDE]) for first in range(0, SPACES, SIDE))


def read_rows(text: str) -> str:
    """Parse a board written by `write_rows`.

    Raises ValueError on anything else, including a duplicate button.
    """
    rows = [row.split(",") for row in text.casefold().split("/")]
    if [len(row) for row in rows] != [SIDE] * SIDE:
        raise ValueError("a board is four rows of four spaces, like W1,.,.,B4/.,.,.,./.,.,.,./.,.,.,.")
    cells = [EMPTY] * SPACES
    for space, sign in zip(READING_ORDER, [sign.strip() for row in rows for sign in row], strict=True):
        if sign != EMPTY and sign not in FROM_TEXT:
            raise ValueError(f"{sign!r} is no button and no empty space")
        cells[space] = FROM_TEXT.get(sign, EMPTY)
    lying = [button for button in cells if button != EMPTY]
    if len(set(lying)) != len(lying):
        raise ValueError("a button lies on two spaces")
    return "".join(cells)


def piece(button: str) -> Piece:
    """Return the piece that draws a button."""
    text = TEXTS[button]
    return Piece(text, button_name(button), "button", face=text[1], side=SIDES[button], value=VALUES[button])


def grid(cells: str) -> tuple[tuple[Cell, ...], ...]:
    """Return the spaces and their contents, row 4 first."""
    drawn = [_cell(space, cells[space]) for space in READING_ORDER]
    return tuple(tuple(drawn[first : first + SIDE]) for first in range(0, SPACES, SIDE))


def drawn_bridges(board: BridgeBoard) -> tuple[Bridge, ...]:
    """Return the bridges of a board, for its picture."""
    return tuple(Bridge(NAMES[one], NAMES[other], colour) for (one, other), colour in board.bridges.items())


def supply(cells: str, seat: int, *, touchable: bool) -> Tray:
    """Return the buttons of a colour that are not on the board; the 5 has the token “hand:5”."""
    rest = [button for button in SETS[seat] if button not in cells]
    items = (TrayItem(piece(b), touch=f"hand:{VALUES[b]}" if touchable else "") for b in rest)
    label = (_("Black's supply"), _("White's supply"))[seat]
    return Tray(label, tuple(items), seat, "" if rest else _("empty"))


def button_places(cells: str, seat: int) -> str:
    """Describe in a sentence where the buttons of one colour are."""
    lying = [f"{VALUES[b]} {NAMES[cells.index(b)]}" for b in SETS[seat] if b in cells]
    colour = _(COLOURS[seat])
    if not lying:
        return _("{colour} has no button on the board.").format(colour=colour)
    return _("{colour} has {buttons}.").format(colour=colour, buttons=listing(lying, _("and")))


def _cell(space: int, button: str) -> Cell:
    if button == EMPTY:
        return Cell(NAMES[space])
    return Cell(NAMES[space], TEXTS[button], (piece(button),))
