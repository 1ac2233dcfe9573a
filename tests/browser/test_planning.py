"""Answering in advance, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.sizes import more

SCREENS = {"phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
           "desktop": {"viewport": {"width": 1280, "height": 800}}}  # fmt: skip


@pytest.mark.parametrize(
    ("screen", "scheme"), [("phone", "dark"), more("phone", "light"), ("desktop", "light"), more("desktop", "dark")]
)
def test_a_plan_is_written_beside_the_board_and_seen_at_work(site, chromium, artefacts, screen, scheme):
    world = site.world
    world.match("duel")
    page = site.visit(chromium, "ann", color_scheme=scheme, **SCREENS[screen])
    page.goto("/games/1")
    page.fill("#move", "5@a2")
    page.get_by_text("Conditional moves").click()
    page.fill("#ahead", "if 6@b2 then 8@b3, if 8@a1 then 1@c2")
    page.screenshot(path=artefacts / f"planning-with-move-{screen}-{scheme}.png", full_page=True)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".plan-lines li")).to_have_count(1)
    page.get_by_text("Change it").click()
    page.locator("#lines").press("End")
    page.fill("#lines", "if 6@b2 then 8@b3, if 8@a1 then 1@c2\nif 6@a1 then 8@b1")
    page.get_by_role("button", name="Plan this").click()
    expect(page.locator(".plan-lines li")).to_have_count(2)
    page.locator("#plan").scroll_into_view_if_needed()
    page.get_by_text("Change it").click()
    page.screenshot(path=artefacts / f"planning-{screen}-{scheme}.png", full_page=True)
    world.play(1, "bob", "6@b2")
    page.reload()
    expect(page.locator(".fresh")).to_contain_text("8@b3")
    world.play(1, "bob", "8@a1", comment="You knew?")
    page.reload()
    page.screenshot(path=artefacts / f"planning-stopped-{screen}-{scheme}.png", full_page=True)
    page.get_by_role("button", name="Go on with it").click()
    expect(page.locator(".moves")).to_contain_text("1@c2")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.troubles == []


@pytest.mark.parametrize("screen", SCREENS)
def test_a_plan_is_recorded_by_touch_branch_by_branch_and_saved_at_once(site, chromium, artefacts, screen):
    site.world.match("duel")
    site.world.play(1, "ann", "5@a2")
    page = site.visit(chromium, "ann", **SCREENS[screen])
    page.goto("/games/1")
    page.get_by_role("link", name="Plan on the board").click()
    loads = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    touch(page, "hand:6", "b2", "if 6@b2")
    touch(page, "hand:8", "b3", "if 6@b2 then 8@b3")
    page.get_by_role("button", name="Another move of bob").click()
    expect(page.get_by_role("heading", name="Choose a move that bob may play")).to_be_visible()
    touch(page, "hand:6", "a1", "if 6@a1")
    touch(page, "hand:8", "b1", "if 6@a1 then 8@b1")
    expect(page.locator(".recorded .steps")).to_have_text(["if 6@b2 then 8@b3", "if 6@a1 then 8@b1"])
    page.get_by_role("button", name="6@a1", exact=True).click()
    expect(page.get_by_role("heading", name="Choose your answer to")).to_be_visible()
    touch(page, "hand:7", "b1", "if 6@a1 then 7@b1")
    expect(page.get_by_text("After 6@a1 you now answer 7@b1 instead of 8@b1.")).to_be_visible()
    page.screenshot(path=artefacts / f"planning-board-{screen}.png", full_page=True)
    page.get_by_role("button", name="Delete: if 6@b2 then 8@b3").click()
    expect(page.locator(".recorded .steps")).to_have_text(["if 6@a1 then 7@b1"])
    assert loads == [], "nothing is loaded anew"
    page.get_by_role("button", name="Save this plan").click()
    expect(page.locator(".plan-lines li")).to_have_text(["if 6@a1 then 7@b1"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and page.troubles == []


def touch(page, piece, square, written):
    """A move on the board that plans, until it stands among the lines or waits for its answer."""
    for token in (piece, square):
        shown = page.locator(f'#board .is-next[data-touch="{token}"], .choices button[value="{token}"]')
        shown.filter(visible=True).last.click()
    expect(page.locator(".steps, [data-part=pending]").filter(has_text=written)).to_have_count(1)


def test_a_plan_is_recorded_by_keys_and_without_script(site, chromium):
    site.world.match("duel")
    site.world.play(1, "ann", "5@a2")
    page = site.visit(chromium, "ann", **SCREENS["desktop"])
    page.goto("/games/1/plan/board")
    page.locator(".is-next").first.wait_for()
    page.locator('#board [data-touch="hand:6"]').press("Enter")
    page.locator('#board [data-touch="b2"]').press("Enter")
    expect(page.get_by_role("heading", name="Choose your answer to")).to_be_visible()
    expect(page.locator("#board [data-touch]:focus")).to_have_count(1)
    page.locator("#move").fill("8@b3")
    page.keyboard.press("Enter")
    expect(page.locator(".recorded .steps")).to_have_text(["if 6@b2 then 8@b3"])
    page.locator("h1").click()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")  # quicker than an answer comes
    expect(page.get_by_role("heading", name="Choose a move that bob may play")).to_be_visible()
    assert page.troubles == []
    plain = site.visit(chromium, "ann", java_script_enabled=False, **SCREENS["desktop"])
    plain.goto("/games/1/plan/board")
    for move in ("6@b2", "8@b3"):
        plain.fill("#move", move)
        plain.get_by_role("button", name="Add").click()
    plain.get_by_role("button", name="Save this plan").click()
    expect(plain.locator(".plan-lines li")).to_have_text(["if 6@b2 then 8@b3"])


def test_from_ones_own_move_the_way_leads_to_the_board_for_answers(site, chromium):
    site.world.match("duel")
    page = site.visit(chromium, "ann", **SCREENS["phone"])
    page.goto("/games/1")
    page.fill("#move", "5@a2")
    page.get_by_text("Conditional moves").tap()
    page.get_by_role("button", name="Play, and plan on the board").tap()
    expect(page.get_by_role("status").filter(has_text="You played 5@a2")).to_be_visible()
    touch(page, "hand:6", "b2", "if 6@b2")
    assert site.world.moves(1) == ["5@a2"] and page.troubles == []
