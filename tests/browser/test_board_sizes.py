"""How large the board is: as high as the screen with all hands beside it, and as wide as a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_every_game_on_pages import PLIES, stand
from tests.browser.test_touching import MIDDLE, ready, site  # noqa: F401 - a world of games to touch

DICE, PLATEAU, DUEL = 1, 2, 3
BOARD = """() => { const boxes = [...document.querySelectorAll("#board .cell > :is([class^=sq-], [class^=sq-] + *)")].map((one) =>
    one.getBoundingClientRect()); const ends = (name) => boxes.map((box) => box[name]);
    return { left: Math.min(...ends("left")), right: Math.max(...ends("right")), bottom: Math.max(...ends("bottom")) }; }"""


def laptop(site, chromium, number, width, height):  # noqa: F811
    return ready(site, chromium, number, viewport={"width": width, "height": height}, is_mobile=False, has_touch=False)


@pytest.mark.parametrize(
    ("width", "height", "least"), [(800, 1300, 520), (1100, 800, 490), (1366, 900, 590), (1440, 900, 640)]
)
@pytest.mark.parametrize("number", [DUEL, PLATEAU])
def test_hands_and_supplies_stand_at_the_right_of_a_large_board(site, chromium, number, width, height, least):  # noqa: F811
    page = laptop(site, chromium, number, width, height)
    board = page.evaluate(BOARD)
    assert board["right"] - board["left"] >= least and board["bottom"] <= height
    side = page.locator(".game-head").bounding_box()["x"] if width > 896 else width
    trays = [tray.bounding_box() for tray in page.locator("#board .tray").all()]
    assert trays and all(board["right"] < box["x"] and box["x"] + box["width"] < side for box in trays)
    assert max(box["y"] + box["height"] for box in trays) <= board["bottom"] + 8
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_what_is_dragged_from_the_side_lies_right_on_its_goal(site, chromium):  # noqa: F811
    page = laptop(site, chromium, DUEL, 1440, 900)
    piece = page.locator("#board .tray-item.is-next").first
    page.mouse.move(*piece.evaluate(MIDDLE))
    page.mouse.down()
    page.mouse.move(700, 300, steps=4)
    goal = page.locator("#board .cell.is-next").first
    page.mouse.move(*[at + 9 for at in goal.evaluate(MIDDLE)], steps=4)
    ghost = page.locator("#board .ghost")
    assert ghost.evaluate(MIDDLE) == pytest.approx(goal.locator(".halo").evaluate(MIDDLE), abs=4)
    page.mouse.up()
    assert page.locator("#move").input_value() and page.troubles == []


def test_board_of_a_phone_reaches_from_its_numbers_to_the_edge(site, chromium):  # noqa: F811
    page = ready(site, chromium, DICE)
    board = page.evaluate(BOARD)
    assert 8 <= board["left"] <= 12 and round(board["right"]) == 390
    for label in page.locator("#board .label").all():
        box = label.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("handle", ["ann", "bob"], ids=["Italian", "English"])
@pytest.mark.parametrize("game", ["proteus-dice", "proteus-tiles", "duel", "plateau"])
def test_below_news_the_whole_board_lies_above_the_button_to_play(site, chromium, game, handle):  # noqa: F811
    number = site.world.match(game)
    mover, ply, _path, text = stand(site, number)
    while ply < PLIES or mover != handle:
        site.world.play(number, mover, text)
        mover, ply, _path, text = stand(site, number)
    page = site.visit(chromium, handle, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.goto(f"/games/{number}")
    page.locator(".is-next").first.wait_for()
    expect(page.locator(".fresh a.is-new")).to_be_visible()
    assert page.locator(".fresh").bounding_box()["height"] < 45
    sheet = page.locator(".sheet").bounding_box()
    assert page.evaluate(BOARD)["bottom"] <= sheet["y"] and sheet["y"] + sheet["height"] == 844
    assert page.evaluate("scrollY") == 0 and page.troubles == []
