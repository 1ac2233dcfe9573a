"""Moves by touch: on a phone nothing scrolls, choices open at their piece, and pieces stand at their goal at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site
from tests.world import World

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DICE, PLATEAU, DUEL, DRAGGED = 1, 2, 3, 4
MIDDLE = "(one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Games in which it is ann's turn; in that of Plateau she has a stack of two pieces at b1."""
    world = World(tmp_path_factory.mktemp("touching"))
    world.join("ann", language="it")
    world.join("bob")
    for game in ("proteus-dice", "plateau", "duel", "proteus-dice"):
        world.match(game)
    for who, text in (("ann", "+b1 xx,rb"), ("bob", "+d4 xx,rr")):
        world.play(PLATEAU, who, text)
    with world.serving() as address:
        yield Site(world, address)
    world.close()


def ready(site, chromium, number, **options):
    page = site.visit(chromium, "ann", **{**PHONE, **options})
    page.goto(f"/games/{number}")
    page.locator(".is-next").first.wait_for()
    return page


def tap(page, token):
    page.locator(f'#board .is-next[data-touch="{token}"]').tap()


def test_a_die_moves_and_another_turns_in_four_touches_while_nothing_scrolls(site, chromium):
    page = ready(site, chromium, DICE)
    expect(page.get_by_role("button", name="Gioca")).to_be_in_viewport()
    board, sheet = (page.locator(one).bounding_box() for one in ("#board svg", ".sheet"))
    assert board["y"] > 0 and board["y"] + board["height"] <= sheet["y"]
    tap(page, "c1")
    tap(page, "c3")
    goal, piece = (page.locator(f"#board {one}").evaluate(MIDDLE) for one in ('[data-touch="c3"]', ".at-goal .pieces"))
    assert goal == pytest.approx(piece, abs=3)
    expect(page.locator("[data-part=saying]")).to_contain_text("Ora gira un altro dado.")
    tap(page, "f2")
    choices = page.get_by_role("group", name="Ora scegli").get_by_role("button")
    expect(choices).to_have_count(2)
    choices.and_(page.get_by_title("alfiere")).tap()
    expect(page.locator("#move")).to_have_value("c3/f2=B")
    expect(page.locator("#verdict")).to_contain_text("c3/f2=B")
    expect(page.get_by_role("button", name="Gioca")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Gioca").tap()
    expect(page.locator(".moves a")).to_have_text(["c3/f2=B"])
    assert page.troubles == []


def test_of_a_stack_as_many_disks_travel_as_are_tapped_and_nothing_scrolls(site, chromium):
    page = ready(site, chromium, PLATEAU)
    tap(page, "b1")
    tap(page, "b2")
    disks = page.locator(".popup button")
    expect(disks).to_have_text(["1", "2"])
    expect(disks.first.locator("svg circle").first).to_be_visible()
    disks.last.tap()
    expect(page.locator("#move")).to_have_value("b1(2)-b2")
    assert page.evaluate("scrollY") == 0 and page.troubles == []


def test_what_is_dragged_by_finger_snaps_to_where_it_can_go(site, chromium):
    page = ready(site, chromium, DRAGGED)
    wire = page.context.new_cdp_session(page)
    (x, y), (u, v) = (page.locator(f'[data-touch="{token}"]').evaluate(MIDDLE) for token in ("c1", "c3"))
    for kind, at in (("touchStart", (x, y)), ("touchMove", (x, y - 30)), ("touchMove", (u + 12, v + 9))):
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]})
    expect(page.locator(".is-under.is-next")).to_have_count(1)
    assert page.locator(".ghost .pieces").evaluate(MIDDLE) == pytest.approx([u, v], abs=3)
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".at-goal")).to_have_count(1)
    expect(page.locator("[data-part=saying]")).to_contain_text("c1 → c3")
    assert page.evaluate("scrollY") == 0 and page.troubles == []


def test_the_choice_at_a_die_is_made_by_keys_too(site, chromium):
    page = ready(site, chromium, DRAGGED, viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    for token in ("c1", "c3", "f2"):
        page.locator(f'#board [data-touch="{token}"]').press("Enter")
    expect(page.locator(".popup button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".popup")).to_be_hidden()
    page.locator('#board [data-touch="f2"]').press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value(page.locator("#move").input_value())
    expect(page.locator("#verdict")).to_contain_text("c3/f2=")
    assert page.troubles == []


@pytest.mark.parametrize("width", [320, 390])
def test_the_header_of_a_phone_is_one_line_of_which_every_link_is_reached(site, chromium, width):
    page = site.visit(chromium, "ann", viewport={"width": width, "height": 700}, java_script_enabled=False)
    page.goto(f"/games/{DUEL}")
    assert page.locator("header.site").bounding_box()["height"] < 60
    assert page.locator("header.site nav").evaluate("(nav) => nav.scrollWidth - nav.clientWidth") == 0
    page.get_by_text("Menu", exact=True).press("Enter")
    for link in page.locator("header.site nav a").filter(visible=True).all():
        expect(link).to_be_in_viewport(ratio=1)
    assert {"Chi gioca", "Archivio", "ann"} <= {*page.locator("header.site .menu a").all_inner_texts()}
    page.get_by_text("Menu", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Gioca")).to_be_in_viewport(ratio=1)


def test_a_refused_move_is_told_why_once(site, chromium):
    page = ready(site, chromium, DUEL)
    page.fill("#move", "5@b9")
    page.get_by_role("button", name="Gioca").tap()
    page.locator(".refusal").wait_for()
    page.locator(".is-next").first.wait_for()
    expect(page.get_by_text(page.locator(".refusal").inner_text())).to_have_count(1)
    expect(page.locator("#move")).to_have_value("5@b9")


def test_which_face_of_a_new_piece_is_up_is_chosen_at_the_piece(site, chromium):
    page = ready(site, chromium, PLATEAU, viewport={"width": 1280, "height": 900}, is_mobile=False, has_touch=False)
    page.locator('#board [data-touch="hand:BM"]').click()
    faces = page.locator(".popup button")
    expect(faces).to_have_count(2)
    piece, popup = (page.locator(one).bounding_box() for one in ('#board [data-touch="hand:BM"]', ".popup"))
    assert abs(piece["y"] - popup["y"]) < 120 and abs(piece["x"] - popup["x"]) < 200
    faces.first.click()
    expect(page.locator(".popup")).to_be_hidden()
    expect(page.locator("#board .is-next.cell").first).to_be_visible()
    assert page.troubles == []
