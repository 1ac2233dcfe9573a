"""Drawings of the faces of dice: bold chess figures, made for this project.

Each fits a box of 100 by 100. Parts are separated by thin gaps, as in a stencil, and holes are subpaths (even-odd). So
a figure needs only one colour and stays clear at thirty pixels.
"""

from __future__ import annotations

_FOOT = "M20 79H80A5 5 0 0 1 85 84V91H15V84A5 5 0 0 1 20 79Z"

FIGURES: dict[str, tuple[str, ...]] = {
    "Y": (
        "M48.5 8L5 76L44 94Z",
        "M51.5 8L95 76L48 94Z",
    ),
    "P": ("M50 12A17 17 0 1 1 50 46A17 17 0 1 1 50 12ZM37 49H63C64 61 69 68 76 75H24C31 68 36 61 37 49Z" + _FOOT,),
    "B": (
        "M50 4A6.5 6.5 0 1 1 50 17A6.5 6.5 0 1 1 50 4Z"
        "M50 19C66 28 74 41 71 53C70 58 67 61 64 64H36C33 61 30 58 29 53C26 41 34 28 50 19Z"
        "M58 28L46 48L52 52L64 33Z"
        "M37 67H63L70 75H30Z" + _FOOT,
    ),
    "N": (
        "M43 6L49 17C70 20 82 38 81 75H32C32 62 42 56 47 49C49 46 50 44 50 42C44 45 39 48 36 52"
        "C33 57 29 61 24 59C18 57 15 52 17 47C19 42 24 37 27 30C29 25 32 21 36 18Z"
        "M38 28A4 4 0 1 0 38 36A4 4 0 1 0 38 28Z" + _FOOT,
    ),
    "R": ("M22 11H36V21H43V11H57V21H64V11H78V33L69 41H31L22 33ZM33 44H67L71 75H29Z" + _FOOT,),
    "Q": (
        "M10 17A6 6 0 1 1 10 29A6 6 0 1 1 10 17ZM29 7A6 6 0 1 1 29 19A6 6 0 1 1 29 7Z"
        "M50 3A6 6 0 1 1 50 15A6 6 0 1 1 50 3ZM71 7A6 6 0 1 1 71 19A6 6 0 1 1 71 7Z"
        "M90 17A6 6 0 1 1 90 29A6 6 0 1 1 90 17Z"
        "M12 31L31 49L30 21L44 45L50 17L56 45L70 21L69 49L88 31L77 62H23Z"
        "M24 65H76L73 75H27Z" + _FOOT,
    ),
}
"""Paths by chess letter; a second path is the shaded side."""
