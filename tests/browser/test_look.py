"""What stands around the board: its settings at the corner, short times, one deadline, talk beside the moves, moves in words."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site
from tests.world import World

DESK = {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("look"))
    world.join("ann")
    world.join("bob")
    world.match("duel")
    world.play(1, "ann", "5@a2", comment="Good luck!")
    world.play(1, "bob", "6@b2")
    with world.serving() as address:
        yield Site(world, address)
    world.close()


def opened(site, chromium, who="ann", **options):
    page = site.visit(chromium, who, **{**DESK, **options})
    page.goto("/games/1")
    return page


def colour_of(page, selector, name):
    return page.locator(selector).first.evaluate(f"(one) => getComputedStyle(one).{name}")


def choose(page, scheme):
    """Choose light or dark in the foot of the page, which is loaded anew."""
    with page.expect_navigation():
        page.get_by_role("group", name="Light or dark").get_by_role("button", name=scheme, exact=True).click()


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_the_settings_of_the_board_are_at_the_corner_and_the_browser_remembers_them(site, chromium, width):
    page = opened(site, chromium, "", viewport={"width": width, "height": 844})
    before = [colour_of(page, *one) for one in ((".board svg .space", "fill"), ("body", "backgroundColor"))]
    page.get_by_title("How the board is shown").click()
    page.get_by_label("Coordinates").uncheck()
    page.get_by_label("Pieces glide").uncheck()
    page.get_by_label("Colours of the board").select_option("slate")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    choose(page, "dark")
    for _ in range(2):
        after = [colour_of(page, *one) for one in ((".board svg .space", "fill"), ("body", "backgroundColor"))]
        assert after[0] != before[0] and after[1] != before[1]
        assert page.locator(".board svg .label").filter(visible=True).count() == 0
        page.reload()
    page.get_by_title("How the board is shown").click()
    expect(page.get_by_label("Coordinates")).not_to_be_checked()
    choose(page, "same as the system")
    assert colour_of(page, "body", "backgroundColor") == before[1]
    assert page.troubles == []


def test_a_light_page_is_chosen_on_a_dark_system_and_pieces_do_not_glide(site, chromium):
    page = opened(site, chromium, color_scheme="dark")
    dark = colour_of(page, "body", "backgroundColor")
    choose(page, "light")
    assert colour_of(page, "body", "backgroundColor") != dark
    page.get_by_title("How the board is shown").click()
    page.get_by_label("Pieces glide").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator(".look-box")).to_be_hidden()
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-part=at]")).to_have_text("1")
    expect(page.locator(".gliding")).to_have_count(0)


def test_asking_once_more_is_set_from_the_page_of_the_game_without_script(site, chromium):
    page = opened(site, chromium, java_script_enabled=False)
    page.get_by_title("How the board is shown").click()
    expect(page.get_by_label("Coordinates")).to_be_hidden()
    page.get_by_label("Ask me to confirm each move").check()
    page.get_by_role("button", name="Save", exact=True).click()
    assert page.url.endswith("/games/1")
    page.get_by_title("How the board is shown").click()
    expect(page.get_by_label("Ask me to confirm each move")).to_be_checked()


def test_moves_are_listed_in_words_if_one_likes_and_that_is_remembered(site, chromium):
    page = opened(site, chromium)
    moves = page.locator(".moves a")
    expect(moves).to_have_text(["5@a2", "6@b2"])
    page.get_by_role("button", name="in words").click()
    expect(moves).to_have_text(["Black's 5 to a2", "White's 6 to b2"])
    page.reload()
    expect(moves).to_have_text(["Black's 5 to a2", "White's 6 to b2"])
    moves.first.click()
    expect(page.locator("[data-part=at]")).to_have_text("1")
    page.get_by_role("button", name="in words").click()
    expect(moves).to_have_text(["5@a2", "6@b2"])
    assert page.troubles == []


def test_times_are_short_and_their_sentence_comes_with_hover_and_focus(site, chromium):
    page = opened(site, chromium)
    short = page.locator(".terms .short-time")
    expect(short).to_contain_text("10 d + 36 h/move")
    sentence = "10 days, and 36 hours more after each move, at most 10 days"
    expect(short).to_have_attribute("title", sentence)
    expect(short.locator(".unseen")).to_have_text(sentence)
    page.keyboard.press("Tab")
    short.focus()
    assert sentence in short.evaluate("(one) => getComputedStyle(one, '::after').content")


@pytest.mark.parametrize("who", ["ann", "bob", ""])
def test_the_deadline_is_told_once(site, chromium, who):
    page = opened(site, chromium, who)
    text = page.locator("article.game").inner_text()
    assert text.count("10 days left") == 1 and text.count("until Tue 1 Dec") == 1


def test_talk_stands_beside_the_moves_where_the_screen_is_wide(site, chromium):
    page = opened(site, chromium, viewport={"width": 1920, "height": 1000})
    talk, side, board = (page.locator(one).bounding_box() for one in (".talk", ".game-side", ".board-side"))
    assert board["x"] + board["width"] <= side["x"] and side["x"] + side["width"] <= talk["x"]
    assert talk["y"] < 300 and page.locator("#board svg").bounding_box()["width"] > 590
