"""The dice and squares in the reader's language, for sentences."""

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
    """“rook”, for a face or for a die as it stands on a board."""
    return _(PIECES[letter.upper()])


def coloured(letter: str) -> str:
    """“White rook”, for a die as it stands on a board."""
    return _(_COLOURED[letter.islower()][letter.upper()])


def on_square(letter: str, square: int) -> str:
    """“rook on a1”."""
    return _("{piece} on {square}").format(piece=piece(letter), square=NAMES[square])


def try_these(texts: tuple[str, ...]) -> str:
    """“Try a3/b2=B or b3/a1=B.”, or "" if there are no suggestions."""
    return _("Try {texts}.").format(texts=listing(texts)) if texts else ""
