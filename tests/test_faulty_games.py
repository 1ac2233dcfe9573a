"""A package's game that is faulty is left out with a sentence, and nothing of it stops the service."""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass, replace
from enum import Enum
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Annotated

import pytest

from correspondence.commands.arguments import _BEFORE_SEATS, _RATED, _UNRATED
from correspondence.commands.pace import UNITS
from correspondence.matchmaking import conditions
from engines import GAMES, OURS
from engines.backtracking import endless
from engines.base import CHANCE
from engines.judging import LEVELS
from engines.options import RESERVED_OPTIONS, Between
from engines.presentation import Diagram, Moment, Presentation
from engines.registry import GROUP, find
from engines.search.levels import LAPSES, NAMES, PLAYED_ON
from engines.trial import RESERVED_SEATS, RESERVED_TAGS
from engines.vocabulary import Vocabulary
from tests.small_game import RACE, Judge, Race


@pytest.fixture
def load(monkeypatch):
    """What the registry finds where a package brings this game under the key `race`."""

    def load(game):
        monkeypatch.setitem(sys.modules, "bringing", SimpleNamespace(GAME=game))
        return find(OURS, [EntryPoint("race", "bringing:GAME", GROUP)])

    return load


def words(**fields):
    return replace(RACE, vocabulary=Vocabulary(**fields))


def options(kind, default, name="length"):
    """The game with one option of this type."""
    made = type("Options", (), {"__annotations__": {name: kind}, name: default, "__module__": __name__})
    return replace(RACE, Options=dataclass(frozen=True)(made))


def presented(**fields):
    return replace(RACE, presentation=replace(RACE.presentation, **fields))


def judged(**fields):
    return replace(RACE, judge=type("Judge", (Judge,), fields)())


def seated(*seats):
    """The game with these seats, which its positions know too."""
    return replace(RACE, seats=seats, start=lambda chosen: type("Seated", (Race,), {"SEATS": seats, "__slots__": ()})())


def played(**members):
    """The game with positions of which these members are different."""
    kind = type("Other", (Race,), {"__slots__": (), "__module__": __name__, **members})
    return replace(RACE, start=lambda chosen: kind())


def drawn_by(draw):
    """The game whose chance draws with this function of a generator."""

    def random_move(self, seat, rng):
        return f"throws {draw(rng)}" if seat == CHANCE else Race.random_move(self, seat, rng)

    return played(random_move=random_move)


class Speed(Enum):
    SLOW = "slow"
    VERY_FAST = "very fast"


FAULTY = {
    "a pattern that does not compile": (words(moves=("(toss",)), "is no regular expression"),
    "a pattern of squares that does not compile": (words(squares="[a-"), "is no regular expression"),
    "flags in the middle of a pattern": (words(moves=("(?i)toss",)), "is no regular expression"),
    "a group with a name": (words(squares="(?P<file>[a-d])[1-4]"), "is no regular expression"),
    "a pattern that refers back": (words(squares=r"([a-d])\1"), "refers to a group by number"),
    "a pattern that fits nothing": (words(squares="[a-d]?[1-4]?"), "fits an empty text"),
    "a pattern that fits everything": (words(moves=(".+",)), "is too broad: it would take “Hello!” for a move"),
    "a pattern that fits every word": (words(moves=("[a-z]+",)), "is too broad"),
    "squares that fit every word": (words(squares=r"\w+"), "is too broad"),
    "a pattern that backtracks without end": (words(moves=("toss", "toss (x+)+")), "“toss (x+)+” takes too long on some lines"),
    "squares that backtrack without end": (words(squares=r"([a-d]+[0-9]?)+[1-4]"), "takes too long on some lines"),
    "patterns that are one text": (words(moves="toss"), "vocabulary.moves is 'toss', and should be a tuple."),
    "faces that break a class of letters": (words(faces="x]", row=3), "letters and figures only"),
    "a row without faces": (words(row=8), "vocabulary.faces must name some"),
    "six budgets": (judged(budgets=(1, 2, 3, 4, 5, 6)), "there are exactly 5"),
    "four budgets": (judged(budgets=(1, 2, 3, 4)), "there are exactly 5"),
    "a budget of nothing": (judged(budgets=(0, 1, 2, 3, 4)), "from 1 up"),
    "budgets that are no numbers": (judged(budgets=("few", "some", "many", "more", "most")), "there are exactly 5"),
    "a judge that raises": (judged(value=lambda self, position, seat: 1 / 0), "it failed with ZeroDivisionError"),
    "a judge that says nothing": (judged(value=lambda self, position, seat: "good"), "it failed with TypeError"),
    "a judge that is none": (replace(RACE, judge=Judge), "judge is"),
    "a seat with a blank": (seated("First Player", "Second"), "a seat is one word"),
    "a seat in small letters": (seated("amber", "Violet"), "a seat is one word"),
    "a seat with an accent": (seated("Ámber", "Violet"), "a seat is one word"),
    "a seat that is a tag": (seated("Date", "Violet"), "cannot be called “Date”"),
    "a seat that is a word of challenges": (seated("Days", "Violet"), "cannot be called “Days”"),
    "two seats of one name": (seated("Amber", "AMBER"), "the same name"),
    "three seats": (seated("Amber", "Violet", "Green"), "for one or two"),
    "seats that the positions do not know": (replace(RACE, seats=("Red", "Blue")), "whose SEATS are those of the Game"),
    "a name of two lines": (replace(RACE, name="Race\nto the end"), "a name is one line"),
    "no name": (replace(RACE, name=" "), "a name is one line"),
    "a name of another game": (replace(RACE, name="Duel"), "means the game “duel”, too"),
    "a name as another key": (replace(RACE, name="Proteus dice"), "means the game “proteus-dice”, too"),
    "no notation": (replace(RACE, notation=""), "Game.notation must say"),
    "an option that a seek takes": (options(bool, False, "rating"), "cannot be called “rating”"),
    "an option with a capital": (options(bool, False, "Long"), "cannot be called “Long”"),
    "a value with a blank": (options(Speed, Speed.SLOW), "values are words without blanks"),
    "a default that is no value": (options(Annotated[int, Between(1, 4)], 9), "none of its values"),
    "endless values": (options(Annotated[int, Between(0, 10**9)], 1), "An option has at most 100 values"),
    "an option of another type": (options(str, "long"), "An option is a bool"),
    "a presentation that is none": (replace(RACE, presentation="A race."), "should be a Presentation"),
    "a package that is not there": (replace(RACE, presentation=Presentation(package="no_such_thing")), "it failed with"),
    "words that are no text": (presented(pitch=3), "presentation.pitch is 3, and should be a text."),
    "a diagram whose moves are one text": (
        presented(chapter=replace(RACE.presentation.chapter, letter=Moment(played="stay put"))), "should be a tuple"),
    "lessons that are none": (presented(lessons=("go",)), "should be a Lessons or None"),
    "chance that draws a fraction": (drawn_by(lambda rng: 1 + int(rng.random() * 6)), "Chance draws whole numbers only"),
    "chance that weighs": (drawn_by(lambda rng: rng.choices(range(1, 7))[0]), "Chance draws whole numbers only"),
    "chance that draws elsewhere": (drawn_by(lambda rng: random.SystemRandom().randint(1, 6)), "from the same seed"),
    "chance that needs more than a generator": (
        drawn_by(lambda rng: 1 + rng.below(6)), "it failed with AttributeError"),
    "moves that do not read back": (played(parse=lambda self, seat, text: "stay put"), "is read as another one"),
    "moves that cannot be written": (played(write=lambda self, seat, move: 1 / 0), "it failed with ZeroDivisionError"),
    "a picture that raises": (played(draw=lambda self: 1 / 0), "it failed with ZeroDivisionError"),
    "a view that raises": (played(view=lambda self, viewer: self.no_such_thing), "it failed with AttributeError"),
    "nobody to act": (played(to_act=()), "somebody must be able to act"),
    "a seat that there is not": (played(to_act=(7,)), "it failed with IndexError"),
}  # fmt: skip


