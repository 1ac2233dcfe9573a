"""How pages look to those who print them, who chose their own colours, or who want less to move."""

from __future__ import annotations

import pytest

from tests.browser.places import PLIES
from tests.operators import act, appoint
from tests.sizes import more

CONTRAST = """([one, other]) => {
  const light = (colour) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""
STYLE = "(one, name) => getComputedStyle(one)[name]"


def contrast(page, selector, name, ground="Canvas"):
    """The contrast of what is drawn in this colour to the ground of the page."""
    colour = page.locator(selector).first.evaluate(STYLE, name)
    if ground == "body":
        ground = page.locator("body").evaluate(STYLE, "backgroundColor")
    return page.evaluate(CONTRAST, [colour, ground])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_printed_history_is_the_game_and_nothing_to_press(places, whole_site, chromium, scheme, artefacts):
    page = whole_site.visit(chromium, "ann", viewport={"width": 794, "height": 1123}, color_scheme=scheme)
    page.goto(f"/games/{places.over}/{PLIES}")
    page.emulate_media(media="print", color_scheme=scheme)
    pressed = "button, input, select, textarea, nav, header.site, footer.site, .button, .links, .fresh"
    assert page.locator(pressed).filter(visible=True).count() == 0
    for shown in ("#board svg", ".moves", ".told", ".time-used", ".talk .words"):
        assert page.locator(shown).first.is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.told').parentElement).maxHeight") == "none"
    assert page.evaluate(CONTRAST, [page.locator("h1").evaluate(STYLE, "color"), "white"]) > 7
    page.screenshot(path=artefacts / f"printed-history-{scheme}.png", full_page=True)


def test_printed_rules_keep_their_diagrams_and_drop_their_navigation(whole_site, chromium, artefacts):
    page = whole_site.visit(chromium, viewport={"width": 794, "height": 1123}, color_scheme="dark")
    page.goto("/rules/proteus-tiles")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".contents, header.site, .doors").filter(visible=True).count() == 0
    assert page.locator(".diagram img").filter(visible=True).count() > 10
    assert page.evaluate(CONTRAST, [page.locator("h1").evaluate(STYLE, "color"), "white"]) > 7


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_of_the_board_can_be_read_in_the_colours_that_a_system_forces(places, whole_site, chromium, scheme):
    page = whole_site.visit(chromium, "ann", forced_colors="active", color_scheme=scheme)
    page.goto(f"/games/{places.games['plateau']}")
    for words in (".label", ".words"):
        assert contrast(page, f"#board svg {words}", "fill") >= 4.5


def test_black_pieces_beside_the_board_stand_out_in_the_dark(places, whole_site, chromium):
    page = whole_site.visit(chromium, "bob", color_scheme="dark")
    page.goto(f"/games/{places.games['proteus-tiles']}")
    assert contrast(page, "#board svg .body-dark", "stroke", "body") >= 3


def test_nothing_moves_for_those_who_asked_for_stillness(places, whole_site, chromium):
    moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
    for motion, count in (("reduce", 0), ("no-preference", 1)):
        page = whole_site.visit(chromium, reduced_motion=motion)
        page.goto(f"/games/{places.over}/replay.svg")
        assert min(page.evaluate(moving), 1) == count
    page = whole_site.visit(chromium, "ann", reduced_motion="reduce")
    page.goto("/games")
    assert page.locator(".button").first.evaluate(STYLE, "transitionDuration") == "0s"


@pytest.mark.parametrize(
    ("scheme", "preferences"),
    [("light", {}), ("dark", {"contrast": "more"}), more("dark", {}), more("light", {"contrast": "more"})],
    ids=["light", "dark, more contrast", "dark", "light, more contrast"],
)
@pytest.mark.parametrize("key", ["proteus-dice", "proteus-tiles", "duel", "plateau"])
def test_places_that_can_be_touched_stand_out_from_what_they_lie_on(
    places, whole_site, chromium, key, scheme, preferences
):
    page = whole_site.visit(chromium, "bob", color_scheme=scheme, **preferences)
    page.goto(f"/games/{places.games[key]}")
    page.locator(".is-next").first.wait_for()
    for square in ("sq-light", "sq-dark", "sq-plain", "sq-open"):
        place = page.locator(f".cell.is-next:has(.{square})")
        if place.count():
            ground = place.first.locator(f".{square}").evaluate(STYLE, "fill")
            halo = place.first.locator(".halo").evaluate(STYLE, "stroke")
            assert page.evaluate(CONTRAST, [halo, ground]) >= 3, square
            page.keyboard.press("Tab")  # a focus that keys brought
            place.first.focus()
            focus = place.first.locator(".halo").evaluate(STYLE, "stroke")
            assert page.evaluate(CONTRAST, [focus, ground]) >= 3, f"focus on {square}"
    if page.locator(".tray-item.is-next").count():
        assert contrast(page, ".tray-item.is-next .halo", "stroke", "body") >= 3


LONG_ADDRESS = "https://club.example.org/news/2026/" + "we-move-to-another-machine-" * 6


def test_no_long_word_of_an_operator_widens_a_page(site, chromium):
    site.world.join("olga")
    appoint(site.world, "olga")
    act(site.world, "announce", english=f"Read this: {LONG_ADDRESS}", reason=LONG_ADDRESS)
    act(site.world, "suspend", handle="ann", reason=LONG_ADDRESS)
    page = site.visit(chromium, "olga", viewport={"width": 320, "height": 640})
    for path in ("/", "/desk", "/desk/acts", "/desk/do/warn", "/nowhere"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
