"""Hex: how it is introduced, and the moments that its page shows."""

from __future__ import annotations

from engines.presentation import Chapter, Diagram, Example, Moment, Presentation
from engines.wording import N_

_COLUMN = "f1 f2 f3 f4 f5 f6 f7 f8 f9 f10"
_NEARLY = Moment(f"{_COLUMN}; e5 g5 e7 g7 d4 h4 d8 h8 c3 i3; B to move")
_FIRST = Moment(played=("b3",))

DIAGRAMS = (
    Diagram("board", N_("The board. Top and bottom belong to Black, left and right to White."), Moment()),
    Diagram(
        "neighbours",
        N_("Six places touch f6: f5, g5, e6, g6, e7 and f7, and White has taken them all."),
        Moment("f6; f5 g5 e6 g6 e7 f7; B to move"),
        refuses=("f6", "g5", "l1"),
        allows=("k11",),
    ),
    Diagram("before-swap", N_("Black has begun on b3. White may place a stone, or swap."), _FIRST, allows=("swap",)),
    Diagram(
        "after-swap",
        N_("White has swapped: the stone is White's and lies on c2, and Black is to move."),
        Moment(played=("b3", "swap")),
        becomes="; c2; B to move",
        refuses=("swap", "c2"),
    ),
    Diagram("nearly", N_("One stone is missing in Black's chain: f11, or e11."), _NEARLY, allows=("f11", "e11")),
    Diagram(
        "won",
        N_("f11, and Black has joined top and bottom: the game is over."),
        Moment(_NEARLY.position, ("f11",)),
        wins=(0,),
    ),
)

EXAMPLES = (
    Example("f6", N_("A stone of yours is placed on f6."), Moment(), ("F6", "f 6")),
    Example("k11", N_("A stone of yours is placed in the lower right corner."), _FIRST, ("K11",)),
    Example("swap", N_("White takes over Black's first stone."), _FIRST, ("SWAP",)),
)

SECTIONS = {
    "equipment": N_("The board"),
    "turn": N_("Your turn"),
    "swap": N_("The swap"),
    "end": N_("How it ends"),
    "options": N_("With and without the swap"),
}

PRESENTATION = Presentation(
    pitch=N_("One stone a turn on a board of hexagons: join your two sides before the other side joins theirs."),
    credit=N_("By Piet Hein, 1942, and again by John Nash, 1948."),
    options={"swap": N_("swap")},
    chapter=Chapter(DIAGRAMS, EXAMPLES, _FIRST, "f6", SECTIONS),
    package=__package__,
)
"""How Hex is shown."""
