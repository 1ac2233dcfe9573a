"""Plateau's introduction and the positions shown on its rules page."""

from __future__ import annotations

from engines.plateau.lessons import PlateauLessons
from engines.presentation import Chapter, Diagram, Example, Moment, Presentation, Prompt
from engines.wording import N_

_OPENED = ("+b1 xx,rb", "+d4 bb,rr")
_RISEN = Moment("c3: Bxx Bbb Wrr; W to move")
_DROP = "a1: Wxx Wxx Wrr; d4: Brr; W to move"
_PICK_UP = "a1: Wxx Wrr; b1: Wxx Wbb Wxx; d4: Brr; W to move"
_CAPTURE = "a1: Wxx Wrr; b1: Bbb Bxb; d4: Brr; W to move"
_LONG = "a1: Wxx Wrr; b1: Wbb; c1: Bxx Wrr Bbb Bxr; W to move"
_STOMP = "b2: Bxx Bbb Wxr; W to move"
_PIN = "a1: Wxx Wrr Wrr; b1: Bbb; d4: Brr; W to move"
_BLANK = Moment("a1: Wrr Wxx Wrr; b1: Bbb; d4: Brr; W to move")
_TWISTER = Moment("a1: Wox; b1: Bxx; W to move")
_MERGE = "a1: Wxx Wxx Wrr; b1: Wxx Wrr Wbb Bxx; W to move"
_PRISONERS = "a1: Wxx Wrr; b1: Bbb Bxb; W holds M,M,M,R,RM; W to move"
_TRADE = "a1: Bxx Brr; d1: Wxx Wrr; B holds M,R; W holds M,R,BM; B to move"
_SECRET = ("+a1 xr,xb", "+d4 bb,rr")
_SLID = "b1: Bbb Bxb; c3: Wrr; B to move"

