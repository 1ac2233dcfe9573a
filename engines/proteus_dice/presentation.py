"""The introduction of Proteus with dice and the positions shown on its rules page."""

from __future__ import annotations

from dataclasses import replace

from engines.presentation import Chapter, Diagram, Example, Moment, Presentation, Prompt
from engines.proteus_dice.lessons import DiceLessons
from engines.wording import N_

_START = Moment()
_CHAIN = "8/8/8/YPBNRQ2/8/8/8/6pp w"
_PYRAMID = Moment("1p1y4/2B5/8/y7/8/1N6/7P/R7 w")
_QUEEN = "7p/6p1/R7/4q3/8/8/P7/8 w"
_SHIELD = "7p/6p1/4p3/3Pq3/8/8/P7/2P5 w"
_POLARITY = "8/p7/1b3n2/2q1p3/3B3q/8/5r2/3N4 w"
_BOTH_WAYS = "polarity=yes warhorses=yes"
_SEALED = ("roll 2-4", "setup PPBPNPPP")
_PLACING = ("army QPPPPPPP", "army BBBBPPPP", "roll 4-2", "Q@d2", "b@d8")
_TOLD_APART = Moment("7p/6p1/8/8/R6R/8/8/P2R4 w")
_WANDERER = ("b4/a1=B", "e6/b8=B", "b5/e1=B", "g6/b8=P", "Bb2/e1=P", "e5/b8=B", "d3/b2=P", "g5/b8=P")
_FEW = Moment("7p/y7/8/8/8/8/8/P1P4R w")
_THROWN = Moment(_QUEEN, ("Re6^",), "roulette=before")

