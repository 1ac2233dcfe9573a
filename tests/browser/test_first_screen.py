"""The first screen of a phone: what asks for an answer, the whole board and the hand, in every game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from correspondence.core.db import transaction
from correspondence.matchmaking import challenges, teaching_games
from tests.browser.test_every_game_on_pages import stand
from tests.robots import robots_in

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LANDSCAPE = {**PHONE, "viewport": {"width": 844, "height": 390}}
FOR_TWO = ("proteus-dice", "proteus-tiles", "duel", "plateau")
ALL = (*FOR_TWO, "duel-puzzle")
PLIES = 6

SHAPES = """(where) => [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect())
    .map(({ left, top, right, bottom }) => ({ left, top, right, bottom })).filter((box) => box.right > box.left)"""
EMPTY_ROWS = """() => [...document.querySelector(".sheet").children].filter((one) => one.offsetHeight && !one.textContent.trim()
    && !one.querySelector("input"))"""


def shapes(page, where):
    return page.evaluate(SHAPES, where)


def bottom_of(page, where):
    return max(box["bottom"] for box in shapes(page, where))


def meet(one, other):
    return (
        min(one["right"], other["right"]) - max(one["left"], other["left"]) > 1
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 1
    )


def offer_draw(site, number, handle):
    page = site.world.client(handle).get(f"/games/{number}").text
    form = dict(re.findall(r'name="(ply|takebacks)" value="(\d+)"', page))
    assert site.world.client(handle).post(f"/games/{number}/draw", data=form).status_code == 303


def table(site, key, *, handle="ann"):
    """A game of this kind in which it is the turn of `handle`, some moves after its beginning."""
    if key == "duel-puzzle":
        with transaction(site.world.runtime.engine) as session:
            person = site.world.person(session, handle)
            rng = site.world.runtime.rng
            return challenges.start_alone(session, person, key, {}, now=site.world.clock(), rng=rng).id
    number = site.world.match(key)
    mover, ply, _path, text = stand(site, number)
    while ply < PLIES or mover != handle:
        site.world.play(number, mover, text)
        mover, ply, _path, text = stand(site, number)
    return number


def opened(site, chromium, number, handle="ann", screen=PHONE):
    page = site.visit(chromium, handle, **screen)
    page.goto(f"/games/{number}")
    page.locator(".is-next").first.wait_for()
    return page


def in_italian(site, handle):
    with transaction(site.world.runtime.engine) as session:
        site.world.person(session, handle).language = "it"


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("key", FOR_TWO)
def test_offer_news_board_and_hand_lie_above_the_sheet(site, chromium, key, language):
    number = table(site, key)
    offer_draw(site, number, "bob")
    if language == "it":
        in_italian(site, "ann")
    page = opened(site, chromium, number)
    sheet = page.locator(".sheet").bounding_box()
    for seen in (".offer", ".fresh"):
        box = page.locator(seen).bounding_box()
        assert box["y"] + box["height"] <= sheet["y"] + 1, (seen, box, sheet)
    assert bottom_of(page, "#board .cell, #board .tray-item") <= sheet["y"]
    assert sheet["y"] + sheet["height"] == 844
    assert page.evaluate("scrollY") == 0
    assert page.troubles == []


@pytest.mark.parametrize("key", ALL)
def test_sheet_covers_no_piece_and_has_no_empty_row_while_a_move_is_made(site, chromium, key):
    number = table(site, key)
    page = opened(site, chromium, number)
    _mover, _ply, path, _text = stand(site, number)
    for token in [None, *path]:
        if token is not None:
            page.locator(f'.is-next.cell[data-touch="{token}"], button[value="{token}"]:visible').first.click()
        page.wait_for_timeout(60)
        assert bottom_of(page, "#board .cell, #board .tray-item") <= page.locator(".sheet").bounding_box()["y"]
        assert page.evaluate(f"({EMPTY_ROWS})().length") == 0
    assert page.evaluate("scrollY") == 0 and page.troubles == []


@pytest.mark.parametrize("key", FOR_TWO)
def test_notices_do_not_push_the_board_down(site, chromium, key):
    number = table(site, key, handle="ann")
    tops = [opened(site, chromium, number).locator("#board").bounding_box()["y"]]
    offer_draw(site, number, "bob")
    page = opened(site, chromium, number)
    tops.append(page.locator("#board").bounding_box()["y"])
    page.get_by_role("button", name="Decline").click()
    notice = page.locator(".notice[role=status]").filter(has_text="declined the draw")
    expect(notice).to_be_visible()
    page.locator(".is-next").first.wait_for()
    tops.append(page.locator("#board").bounding_box()["y"])
    assert max(tops) - min(tops) < 1
    assert notice.bounding_box()["y"] > bottom_of(page, "#board .cell")
    assert notice.bounding_box()["y"] + notice.bounding_box()["height"] <= page.locator(".sheet").bounding_box()["y"]


def test_refusal_stands_between_the_board_and_the_sheet(site, chromium):
    number = table(site, "duel")
    page = opened(site, chromium, number)
    page.fill("#move", "nonsense")
    page.get_by_role("button", name="Play").click()
    refusal = page.locator(".refusal")
    expect(refusal).to_be_visible()
    page.locator(".is-next").first.wait_for()
    box = refusal.bounding_box()
    assert (
        bottom_of(page, "#board .cell") < box["y"]
        and box["y"] + box["height"] <= page.locator(".sheet").bounding_box()["y"]
    )


@pytest.mark.parametrize("key", FOR_TWO)
def test_lesson_is_read_beside_the_whole_board(site, chromium, key):
    robots = robots_in(site.world)
    with transaction(site.world.runtime.engine) as session:
        person = site.world.person(session, "ann")
        number = teaching_games.learn(session, person, key, now=site.world.clock(), rng=site.world.rng).id
    robots.sweep()
    robots.stop()
    page = opened(site, chromium, number)
    lesson, sheet = page.locator(".lesson").bounding_box(), page.locator(".sheet").bounding_box()
    assert lesson["height"] >= 100 and lesson["y"] + lesson["height"] <= sheet["y"]
    assert bottom_of(page, "#board .cell, #board .tray-item") <= lesson["y"]
    board = shapes(page, "#board .cell")
    assert max(box["right"] for box in board) - min(box["left"] for box in board) >= 240


@pytest.mark.parametrize("key", ALL)
def test_rank_labels_lie_beside_the_pieces(site, chromium, key):
    page = opened(site, chromium, table(site, key))
    labels, cells = shapes(page, "#board .ranks .label"), shapes(page, "#board .cell")
    assert labels and not [(label, cell) for label in labels for cell in cells if meet(label, cell)]
    assert min(label["left"] for label in labels) >= 0


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_replay_is_a_tab_in_place_of_the_move(site, chromium, script):
    number = table(site, "duel")
    page = site.visit(chromium, "ann", **PHONE, java_script_enabled=script)
    page.goto(f"/games/{number}")
    expect(page.locator(".replay")).to_be_hidden()
    page.get_by_text("Replay", exact=True).click()
    expect(page.locator(".sheet")).to_be_hidden()
    box = page.locator(".replay").bounding_box()
    assert box["y"] > 422 and box["y"] + box["height"] <= 844
    page.get_by_role("link", name="One back").click()
    expect(page.locator("[data-part=past]")).to_be_visible()
    if script:
        page.get_by_text("Move", exact=True).click()
        expect(page.locator("[data-part=present]")).to_be_visible()
        expect(page.locator(".sheet")).to_be_visible()
    assert page.troubles == []


@pytest.mark.parametrize("key", ALL)
def test_phone_on_its_side_shows_the_whole_board_and_the_hands(site, chromium, key):
    number = table(site, key)
    if key != "duel-puzzle":
        offer_draw(site, number, "bob")
    page = opened(site, chromium, number, screen=LANDSCAPE)
    seen = shapes(page, "#board .cell, #board .tray-item, #board .label")
    assert min(box["top"] for box in seen) >= 0 and max(box["bottom"] for box in seen) <= 390
    board = shapes(page, "#board .cell")
    assert max(box["bottom"] for box in board) - min(box["top"] for box in board) >= 270
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for block in page.locator(".pending > :is(.offer, .fresh)").all():
        box = block.bounding_box()
        assert box["y"] + box["height"] <= 390 and box["x"] > max(one["right"] for one in seen)