DIAGRAMS = (
    Diagram("hand", N_("The beginning, as Black sees it: twelve pieces in hand."), Moment(), eyes=0, beside=True),
    Diagram(
        "opening",
        N_("Black opened with a Mute under the Ace, red side up: +b1 xx,rb. White's first stack stands on d4."),
        Moment(played=_OPENED),
        becomes="b1: Bxx Brb; d4: Wbb Wrr; B to move",
    ),
    Diagram(
        "onboard",
        N_("White may put a piece on any empty square, or into c3, where it would touch White's red piece."),
        _RISEN,
        ("hand:M",),
        squares="a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4",
        allows=("+c3/3 xx", "+c3/2 xx"),
        refuses=("+c3/1 xx", "+c3/0 xx"),
    ),
    Diagram(
        "onboarded",
        N_("+c3/2 xx: slid in above two pieces, right under White's own."),
        Moment(_RISEN.position, ("+c3/2 xx",)),
        becomes="c3: Bxx Bbb Wxx Wrr; B to move",
    ),
    Diagram(
        "red",
        N_("Red up: straight ahead. This unit has two pieces, so one or two squares."),
        Moment("b2: Wxx Wrr; W to move"),
        ("b2",),
        squares="b1 a2 c2 d2 b3 b4",
    ),
    Diagram(
        "blue",
        N_("Blue up: diagonally, one or two squares."),
        Moment("b2: Wxx Wbb; W to move"),
        ("b2",),
        squares="a1 c1 a3 c3 d4",
    ),
    Diagram(
        "blank",
        N_("Blank up: any of the eight directions, one or two squares. But it cannot capture."),
        Moment("b2: Wrr Wxx; W to move"),
        ("b2",),
        squares="a1 b1 c1 a2 c2 d2 a3 b3 c3 b4 d4",
    ),
    Diagram(
        "orange",
        N_("Orange up: one square straight, then one diagonally onward, a knight's move in all."),
        Moment("b2: Wox; W to move"),
        ("b2",),
        squares="d1 d3 a4 c4",
    ),
    Diagram("before-drop", N_("Three White pieces on a1, red up."), Moment(_DROP), crop=("a2", "d1")),
    Diagram(
        "after-drop",
        N_("a1(3)-b1(2)-c1(1)-d1: three set out, one stays on b1, one on c1, and the red one goes on to d1."),
        Moment(_DROP, ("a1(3)-b1(2)-c1(1)-d1",)),
        crop=("a2", "d1"),
        becomes="b1: Wxx; c1: Wxx; d1: Wrr; d4: Brr; B to move",
    ),
    Diagram(
        "before-pick-up",
        N_("Two set out from a1, and three of their own wait on b1."),
        Moment(_PICK_UP),
        crop=("a2", "d1"),
    ),
    Diagram(
        "after-pick-up",
        N_("a1(2)-b1(5)-c1: all five arrive. They cannot go on: the unit of a1 had only two pieces."),
        Moment(_PICK_UP, ("a1(2)-b1(5)-c1",)),
        crop=("a2", "d1"),
        becomes="c1: Wxx Wbb Wxx Wxx Wrr; d4: Brr; B to move",
    ),
    Diagram(
        "before-capture",
        N_("White's two pieces on a1 are red up; two Black pieces lie on b1."),
        Moment(_CAPTURE),
        crop=("a2", "d1"),
    ),
    Diagram(
        "after-capture",
        N_("a1(2)-b1x2: they land on b1 and take both."),
        Moment(_CAPTURE, ("a1(2)-b1x2",)),
        crop=("a2", "d1"),
        beside=True,
        becomes="b1: Wxx Wrr; d4: Brr; W holds B,BM; B to move",
    ),
    Diagram(
        "before-release", N_("White's red piece on c1 is pinned: Black lies on it."), Moment(_LONG), crop=("a2", "d1")
    ),
    Diagram(
        "after-release",
        N_("a1(2)-b1(2)-c1x2: two are captured from the top, and the pinned piece is free again."),
        Moment(_LONG, ("a1(2)-b1(2)-c1x2",)),
        crop=("a2", "d1"),
        becomes="b1: Wbb; c1: Bxx Wrr Wxx Wrr; W holds B,RM; B to move",
    ),
    Diagram(
        "before-stomp",
        N_("Blank up, White's Red Mask on b2 takes nothing; but its other face is red."),
        Moment(_STOMP),
        allows=("b2~x1",),
        refuses=("b2x1",),
    ),
    Diagram(
        "after-stomp",
        N_("b2~x1: turned over, and the piece beneath is captured without taking a step."),
        Moment(_STOMP, ("b2~x1",)),
        becomes="b2: Bxx Wrx; W holds B; B to move",
    ),
    Diagram(
        "before-pin", N_("Three White pieces on a1, and a Black one in the way on b1."), Moment(_PIN), crop=("a2", "d1")
    ),
    Diagram(
        "after-pin",
        N_("a1(3)-b1(1)-c1: two were left on b1, red up. Black's piece lies pinned beneath them."),
        Moment(_PIN, ("a1(3)-b1(1)-c1",)),
        crop=("a2", "d1"),
        becomes="b1: Bbb Wxx Wrr; c1: Wrr; d4: Brr; B to move",
    ),
    Diagram(
        "no-pin",
        N_("Here the same is refused: what stays on b1 would show a blank. White may jump, though."),
        _BLANK,
        ("a1",),
        allows=("a1(3)-b1(3)-c1",),
        refuses=("a1(3)-b1(1)-c1",),
    ),
    Diagram(
        "tender",
        N_("Black tenders a Mute and a Red, worth 6. White must pay at least 6 out of Mute, Red and Blue Mask."),
        Moment(_TRADE, ("tender M,R",)),
        beside=True,
        allows=("pay M,R", "pay BM"),
        refuses=("refuse", "pay R"),
        crop=("a1", "d1"),
    ),
    Diagram(
        "paid",
        N_("White paid the Blue Mask, worth 8. All three pieces are back in their owners' hands, and White moves."),
        Moment(_TRADE, ("tender M,R", "pay BM")),
        beside=True,
        becomes="a1: Bxx Brr; d1: Wxx Wrr; W holds M,R; W to move",
        crop=("a1", "d1"),
    ),
    Diagram(
        "six-unit",
        N_("a1(3)-b1x1 captures the Black piece, and six White pieces lie together: White wins."),
        Moment(_MERGE, ("a1(3)-b1x1",)),
        wins=(1,),
        crop=("a2", "d1"),
    ),
    Diagram(
        "six-prisoners",
        N_("White held five prisoners. a1(2)-b1x2 makes seven, and that is enough."),
        Moment(_PRISONERS, ("a1(2)-b1x2",)),
        beside=True,
        wins=(1,),
        crop=("a2", "d1"),
    ),
    Diagram(
        "seen-black",
        N_("As Black sees it: both Black pieces in full, up face and down face; of White's only the top."),
        Moment(played=_SECRET),
        eyes=0,
        beside=True,
    ),
    Diagram(
        "seen-white",
        N_("As White sees it: now Black's stack keeps its secret."),
        Moment(played=_SECRET),
        eyes=1,
        beside=True,
    ),
    Diagram(
        "seen-onlooker",
        N_("As everybody else sees it: two stacks, two top faces, nothing more."),
        Moment(played=_SECRET),
        eyes=None,
        beside=True,
    ),
    Diagram(
        "seen-after",
        N_(
            "Black turned the top piece over and moved both to b2. White knows both its faces now, and the one beneath."
        ),
        Moment(played=(*_SECRET, "a1~(2)-b2")),
        eyes=1,
        beside=True,
    ),
)

