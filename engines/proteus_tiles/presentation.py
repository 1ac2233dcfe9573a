"""The introduction of Proteus with tiles and the positions shown on its rules page."""

from __future__ import annotations

from engines.presentation import Chapter, Diagram, Example, Moment, Presentation, Prompt, Sign
from engines.proteus_tiles.in_force import MEANINGS
from engines.proteus_tiles.lessons import TilesLessons
from engines.proteus_tiles.tiles import RULES
from engines.scene import Piece
from engines.wording import N_

_BACKS = "Mo,Ms,Mt/To,Ts,Tt/Go,Gs,Gt"
_CIRCLES = ("Mo@b2",)
_KING_UP = ("Mo@b2", "o@b2+Mo", "Ms@a1")
_BOUND = Moment("MoWs,MsWo,Mt/GoWt,To,Gs/Ts,-,- B P")
_KING = Moment("Ms,To*Bo,Gt/Mo*Wt,Go*Ws,TtBs/MtWo,Ts,GsBt B M")
_ROOK = Moment("Ms*,To*Bo,Gt/MoWt,Go*Ws,TtBs/MtWo,Ts,GsBt B M")
_KNIGHT = Moment("Ms,To*Bo,Gt/MoWt,Go*Ws,TtBs/Mt*Wo,Ts,GsBt B M")
_COLOUR = Moment("Ms*,ToBo,Gt/MoWt,Go*Ws,TtBs/MtWo,Ts*,GsBt B M")
_SHAPE = Moment("Ms*,ToBo,Gt/MoWt,Go*Ws,Tt*Bs/MtWo,Ts,GsBt B M")
_CANCEL = "MoBt,Ms*,Go*/MtWo,Ts*Bs,GsWs/To,TtBo,GtWt B M"
_TWO = "MsBo,GoWs,Gt/To*,MtBt,Mo*/TtWo,Gs*Wt,TsBs B M"
_BOTH = "MoBs,TsBt,GtBo/MtWs,To*Wt,Go/Ms*,Tt,Gs*Wo W M"
_TURNED = "MoBs,TtBo,Gt/Ms*,MtWt,GsBt/To*,TsWo,Go*Ws B M"
_COLOUR_GOAL = "Mo*Wo,MsWt,Gt/TsBt,To,MtWs/Go,Gs,Tt W P"
_GAME = (
    *("Mt@a1", "Ms@b2", "o@a1", "Gt@a2", "Ts@b3", "Gs@a3", "s@b2+Ms", "Mo@c2", "Go@c1", "t@b3", "To@c3", "s@c1"),
    *("t@a2+Gt", "o@c3+To", "Tt@b1", "ta3", "a1=a3+Mt", "tb1+Tt", "b2=b3+Ts", "tc2#"),
)

