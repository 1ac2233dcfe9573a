"""Duel's introduction and the positions shown on its rules page."""

from __future__ import annotations

from engines.duel.lessons import DuelLessons
from engines.presentation import Chapter, Diagram, Example, Moment, Presentation, Prompt
from engines.wording import N_

_MEETING = ".,.,.,./.,B5,W1,./.,.,.,./.,.,.,. B"
_OTHER_SIDE = ".,.,.,./.,W5,B1,./.,.,.,./.,.,.,. W"
_LOOP = Moment(".,.,.,./.,.,.,./.,.,.,B1/W5,.,.,. W")
_CORNER = ".,.,.,./.,.,.,./B1,.,.,./W1,.,.,. W"
_GAME = ("5@a2", "6@b2", "8@b3", "8@a1", "1@c2", "4@d2", "5d2=W4", "2@c1", "1c1=W2", "8d2=B5#")
_BEFORE = Moment(played=_GAME[:6])
_ROWS = "B5,B2,B3,W1/W5,W2,W3,B1/.,.,.,./.,.,.,. W"

DIAGRAMS = (
    Diagram("ring", N_("Ring, our usual board. Red bridges are hatched."), Moment(options="board=ring")),
    Diagram("sun", N_("Sun, our other board: eight bridges of each colour."), Moment(options="board=sun")),
    Diagram(
        "place",
        N_("Black may place a button on c2, c4 or d3: the empty spaces beside a White button."),
        Moment(_MEETING),
        ("hand:1",),
        squares="c2 c4 d3",
        refuses=("1@a1",),
    ),
    Diagram(
        "walk-black",
        N_("Black's 5 crosses five bridges, red and black ones: from b3 it reaches a1, a3 and d2."),
        Moment(_MEETING),
        ("b3",),
        squares="a1 a3 d2",
    ),
    Diagram(
        "walk-white",
        N_("A White 5 on the same space crosses red and white ones, and reaches b4, c1 and d4."),
        Moment(_OTHER_SIDE),
        ("b3",),
        squares="b4 c1 d4",
    ),
    Diagram(
        "loop",
        N_("White's 5 can reach a2, one bridge away, by walking around: up, up, right, down, left."),
        _LOOP,
        ("a1",),
        squares="a2 a4 c2 c4 d3",
        allows=("5a2:NNESW",),
        refuses=("5a1",),
    ),
    Diagram("before-swap", N_("Black's 5 stands on a2, White's 4 on d2."), _BEFORE, ("a2",)),
    Diagram(
        "after-swap",
        N_("5d2=W4: the 5 walks to d2, and the two have changed places."),
        Moment(played=_GAME[:7]),
        becomes=".,.,.,./.,B8,.,./W4,W6,B1,B5/W8,.,.,. W B5W4",
    ),
    Diagram(
        "no-reversal",
        N_("White's 1 has just changed places with Black's 1. Black may not change them back: only b1 is left."),
        Moment(_CORNER, ("1a2=B1",)),
        ("a1",),
        squares="b1",
        refuses=("1a2",),
    ),
    Diagram(
        "line",
        N_("The end of a game: 8d2=B5# fills the second row with White's buttons."),
        Moment(played=_GAME),
        wins=(1,),
    ),
    Diagram(
        "two-lines",
        N_("White's 1 and Black's 1 have changed places, and both sides have a row: the game goes on."),
        Moment(_ROWS, ("1d3=B1",)),
        refuses=("1d3=W1",),
    ),
    Diagram(
        "diagonals",
        N_("Two full diagonals, and nobody has won: only rows and columns count."),
        Moment("W1,.,.,B1/.,W2,B2,./.,B3,W3,./B4,.,.,W4 B"),
    ),
)

EXAMPLES = (
    Example("5@a2", N_("Your 5 is placed on a2."), Moment(), ("B5@a2",)),
    Example("5d2=W4", N_("Your 5 walks to d2 and changes places with White's 4."), _BEFORE, ("5d2", "5a2-d2=W4")),
    Example("5a1", N_("Your 5 walks to a1, which is empty."), Moment(_MEETING), ("B5a1", "5b3-a1")),
    Example(
        "5a2",
        N_("The same notation; the path may be added, a letter for each bridge, and is checked."),
        _LOOP,
        ("5a2:NNESW", "5a1-a2"),
    ),
    Example(
        "8d2=B5#",
        N_("The sign # says that somebody wins."),
        Moment(played=_GAME[:9]),
        ("8d2", "8a1-d2=B5"),
    ),
)

SECTIONS = {
    "equipment": N_("Boards and buttons"),
    "turn": N_("Your turn"),
    "walking": N_("How a button walks"),
    "swapping": N_("Changing places"),
    "end": N_("How it ends"),
    "options": N_("Two boards"),
}

CHAPTER = Chapter(DIAGRAMS, EXAMPLES, Moment(played=_GAME[:5]), "4@d2", SECTIONS)
"""The chapter of the rules page."""

_SPACE = r"[a-d]\d"
PROMPTS = (
    Prompt(r"hand:\d", _SPACE, N_("Now choose where to place it.")),
    Prompt(_SPACE, _SPACE, N_("Now choose where it walks to.")),
)
"""What to touch next in a turn of Duel."""

PRESENTATION = Presentation(
    pitch=N_("Numbered buttons cross exactly as many bridges as they say; four in a row or column win."),
    credit=N_("By Adam Obren. The printed board is not known to us; the boards are our own."),
    options={"board": N_("board")},
    values={"ring": N_("ring"), "sun": N_("sun")},
    chapter=CHAPTER,
    lessons=DuelLessons(),
    prompts=PROMPTS,
    package=__package__,
)
"""The presentation of Duel."""
