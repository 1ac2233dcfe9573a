"""Stacks of Plateau can be looked at closely: by pointing, by holding a finger on them, and by keys."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.test_touching import MIDDLE, PLATEAU, ready, site  # noqa: F401 - a world with a stack at b1

STACK = '#board [data-touch="b1"]'
DESK = {"viewport": {"width": 1280, "height": 800}, "is_mobile": False, "has_touch": False}


def views(page):
    return page.locator(".stack-view")


def same_words(page):
    expect(views(page)).to_be_visible()
    expect(views(page)).to_have_text(page.locator(f"{STACK} > title").text_content())
    assert (
        views(page).locator("svg").bounding_box()["width"]
        > 1.5 * page.locator(f"{STACK} .stack").bounding_box()["width"]
    )


def test_a_stack_that_somebody_points_at_is_shown_large_with_its_words_until_escape(site, chromium):  # noqa: F811
    page = ready(site, chromium, PLATEAU, **DESK)
    page.locator(STACK).hover()
    same_words(page)
    page.keyboard.press("Escape")
    expect(views(page)).to_be_hidden()
    assert page.troubles == []


def test_a_stack_is_shown_large_when_keys_have_gone_to_it(site, chromium):  # noqa: F811
    page = ready(site, chromium, PLATEAU, **DESK)
    page.locator("#board [role=button]").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.locator(STACK).focus()
    same_words(page)


def test_a_finger_that_rests_on_a_stack_shows_it_large_and_moves_nothing(site, chromium):  # noqa: F811
    page = ready(site, chromium, PLATEAU)
    x, y = page.locator(STACK).evaluate(MIDDLE)
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    same_words(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.evaluate("scrollY") == 0 and page.troubles == []


def test_the_large_stack_tells_nothing_that_its_viewer_may_not_know(site, chromium):  # noqa: F811
    page = site.visit(chromium, "bob", **DESK)
    page.goto(f"/games/{PLATEAU}")
    page.locator(STACK).hover()
    expect(views(page)).to_contain_text("unseen")
    drawn = views(page).inner_html()
    assert "face-r" in drawn and "red up" in drawn  # the face on top, which everybody sees
    assert "face-b" not in drawn
    assert "Mask" not in drawn
    assert "Mute" not in drawn