DIAGRAMS = (
    Diagram("start", N_("The beginning: sixteen pawns on the dark squares, White to move."), _START),
    Diagram(
        "chain",
        N_("The chain, from the pyramid (1) to the queen (6). One turn is one step to the left or to the right."),
        Moment(_CHAIN),
        crop=("a5", "f5"),
        alt=N_("Six dice in a row: pyramid 1, pawn 2, bishop 3, knight 4, rook 5, queen 6."),
    ),
    Diagram(
        "turn",
        N_("White's first turn, c3/f2=B: the pawn from c1 steps to c3, and the die on f2 becomes a bishop."),
        Moment(played=("c3/f2=B",)),
        becomes="1p1p1p1p/p1p1p1p1/8/8/8/2P5/1P1P1B1P/P3P1P1 b 0-0 1 1",
    ),
    Diagram(
        "pawn",
        N_("The pawn on d4 may step to d5, or capture on c5 or e5."),
        Moment("1p5p/8/8/2p1n3/3P4/8/8/P7 w"),
        ("d4",),
        squares="c5 d5 e5",
        crop=("b6", "f3"),
    ),
    Diagram(
        "double",
        N_("From one of its side's starting squares a pawn may step two squares, here from b2 to b4."),
        Moment("7p/6p1/8/8/8/8/PP6/8 w"),
        ("b2",),
        squares="b3 b4",
        refuses=("a4/b2=B",),
        crop=("a5", "e1"),
    ),
    Diagram(
        "pyramid",
        N_("The rook on a1 runs up to a4: the pyramid on a5 can be neither captured nor passed."),
        _PYRAMID,
        ("a1",),
        squares="a2 a3 a4 b1 c1 d1 e1 f1 g1 h1",
    ),
    Diagram(
        "knight",
        N_("The knight leaps over whatever is near, but cannot land on the pyramid, nor on its own rook."),
        _PYRAMID,
        ("b3",),
        squares="c1 c5 d2 d4",
    ),
    Diagram(
        "backstab",
        N_("A queen looks ahead, never behind her. Black's queen on e5 can be stabbed from e6."),
        Moment(_QUEEN),
        ("a6",),
        sign="^",
        squares="e6",
        crop=("a7", "f2"),
    ),
    Diagram(
        "backstabbed",
        N_("Re6^/a2=B: she is gone, for 6 points, and the rook stays where it went."),
        Moment(_QUEEN, ("Re6^/a2=B",)),
        becomes="7p/6p1/4R3/8/8/8/B7/8 b 6-0 0 1",
        crop=("a7", "f2"),
    ),
    Diagram(
        "shield",
        N_("Two at one blow: the square behind the queen is taken by a Black pawn that White's pawn can capture."),
        Moment(_SHIELD),
        ("d5",),
        squares="d6 e6",
        crop=("a7", "f2"),
    ),
    Diagram(
        "both-taken",
        N_("dxe6^/a2=B: pawn and queen are captured together, 8 points."),
        Moment(_SHIELD, ("dxe6^/a2=B",)),
        becomes="7p/6p1/4P3/8/8/8/B7/2P5 b 8-0 0 1",
        crop=("a7", "f2"),
    ),
    Diagram(
        "last-die",
        N_("Rxh8 leaves Black one die, a pyramid. The game is over, and White wins by 2 to 0."),
        replace(_FEW, played=("Rxh8",)),
        wins=(0,),
    ),
    Diagram(
        "stuck",
        N_("Black cannot move: two pyramids, and a pawn on its last rank. Twelve points do not help: White wins."),
        Moment("1y6/y7/8/8/8/8/8/P1P1p2R b 0-12"),
        wins=(0,),
    ),
    Diagram(
        "trade-off",
        N_("f2==N: the whole turn is two steps of one die, from pawn to knight."),
        Moment(played=("f2==N",), options="trade_off=yes"),
        becomes="1p1p1p1p/p1p1p1p1/8/8/8/8/1P1P1N1P/P1P1P1P1 b 0-0 1 1",
    ),
    Diagram(
        "roulette",
        N_("The rook has captured and was thrown: a knight. Now White turns another die, and only a2 is left."),
        replace(_THROWN, played=("Re6^", "{N}")),
        (),
        squares="a2",
        allows=("a2=B", "a2=Y"),
        refuses=("e6=R",),
    ),
    Diagram(
        "sealed-own",
        N_("What White sees: White's own set-up, handed in."),
        Moment("", _SEALED, "wall_street=secret"),
        eyes=0,
        beside=True,
        crop=("a2", "h1"),
    ),
    Diagram(
        "sealed-other",
        N_("What Black and everybody else see: eight dice, unseen."),
        Moment("", _SEALED, "wall_street=secret"),
        eyes=1,
        beside=True,
        crop=("a2", "h1"),
    ),
    Diagram(
        "placing-own",
        N_("Open Wall Street after the first two dice, as White sees it. Seven dice are still in hand."),
        Moment("", _PLACING, "wall_street=open"),
        eyes=0,
        beside=True,
        allows=("P@a1",),
        refuses=("B@a1",),
    ),
    Diagram(
        "placing-other",
        N_("The same position as Black sees it: everybody sees the queen, and Black can only guess the rest."),
        Moment("", _PLACING, "wall_street=open"),
        eyes=1,
        beside=True,
    ),
    Diagram(
        "polarity",
        N_("The bishop on d4 is odd. It may take the even queen and the even pawn; the odd rook on f2 is safe."),
        Moment(_POLARITY, options="polarity=yes"),
        ("d4",),
        squares="a1 b2 c3 c5 e3 e5",
        allows=("Bxc5/d1=R", "Bxe5/d1=R"),
        refuses=("Bxf2/d1=R",),
    ),
    Diagram(
        "warhorses",
        N_("With Warhorses, the bishop is even too: now the rook may be captured, but the queen and the pawn may not."),
        Moment(_POLARITY, options=_BOTH_WAYS),
        ("d4",),
        squares="a1 b2 c3 e3 f2",
        allows=("Bxf2/d1=B",),
        refuses=("Bxc5/d1=B",),
    ),
    Diagram(
        "double-home",
        N_("home: this pawn went away as a bishop and came back to b2. It may still step to b4."),
        Moment(played=_WANDERER),
        ("b2",),
        squares="b3 b4",
    ),
    Diagram(
        "double-first",
        N_("first: it has moved before, so only b3 is left."),
        Moment(played=_WANDERER, options="pawn_double=first"),
        ("b2",),
        squares="b3",
    ),
)

