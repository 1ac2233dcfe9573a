"""A small invented game, in which tests break one thing at a time: throw a die, then take or pass."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import ClassVar

from engines.base import CHANCE, Game, Outcome, Position
from engines.judging import PositionJudge
from engines.presentation import Chapter, Diagram, Example, Moment, Presentation
from engines.scene import Cell, Piece, Scene
from engines.teaching import Lesson, Lessons
from engines.vocabulary import Vocabulary

GOAL = 12


@dataclass(frozen=True, slots=True)
class Race(Position[str]):
    """The scores of both players, the last throw, and the seat to move."""

    SEATS: ClassVar[tuple[str, ...]] = ("Amber", "Violet")

    far: tuple[int, int] = (0, 0)
    thrown: int = 0
    side: int = 0

    @property
    def outcome(self):
        winners = tuple(seat for seat in (0, 1) if self.far[seat] >= GOAL)
        return Outcome(winners, "coming home first") if winners else None

    @property
    def to_act(self):
        return () if self.outcome else (self.side,) if self.thrown else (CHANCE,)

    def legal_moves(self, seat):
        if seat in self.to_act:
            yield from (f"throws {n}" for n in range(1, 7)) if seat == CHANCE else (f"go {self.thrown}", "stay put")

    def after(self, seat, move):
        if seat == CHANCE:
            return replace(self, thrown=int(move[-1]))
        far = list(self.far)
        far[seat] += self.thrown if move != "stay put" else 0
        return replace(self, far=tuple(far), thrown=0, side=1 - seat)

    def write(self, seat, move):
        return move

    def draw(self):
        pieces = [Piece("AV"[seat], self.SEATS[seat], "button", side=seat) for seat in (0, 1)]
        cells = (Cell(f"{name}1", piece.text, (piece,)) for name, piece in zip("ab", pieces, strict=True))
        title = "Race: it is over" if self.outcome else "Race: somebody is to move"
        return Scene(title, f"Amber has come {self.far[0]}, Violet {self.far[1]}.", ("a", "b"), ("1",), (tuple(cells),))


@dataclass(frozen=True, slots=True)
class Options:
    """No options."""


class Judge(PositionJudge):
    def value(self, position, seat):
        return position.far[seat] - position.far[1 - seat]


class RaceLessons(Lessons):
    def shown(self, before, text, after, learner):
        yield Lesson("passing", "I could have stayed put.")

    def possible(self, position, learner):
        yield Lesson("going", "You can go, or stay put: stay put.", "stay put")


BEGUN = Moment(played=("throws 3",))

SAMPLE = """\
[Game "race"]
[Version "1"]
[Options ""]
[Seats "Amber Violet"]
[Result "1-0"]
[Reason "coming home first"]

""" + "\n".join(
    f"{number}. {line}"
    for number, line in enumerate(
        ("*: throws 6", "Amber: go 6", "*: throws 1", "Violet: stay put", "*: throws 6", "Amber: go 6"), start=1
    )
)


@dataclass(frozen=True, slots=True, eq=False)
class RacePresentation(Presentation):
    """A presentation with texts in place of files."""

    record: str = SAMPLE
    words: str = ""
    italian: str = ""

    def sample(self):
        return self.record

    def page(self):
        return self.words

    def catalogue(self, language):
        return self.italian if language == "it" else ""


ITALIAN = """\
msgid "A race."
msgstr "Una corsa."

msgid "{side} goes on"
msgstr "{chi} va avanti"

msgid "%(side)s goes on"
msgstr "%(chi)s va avanti"

msgid "{side} stays"
msgstr "{side} resta {"
"""

CHAPTER = Chapter(
    (Diagram("board", "The board.", Moment()), Diagram("thrown", "Three was thrown.", BEGUN, allows=("go 3",))),
    (Example("stay put", "You stay where you are.", BEGUN, ("Stay Put",)),),
    BEGUN,
    "go 3",
    {},
)

RACE = Game(
    "race", "Race", Race.SEATS, Options, lambda options: Race(), "go 3 goes as far as was thrown; stay put stays.",
    vocabulary=Vocabulary(squares="[ab]1", moves=("go [1-6]", "stay put", "throws [1-6]")),
    presentation=RacePresentation(pitch="A race.", credit="Nobody's.", chapter=CHAPTER, lessons=RaceLessons()),
    judge=Judge(),
)  # fmt: skip
"""The game without faults."""


class FailingLessons(Lessons):
    def shown(self, before, text, after, learner):
        yield Lesson("general", "This is told.", is_general=True)
        raise ZeroDivisionError("nothing to teach")

    def possible(self, position, learner):
        raise ZeroDivisionError("nothing to teach")


NEVER = Moment(played=("throws 9",))

WRECK = replace(
    RACE, key="wreck", name="Wreck",
    presentation=RacePresentation(
        pitch="Its rules hold.", lessons=FailingLessons(), italian=ITALIAN, record=SAMPLE.replace("go 6", "go 5"),
        words='{% extends "rules.html" %}{% block chapter %}{{ no.such.thing }}{% endblock %}',
        chapter=replace(
            CHAPTER, letter=NEVER,
            diagrams=(*CHAPTER.diagrams, Diagram("never", "Nine was thrown.", NEVER),
                      Diagram("cropped", "A part.", Moment(), crop=("x1", "z9"))),
        ),
    ),
)  # fmt: skip
"""The game with correct rules and everything else wrong."""


class LateRace(Race):
    __slots__ = ()

    def write(self, seat, move):
        if "correspondence.rulebook" in sys.modules:
            raise ZeroDivisionError("it was fine before")
        return move


LATE = replace(
    RACE,
    key="late",
    name="Late",
    start=lambda options: LateRace(),
    judge=None,
    presentation=RacePresentation(pitch="Late.", record="", italian='msgid "open\nmsgstr none'),
)
"""The game, failing after it has passed its trial: nothing of it can be shown."""
