"""Sketches: what letters keep of a scene until its picture is drawn, which is then the same picture."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import col, select

from correspondence.core import db
from correspondence.models import Letter
from correspondence.models.loading import position_of
from correspondence.outbound.letter_pictures import board_png
from correspondence.testing.walks import looked_at, seats_of, walk
from engines import svg
from engines.scene import Bridge, Cell, Choice, Edge, Mark, Piece, Rule, Scene, Tray, TrayItem
from engines.sketch import scene_of, sketched
from tests.games import CASES
from tests.test_pictures import few, scenes

UNSEEN = re.compile(r'<title>[^<]*</title>|<desc>[^<]*</desc>| data-touch="[^"]*"')
"""What an SVG says to those who hear or touch it, and a PNG does not show."""

each_case = pytest.mark.parametrize("case", CASES, ids=str)


def seen(scene, bottom):
    """All that is painted of a scene."""
    return UNSEEN.sub("", svg.render(scene, bottom=bottom))


def scenes_of(case):
    """What both sides see at some moments of a random game, and their seats."""
    plies, _last = walk(case, 0)
    for position, _seat, _move in looked_at(plies, 0):
        for seat in seats_of(case):
            yield position.scene(seat), seat


BUTTON = Piece("B5", "the black 5", "button", "5", 0, 5)
TILE = Piece("Mo", "a tile", "tile", "Mo", lit=False)
DISK = Piece("Wr?", "a disk", "disk", "r", 1, under="b")
RICH = Scene(
    "A title",
    "A summary",
    ("a", "b"),
    ("2", "1"),
    (
        (Cell("a2", "B5", (BUTTON,), tint="dark"), Cell("b2", "x", (DISK, DISK), TILE)),
        (Cell("a1", tint="light"), Cell("b1", "x", (BUTTON,))),
    ),
    bridges=(Bridge("a1", "b1", "red"),),
    trays=(Tray("Hand", (TrayItem(TILE, 3, "hand:secret"),), 1, "one “unseen”"), Tray("Pool")),
    notes=("Più di così",),
    choices=(Choice("pass", "Pass the turn"),),
    marks=(Mark("a2", "to"), Mark("b1", "taken")),
    in_force=(Rule("Swap", "Pieces change places."),),
    grid="hexagonal",
    edges=(Edge("top", 0),),
    spoken_notes=("Only heard",),
    lines=(("a1", "b1"),),
    way=("a1", "b1"),
)


@each_case
def test_what_is_drawn_of_a_sketch_is_what_its_scene_shows(case):
    for scene, seat in scenes_of(case):
        later, bottom = scene_of(sketched(scene, seat))
        assert bottom == seat and seen(later, bottom) == seen(scene, seat)


@few
@given(scenes(), st.sampled_from([0, 1]))
def test_so_it_is_with_every_scene_that_a_game_may_make(scene, bottom):
    later, seat = scene_of(sketched(scene, bottom))
    assert seat == bottom and seen(later, seat) == seen(scene, bottom)


@pytest.mark.parametrize("bottom", [0, 1])
def test_nothing_that_a_scene_can_show_is_lost(bottom):
    later, seat = scene_of(sketched(RICH, bottom))
    assert seat == bottom and seen(later, bottom) == seen(RICH, bottom)


@pytest.mark.parametrize("case", [case for case in CASES if not case.options], ids=str)
def test_a_png_of_a_sketch_is_to_the_byte_that_of_the_drawing(case):
    scene, seat = list(scenes_of(case))[-1]
    assert board_png(sketched(scene, seat), 0.5) == board_png(svg.render(scene, bottom=seat), 0.5) is not None


def test_a_sketch_holds_nothing_that_is_not_painted():
    kept = sketched(RICH, 0)
    for words in (
        "title",
        "summary",
        "the black",
        "a disk",
        "secret",
        "pass",
        "Pass",
        "Swap",
        "change places",
        "heard",
    ):
        assert words not in kept


UNPAINTED = {"title", "summary", "choices", "in_force", "spoken_notes"}


def test_whatever_a_scene_comes_to_say_is_kept_or_known_not_to_be_painted():
    later, _bottom = scene_of(sketched(RICH, 0))
    assert [one.name for one in fields(Scene) if getattr(RICH, one.name) == one.default] == []
    kept = {one.name for one in fields(Scene) if getattr(later, one.name) == getattr(RICH, one.name)}
    assert kept == {one.name for one in fields(Scene)} - UNPAINTED - {"rows", "trays"}


def test_whatever_a_piece_comes_to_say_is_kept_but_its_name():
    later, _bottom = scene_of(sketched(RICH, 0))
    shown = [piece for cell in later.rows[0] for piece in (*cell.pieces, cell.ground) if piece]
    assert shown == [replace(piece, name="") for piece in (BUTTON, DISK, DISK, TILE)]
    for field in fields(Piece):
        assert any(getattr(piece, field.name) != field.default for piece in (BUTTON, DISK, TILE)), field.name


def test_a_piece_that_lies_on_many_squares_is_written_once():
    assert sketched(RICH, 0).count('"button"') == sketched(RICH, 0).count('"tile"') == 1


@each_case
def test_a_sketch_takes_less_than_a_page_of_the_database(case):
    for scene, seat in scenes_of(case):
        assert len(sketched(scene, seat).encode()) < 3_000


def test_nothing_in_a_sketch_ends_it_in_a_row_of_pictures():
    odd = Scene("", "", (), (), (), notes=("a\x1eb\x00",))
    assert sketched(odd, 0).isprintable()
    assert scene_of(sketched(odd, 0))[0].notes == odd.notes


def change(name, value):
    return json.dumps({**json.loads(sketched(RICH, 0)), name: value})


@pytest.mark.parametrize(
    "text",
    ["", "no sketch", "[]", "{}", "<svg></svg>", sketched(RICH, 0)[:-1], sketched(RICH, 0) + "}", change("form", 2),
     change("pieces", []), change("tints", ["dp", "z?"]), change("tints", ["dp"]), change("names", [["a2"], ["a1", "b1"]]),
     change("pieces", [["B5", "cube", "5", 0, 5, "", True]] * 3), change("grid", "round"), change("trays", [["Hand"]]),
     change("held", [["a2", ["0"], None]])],
)  # fmt: skip
def test_what_is_no_sketch_of_this_version_is_refused(text):
    with pytest.raises(ValueError):
        scene_of(text)


@few
@given(scenes())
def test_how_large_a_picture_will_be_is_known_before_it_is_drawn(scene):
    wide, high = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.render(scene)).groups()
    assert svg.extent(scene) == (float(wide), float(high))


def test_it_is_known_of_hexagons_too():
    assert RICH.grid == "hexagonal"
    assert f'viewBox="0 0 {svg.extent(RICH)[0]:.0f} {svg.extent(RICH)[1]}"' in svg.render(RICH)


# -- in letters ------------------------------------------------------------------------


def waiting(town, number):
    """What is stored of the pictures of the letters that tell of the last move of a game, by their readers."""
    with db.reading(town.engine) as session:
        rows = session.exec(select(Letter).where(col(Letter.match_id) == number, col(Letter.ply) == 1))
        return {row.recipient.partition("@")[0]: row.picture for row in rows}


def test_a_letter_waits_undrawn_with_what_its_reader_may_see_and_the_marks_of_the_last_move(town):
    town.join("ann", "bob", receipts=True)
    number = town.match()
    town.answer(town.letter("ann"), "c3/f2=B")
    kept = waiting(town, number)
    assert sorted(kept) == ["ann", "bob"]
    for seat, name in enumerate(sorted(kept)):
        scene, bottom = scene_of(kept[name])
        marked = {(mark.cell, mark.kind) for mark in scene.marks}
        assert marked >= {("f2", "turned")} and bottom == seat
        shown = position_of(town.stand(number)).scene(seat).marked(*scene.marks)
        assert seen(scene, bottom) == seen(shown, seat)


@pytest.mark.parametrize("form", [{"text_only": True}, {"board": "words"}, {"board": "braille"}])
def test_nothing_is_kept_for_who_gets_no_pictures(town, form):
    town.join("ann"), town.join("bob", **form)
    number = town.match()
    town.play(number, "ann", "c3/f2=B")
    assert waiting(town, number) == {"bob": ""}
