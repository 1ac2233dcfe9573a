"""Answering in advance, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

SCREENS = {"phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
           "desktop": {"viewport": {"width": 1280, "height": 800}}}  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_plan_is_written_beside_the_board_and_seen_at_work(site, chromium, artefacts, screen, scheme):
    world = site.world
    world.match("duel")
    page = site.visit(chromium, "ann", color_scheme=scheme, **SCREENS[screen])
    page.goto("/games/1")
    page.fill("#move", "5@a2")
    page.get_by_text("Answer in advance").click()
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
