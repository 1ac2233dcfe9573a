"""The Puzzle's introduction and the positions shown on its rules page."""

from __future__ import annotations

from engines.presentation import Chapter, Diagram, Example, Moment, Presentation, Prompt
from engines.wording import N_

_NEARLY = "W1,W2,W3,W4/B2,B1,B3,B4/W5,B6,W7,B8/B5,W6,B7,W8"
_DEAL = "deal W4 B7 B2 W1 B5 W8 W3 B1 B8 W2 B4 W6 B3 W7 B6 W5"

DIAGRAMS = (
    Diagram("deal", N_("A deal: all sixteen buttons are on the board."), Moment(played=(_DEAL,))),
    Diagram(
        "walk",
        N_("White's 1 crosses one bridge, red or white: from a4 to a3 or b4. There it changes places."),
        Moment(_NEARLY),
        ("a4",),
        squares="a3 b4",
        refuses=("B1a3",),
    ),
    Diagram("nearly", N_("One move from goal 1 …"), Moment(_NEARLY), ("a4",), sign="#", squares="b4"),
    Diagram(
        "goal-1",
        N_("… W1b4=W2#, and the two upper rows match: 2, 1, 3, 4 in White and in Black. Goal 1 is met."),
        Moment(_NEARLY, ("W1b4=W2#",)),
        wins=(0,),
    ),
    Diagram(
        "goal-2",
        N_("Goal 2: the upper rows match and run in sequence, 2, 3, 4, 5."),
        Moment("W2,W3,W4,W5/B2,B3,B4,B5/W1,B6,W7,B8/B1,W6,B7,W8", options="goal=2"),
        wins=(0,),
    ),
    Diagram(
        "goal-3",
        N_("Goal 3: two pairs. The lower one matches, 5, 7, 6, 8, though it is no sequence."),
        Moment("W1,W2,W3,W4/B1,B2,B3,B4/W5,W7,W6,W8/B5,B7,B6,B8", options="goal=3"),
        wins=(0,),
    ),
    Diagram(
        "goal-4",
        N_("Goal 4: two pairs, all in sequence."),
        Moment("W1,W2,W3,W4/W5,W6,W7,W8/B1,B2,B3,B4/B5,B6,B7,B8", options="goal=4"),
        wins=(0,),
    ),
    Diagram(
        "columns",
        N_("Columns count as well as rows: two pairs of matching columns, goal 3."),
        Moment("W1,W5,B5,B1/W2,W6,B6,B2/W4,W8,B8,B4/W3,W7,B7,B3", options="goal=3"),
        wins=(0,),
    ),
    Diagram(
        "no-match",
        N_("No match: White's row reads 1, 2, 3, 4, Black's 4, 3, 2, 1. The order counts."),
        Moment("W1,W2,W3,W4/B4,B3,B2,B1/W5,B6,W7,B8/B5,W6,B7,W8"),
    ),
    Diagram("ring", N_("Ring, our usual board."), Moment(options="board=ring")),
    Diagram("sun", N_("Sun, our other board."), Moment(options="board=sun")),
)

EXAMPLES = (
    Example(
        "W1a3=B2",
        N_("White's 1 walks to a3 and changes places with Black's 2."),
        Moment(_NEARLY),
        ("W1a3", "W1a4-a3"),
    ),
    Example(
        "W1b4=W2#",
        N_("The sign # says that the goal is met."),
        Moment(_NEARLY),
        ("W1b4", "w1a4-b4=w2"),
    ),
    Example(
        "B1b4=W2",
        N_("Black's 1 goes over a black bridge, and the path may be added."),
        Moment(_NEARLY),
        ("B1b4:N", "B1b3-b4"),
    ),
)

SECTIONS = {
    "equipment": N_("The deal"),
    "turn": N_("A move"),
    "goals": N_("The four goals"),
    "end": N_("How it ends"),
    "options": N_("Goals and boards"),
}

CHAPTER = Chapter(DIAGRAMS, EXAMPLES, Moment(played=(_DEAL,)), "W1c4", SECTIONS)
"""The chapter of the rules page."""

PROMPTS = (Prompt(r"[a-d]\d", r"[a-d]\d", N_("Now choose where it walks to.")),)
"""What to touch next in a turn of the Puzzle."""

PRESENTATION = Presentation(
    pitch=N_("All sixteen buttons dealt at random: bring them to the goal in as few moves as you can."),
    credit=N_("By Adam Obren. The printed board is not known to us; the boards are our own."),
    options={"board": N_("board"), "goal": N_("goal")},
    values={"ring": N_("ring"), "sun": N_("sun")},
    chance=N_("Deal"),
    alone=N_("You solve this puzzle."),
    won_alone=N_("Solved."),
    chapter=CHAPTER,
    prompts=PROMPTS,
    package=__package__,
)
"""The presentation of the Puzzle."""
