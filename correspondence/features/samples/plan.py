"""What the starter set holds: which games, how many, and how much the robots think about them."""

from __future__ import annotations

from typing import NamedTuple


class SampleKind(NamedTuple):
    """Sample games of one game with one set of options; `levels` are those of the two robots."""

    game: str
    options: str
    number: int
    levels: tuple[int, int] = (4, 3)


class BookKind(NamedTuple):
    """Games for the opening book: `number` of them, by robots of one level."""

    game: str
    options: str
    number: int
    level: int = 3


class ExerciseKind(NamedTuple):
    """Exercises: at most `number`, from at most `games` games, of which `at_once` need only one move."""

    game: str
    options: str
    number: int
    at_once: int
    games: int


SAMPLES = (
    SampleKind("duel", "", 4),
    SampleKind("duel", "board=sun", 3),
    SampleKind("plateau", "", 6, (3, 2)),
    SampleKind("proteus-tiles", "", 4, (3, 2)),
    SampleKind("proteus-tiles", "repetition=draw", 2, (3, 2)),
    SampleKind("proteus-dice", "", 3),
    SampleKind("proteus-dice", "trade_off=yes", 1),
    SampleKind("proteus-dice", "roulette=before", 1),
    SampleKind("proteus-dice", "roulette=after", 1),
    SampleKind("proteus-dice", "wall_street=open", 1),
    SampleKind("proteus-dice", "wall_street=secret", 1),
    SampleKind("proteus-dice", "polarity=yes", 1),
    SampleKind("proteus-dice", "warhorses=yes", 1),
    SampleKind("proteus-dice", "pawn_double=first", 1),
)
"""Thirty games: each game with each of its main options."""

COMMENTED = ("duel", "proteus-tiles", "proteus-dice")
"""The games of which the first sample with a turning point has comments."""

EXERCISES = (
    ExerciseKind("duel", "", 16, 5, 400),
    ExerciseKind("duel", "board=sun", 6, 2, 150),
    ExerciseKind("proteus-tiles", "", 38, 7, 500),
)
"""Sixty exercises."""

BOOK = (
    BookKind("duel", "", 1_000),
    BookKind("duel", "board=sun", 400),
    BookKind("proteus-tiles", "", 400),
    BookKind("proteus-dice", "", 60, 2),
    BookKind("plateau", "", 150, 2),
)
"""The games of the opening book: two thousand."""
