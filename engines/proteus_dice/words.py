"""Names of the dice and squares in the reader's language, for sentences."""

from __future__ import annotations

from engines.proteus_dice.dice import NAMES
from engines.wording import N_, _, listing

PIECES = {
    "Y": N_("pyramid"),
    "P": N_("pawn"),
    "B": N_("bishop"),
    "N": N_("knight"),
    "R": N_("rook"),
    "Q": N_("queen"),
}
"""The name of each face."""

_COLOURED = (
    {
        "Y": N_("White pyramid"),
        "P": N_("White pawn"),
        "B": N_("White bishop"),
        "N": N_("White knight"),
        "R": N_("White rook"),
        "Q": N_("White queen"),
    },
    {
        "Y": N_("Black pyramid"),
        "P": N_("Black pawn"),
        "B": N_("Black bishop"),
        "N": N_("Black knight"),
        "R": N_("Black rook"),
        "Q": N_("Black queen"),
    },
)


def piece(letter: str) -> str:
    """Name the face of a die: “rook”."""
    return _(PIECES[letter.upper()])


def coloured(letter: str) -> str:
    """Name a die with its colour: “White rook”."""
    return _(_COLOURED[letter.islower()][letter.upper()])


def on_square(letter: str, square: int) -> str:
    """Name a die and its square: “rook on a1”."""
    return _("{piece} on {square}").format(piece=piece(letter), square=NAMES[square])


def try_these(texts: tuple[str, ...]) -> str:
    """Suggest texts: “Try a3/b2=B or b3/a1=B.”; "" if there are none."""
    return _("Try {texts}.").format(texts=listing(texts)) if texts else ""