EXAMPLES = (
    Example("+b1 xx,rb", N_("The opening: a Mute on b1, and on it the Ace, red up."), Moment()),
    Example("+c3 xr", N_("A Red Mask, blank up, onto the empty c3."), Moment(played=_OPENED)),
    Example("+b1/1 xx", N_("A Mute into the stack on b1, above one piece."), Moment(_SLID)),
    Example("+b1/2 xx", N_("On top of your own stack of two."), Moment(_SLID), ("+b1 xx",)),
    Example(
        "a1(3)-b1(2)-c1(1)-d1",
        N_("Three set out, two go on from b1, one from c1; one stays on each."),
        Moment(_DROP),
    ),
    Example("a1(3)-b1(3)-c1", N_("All three to c1."), Moment(_DROP), ("a1-c1", "a1(3)-c1")),
    Example("a1(2)-b1(5)-c1", N_("Two set out and take three more along."), Moment(_PICK_UP), ("a1-b1(5)-c1",)),
    Example("a1(2)-b1x2", N_("A capture of two."), Moment(_CAPTURE), ("a1-b1", "a1-b1x")),
    Example("b2~x1", N_("The top piece is turned over, then captures in place."), Moment(_STOMP), ("b2~x",)),
    Example(
        "a1(1)-b1(1)-c2",
        N_("A Twister by way of b1; the way may be left out where only one is possible."),
        _TWISTER,
        ("a1-b1(1)-c2",),
    ),
    Example("tender M,R", N_("You offer a Mute and a Red out of your prisoners."), Moment(_TRADE), ("tender R,M",)),
    Example("pay BM", N_("You pay with a Blue Mask."), Moment(_TRADE, ("tender M,R",))),
    Example(
        "refuse",
        N_("You refuse a tender, where that is allowed."),
        Moment(_TRADE.replace("M,R,BM", "A"), ("tender M,R",)),
    ),
)

SECTIONS = {
    "equipment": N_("Board and pieces"),
    "opening": N_("The opening"),
    "turn": N_("Your turn"),
    "onboarding": N_("Onboarding"),
    "moving": N_("Moving"),
    "capturing": N_("Capturing"),
    "pins": N_("Pins"),
    "exchange": N_("Exchanging prisoners"),
    "end": N_("How it ends"),
    "secrets": N_("Hidden information"),
    "options": N_("Options"),
}

CHAPTER = Chapter(
    DIAGRAMS, EXAMPLES, Moment(played=("+d1 br,xr", "+a3 rr,xr", "+a1 bb", "+b3 rr")), "+d1/1 rr", SECTIONS
)
"""The chapter of the rules page."""

_SQUARE = r"[a-d]\d"
PROMPTS = (
    Prompt(r".*hand:\w+", "up:.", N_("Now choose which side is up.")),
    Prompt(r"hand:\w+( up:.)?", r"hand:\w+", N_("Now choose the piece on top of it.")),
    Prompt(r"hand:.*", _SQUARE, N_("Now choose where to place it.")),
    Prompt(rf"hand:.* {_SQUARE}", r"at:\d+", N_("Now choose its place in the stack.")),
    Prompt(rf"{_SQUARE}( ~)?", rf"{_SQUARE}|~|x", N_("Now choose where it goes.")),
    Prompt(r".*", rf"{_SQUARE}\(\d+\)", N_("Now choose how many pieces go on.")),
    Prompt(r"prisoner:.*", r"prisoner:\w+|done", N_("Add a prisoner, or offer these.")),
)
"""What to touch next in a turn of Plateau."""

PRESENTATION = Presentation(
    pitch=N_("Stacks of two-sided disks whose undersides are secret: build six high, or take six prisoners."),
    credit=N_("By Jim Albea, 1986, with the illustrated rules of 2009."),
    chapter=CHAPTER,
    lessons=PlateauLessons(),
    prompts=PROMPTS,
    package=__package__,
)
"""The presentation of Plateau."""