def test_the_game_as_it_should_be_is_played(load):
    found = load(RACE)
    assert found.left_out == () and found.games["race"] is RACE


@pytest.mark.parametrize("game, why", FAULTY.values(), ids=FAULTY)
def test_faulty_game_is_left_out_with_a_sentence(load, caplog, game, why):
    found = load(game)
    assert list(found.games) == list(GAMES) and len(found.left_out) == 1
    [sentence] = found.left_out
    assert sentence.startswith("The game “race” of bringing:GAME is left out: ") and why in sentence
    assert sentence in caplog.text


def test_sentence_about_an_error_names_its_place(load):
    [sentence] = load(played(draw=lambda self: 1 / 0)).left_out
    assert re.search(r"\(test_faulty_games\.py, line \d+\)$", sentence)


def test_words_of_the_service_are_reserved():
    assert {*conditions.NAMES, "policy"} <= RESERVED_OPTIONS
    words_of_challenges = {*UNITS, *_BEFORE_SEATS, *_RATED, *_UNRATED}
    assert {word for word in words_of_challenges if word.isascii()} <= RESERVED_SEATS


def test_tags_of_a_whole_record_are_reserved(world):
    world.join("ann", "bob")
    number = world.match("proteus-dice")
    world.resign(number, "bob")
    record = world.client("ann").get(f"/games/{number}.record").text
    tags = {tag.rstrip("01") for tag in re.findall(r"^\[(\w+) ", record, re.M)}
    assert len(tags) > 12 and tags - {"White", "Black"} <= RESERVED_TAGS


def test_every_level_has_a_name_a_lapse_and_a_budget():
    assert len(NAMES) == len(LAPSES) == len(PLAYED_ON) == LEVELS


def test_diagram_type_is_told_with_its_place(load):
    wrong = Diagram("board", "The board.", Moment(), eyes="nobody")
    chapter = replace(RACE.presentation.chapter, diagrams=(wrong,))
    assert "presentation.chapter.diagrams[0].eyes is 'nobody'" in load(presented(chapter=chapter)).left_out[0]


SOUND = (
    r"toss [a-d][1-4]",
    r"(?:[a-h][1-8]-)+[a-h][1-8]",
    r"[a-z]+[0-9]+",
    r"roll(?: \d+)*",
    r"(?:\w+,)*\w+",
    "pass|resign",
)


@pytest.mark.parametrize("pattern", [
    "(a+)+$", "(a|aa)+", "(a?b?)*c", r"roll(?: ?\d+)*;", "(ab|a|b)+=", "(abc|ab|c)+;", "(?:(?:[0-9])+)+x", "lay (?>a+)+(b+)+c",
])  # fmt: skip
def test_pattern_that_backtracks_without_end_is_told_from_sound_ones(pattern):
    assert endless([*SOUND, pattern], patience=2) == pattern


def test_sound_patterns_are_tried_to_the_end():
    assert endless(SOUND) == ""
