"""The page of a game in a real browser: dragging, previews, news without reloading, notes; by hand and by finger."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
WAKE = "document.dispatchEvent(new Event('visibilitychange'))"


def middle(page, token):
    box = page.locator(f'[data-touch="{token}"]').first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def ready(page, path="/games/1"):
    page.goto(path)
    page.locator(".is-next").first.wait_for()


def test_a_piece_is_dragged_to_where_it_goes(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", **DESKTOP)
    ready(page)
    page.mouse.move(*middle(page, "c1"))
    page.mouse.down()
    page.mouse.move(*middle(page, "d2"), steps=4)
    expect(page.locator(".ghost")).to_have_count(1)
    page.mouse.move(*middle(page, "c3"), steps=4)
    page.mouse.up()
    expect(page.locator("[data-part=saying]")).to_contain_text("c1 → c3")
    expect(page.locator(".ghost")).to_have_count(0)
    assert page.troubles == []


def test_a_piece_dropped_where_it_cannot_go_stays_chosen_and_moves_nowhere(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", **DESKTOP)
    ready(page)
    page.mouse.move(*middle(page, "c1"))
    page.mouse.down()
    page.mouse.move(*middle(page, "c7"), steps=5)
    page.mouse.up()
    expect(page.locator('[data-touch="c1"]')).to_have_class(re.compile("is-chosen"))
    expect(page.locator("#move")).to_have_value("")
    page.click('[data-touch="c3"]')
    expect(page.locator("[data-part=saying]")).to_contain_text("c1 → c3")
    assert page.troubles == []


def test_a_button_is_dragged_by_finger_from_the_hand_to_the_board(site, chromium):
    site.world.match("duel")
    page = site.visit(chromium, "ann", viewport={"width": 800, "height": 1300}, has_touch=True)
    ready(page)
    wire = page.context.new_cdp_session(page)

    def finger(kind, at=None):
        points = [{"x": at[0], "y": at[1]}] if at else []
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    (x, y), (u, v) = middle(page, "hand:5"), middle(page, "b3")
    finger("touchStart", (x, y))
    for step in range(1, 9):
        finger("touchMove", (x + (u - x) * step / 8, y + (v - y) * step / 8))
    finger("touchEnd")
    expect(page.locator("#move")).to_have_value("5@b3")
    expect(page.locator("#board")).to_have_class(re.compile("is-preview"))
    assert page.troubles == []


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (3840, 2160)], ids=str)
def test_the_board_is_as_large_as_the_screen_is_high(site, chromium, size):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", viewport={"width": size[0], "height": size[1]})
    ready(page)
    box = page.locator("#board svg").bounding_box()
    assert box["y"] + box["height"] <= size[1] and box["height"] >= 0.7 * size[1]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_move_is_asked_for_once_more_where_that_is_wanted(site, chromium, screen, script):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", java_script_enabled=script, **screen)
    page.goto("/settings/board")
    page.get_by_label("ask me to confirm").check()
    page.get_by_role("button", name="Save these settings").click()
    page.goto("/games/1")
    page.fill("#move", "c3/f2=B")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_text("not yet played")).to_be_visible()
    page.get_by_role("button", name="Yes, play it").click()
    expect(page.locator(".status")).to_contain_text("bob (Black) to move")
    assert page.troubles == []


def test_the_list_of_moves_is_another_way_to_play_without_script(site, chromium):
    site.world.match("proteus-tiles")
    page = site.visit(chromium, "ann", java_script_enabled=False, **PHONE)
    page.goto("/games/1")
    page.locator(".legal summary").click()
    first = page.locator(".legal fieldset").first
    expect(first.locator("legend")).not_to_be_empty()
    first.get_by_role("button").first.click()
    expect(page.get_by_text("not yet played")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("status").filter(has_text="You played").first).to_be_visible()


def test_the_opponents_move_arrives_without_loading_the_page_anew(site, chromium):
    site.world.match("duel")
    page = site.visit(chromium, "bob", **DESKTOP)
    page.goto("/games/1")
    page.evaluate("window.sameVisit = true")
    site.world.play(1, "ann", "5@b3", comment="Hello bob!")
    page.evaluate(WAKE)
    expect(page.locator(".status")).to_contain_text("Your turn")
    expect(page.locator("[data-part=announce]")).to_contain_text("New since you last looked: Black 5@b3")
    expect(page.locator(".talk .words")).to_have_text("Hello bob!")
    expect(page.locator(".moves .is-new")).to_contain_text("5@b3")
    page.click('.is-next[data-touch^="hand:5"]')
    page.click('.is-next[data-touch="b2"]')
    expect(page.locator("#move")).to_have_value("5@b2")
    assert page.evaluate("window.sameVisit")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".status")).to_contain_text("ann (Black) to move")
    assert page.troubles == []


def test_news_never_take_away_a_half_made_move_or_words(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", **DESKTOP)
    ready(page)
    page.click('.is-next[data-touch="c1"]')
    page.fill("#text", "I am still thi")
    other = site.visit(chromium, "ann")
    other.goto("/games/1")
    site.world.play(1, "ann", "c3/f2=B")
    page.evaluate(WAKE)
    expect(page.locator("[data-part=news]")).to_be_visible()
    expect(page.locator('[data-touch="c1"]')).to_have_class(re.compile("is-chosen"))
    expect(page.locator("#text")).to_have_value("I am still thi")
    page.click("[data-part=news] a")
    expect(page.locator(".status")).to_contain_text("bob (Black) to move")
    assert page.troubles == []


def test_what_was_shown_has_been_seen(site, chromium):
    site.world.match("duel")
    site.world.play(1, "ann", "5@b3")
    page = site.visit(chromium, "bob")
    with page.expect_response(re.compile("/seen$")) as answer:
        page.goto("/games/1")
    assert answer.value.status == 204
    expect(page.locator(".fresh")).to_be_visible()
    page.reload()
    expect(page.locator(".status")).to_be_visible()
    expect(page.locator(".fresh")).to_have_count(0)


def test_the_next_game_is_one_key_away(site, chromium):
    for _game in range(2):
        site.world.match("duel")
    page = site.visit(chromium, "ann")
    ready(page)
    page.keyboard.press("n")
    page.wait_for_url("**/games/2")
    page.fill("#comment", "n")
    page.locator("#comment").press("n")
    assert page.url.endswith("/games/2") and page.input_value("#comment") == "nn"


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_note_for_oneself_without_script(site, chromium, screen):
    site.world.match("duel")
    site.world.play(1, "ann", "5@b3")
    page = site.visit(chromium, "ann", java_script_enabled=False, **screen)
    page.goto("/games/1/1")
    page.fill("#text", "Next: the 4")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".for")).to_have_text("only you")
    page.get_by_role("button", name="Drop this note").click()
    expect(page.locator(".talk .words")).to_have_count(0)


def test_a_move_is_told_in_words_before_it_is_sent(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", **DESKTOP)
    ready(page)
    page.fill("#move", "c3/f2=B")
    verdict = page.get_by_role("status").filter(has_text="can be played")
    expect(verdict).to_contain_text("from c1 to c3")
    expect(page.get_by_text("not yet played")).to_be_visible()


def test_the_board_is_there_with_the_first_answer_and_everything_weighs_little(places, whole_site, chromium):
    for key, number in places.games.items():
        page = whole_site.visit(chromium, "bob", **DESKTOP)
        page.route("**/*", lambda route: route.continue_() if route.request.is_navigation_request() else route.abort())
        page.goto(f"/games/{number}", wait_until="commit")
        expect(page.locator("#board svg .cell").first).to_be_visible()
        page.unroute("**/*")
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.clearBrowserCache")
        weights = []
        wire.on("Network.loadingFinished", lambda one, weights=weights: weights.append(one["encodedDataLength"]))
        page.goto(f"/games/{number}", wait_until="networkidle")
        assert 5_000 < sum(weights) <= 64 * 1024, (key, weights)
