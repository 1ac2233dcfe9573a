"""The board of one's own in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from correspondence.ops.worker import sweep_openings

SCREENS = {"phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
           "desktop": {"viewport": {"width": 1280, "height": 800}}}  # fmt: skip


@pytest.mark.parametrize("screen", SCREENS)
def test_moves_are_tried_by_touching_the_board_and_gone_through_by_keys(site, chromium, screen):
    site.world.match("proteus-tiles")
    page = site.visit(chromium, "ann", **SCREENS[screen])
    page.goto("/games/1")
    page.get_by_role("link", name="Try moves from here").click()
    for count in (1, 2):
        page.locator(".legal summary").click()
        text = page.locator(".legal button").first.inner_text()
        page.fill("#move", text)
        page.get_by_role("button", name="Try", exact=True).click()
        expect(page.locator(".replay .at")).to_have_text(str(count))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".replay .at")).to_have_text("1")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".replay .at")).to_have_text("2")
    assert page.troubles == []


def test_touching_the_whole_move_tries_it(site, chromium, artefacts):
    site.world.match("duel")
    page = site.visit(chromium, "ann", **SCREENS["desktop"])
    page.goto("/games/1/0/try")
    page.click('.is-next[data-touch="hand:5"]')
    page.click('.is-next[data-touch="b3"]')
    expect(page.locator(".tree [aria-current]")).to_contain_text("5@b3")
    page.click('.is-next[data-touch^="hand:5"]')
    page.click('.is-next[data-touch="b2"]')
    expect(page.locator(".tree [aria-current]")).to_contain_text("5@b2")
    page.screenshot(path=artefacts / "try.png")
    assert page.troubles == []


def test_moves_are_tried_without_script(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", java_script_enabled=False, **SCREENS["phone"])
    page.goto("/games/1/0/try")
    page.locator(".legal summary").click()
    page.locator(".legal button").first.click()
    expect(page.get_by_role("heading", name="Black to move")).to_be_visible()
    page.get_by_role("button", name="Drop this move").click()
    expect(page.get_by_text("None yet.")).to_be_visible()


@pytest.mark.parametrize("screen", SCREENS)
def test_a_diagram_of_the_rules_is_played_on_by_touching_it(site, chromium, screen):
    page = site.visit(chromium, **SCREENS[screen])
    page.goto("/rules/duel")
    page.locator(".try").first.click()
    page.locator(".tryout .is-next").first.click()
    for _touch in range(12):
        if page.locator(".tryout .line a").count():
            break
        near = page.locator(".popup button, .choices:not(.hints .choices) button")
        (near.first if near.count() else page.locator(".tryout .is-next").last).click()
        page.wait_for_timeout(150)
    expect(page.locator(".tryout .line a")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tryout .line a")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.troubles == []


@pytest.mark.parametrize("screen", SCREENS)
def test_the_board_of_an_opening_leads_to_the_games_that_went_on_so(site, chromium, screen):
    world = site.world
    number = world.match("duel")
    world.play(number, "ann", "5@b3")
    world.resign(number, "ann")
    while sweep_openings(world.runtime):
        pass
    page = site.visit(chromium, **SCREENS[screen])
    page.goto("/archive?game=duel")
    choice = page.locator(".choices button")
    if choice.count():
        choice.first.click()
    else:
        page.locator('.is-next[data-touch="hand:5"]').click()
    if page.locator('.is-next[data-touch="b3"]').count():
        page.click('.is-next[data-touch="b3"]')
    expect(page.locator(".openings .line a")).to_have_text("5@b3")
    assert page.troubles == []


def test_a_diagram_is_played_on_without_script(site, chromium):
    page = site.visit(chromium, java_script_enabled=False, **SCREENS["phone"])
    page.goto("/rules/proteus-dice")
    page.locator(".try").first.click()
    page.locator(".legal summary").click()
    page.locator(".legal button").first.click()
    expect(page.locator(".tryout .line a")).to_have_count(1)


@pytest.fixture
def finished(site):
    number = site.world.match("duel")
    for who, text in (("ann", "5@a2"), ("bob", "6@b2"), ("ann", "8@b3")):
        site.world.play(number, who, text)
    site.world.resign(number, "bob")
    return f"/games/{number}/1/try"


@pytest.mark.parametrize("who", ["", "ann"])
def test_moves_are_tried_back_and_forward_and_in_branches_and_nothing_is_loaded_anew(site, chromium, finished, who):
    page = site.visit(chromium, who, **SCREENS["desktop"])
    page.goto(finished)
    page.evaluate("window.stays = true")
    for text, expected in (("6@b2", ["White 6@b2"]), ("1@c2", ["White 6@b2", "Black 1@c2"])):
        page.fill("#move", text)
        page.keyboard.press("Enter")
        expect(page.locator(".tree a")).to_have_text(expected)
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".replay .at")).to_have_text("0")
    page.click('.is-next[data-touch="hand:6"]')
    page.click('.is-next[data-touch="a1"]')
    expect(page.locator(".tree a")).to_have_text(["White 6@b2", "Black 1@c2", "White 6@a1"])
    expect(page.locator(".tree [aria-current]")).to_have_text("White 6@a1")
    address = page.url
    page.go_back()
    expect(page.locator(".replay .at")).to_have_text("0")
    page.go_forward()
    expect(page.locator(".tree [aria-current]")).to_have_text("White 6@a1")
    page.fill("#move", "9@z9")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator(".refusal")).to_be_visible()
    assert page.evaluate("window.stays") and page.url == address
    page.goto(address)
    expect(page.locator(".tree [aria-current]")).to_have_text("White 6@a1")
    page.get_by_role("button", name="Drop this move").click()
    expect(page.locator(".tree a")).to_have_text(["White 6@b2", "Black 1@c2"])
    assert [one for one in page.troubles if "422" not in one] == []
