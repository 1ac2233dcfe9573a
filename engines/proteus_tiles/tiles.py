"""The equipment as data: nine tiles, six pieces, nine spaces, lines and reach.

A tile is encoded as one digit, its index in `TILES`; a piece as one letter, small for Black and capital for White.
Spaces are numbered by file (a1, a2, a3, b1, …), which is also their order in notation.
"""

from __future__ import annotations

from engines.wording import N_

COLOURS = "MTG"
"""The colours of the tiles: Move (maroon), Trade (turquoise), Goal (gold)."""

SHAPES = "ost"
"""The shapes of tiles and pieces: circle, square, triangle."""

TILES = tuple(colour + shape for colour in COLOURS for shape in SHAPES)
"""The nine tiles by code: colour and shape."""

RULES: dict[str, str] = {
    "Mo": N_("KING"),
    "Ms": N_("ROOK"),
    "Mt": N_("BISHOP/KNIGHT"),
    "To": N_("POLARITY"),
    "Ts": N_("COLOR"),
    "Tt": N_("SHAPE"),
    "Go": N_("3-IN-LINE"),
    "Gs": N_("COLOR"),
    "Gt": N_("SHAPE"),
}
"""The rule on each tile.

The rule sheet does not assign the rules to the shapes. If a printed set differs, change this and the drawings in
`engines.svg.tile_signs`.
"""

COLOUR_WORDS: dict[str, str] = {"M": N_("Move tile"), "T": N_("Trade tile"), "G": N_("Goal tile")}
"""The name of a tile of each colour."""

SHAPE_WORDS: dict[str, str] = {"o": N_("circle"), "s": N_("square"), "t": N_("triangle")}
"""The name of each shape."""

SPACES = tuple(file + rank for file in "abc" for rank in "123")
"""The names of the nine spaces in order."""

SPACE: dict[str, int] = {name: number for number, name in enumerate(SPACES)}
"""The number of each space by name."""

NO_TILE = "-"
"""Code of a space without a tile, and of a colour without a tile in force."""

NO_PIECE = "."
"""Code of a space without a piece."""

DIGITS = "012345678"
"""The codes of the tiles, in the order of `TILES`."""

DIGIT: dict[str, str] = dict(zip(TILES, DIGITS, strict=True))
"""The encoded digit of each tile."""

TILE: dict[str, str] = {digit: tile for tile, digit in DIGIT.items()}
"""The tile of each encoded digit."""

RULE: dict[str, str] = {digit: RULES[TILE[digit]] for digit in DIGITS}
"""The rule on an encoded tile."""

COLOUR: dict[str, int] = {digit: int(digit) // 3 for digit in DIGITS}
"""The index in `COLOURS` of an encoded tile's colour."""

PIECES: tuple[str, str] = (SHAPES, SHAPES.upper())
"""The encoded pieces of Black and of White."""

MATCHES = frozenset(digit + piece for digit in DIGITS for piece in "ostOST" if TILE[digit][1] == piece.lower())
"""All pairs of an encoded tile and an encoded piece of the same shape."""

COLOUR_OF_EACH = str.maketrans(DIGITS, "MMMTTTGGG")
"""The `str.translate` table from encoded tiles to their colours."""

SHAPE_OF_EACH = str.maketrans(DIGITS, SHAPES * 3)
"""The `str.translate` table from encoded tiles to their shapes."""

OWNER_OF_EACH = str.maketrans("ostOST", "BBBWWW")
"""The `str.translate` table from encoded pieces to their owners."""

PAIRS: tuple[tuple[int, int], ...] = tuple((one, other) for one in range(9) for other in range(one + 1, 9))
"""The 36 pairs of spaces in order."""

LINES = frozenset(("012", "345", "678", "036", "147", "258", "048", "246"))
"""The eight lines of three spaces, as their numbers in order."""


def _reach(rule: str, start: int) -> tuple[int, ...]:
    """Return the spaces that `rule` lets a piece reach from `start`, occupied or not."""
    file, rank = divmod(start, 3)
    apart = [(abs(file - space // 3), abs(rank - space % 3)) for space in range(9)]
    fits = {
        "KING": [max(files, ranks) == 1 for files, ranks in apart],
        "ROOK": [(files == 0) != (ranks == 0) for files, ranks in apart],
        "BISHOP/KNIGHT": [files > 0 and ranks > 0 for files, ranks in apart],
    }[rule]
    return tuple(space for space in range(9) if fits[space])


REACH: dict[str, tuple[tuple[int, ...], ...]] = {
    DIGIT[tile]: tuple(_reach(RULES[tile], start) for start in range(9)) for tile in TILES[:3]
}
"""The spaces a piece may reach by each Move tile, from each space, if they are vacant.

Pieces in between never block: a king moves one space, a rook leaps over the single space between, and a bishop/knight
ignores everything.
"""
