"""Scenes drawn as text and as SVG: what every reader, page and screen reader may rely on."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.render import raster
from engines import svg, text
from engines.scene import Bridge, Cell, Mark, Piece, Scene, Tray, TrayItem
from engines.svg.beside import measure, wrapped
from engines.svg.chess import FIGURES
from engines.svg.disks import pinned, stack
from engines.svg.glyphs import STROKES
from engines.svg.paint import PAINT
from engines.svg.tile_signs import sign_of
from tests.sizes import examples

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("from", "to", "taken", "turned", "hint")

# -- scenes --------------------------------------------------------------------------

FACES = {
    "die": ["Y", "P", "B", "N", "R", "Q", "?"],
    "button": list("12345678"),
    "disk": list("xbro?"),
    "circle": ["o"],
    "square": ["s"],
    "triangle": ["t"],
    "tile": [colour + form for colour in "MTG" for form in "ost"],
}
printable = st.characters(min_codepoint=32, exclude_categories=("C", "Zl", "Zp"))
phrases = st.text(printable, min_size=1, max_size=60).map(lambda t: " ".join(t.split())).filter(bool)


@st.composite
def pieces(draw, shapes=tuple(FACES)):
    shape = draw(st.sampled_from(shapes))
    return Piece(
        draw(st.sampled_from(["p", "Q", "B5", "Wr?"])),
        draw(phrases),
        shape,
        draw(st.sampled_from(FACES[shape])),
        draw(st.sampled_from([None, 0, 1])),
        draw(st.integers(0, 9)),
        draw(st.sampled_from(["", "x", "r", "b", "o", "?"])),
        draw(st.booleans()),
    )


@st.composite
def cells(draw, name):
    disks = st.lists(pieces(("disk",)), max_size=14)
    single = st.lists(pieces(("die", "button", "circle", "square", "triangle")), max_size=2)
    ground = st.none() | pieces(("tile",))
    return Cell(
        name,
        draw(st.text(printable, min_size=1, max_size=14)),
        tuple(draw(disks | single)),
        draw(ground),
        draw(st.sampled_from(["light", "dark", "plain"])),
    )


@st.composite
def trays(draw):
    items = st.builds(TrayItem, pieces(), st.integers(1, 20), st.sampled_from(["", "hand:Q", "a&b"]))
    return Tray(
        draw(phrases),
        tuple(draw(st.lists(items, max_size=5))),
        draw(st.sampled_from([None, 0, 1])),
        draw(phrases | st.just("")),
    )


@st.composite
def scenes(draw):
    files = tuple("abcdefgh"[: draw(st.integers(1, 8))])
    ranks = tuple("87654321"[-draw(st.integers(1, 3)) :])
    names = [[file + rank for file in files] for rank in ranks]
    known = [name for row in names for name in row]
    ways = [tuple(pair) for row in names for pair in pairwise(row)]
    bridge = st.builds(lambda way, colour: Bridge(*way, colour), st.sampled_from(ways or [("a1", "b1")]), colours)
    return Scene(
        draw(phrases),
        draw(phrases),
        files,
        ranks,
        tuple(tuple(draw(cells(name)) for name in row) for row in names),
        tuple(draw(st.lists(bridge, max_size=6))),
        tuple(draw(st.lists(trays(), max_size=3))),
        tuple(draw(st.lists(phrases, max_size=3))),
        (),
        tuple(draw(st.lists(st.builds(Mark, st.sampled_from(known), st.sampled_from(KINDS)), max_size=4))),
    )


colours = st.sampled_from(["red", "black", "white"])
few = settings(max_examples=examples(20), deadline=None)


def board(rows, **parts):
    """A scene of text cells, `pieces` by square name laid on them."""
    laid = parts.pop("pieces", {})
    lines = [row.split() for row in rows.split("/")]
    files, ranks = tuple("abcdefgh"[: len(lines[0])]), tuple("87654321"[-len(lines) :])
    squares = tuple(
        tuple(Cell(file + rank, cell, laid.get(file + rank, ())) for file, cell in zip(files, line, strict=True))
        for rank, line in zip(ranks, lines, strict=True)
    )
    return Scene("A title", "A summary", files, ranks, squares, **parts)


def die(face, side=0):
    return Piece(face, f"{face} die", "die", face, side, 3)


def disk(faces, side=0):
    return Piece(f"{'BW'[side]}{faces}", "disk", "disk", faces[0], side, under=faces[1:])


def root(scene, **options):
    return ET.fromstring(svg.render(scene, **options))


def classes(tree):
    return [element.get("class") for element in tree.iter() if element.get("class")]


# -- text ----------------------------------------------------------------------------


def test_a_board_has_its_labels_on_both_sides_and_below():
    assert text.render(board("p ./. P")) == "2  p  .  2\n1  .  P  1\n   a  b"


def test_the_other_side_sees_the_board_turned():
    assert text.render(board("p ./. P"), bottom=1) == "1  P  .  1\n2  .  p  2\n   b  a"


def test_the_last_move_stands_in_brackets_and_other_marks_in_braces():
    marks = (Mark("a1", "from"), Mark("b2", "to"), Mark("a2", "turned"), Mark("b2", "taken"))
    assert text.render(board("p ./. P", marks=marks)) == "2 {p}[.] 2\n1 [.] P  1\n   a  b"


def test_bridges_run_between_the_cells():
    ways = (Bridge("a2", "b2", "red"), Bridge("a1", "a2", "black"), Bridge("b1", "b2", "white"))
    drawn = ["2  B5 -r- .   2", "   b      w", "1  .      W3  1", "   a      b"]
    assert text.render(board("B5 ./. W3", bridges=ways)).splitlines() == drawn


def test_wide_cells_are_kept_apart_by_bars():
    assert text.render(board("Ms* ./To*Bo Gt")).splitlines()[1] == "1  To*Bo | Gt     1"


def test_trays_and_notes_stand_below():
    tray = Tray("Hand", (TrayItem(die("Q")), TrayItem(die("P"), 5)), 0, "secret")
    unseen, bare = Tray("Other hand", note="5 pieces, unseen"), Tray("Pool")
    below = text.render(board(".", trays=(tray, unseen, bare), notes=("White 3, Black 4",))).split("\n\n")[1:]
    assert below == [
        "Hand: Q, P x5 (secret)\nOther hand: 5 pieces, unseen\nPool: -",
        "White 3, Black 4",
    ]


def test_letters_outside_ascii_are_written_with_their_nearest():
    assert text.plain("Élan – “quoted”, l’été…") == 'Elan - "quoted", l\'ete...'
    assert text.plain("Straße, smørrebrød, Łódź, 3×4 ½") == "Strasse, smorrebrod, Lodz, 3x4 1?2"
    assert text.plain("日\tж") == "? ?"


def test_a_board_too_wide_to_draw_is_listed_with_its_marks():
    rows = "/".join([" ".join(["WrrBx?Wbb+3"] * 8)] * 2)
    listed = text.render(board(rows, marks=(Mark("h1", "to"),)))
    assert "a2: WrrBx?Wbb+3" in listed
    assert "h1:" in listed
    assert "[WrrBx?Wbb+3]" in listed


@few
@given(scenes(), st.sampled_from([0, 1]))
def test_every_text_board_is_ascii_and_at_most_72_columns_wide(scene, bottom):
    lines = text.render(scene, bottom=bottom).split("\n")
    assert all(line.isascii() and (line.isprintable() or not line) and len(line) <= 72 for line in lines)


@few
@given(scenes(), st.sampled_from(KINDS))
def test_every_mark_shows_in_the_text(scene, kind):
    name = scene.rows[0][0].name
    plain_scene = Scene(scene.title, scene.summary, scene.files, scene.ranks, scene.rows, scene.bridges)
    before, marked = text.render(plain_scene), text.render(plain_scene.marked(Mark(name, kind)))
    sign = "[" if kind in ("from", "to") else "{"
    assert marked.count(sign) == before.count(sign) + 1


# -- svg: what it is -----------------------------------------------------------------


@few
@given(scenes(), st.sampled_from([0, 1]))
def test_every_picture_is_well_formed_and_says_what_it_shows(scene, bottom):
    tree = root(scene, bottom=bottom)
    title, desc = list(tree)[:2]
    assert (title.tag, desc.tag) == (f"{SVG}title", f"{SVG}desc")
    assert (title.text, desc.text) == (scene.title, scene.summary)
    assert tree.get("role") == "img" and tree.get("viewBox")


@few
@given(scenes())
def test_every_square_and_tray_item_can_be_touched(scene):
    groups = root(scene).iter(f"{SVG}g")
    touched = [(g.get("class"), g.get("data-touch")) for g in groups if g.get("class") in ("cell", "tray-item")]
    squares = [("cell", cell.name) for row in scene.rows for cell in row]
    items = [("tray-item", item.touch or None) for tray in scene.trays for item in tray.items]
    assert touched == squares + items


@few
@given(scenes())
def test_a_picture_writes_the_words_of_its_scene_and_no_others(scene):
    drawn = ["".join(element.itertext()) for element in root(scene).iter(f"{SVG}text")]
    labels = [f"{tray.label}: {tray.note}" if tray.note else tray.label for tray in scene.trays]
    expected = [*scene.files, *scene.ranks, *labels, *scene.notes]
    assert "".join("".join(drawn).split()) == "".join("".join(expected).split())


@few
@given(scenes())
def test_a_picture_needs_nothing_from_elsewhere(scene):
    bare = re.sub(r">[^<]*<", "><", svg.render(scene))
    assert not re.search(r"<script|<style|<image|<use|href|url\(|\son\w+=|\sid=|var\(", bare)


@few
@given(scenes())
def test_every_coloured_shape_has_a_class_that_a_page_can_restyle(scene):
    for element in root(scene).iter():
        if "fill" in element.attrib or "stroke" in element.attrib:
            assert element.get("class") in PAINT


@few
@given(scenes())
def test_the_paper_covers_the_whole_picture(scene):
    tree = root(scene)
    paper = list(tree)[2]
    assert paper.get("class") == "paper" and paper.get("fill").startswith("#")
    assert tree.get("viewBox") == f"0 0 {paper.get('width')} {paper.get('height')}"


def test_names_with_angle_brackets_and_ampersands_are_escaped():
    odd = Piece("p", 'a <b> & "c" \x00', "die", "P", 0)
    scene = board(".", pieces={"a1": (odd,)}, notes=("<script>alert(1)</script> & more",))
    titles = [title.text for title in root(scene).iter(f"{SVG}title")]
    assert 'a1: a <b> & "c" \ufffd' in titles
    assert "<script" not in svg.render(scene)


def test_a_square_is_named_with_its_pieces_and_marks():
    scene = board(". .", pieces={"a1": (die("Q"),)}, marks=(Mark("a1", "to"),))
    titles = [title.text for title in root(scene).iter(f"{SVG}title")][1:]
    assert titles == ["a1: Q die (the last move ended here)", "b1: empty"]


def test_the_size_is_a_width_in_pixels():
    scene = board(". ./. .")
    whole, sized = root(scene), root(scene, size=240)
    assert whole.get("width") is None and sized.get("width") == "240"
    _x, _y, wide, high = map(float, sized.get("viewBox").split())
    assert int(sized.get("height")) == round(240 * high / wide)


def test_a_turned_board_has_the_same_squares_in_the_other_order():
    seen, turned = (
        [g.get("data-touch") for g in root(board(". ./. ."), bottom=seat).iter() if g.get("class") == "cell"]
        for seat in (0, 1)
    )
    assert turned == seen[::-1] == ["b1", "a1", "b2", "a2"]


def place_at_side(group):
    """Where the style sheet of a page shows a tray: its upper edge after the outer transform, and how much smaller."""
    numbers = [float(one) for one in re.findall(r"-?[0-9.]+", group.get("transform"))]
    heading = next(group.iter(f"{SVG}text"))
    scale = numbers[2] if len(numbers) > 2 else 1.0
    return numbers[1] + scale * float(heading.get("y")), scale


@few
@given(scenes(), st.sampled_from([0, 1]))
def test_without_a_style_sheet_trays_of_a_page_lie_below_the_board_as_elsewhere(scene, bottom):
    drawn = svg.render(scene, bottom=bottom, is_for_page=True)
    pairs = re.findall(r'<g class="beside" transform="([^"]*)"><g class="below" transform="([^"]*)">', drawn)
    assert len(pairs) == len(scene.trays)
    for out, back in pairs:
        if "scale" not in out:
            there, here = ([float(one) for one in re.findall(r"-?[0-9.]+", text)] for text in (out, back))
            assert there == [-way for way in here]
    plain = re.sub(r'<g class="be(?:side|low)" transform="[^"]*">', "", drawn)
    assert plain.count('class="tray"') == svg.render(scene, bottom=bottom).count('class="tray"')


@few
@given(st.lists(st.text("iMae W.", min_size=1, max_size=9).filter(str.strip), min_size=1, max_size=30))
def test_words_below_the_board_fill_each_line_as_far_as_they_fit(parts):
    lines = wrapped(" ".join(parts), 146, 15)
    assert " ".join(lines).split() == " ".join(parts).split()
    assert all(measure(line) * 15 <= 146 for line in lines)
    assert all(measure(f"{line} {after.split()[0]}") * 15 > 146 for line, after in pairwise(lines))


def test_a_word_too_long_for_a_line_is_cut_and_the_next_one_stands_behind_its_end():
    lines = wrapped("M" * 12 + " iii", 146, 15)
    assert lines == ["M" * 9, "MMM iii"]


def test_the_pieces_of_a_tray_stand_in_rows_of_three():
    tree = root(board(".", trays=(Tray("Hand", tuple(TrayItem(disk("rb", 0)) for _piece in range(7))),)))
    places = [
        re.findall(r"[\d.]+", g[1].get("transform"))[:2] for g in tree.iter(f"{SVG}g") if g.get("class") == "tray-item"
    ]
    left, top = map(float, places[0])
    expected = [(left + 51 * (at % 3), top + 52 * (at // 3)) for at in range(7)]
    assert [tuple(map(float, place)) for place in places] == expected


def test_at_the_side_the_near_seat_s_tray_lies_lowest_and_none_below_the_board():
    hand = tuple(TrayItem(disk("rb", 0)) for _piece in range(7))
    shown = tuple(Tray(f"Hand {seat}", hand, seat) for seat in (0, 1))
    for bottom in (0, 1):
        tree = ET.fromstring(svg.render(board(". ./. .", trays=shown), bottom=bottom, is_for_page=True))
        tops = [place_at_side(group)[0] for group in tree.iter(f"{SVG}g") if group.get("class") == "beside"]
        assert tops[bottom] > tops[1 - bottom] and max(tops) + 3 * 52 <= 16 + 480


def test_many_trays_at_the_side_are_drawn_smaller_so_that_they_are_no_higher_than_the_board():
    hand = tuple(TrayItem(disk("rb", 0)) for _piece in range(12))
    tree = ET.fromstring(svg.render(board(". ./. .", trays=(Tray("All", hand),) * 4), is_for_page=True))
    assert all(place_at_side(group)[1] < 1 for group in tree.iter(f"{SVG}g") if group.get("class") == "beside")


# -- svg: what one sees --------------------------------------------------------------


def test_no_two_chess_figures_look_alike():
    assert sorted(FIGURES) == sorted("YPBNRQ") and len(set(FIGURES.values())) == 6


def test_the_value_of_a_die_is_shown_as_pips():
    drawn = root(board(".", pieces={"a1": (die("B"),)}))
    assert len([e for e in drawn.iter(f"{SVG}circle") if e.get("class") == "figure-light"]) == 3


@pytest.mark.parametrize(
    ("shape", "side", "body"),
    [("die", 0, "light"), ("die", 1, "dark"), ("button", 0, "dark"), ("button", 1, "light"),
     ("disk", 0, "dark"), ("circle", 0, "dark"), ("triangle", 1, "light"), ("square", None, "any")],
)  # fmt: skip
def test_white_is_light_and_black_is_dark_in_every_game(shape, side, body):
    piece = Piece("p", "piece", shape, FACES[shape][0], side)
    assert f"body-{body}" in classes(root(board(".", pieces={"a1": (piece,)})))


def test_a_button_that_nobody_owns_has_the_colour_of_its_text():
    puzzle = {"a1": (Piece("W3", "White 3", "button", "3"),), "b1": (Piece("B3", "Black 3", "button", "3"),)}
    found = classes(root(board(". .", pieces=puzzle)))
    assert "body-light" in found and "body-dark" in found


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_mark_has_its_own_form(kind):
    def form(kind):
        tree = root(board(".", marks=(Mark("a1", kind),)))
        marks = next(g for g in tree.iter(f"{SVG}g") if g.get("class") == "marks")
        return [(e.tag, e.get("d"), e.get("stroke-dasharray")) for e in marks.iter()]

    assert f"mark-{kind}" in classes(root(board(".", marks=(Mark("a1", kind),))))
    assert all(form(kind) != form(other) for other in KINDS if other != kind)


def test_bridges_differ_by_more_than_hue():
    ways = (Bridge("a1", "b1", "red"), Bridge("b1", "c1", "black"), Bridge("c1", "d1", "white"))
    found = classes(root(board(". . . .", bridges=ways)))
    assert {"bridge-red", "bridge-red-hatch", "bridge-black", "bridge-white"} <= set(found)
    assert contrast(PAINT["bridge-black"].fill, PAINT["bridge-white"].fill) > 7


def test_a_tile_in_force_looks_other_than_one_that_is_not():
    def drawn(lit):
        ground = Piece("Mo", "KING", "tile", "Mo", lit=lit)
        return classes(root(Scene("t", "s", ("a",), ("1",), ((Cell("a1", "Mo", (), ground),),))))

    assert "tile-m" in drawn(True) and "tile-m-off" in drawn(False)
    assert "tile-m" not in drawn(False) and "tile-m-off" not in drawn(True)


def test_the_steps_of_a_way_are_numbered_on_its_bridges():
    scene = board(". . ./. . .", bridges=(Bridge("a1", "b1", "red"), Bridge("b1", "b2", "red")))
    steps = [e for e in root(replace(scene, way=("a1", "b1", "b2"))).iter(f"{SVG}circle") if e.get("class") == "badge"]
    at = {name: (30 + 160 * (column + 0.5), 16 + 160 * (1.5 - row)) for column, row, name in
          ((0, 0, "a1"), (1, 0, "b1"), (1, 1, "b2"))}  # fmt: skip
    middles = [tuple((one + other) / 2 for one, other in zip(at[a], at[b], strict=True)) for a, b in
               (("a1", "b1"), ("b1", "b2"))]  # fmt: skip
    assert [(float(step.get("cx")), float(step.get("cy"))) for step in steps] == middles
    assert "badge" not in svg.render(scene)


@pytest.mark.parametrize(("line", "bands"), [(("a1", "b1", "c1"), 1), (("a1", "b2", "c1"), 3), ((), 0)])
def test_what_fulfils_a_goal_together_shines_as_one_band_or_each_by_itself(line, bands):
    drawn = root(replace(board(". . ./. . ."), lines=(line,)))
    assert classes(drawn).count("mark-case") == bands and classes(drawn).count("glow") == 2 * bands


@pytest.mark.parametrize("face", FACES["tile"])
def test_every_tile_shows_a_sign_of_its_rule_that_no_other_shows(face):
    signs = {one: sign_of(one, "tile-m-ink") for one in FACES["tile"]}
    assert signs[face] and list(signs.values()).count(signs[face]) == 1
    assert sign_of(face, f"tile-{face[0].lower()}-ink") in svg.render_piece(Piece(face, "", "tile", face=face))


@pytest.mark.parametrize("height", [1, 6, 12, 24])
def test_a_stack_of_any_height_fits_its_square(height):
    drawn = ET.fromstring(stack(tuple(disk("rb", at % 2) for at in range(height)), 50, 50, 100))
    if height == 1:
        assert "wall-dark" not in classes(drawn) and "tally" not in classes(drawn)
        return
    walls = [e for e in drawn.iter("path") if (e.get("class") or "").startswith("wall-")]
    starts = [tuple(map(float, re.match(r"M(\S+) (\S+)a", wall.get("d")).groups())) for wall in walls]
    assert len(walls) == height and starts == sorted(starts, key=lambda at: -at[1])
    top = next(e for e in drawn.iter("ellipse"))
    assert min(x for x, _y in starts) >= 0 and max(x for x, _y in starts) + 70 <= 100
    assert max(y for _x, y in starts) + 20 <= 100 and float(top.get("cy")) - float(top.get("ry")) >= 0
    assert "tally" in classes(drawn)


def test_pieces_under_an_enemy_are_pinned():
    owners = (0, 0, 1, 0, 0)
    assert pinned(tuple(disk("rr", side) for side in owners)) == (True, True, True, False, False)


def test_an_unseen_face_is_drawn_as_unseen_and_a_seen_one_is_not():
    def drawn(faces):
        return svg.render(board(".", pieces={"a1": (disk(faces),)}))

    assert "face-r" in drawn("xr") and "face-" not in drawn("x?")
    pile = svg.render(board(".", pieces={"a1": (disk("rb"), disk("x?"))}))
    assert "face-r" in pile
    assert "face-b" in pile
    assert STROKES["?"] in pile
    assert drawn("x?") == drawn("x") != drawn("xx")


# -- colours -------------------------------------------------------------------------


def contrast(one, other):
    """The contrast of two colours as WCAG 2 counts it."""

    def light(colour):
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("paint", ["label", "words"])
def test_words_stand_out_from_the_paper(paint):
    assert contrast(PAINT[paint].fill, PAINT["paper"].fill) >= 4.5


@pytest.mark.parametrize("side", ["dark", "light", "any"])
def test_figures_stand_out_from_their_bodies(side):
    assert contrast(PAINT[f"figure-{side}"].fill, PAINT[f"body-{side}"].fill) >= 4.5
    assert contrast(PAINT[f"ink-{side}"].stroke, PAINT[f"body-{side}"].fill) >= 4.5


@pytest.mark.parametrize("face", ["face-r", "face-b", "face-o"])
def test_letters_stand_out_from_the_faces_of_disks(face):
    assert contrast(PAINT[f"{face}-ink"].stroke, PAINT[face].fill) >= 4.5


@pytest.mark.parametrize("colour", [f"{name}{off}" for name in ("m", "t", "g") for off in ("", "-off")])
def test_shapes_stand_out_from_their_tiles(colour):
    assert contrast(PAINT[f"tile-{colour}-ink"].stroke, PAINT[f"tile-{colour}"].fill) >= 4.5


@pytest.mark.parametrize("ground", ["sq-light", "sq-dark", "sq-plain", "sq-open", "space"])
def test_marks_stand_out_from_every_ground_or_from_their_casing(ground):
    for paint in ("mark-from", "mark-to", "mark-hint"):
        assert contrast(PAINT[paint].stroke, PAINT["mark-case"].stroke) >= 4.5
        assert contrast(PAINT[paint].stroke, PAINT[ground].fill) >= 2.5


@pytest.mark.parametrize("width", [60, 300, 1_201])
def test_a_picture_is_drawn_at_any_width(width):
    scene = board("p Q", pieces={"a1": (die("P", 1),), "b1": (die("Q"),)})
    assert raster.image(svg.render(scene), "#ffffff", width=width).width == width