EXAMPLES = (
    Example("c3/f2=B", N_("A pawn to c3, then the die on f2 becomes a bishop."), _START, ("c1-c3/f2=B", "c3 f2+")),
    Example("Nc5/h2=B", N_("A knight to c5."), _PYRAMID, ("b3-c5/h2=B",)),
    Example("Bxb8/h2=Y", N_("A bishop captures on b8."), _PYRAMID, ("c7xb8/h2=Y",)),
    Example(
        "Rad4/a1=B",
        N_("Two rooks or more could go to d4: the one from the a-file does."),
        _TOLD_APART,
        ("Ra4d4/a1=B", "a4-d4/a1=B"),
    ),
    Example("Rdd4/a1=B", N_("The one from the d-file."), _TOLD_APART, ("d1-d4/a1=B",)),
    Example("Re6^/a2=B", N_("The sign ^ says that a queen is backstabbed."), Moment(_QUEEN), ("Re6/a2=B",)),
    Example("dxe6^/a2=B", N_("Captured and backstabbed at once."), Moment(_SHIELD), ("d5xe6/a2=B",)),
    Example("Rxh8", N_("A move that ends the game: no die is turned any more."), _FEW, ("h1-h8", "Rxh8#")),
    Example(
        "f2==N",
        N_("Trade-Off: a double rotation, two steps at once."),
        Moment(options="trade_off=yes"),
        ("f2=N",),
    ),
    Example("Re6^", N_("Roulette before the rotation: first the capture alone."), replace(_THROWN, played=())),
    Example("a2=B", N_("And when the throw is known, the die you turn."), replace(_THROWN, played=("Re6^", "{N}"))),
    Example(
        "army QPPPPPPP",
        N_("Wall Street, open: the dice you buy."),
        Moment(options="wall_street=open"),
        ("army PPPPPPPQ",),
    ),
    Example(
        "Q@d2",
        N_("Wall Street, open: your queen is placed on d2."),
        Moment("", _PLACING[:3], "wall_street=open"),
    ),
    Example(
        "setup PPBPNPPP",
        N_("Wall Street, secret: your dice on the files a to h."),
        Moment("", ("roll 2-4",), "wall_street=secret"),
        ("setup PP BP NP PP",),
    ),
)

SECTIONS = {
    "equipment": N_("Board and dice"),
    "turn": N_("Your turn"),
    "pieces": N_("How the dice move"),
    "captures": N_("Captures and points"),
    "backstab": N_("The backstab"),
    "end": N_("How it ends"),
    "variants": N_("Five variants"),
    "secrets": N_("Hidden information on Wall Street"),
}

CHAPTER = Chapter(
    DIAGRAMS,
    EXAMPLES,
    Moment(played=("a3/g1=B", "e6/d8=B", "h4/d2=B", "Bxh4/a7=B")),
    "c3/e1=Y",
    SECTIONS,
)
"""The chapter of the rules page."""

_SQUARE = r"[a-h]\d"
PROMPTS = (
    Prompt(rf"{_SQUARE} {_SQUARE}", _SQUARE, N_("Now turn another die.")),
    Prompt(_SQUARE, _SQUARE, N_("Now choose where it goes.")),
    Prompt(_SQUARE, rf"{_SQUARE}|==.", N_("Now choose where it goes, or what it becomes.")),
    Prompt(rf"({_SQUARE} )*{_SQUARE}", "==?.", N_("Now choose what it becomes.")),
    Prompt(r"hand:\w", _SQUARE, N_("Now choose where to place it.")),
    Prompt(r"([a-h]:\w ?)+", r"[a-h]:\w", N_("Now choose the next die.")),
)
"""What to touch next in a turn of Proteus with dice."""

PRESENTATION = Presentation(
    pitch=N_("Chess without kings, played by sixteen dice: move one, then turn another up or down."),
    credit=N_(
        "By Francis Lalumière, developed by Steve Jackson; published in 2001 by Steve Jackson Games, "
        "whose registered trademark Proteus is for this game."
    ),
    options={
        "trade_off": N_("Trade-Off"),
        "roulette": N_("Russian Roulette"),
        "wall_street": N_("Wall Street"),
        "polarity": N_("Polarity"),
        "warhorses": N_("Warhorses"),
        "pawn_double": N_("double step of pawns"),
    },
    values={
        "before": N_("before turning"),
        "after": N_("after turning"),
        "open": N_("open"),
        "secret": N_("secret"),
        "home": N_("from the home row"),
        "first": N_("at the first move"),
    },
    chance=N_("Dice"),
    chapter=CHAPTER,
    lessons=DiceLessons(),
    prompts=PROMPTS,
    package=__package__,
)
"""The presentation of Proteus with dice."""
