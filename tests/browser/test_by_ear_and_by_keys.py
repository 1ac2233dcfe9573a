"""The service for those who use no mouse, and for those who do not see the board."""

from __future__ import annotations

import re

from playwright.sync_api import expect

AT = "(wanted) => document.activeElement.matches(wanted)"
INDICATED = """() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  const halo = document.activeElement.querySelector(".halo");
  const isOutlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return isOutlined || (halo !== null && parseFloat(getComputedStyle(halo).strokeWidth) >= 4);
}"""
WAKE = "document.dispatchEvent(new Event('visibilitychange'))"


def tab_to(page, wanted, most=60):
    """Press Tab until the focus is on what is wanted; on the way it is never lost from sight."""
    for _press in range(most):
        page.keyboard.press("Tab")
        assert page.evaluate(INDICATED), page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        if page.evaluate(AT, wanted):
            return
    raise AssertionError(f"{wanted} is not reached by Tab")


def arrow_to(page, key, wanted, most=20):
    for _press in range(most):
        if page.evaluate(AT, wanted):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{wanted} is not reached by {key}")


def test_from_the_letter_to_a_move_without_a_mouse(site, chromium):
    site.world.match("duel")
    site.world.app.test_client().post("/sign-in", data={"who": "ann"})
    page = site.visit(chromium, viewport={"width": 1280, "height": 900})
    page.goto(site.world.link_in("sign_in"))
    tab_to(page, "main form button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games")
    tab_to(page, 'main a[href="/games/1"]')
    page.keyboard.press("Enter")
    page.locator(".is-next").first.wait_for()
    tab_to(page, "#board [data-touch]")
    arrow_to(page, "ArrowDown", '[data-touch^="hand:"]')
    button = page.evaluate("document.activeElement.dataset.touch").removeprefix("hand:")
    page.keyboard.press("Enter")
    arrow_to(page, "ArrowUp", ".cell")
    square = page.evaluate("document.activeElement.dataset.touch")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value(f"{button}@{square}")
    expect(page.get_by_role("button", name="Play")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text=f"You played {button}@{square}.")).to_be_visible()
    assert page.troubles == []


def test_the_first_tab_leads_past_the_navigation(site, chromium):
    page = site.visit(chromium, "ann")
    page.goto("/games")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.url.endswith("#content")


def test_a_game_is_played_without_seeing_the_board(site, chromium):
    site.world.match("proteus-tiles")
    page = site.visit(chromium, "ann")
    page.goto("/games/1")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("ann.*bob"))
    page.get_by_text("The position in words").press("Enter")
    expect(page.locator(".in-words").first).to_contain_text("Black to move")
    expect(page.locator("#board svg")).to_have_accessible_name(re.compile("Proteus"))
    page.locator(".legal summary").press("Enter")
    listed = page.locator(".legal fieldset").first
    expect(listed).to_have_accessible_name(re.compile(r"\w"))
    text = listed.get_by_role("button").first.inner_text()
    listed.get_by_role("button").first.press("Enter")
    expect(page.locator("#move")).to_be_focused()
    expect(page.locator("#move")).to_have_value(text)
    expect(page.get_by_role("status").filter(has_text="can be played")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text=f"You played {text}.")).to_be_visible()
    assert page.troubles == []


def test_the_opponents_move_is_announced_and_the_words_of_the_position_follow(site, chromium):
    site.world.match("duel")
    page = site.visit(chromium, "bob")
    page.goto("/games/1")
    words = page.locator(".in-words").first.text_content()
    region = page.locator("[data-part=announce]")
    expect(region).to_have_attribute("role", "status")
    expect(region).to_be_empty()
    site.world.play(1, "ann", "5@b3")
    page.evaluate(WAKE)
    expect(region).to_contain_text("Black 5@b3")
    expect(region).to_contain_text("Your turn")
    assert page.locator(".in-words").first.text_content() != words
    assert page.troubles == []