DIAGRAMS = (
    Diagram(
        "tiles",
        N_("All nine tiles, face down: a row for each colour, a column for each shape."),
        Moment(f"{_BACKS} B P"),
    ),
    Diagram(
        "in-force",
        N_("A game in full swing. The three filled tiles are in force; the outlined ones sleep."),
        _ROOK,
    ),
    Diagram(
        "placing",
        N_("Black put a tile on b2. White's circle may go there: it is the only tile on the board."),
        Moment(played=_CIRCLES),
        ("hand:o",),
        squares="b2",
    ),
    Diagram(
        "woken",
        N_("It does, and circle on circle wakes the tile: KING is in force."),
        Moment(played=(*_CIRCLES, "o@b2")),
        allows=("Ms@a1",),
    ),
    Diagram(
        "one-of-a-colour",
        N_("A second Move tile lies on a1. White's triangle may go there, the square may not: it would wake it."),
        Moment(played=_KING_UP),
        ("hand:t",),
        squares="a1",
        allows=("t@a1",),
        refuses=("s@a1",),
    ),
    Diagram(
        "bound",
        N_("The last tiles: Black's circle has to wake To. Any other place for it is refused."),
        _BOUND,
        ("hand:o",),
        squares="b2",
        allows=("o@b2", "s@c2", "t@c3"),
        refuses=("o@a1", "s@a1", "t@a1"),
    ),
    Diagram(
        "king",
        N_("KING: to a neighbouring tile without a piece, diagonals included. Black's square may go to b1 or c3."),
        _KING,
        ("c2",),
        squares="b1 c3",
    ),
    Diagram(
        "rook",
        N_("ROOK: along the row or column, and over a piece in the middle. Black's circle leaps over b2 to b1."),
        _ROOK,
        ("b3",),
        squares="a3 b1 c3",
    ),
    Diagram(
        "knight",
        N_("BISHOP/KNIGHT: to another row and another column at once, however far."),
        _KNIGHT,
        ("c2",),
        squares="a3 b1",
        refuses=("sc3",),
    ),
    Diagram(
        "polarity",
        N_("POLARITY: the tiles under a White and a Black piece. With the tile of a1 it can be that of b3, c1 or c2."),
        _ROOK,
        ("exchange", "a1"),
        squares="b3 c1 c2",
    ),
    Diagram(
        "colour",
        N_("COLOR: two tiles of one colour. The Move tile of a1 can go with the Move tiles of a2 and a3."),
        _COLOUR,
        ("exchange", "a1"),
        squares="a2 a3",
    ),
    Diagram(
        "shape",
        N_("SHAPE: two tiles of one shape. The triangle of a1 can go with those of c2 and c3."),
        _SHAPE,
        ("exchange", "a1"),
        squares="c2 c3",
    ),
    Diagram("before-two", N_("Black to move: the tiles of a3 and b3 are traded …"), Moment(_TWO)),
    Diagram(
        "after-two",
        N_("… and two tiles wake at once: a goal and a way to move. Black stands on a3, b2 and c1, and wins."),
        Moment(_TWO, ("a3=b3+Go+Ms#",)),
        wins=(0,),
    ),
    Diagram(
        "cancel",
        N_("a2=a3 brought two pieces onto sleeping Move tiles of their shape. The two cancel: ROOK stays in force."),
        Moment(_CANCEL, ("a2=a3",)),
    ),
    Diagram(
        "goal-line",
        N_("3-IN-LINE: three in a row, a column or a diagonal. Black's circle went to c3 and completed the column."),
        Moment(_ROOK.position, ("oc3#",)),
        wins=(0,),
    ),
    Diagram(
        "goal-colour",
        N_("COLOR: three tiles of one colour. White stands on three Move tiles; Black's own turn woke the goal."),
        Moment(_COLOUR_GOAL, ("s@b1+Gs#",)),
        wins=(1,),
    ),
    Diagram(
        "goal-shape",
        N_("SHAPE: three tiles of one shape. White stands on three circles and wins."),
        Moment(played=_GAME),
        wins=(1,),
    ),
    Diagram(
        "both",
        N_("White's circle woke the goal 3-IN-LINE, and now both have three in line: nobody wins yet."),
        Moment(_BOTH, ("oc2+Go",)),
    ),
    Diagram(
        "goal-gone",
        N_("Black completes the top row, but the triangle wakes the goal SHAPE: the line no longer counts."),
        Moment(_TURNED, ("tc3+Gt",)),
    ),
)

EXAMPLES = (
    Example("Mo@b2", N_("The tile Mo (Move, circle) is put on b2."), Moment()),
    Example("o@b2+Mo", N_("Your circle onto the tile of b2, which wakes Mo."), Moment(played=_CIRCLES), ("o@b2",)),
    Example("sc3", N_("Your square moves to c3. You have only one, so no more needs to be said."), _ROOK, ("sc2-c3",)),
    Example("a1=c2", N_("The tiles of a1 and c2 change places."), _ROOK, ("c2=a1",)),
    Example("tc3+Gt", N_("A move that wakes a tile: Gt takes over."), Moment(_TURNED), ("tc3", "tc2-c3")),
    Example(
        "a3=b3+Go+Ms#",
        N_("Two tiles are woken, and somebody wins."),
        Moment(_TWO),
        ("a3=b3", "b3=a3"),
    ),
)

SECTIONS = {
    "equipment": N_("Tiles and pieces"),
    "placing": N_("First: placing"),
    "waking": N_("Waking the right tiles"),
    "moving": N_("Then: moving"),
    "trading": N_("Or trading"),
    "changing": N_("How the rules change"),
    "end": N_("How it ends"),
    "options": N_("One option"),
}

CHAPTER = Chapter(DIAGRAMS, EXAMPLES, Moment(played=_GAME[:15]), "ta3", SECTIONS)
"""The chapter of the rules page."""

_SPACE = r"[a-c]\d"
PROMPTS = (
    Prompt(r"(hand|pool):\w+", _SPACE, N_("Now choose where to place it.")),
    Prompt(_SPACE, _SPACE, N_("Now choose where it goes.")),
    Prompt("exchange", _SPACE, N_("Now choose the first of the two tiles.")),
    Prompt(f"exchange {_SPACE}", _SPACE, N_("Now choose the other tile.")),
)
"""What to touch next in a turn of Proteus with tiles."""

PRESENTATION = Presentation(
    pitch=N_("Nine tiles make the board and hold the rules: turn one, and pieces, tiles and goal change."),
    credit=N_(
        "By Michael Waitsman; made by Kadon Enterprises, Inc., whose registered trademark Proteus is for this game."
    ),
    options={"repetition": N_("repeated positions")},
    values={"forbid": N_("forbidden"), "draw": N_("a draw")},
    chapter=CHAPTER,
    signs=tuple(Sign(Piece(tile, "", "tile", face=tile), RULES[tile], MEANINGS[tile]) for tile in RULES),
    signs_of=N_("The rules on the tiles"),
    lessons=TilesLessons(),
    prompts=PROMPTS,
    package=__package__,
)
"""The presentation of Proteus with tiles."""
