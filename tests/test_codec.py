"""Stored JSON: the form of each type, which is a contract, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Literal

import pytest

from engines import codec


class Colour(Enum):
    RED = "red"
    BLUE = 2


@dataclass(frozen=True)
class Piece:
    name: str
    worth: Annotated[int, "points"] = 1


@dataclass(frozen=True)
class Empty:
    """A class without fields, such as the options of a game that has none."""


@dataclass(frozen=True)
class Board:
    piece: Piece
    colour: Colour
    none: Empty = Empty()
    over: bool = False
    row: tuple[str, ...] = ()
    pair: tuple[int, Colour] = (0, Colour.RED)
    held: frozenset[int] = frozenset()
    named: frozenset[Colour] = frozenset()
    last: Piece | None = None
    grid: Literal["square", 6] = "square"
    quiet: int | None = None
    counted: int = field(default=7, init=False)
    turn: int = field(default=0, kw_only=True)


FULL = Board(
    Piece("a", 3),
    Colour.BLUE,
    over=True,
    row=("x", "y"),
    pair=(1, Colour.RED),
    held=frozenset({100, 9, 10}),
    named=frozenset({Colour.RED}),
    last=Piece("b"),
    grid=6,
    quiet=-4,
    turn=1,
)


def test_an_object_holds_its_fields_in_order_and_nothing_that_follows_from_them():
    assert codec.dump(FULL) == (
        '{"piece":{"name":"a","worth":3},"colour":2,"none":{},"over":true,"row":["x","y"],"pair":[1,"red"],'
        '"held":[9,10,100],"named":["red"],"last":{"name":"b","worth":1},"grid":6,"quiet":-4,"turn":1}'
    )


def test_what_is_left_out_is_null_or_an_empty_list():
    stored = codec.dump(Board(Piece("a"), Colour.RED))
    assert '"row":[],' in stored and '"held":[],"named":[],"last":null,"grid":"square","quiet":null' in stored


@pytest.mark.parametrize("board", [FULL, Board(Piece("a"), Colour.RED)])
def test_what_was_stored_is_fetched_as_it_was(board):
    assert codec.load(Board, codec.dump(board)) == board


def test_strings_are_quoted_as_in_json_and_letters_beyond_ascii_stay():
    piece = Piece('a"b\\c\n%s%d{}–😀')
    assert codec.dump(piece) == '{"name":"a\\"b\\\\c\\n%s%d{}–😀","worth":1}'
    assert codec.load(Piece, codec.dump(piece)) == piece


@pytest.mark.parametrize(
    "change",
    [
        ('"colour":2', '"colour":3'),
        ('"colour":2', '"colour":[2]'),
        ('"colour":2,', ""),
        ('"pair":[1,"red"]', '"pair":[1]'),
        ('"pair":[1,"red"]', '"pair":[1,"red",1]'),
        ('"row":["x","y"]', '"row":5'),
        ('"worth":3', '"worths":3'),
        ('"piece":{', '"piece":[{'),
        ('"grid":6', '"grid":7'),
        ('"grid":6', '"grid":[6]'),
        ('"turn":1}', '"turn":1}}'),
        ('"turn":1}', '"turn":1'),
    ],
    ids=lambda change: change[1] or "missing",
)
def test_what_is_not_stored_so_is_refused(change):
    stored = codec.dump(FULL)
    assert change[0] in stored
    with pytest.raises(ValueError):
        codec.load(Board, stored.replace(*change))


def test_a_type_that_json_has_no_form_for_is_refused():
    @dataclass(frozen=True)
    class Strange:
        at: complex

    Strange.__annotations__["at"] = complex
    with pytest.raises(TypeError, match="no JSON form"):
        codec.dump(Strange(1j))
